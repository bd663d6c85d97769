"""`annotator sync`: what it prints, its exit codes, and that it works beside an open window's workspace."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.sync.made import Place, bundles

ROOT = Path(__file__).parents[3]


def annotator(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "annotator", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=dict(os.environ), timeout=120)


def raw(*arguments: object) -> dict[str, Any]:
    done = annotator("sync", *arguments, "--json")
    held: dict[str, Any] = json.loads(done.stdout)
    return held


def test_two_workspaces_by_command(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(3)
    bo.say(5)
    said = annotator("sync", anna.folder, shared)  # anna's workspace is open here meanwhile
    assert (said.returncode, said.stderr) == (0, "")
    assert "Sent 1 label events, received 0." in said.stdout and "Both sides agree" in said.stdout
    report = raw(bo.folder, shared)
    assert report["ok"] and (report["sent"], report["received"]) == (1, 1)
    (came,) = report["came_in"]
    assert came == {"rater": "anna", "device": anna.store.device, "events": 1}
    assert len(bundles(shared)) == 2


def test_the_worlds_faults_are_one_sentence_and_exit_1(anna: Place, shared: Path, tmp_path: Path) -> None:
    for arguments in ((anna.folder, tmp_path / "nowhere"), (tmp_path / "no workspace", shared)):
        done = annotator("sync", *arguments)
        assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1
    assert annotator("sync", anna.folder).returncode == 2
    anna.say(3)
    assert annotator("sync", anna.folder, shared).returncode == 0
    for path in shared.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = annotator("sync", anna.folder, shared)
    assert done.returncode == 1 and "--begin-again" in done.stderr and list(shared.iterdir()) == []
    assert annotator("sync", anna.folder, shared, "--begin-again").returncode == 0


def test_a_difference_is_exit_1_and_conflicts_are_listed(settle_in: Any, shared: Path) -> None:
    from dataclasses import replace

    home, work = settle_in("home", "lin"), settle_in("work", "lin")
    home.say(2)
    work.say(4)
    home.sync(shared)
    report = raw(work.folder, shared)
    (conflict,) = report["conflicts"]
    assert [s["value"] for s in conflict["sides"]] == [2, 4] and conflict["field"] == "accuracy"
    (event,) = [e for e in home.store.labels.events() if e.value == 2]
    rival = replace(event, value=1, device="elsewhere")
    bare = settle_in("bare", "mei")
    bare.store.labels.merge([replace(rival, digest=rival.compute_digest())])
    done = annotator("sync", bare.folder, shared)
    assert done.returncode == 1 and "Kept aside" in done.stdout and "nothing was overwritten" in done.stderr
    assert "--acknowledge" in done.stdout
    done = annotator("sync", bare.folder, shared, "--acknowledge")
    assert done.returncode == 0 and "1 events that are kept aside were acknowledged" in done.stdout
    assert annotator("sync", bare.folder, shared).returncode == 0
