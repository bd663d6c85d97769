"""Many people label and sync through one folder at once, and some of their machines go down at random instants.

`python -m tests.crowd --people 20 --seconds 300`: each person is a process of its own. It writes down each label once
the store has acknowledged it. The parent kills processes with SIGKILL and starts them again; in the end everybody syncs
until all is quiet, and every label that was acknowledged must be everywhere, once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from annotator.store import create_store
from annotator.workspace.syncing import sync
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.unit.store.made import MODELS, answers, dialogue, fill, the_id

ROOT = Path(__file__).resolve().parent.parent
DIALOGUES = 6
# How long a machine that is busy with other things may take for what a free one does at once.
_PATIENCE_S = 600.0


@dataclass
class Outcome:
    """What came of it.

    Attributes:
        said, kills: labels acknowledged; processes killed.
        lost: acknowledged labels that somebody does not have; `unequal`: who differs from the first; `problems`.
    """

    said: int = 0
    kills: int = 0
    lost: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def live(folder: Path, shared: Path, diary: Path, seed: int) -> None:
    """One person's life: label, sync now and then, until killed or told to stop."""
    chance = random.Random(seed)
    with Workspace.open(folder) as door, diary.open("a", encoding="utf-8") as written:
        while not (folder.parent / "stop").exists():
            for _ in range(chance.randrange(1, 12)):
                before = door.store.union.arrival()
                target = f"turn:{chance.randrange(3)}"
                value = chance.choice([1, 2, 3, 4, 5])
                door.say(the_id(chance.randrange(DIALOGUES)), MODELS[0], [Intent(target, "accuracy", value)], 5, "en")
                for event in door.store.labels.events(after=before):
                    written.write(event.event_id + "\n")
                written.flush()
            sync(door, shared)


def run(root: Path, *, people: int, seconds: float, seed: int, labels: int = 0) -> Outcome:
    """Let them work for some time, and on until so many labels were said, then bring all together and compare."""
    chance = random.Random(seed)
    shared = root / "shared"
    shared.mkdir()
    folders = [root / f"person{n}" for n in range(people)]
    for n, folder in enumerate(folders):
        with create_store(folder, rater=f"rater{n // 2}") as store:  # two devices each
            fill(store, map(dialogue, range(DIALOGUES)), [answers(i, MODELS[0]) for i in range(DIALOGUES)])
    outcome = Outcome()
    lives = [_start(root, shared, n, 0) for n in range(people)]
    until = time.monotonic() + seconds
    while time.monotonic() < until or (time.monotonic() < until + _PATIENCE_S and len(_said(root)) < labels):
        time.sleep(chance.uniform(0.5, 1.5) * 12 / people)
        n = chance.randrange(people)
        if lives[n].poll() is None:
            lives[n].send_signal(signal.SIGKILL)
            outcome.kills += 1
        elif lives[n].returncode != -signal.SIGKILL:
            break
        lives[n].wait()
        lives[n] = _start(root, shared, n, outcome.kills)
    (root / "stop").touch()
    for n, process in enumerate(lives):
        if process.wait(_PATIENCE_S):
            outcome.problems.append(f"person {n} ended with {process.returncode}")
    _together(folders, shared, root, outcome)
    return outcome


def _start(root: Path, shared: Path, n: int, seed: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "tests.crowd",
        "--live",
        str(root / f"person{n}"),
        str(shared),
        str(seed * 100 + n),
    ]
    return subprocess.Popen(command, cwd=ROOT, env=dict(os.environ))


def _said(root: Path) -> set[str]:
    """The labels that were noted as acknowledged; a kill may cut the last line, which then is not one."""
    held = (diary.read_text(encoding="utf-8") for diary in root.glob("diary-*"))
    return {line for text in held for line in text.split("\n") if len(line) == 36}


def _together(folders: list[Path], shared: Path, root: Path, outcome: Outcome) -> None:
    said = _said(root)
    outcome.said = len(said)
    doors = [Workspace.open(folder) for folder in folders]
    try:
        for _ in range(5):
            reports = [sync(door, shared) for door in doors]
            if not any(r.sent or r.received for r in reports):
                break
        outcome.problems += [s for r in reports for s in (*(d.why for d in r.differences), *r.quarantined)]
        first: dict[str, str] = {}
        for door in doors:
            held = {e.event_id: e.digest for e in door.store.labels.events()}
            first = first or held
            outcome.lost += sorted(said - held.keys())
            if held != first or len(held) != door.store.labels.count():
                outcome.unequal.append(door.store.folder.name)
            outcome.problems += door.store.upkeep.check().problems
    finally:
        for door in doors:
            door.close()


def main() -> None:
    """Run it by hand, or live one life."""
    if sys.argv[1:2] == ["--live"]:
        folder, shared, seed = Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
        live(folder, shared, folder.parent / f"diary-{folder.name}", seed)
        return
    parser = argparse.ArgumentParser(prog="python -m tests.crowd", description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        outcome = run(Path(scratch), people=asked.people, seconds=asked.seconds, seed=asked.seed)
    print(json.dumps({**outcome.__dict__, "lost": len(outcome.lost)}, indent=2))
    sys.exit(bool(outcome.lost or outcome.unequal or outcome.problems))


if __name__ == "__main__":
    main()
