"""Kills the real application while somebody scores, and looks for what it had called saved and that is gone.

`python -m tests.faults --kills 200`: a child process is the application itself, on a display nobody sees, driven by
key events every few milliseconds (`tests.helpers.hands`). It writes down what is entered, and when `savedLabel` says
saved. The parent kills it with SIGKILL at a random instant, opens the workspace, and compares.
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
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.workspace.workspace import PHASE, Workspace

ROOT = Path(__file__).resolve().parent.parent
RATER = "lin"
START_LIMIT_S = 60.0
LIFE_S = 1.6
# Most kills hit while keys are being pressed; each tenth hits the start, when the log is read back.
WHILE_STARTING = 4
FRESH = 9
Key = tuple[str, str | None, str, str]


@dataclass
class Told:
    """What one child wrote down.

    Attributes:
        safe: the values that it had entered and that `savedLabel` then called saved.
        later: the values entered after that, by key; any of them may be there or not.
        entered, saved: how many values were entered; how many of them were called saved.
    """

    safe: dict[Key, Any] = field(default_factory=dict)
    later: dict[Key, list[Any]] = field(default_factory=dict)
    entered: int = 0
    saved: int = 0


@dataclass
class Outcome:
    """What all kills together showed."""

    kills: int = 0
    while_starting: int = 0
    entered: int = 0
    saved: int = 0
    events: int = 0
    lost: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.lost and not self.problems


def run(kills: int, folder: Path, seed: int = 0, verbose: bool = False) -> Outcome:
    """Kill the application `kills` times over one workspace in `folder`."""
    chance = random.Random(seed)
    workspace = make_workspace(folder)
    outcome = Outcome()
    safe: dict[Key, Any] = {}
    with Nursery(folder) as nursery:
        for number in range(kills):
            log = folder / f"child-{number}.log"
            early = number % 10 == WHILE_STARTING
            pid = nursery.child(workspace, log, chance.randrange(2**31), fresh=number % 10 == FRESH)
            if early:
                time.sleep(chance.uniform(0.0, 0.6))
            else:
                nursery.wait_for_first_key(log, pid)
                time.sleep(chance.uniform(0.0, LIFE_S))
            nursery.kill(pid)
            take(outcome, number, workspace, read_log(log), safe, early=early)
            if verbose:
                print(f"kill {number + 1:3d}: {outcome.saved} of {outcome.entered} values called saved", flush=True)
    return outcome


def take(outcome: Outcome, number: int, workspace: Path, told: Told, safe: dict[Key, Any], *, early: bool) -> None:
    """Compare what one child told with what is there; `safe` is what all of them called saved."""
    outcome.kills += 1
    outcome.while_starting += early
    outcome.entered += told.entered
    outcome.saved += told.saved
    safe.update(told.safe)
    outcome.events, lost, problems = compare(workspace, safe, told.later)
    outcome.lost += [f"kill {number}: {text}" for text in lost]
    outcome.problems += [f"kill {number}: {text}" for text in problems]
    # What was entered late and is there is what stands now.
    safe.update(standing(workspace, told.later))


def make_workspace(folder: Path) -> Path:
    """A workspace with enough to score for as many children as there may be."""
    from tests.unit.cli import sources

    data = folder / "data"
    data.mkdir(parents=True)
    names = {f"street-{n:03d}": 4 for n in range(60)}
    records = [sources.dialogue(name, turns) for name, turns in names.items()]
    (data / "video_final.json").write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    for model in sources.MODELS:
        sources.write_lines(data / f"{model}_samples.jsonl", [sources.sample(n, t, model) for n, t in names.items()])
    workspace = folder / "workspace"
    with Workspace.create(workspace, rater=RATER) as door:
        report = door.import_source(data)
    assert not report.refused and report.dialogues == len(names), report
    return workspace


class Nursery:
    """Where children come from: a process that has read the program already and forks, which spares each the reading.

    Nothing of Qt is made before the fork. Every tenth child is a fresh interpreter all the same.
    """

    def __init__(self, folder: Path) -> None:
        home = folder / "home"
        self.complaints = folder / "complaints.txt"
        self._environment = {
            **os.environ, "QT_QPA_PLATFORM": "offscreen", "ANNOTATOR_CONFIG_DIR": str(home / "config"),
            "ANNOTATOR_STATE_DIR": str(home / "state"), "XDG_RUNTIME_DIR": tempfile.gettempdir(),
        }  # fmt: skip
        self._zygote = self._start("--nursery", subprocess.PIPE)
        self._fresh: subprocess.Popen[str] | None = None

    def _start(self, *words: Any) -> subprocess.Popen[str]:
        *arguments, out = words
        command = [sys.executable, "-m", "tests.helpers.hands", *map(str, arguments)]
        with self.complaints.open("ab") as complaints:
            return subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdin=subprocess.PIPE, stdout=out, stderr=complaints,
                text=True, bufsize=1,
            )  # fmt: skip

    def child(self, workspace: Path, log: Path, seed: int, *, fresh: bool) -> int:
        """Start the application; returns its process id."""
        if fresh:
            self._fresh = self._start(workspace, log, seed, subprocess.DEVNULL)
            return self._fresh.pid
        assert self._zygote.stdin is not None and self._zygote.stdout is not None
        self._zygote.stdin.write(json.dumps([str(workspace), str(log), seed]) + "\n")
        return int(self._zygote.stdout.readline())

    def kill(self, pid: int) -> None:
        """Kill a child that must still be running, and wait until it is gone."""
        if self._fresh is not None:
            self._fresh.poll()
        assert _is_there(pid), f"the application ended by itself: {self.complaint()}"
        os.kill(pid, signal.SIGKILL)
        if self._fresh is not None:
            self._fresh.communicate()
            self._fresh = None
            return
        while _is_there(pid):
            time.sleep(0.002)

    def complaint(self) -> str:
        """The end of what the children printed."""
        return self.complaints.read_text(encoding="utf-8", errors="replace")[-2000:]

    def wait_for_first_key(self, log: Path, pid: int) -> None:
        """Until the child entered something."""
        deadline = time.monotonic() + START_LIMIT_S
        while not (log.exists() and log.stat().st_size):
            if self._fresh is not None:
                self._fresh.poll()
            ready = _is_there(pid) and time.monotonic() < deadline
            assert ready, f"the application did not come up: {self.complaint()}"
            time.sleep(0.005)

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fresh is not None:
            self._fresh.kill()
            self._fresh.communicate()
        self._zygote.communicate()


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def read_log(log: Path) -> Told:
    """What the child wrote down; a line that the kill cut off does not count."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    lines = [json.loads(line) for line in text.split("\n")[:-1]]
    last = max((i for i, line in enumerate(lines) if line == "saved"), default=-1)
    told = Told()
    for place, line in enumerate(lines):
        if line == "saved":
            continue
        for item, responder, target, name, value in line:
            key = (item, responder, target, name)
            told.entered += 1
            if place < last:
                told.safe[key] = value
                told.saved += 1
            else:
                told.later.setdefault(key, []).append(value)
    return told


