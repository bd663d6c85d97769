"""A dialogue without a single turn is still a candidate: shown, judged as a whole, and opened again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from annotator.domain.rubric import SESSION_DIMENSIONS
from annotator.ui.i18n import tr
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]
RECORDS = [
    {"_ai_unique_id_": "none", "environment": "x-y", "image_conversation": {"conversations": []}},
    {
        "_ai_unique_id_": "asked",
        "environment": "x-y",
        "stream_conversation": {"conversations": [{"speaker": "user", "timestamp": "00:01", "text": "Anyone?"}]},
    },
]


def made(tmp_path: Path) -> Path:
    source = tmp_path / "dialogues.json"
    source.write_text(json.dumps(RECORDS), encoding="utf-8")
    with Workspace.create(tmp_path / "workspace", rater="lin") as workspace:
        workspace.import_source(source)
    return tmp_path / "workspace"


def test_it_is_shown_judged_and_opened_again(drive: Drive, tmp_path: Path) -> None:
    folder = made(tmp_path)
    driver = drive(folder)
    seen = {}
    for _ in RECORDS:
        seen[driver.view.row.source_id] = "\n".join(driver.texts())
        driver.press("][S[]")
        assert driver.window.review.turn is None
        driver.press("4321k")
        assert driver.view.row.status == "complete"
        driver.press("n")
    assert tr("transcript.no_turns") in seen["none"]
    assert "Anyone?" in seen["asked"] and tr("transcript.unanswered") in seen["asked"]
    driver.close()
    again = drive(folder)
    for _ in RECORDS:
        assert again.window.review.turn is None
        assert again.value("session", SESSION_DIMENSIONS[0]) == 4
        again.press("n")
