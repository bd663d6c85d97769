"""Whatever happens in whatever order: when everything has arrived, all devices are equal and nothing is lost.

What comes in is taken three events at a time, and two of them are enough to be read as columns, so that bundles are
taken in several transactions here too, of which some never end.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.store import union, union_fold
from annotator.sync import folder as sync_folder
from annotator.workspace import sync_take
from tests.e2e.sync.made import Place, bundles, equal, quiet

pytestmark = pytest.mark.slow
# Two people, one of them on two devices, and a fourth device without any data.
RATERS = ("lin", "lin", "bo", "lin")

_WHO = st.integers(0, len(RATERS) - 1)
_STEP = st.one_of(
    st.tuples(st.just("say"), _WHO, st.sampled_from([1, 3, 5, None]), st.integers(0, 1)),
    st.tuples(st.just("undo"), _WHO),
    st.tuples(st.just("sync"), _WHO),
    st.tuples(st.just("sync"), _WHO),
    st.tuples(st.just("crash"), _WHO, st.sampled_from(["fsync", "replace", "note", "fold", "journal"])),
    st.tuples(st.just("reopen"), _WHO),
    st.tuples(st.just("copy"), st.integers(0, 20)),
    st.tuples(st.just("hide"), st.integers(0, 20)),
    st.tuples(st.just("show"), st.integers(0, 20)),
    st.tuples(st.just("cut"), st.integers(0, 20), st.floats(0, 0.99)),
)


class Crash(BaseException):
    """The process ends here."""


def _crash(place: Place, shared: Path, where: str) -> None:
    """Sync, and end at a moment of the writing; the workspace is opened again as after a power cut.

    `fold` is in the middle of a transaction, the second that takes events in where there are two; `journal` behind
    its COMMIT and before its lines are written.
    """
    with pytest.MonkeyPatch.context() as patch:

        def end(*_: Any, **__: Any) -> None:
            raise Crash

        if where == "note":
            patch.setattr(type(place.store.union), "note", end)
        elif where == "journal":
            patch.setattr(type(place.store.journal), "_append", end)
        elif where == "fold":
            calls: list[int] = []
            fold_new = union_fold.fold_new

            def second(*args: Any, **more: Any) -> Any:
                calls.append(1)
                return end() if len(calls) == 2 else fold_new(*args, **more)

            patch.setattr(union_fold, "fold_new", second)
        else:
            patch.setattr(f"{sync_folder.__name__}.os.{where}", end)
        with contextlib.suppress(Crash):
            place.sync(shared)
    place.reopen()


def _files(shared: Path, away: Path, step: tuple[Any, ...]) -> None:
    name, which = step[0], step[1]
    held = sorted(away.glob("*/*")) if name == "show" else bundles(shared)
    if not held:
        return
    file = held[which % len(held)]
    if name == "show":
        (shared / "bundles" / file.parent.name).mkdir(parents=True, exist_ok=True)
        file.rename(shared / "bundles" / file.parent.name / file.name)
    elif name == "copy":
        shutil.copy(file, file.with_name(f"{which} copy of {file.name}"))
    elif name == "hide":
        (away / file.parent.name).mkdir(exist_ok=True)
        file.rename(away / file.parent.name / file.name)
    else:
        data = file.read_bytes()
        file.write_bytes(data[: int(len(data) * step[2])])


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_STEP, max_size=40))
def test_every_schedule_comes_to_one_state(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setattr(union, "MANY", 2)
        patch.setattr(sync_take, "BATCH", 3)
        root = Path(scratch)
        shared, away = root / "shared", root / "away"
        shared.mkdir()
        away.mkdir()
        places = [Place(root / f"w{n}", rater, items=n < 3) for n, rater in enumerate(RATERS)]
        try:
            for step in steps:
                if step[0] in ("copy", "hide", "show", "cut"):
                    _files(shared, away, step)
                    continue
                place = places[step[1]]
                if step[0] == "say" and (step[1] < 3):
                    place.say(step[2], turn=step[3])
                elif step[0] == "undo" and step[1] < 3:
                    before = place.store.union.arrival()
                    place.door.undo()
                    place.said.update(e.event_id for e in place.store.labels.events(after=before))
                elif step[0] == "sync":
                    place.sync(shared)
                elif step[0] == "crash":
                    _crash(place, shared, step[2])
                elif step[0] == "reopen":
                    place.reopen()
            while list(away.glob("*/*")):
                _files(shared, away, ("show", 0))
            quiet(places, shared)
            quiet(places, shared)
            equal(places)
            assert all(p.sync(shared, verify=True).ok for p in places)
        finally:
            for place in places:
                place.door.close()