def compare(workspace: Path, safe: dict[Key, Any], later: dict[Key, list[Any]]) -> tuple[int, list[str], list[str]]:
    """(events, what is lost, what a check of the whole workspace complains about)."""
    with Workspace.open(workspace) as door:
        held = current(door)
        checked = door.store.upkeep.check()
    lost = [
        f"{' '.join(map(str, key))}: saved as {value!r}, found {held.get(key)!r}"
        for key, value in safe.items()
        if held.get(key) != value and held.get(key) not in later.get(key, [])
    ]
    return checked.events, lost, list(checked.problems)


def standing(workspace: Path, later: dict[Key, list[Any]]) -> dict[Key, Any]:
    """The values of these keys that are there."""
    with Workspace.open(workspace, read_only=True) as door:
        held = current(door)
    return {key: held[key] for key in later if key in held}


def current(door: Workspace) -> dict[Key, Any]:
    """What stands, by key."""
    labels = (label.current for label in door.store.labels.current(rater=RATER, phase=PHASE))
    return {(c.key.item_id, c.key.responder, c.key.target, c.key.field): c.value for c in labels}


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m tests.faults --kills N`."""
    parser = argparse.ArgumentParser(prog="tests.faults", description="Kill the application and look for losses.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--people", type=int, default=0, help="then let so many processes label and sync at once")
    parser.add_argument("--seconds", type=float, default=300.0, help="for so long")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        outcome = run(chosen.kills, Path(folder), chosen.seed, verbose=True)
    for text in (*outcome.lost, *outcome.problems):
        print(text, file=sys.stderr)
    print(
        f"{outcome.kills} kills ({outcome.while_starting} while starting): {outcome.entered} values entered, "
        f"{outcome.saved} called saved, {len(outcome.lost)} of these lost; {outcome.events} events, "
        f"{len(outcome.problems)} complaints of the check."
    )
    together = chosen.people == 0 or _crowd(chosen.people, chosen.seconds, chosen.seed)
    return 0 if outcome.ok and together else 1


def _crowd(people: int, seconds: float, seed: int) -> bool:
    """Many people and one shared folder; whether all came together."""
    from tests import crowd

    with tempfile.TemporaryDirectory(prefix="crowd-") as folder:
        found = crowd.run(Path(folder), people=people, seconds=seconds, seed=seed)
    for text in (*found.lost, *found.unequal, *found.problems):
        print(text, file=sys.stderr)
    print(
        f"{people} people for {seconds:.0f} s: {found.said} labels said, {found.kills} killed, {len(found.lost)} lost, "
        f"{len(found.unequal)} workspaces unequal, {len(found.problems)} problems."
    )
    return not (found.lost or found.unequal or found.problems)


if __name__ == "__main__":
    sys.exit(main())
