"""Six processes label and sync through one folder while some are killed: nothing is lost, nothing doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import crowd


@pytest.mark.slow
def test_six_people_and_a_few_power_cuts(tmp_path: Path) -> None:
    outcome = crowd.run(tmp_path, people=6, seconds=30.0, seed=7, labels=200)
    assert outcome.kills >= 3 and outcome.said >= 200
    assert outcome.lost == [] and outcome.unequal == [] and outcome.problems == []
