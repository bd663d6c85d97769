"""The as-of gate: what a turn may see, for clips of their own, shared clips and images."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from annotator.domain.gate import Opening, Segment, Strip
from annotator.domain.items import Asset, Turn
from annotator.domain.timecode import parse


def clip(name: str, *, found: bool = True) -> Asset:
    return Asset(
        role="clip", raw=name, field="clip_path", status="ok" if found else "missing", inside=name if found else None
    )


def turns(*entries: tuple[str | None, Any]) -> list[Turn]:
    return [
        Turn(index=k, question="q", reference="r", timestamp=parse(time), evidence=(clip(name),) if name else ())
        for k, (name, time) in enumerate(entries)
    ]


def test_own_clips_open_whole_one_by_one() -> None:
    strip = Strip("video", turns(("a", "00:05"), ("b", "00:03"), ("c", None)))
    assert [strip.opening(s, 1) for s in range(3)] == [Opening(open=True), Opening(open=True), Opening(open=False)]
    assert strip.segment(1) == Segment(1, Fraction(0), None)


def test_a_shared_clip_opens_up_to_the_end_of_the_turns_range() -> None:
    strip = Strip("video", turns(("a", "0-8"), ("a", "20"), ("a", "35.4-47")))
    assert strip.opening(0, 0).until == 8
    assert strip.opening(0, 1).until == 20
    assert strip.opening(0, 2).until == 47
    assert strip.segment(0) == Segment(0, Fraction(0), Fraction(8))
    assert strip.segment(1) == Segment(0, Fraction(8), Fraction(20))
    assert strip.segment(2) == Segment(0, Fraction(20), Fraction(47))


def test_the_instant_of_the_gate_itself_may_be_seen() -> None:
    opening = Strip("video", turns(("a", "8"), ("a", "9"))).opening(0, 0)
    assert opening.allows(Fraction(8))
    assert not opening.allows(Fraction(8) + Fraction(1, 90000))


def test_an_unreadable_timestamp_opens_the_whole_clip_and_says_so() -> None:
    strip = Strip("video", turns(("a", "8"), ("a", "later"), ("a", "30")))
    assert strip.opening(0, 1) == Opening(open=True, unread=True)
    assert strip.opening(0, 2).until == 30


def test_a_turn_sees_no_less_than_the_turns_before_it() -> None:
    strip = Strip("video", turns(("a", "40"), ("a", "20")))
    assert strip.opening(0, 1).until == 40
    assert strip.segment(1) == Segment(0, Fraction(20), Fraction(20))


def test_the_session_view_opens_everything() -> None:
    strip = Strip("video", turns(("a", "8"), ("a", "9"), ("b", "1")))
    assert all(strip.opening(s, None) == Opening(open=True) for s in range(2))


def test_images_open_one_by_one_and_stay_open() -> None:
    strip = Strip("image", turns(("1", "8"), ("2", "9"), ("1", "10")))
    assert [s.turns for s in strip.stops] == [(0, 2), (1,)]
    assert not strip.opening(1, 0).open
    assert strip.opening(0, 1).open
    assert strip.opening(0, 0) == Opening(open=True)


def test_missing_files_keep_their_own_stops() -> None:
    given = turns((None, "1"), ("b", "2"))
    lost = given[0].model_copy(
        update={"evidence": (Asset(role="clip", raw=None, field="clip_path", status="missing"),)}
    )
    strip = Strip("video", [lost, given[1]])
    assert [s.turns for s in strip.stops] == [(0,), (1,)]
    assert Strip("video", given).segment(0) is None
