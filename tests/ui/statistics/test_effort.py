"""Effort on the page: minutes that were counted by hand, and that no rater is shown another's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.ui.statistics.effort import EffortSection
from annotator.workspace.figures_own import OWN, behind_effort, leads
from annotator.workspace.figures_room import FigureRoom, Question
from tests.ui.statistics.bench import Bench
from tests.ui.statistics.made_verdicts import build


@pytest.fixture(scope="session")
def of_lead(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("lead"), lead=True)


@pytest.fixture(scope="session")
def of_rater(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("rater"), "zoe")


def open_section(bench: Callable[..., Bench], folder: Path) -> tuple[Bench, EffortSection]:
    made = bench(folder, section="effort")
    made.settle()
    section = made.section
    assert isinstance(section, EffortSection)
    return made, section


def minutes_of_li() -> float:
    """Eight scores of 6 to 13 seconds and what they wait, a verdict, and a reason from the fifteenth dialogue on."""
    spent = [76_000 + 4_000 * (k % 4) + 2_000 + (2_000 if 14 <= k < 20 else 0) for k in range(22)]
    return sum(spent) / 22 / 60_000


def test_a_lead_sees_everyone_and_figures_are_those_counted_by_hand(bench: Callable[..., Bench], of_lead: Path) -> None:
    made, section = open_section(bench, of_lead)
    rows = {row.key: row for row in section.minutes["raters"].rows()}
    assert list(rows) == ["li", "wu", "zoe"]
    assert rows["li"].marks[0].value == pytest.approx(minutes_of_li())
    assert rows["zoe"].marks[0].value == pytest.approx(1_700 / 60_000)
    assert [(bar.key, bar.value) for bar in section.rushed.bars()] == [("li", 0.0), ("wu", 0.0), ("zoe", 1.0)]
    assert "You have adjudicated here" in section.notices.texts()[-1]
    weeks = {row.key: row for row in section.drift.rows()}
    assert [key[1] for key in weeks if key[0] == "wu"] == ["2026-W10", "2026-W11", "2026-W12"]
    assert weeks["wu", "2026-W12"].marks[0].value < weeks["wu", "2026-W10"].marks[0].value
    assert weeks["wu", "2026-W12"].cells[2][0] == "−1.83"
    made.click(section.rushed, "zoe")
    assert len({item for item, _, _ in made.found[-1][0].places}) == 14
    made.click(section.minutes["weeks"], "2026-W12")
    assert len({item for item, _, _ in made.found[-1][0].places}) == 6


def test_a_rater_sees_the_own_work_alone_whatever_is_asked(bench: Callable[..., Bench], of_rater: Path) -> None:
    made, section = open_section(bench, of_rater)
    assert [row.key for row in section.minutes["raters"].rows()] == ["zoe"]
    assert {row.key[0] for row in section.drift.rows() if isinstance(row.key, tuple)} == {"zoe"}
    assert section.notices.texts()[-1].startswith("This is your own work alone")
    assert section.head.tiles()[0].value == "0.03"
    made.page.set_view(section.view.choosing("rater", frozenset({"li"})))
    made.settle()
    assert [row.key for row in section.minutes["raters"].rows()] == ["zoe"]


def test_the_room_itself_keeps_others_work_back(of_rater: Path, of_lead: Path) -> None:
    room = FigureRoom(of_rater)
    asked = Question("effort", ("rater",), (("rater", ("li", "wu")),), resamples=50)
    made = room.answer(asked, points=False)
    assert {figure.by["rater"] for figure in made.figures} == {"zoe"}
    assert made.notes[-1] == OWN
    drift = room.answer(Question("drift", ("rater", "week"), resamples=50), points=False)
    assert {figure.by["rater"] for figure in drift.figures} == {"zoe"}
    assert behind_effort(room, asked, "minutes", {"rater": "li"}).places == ()
    assert not leads(room.store)
    room.close()
    room = FigureRoom(of_lead)
    assert leads(room.store)
    made = room.answer(asked, points=False)
    assert {figure.by["rater"] for figure in made.figures} == {"li", "wu"}
    room.close()


def test_who_has_done_nothing_yet_is_told(bench: Callable[..., Bench], made_workspace: Path) -> None:
    _, section = open_section(bench, made_workspace)
    assert not section.empty.isHidden()
    assert section.head.isHidden()
    assert "no rater is shown another's" in section.notices.texts()[-1]
