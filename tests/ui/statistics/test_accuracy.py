"""The accuracy section: models beside people and the paper, blind until answered, its questions one click away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotator.ui import i18n
from annotator.ui.statistics.accuracy import AccuracySection
from annotator.workspace.questions import Questions
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver
from tests.helpers.questions import answered, official, write_json, write_lines
from tests.ui.statistics.bench import Bench

pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")
Make = Callable[..., Bench]
KEYS = [n % 5 for n in range(30)]
# GPT-4o reads A everywhere; the other model is right everywhere but in the last three.
RIGHT = ["ABCDE"[key] for key in KEYS]
OTHER = [*RIGHT[:27], "Failed to obtain answer via API.", "", "The image is blurred."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("accuracy")
    records = [
        official(n, key="ABCDE"[KEYS[n]], Task="Perception" if n < 20 else "Reasoning",
                 Subtask="Monitoring" if n % 2 else "Remote Sensing")
        for n in range(30)
    ]  # fmt: skip
    with Workspace.create(base / "w", rater="lin") as made:
        made.import_source(write_json(base / "q.json", records))
        made.import_source(write_lines(base / "GPT-4o.jsonl", answered(records, ["A"] * 30)))
        made.import_source(write_lines(base / "Other.jsonl", answered(records, OTHER)))
    return base / "w"


@pytest.fixture
def opened(folder: Path, own: Callable[[Path], Path]) -> Path:
    copy = own(folder)
    with Workspace.open(copy) as held:
        Questions(held).set_phase("open")
    return copy


def section_of(bench: Bench) -> AccuracySection:
    bench.settle()
    assert isinstance(bench.section, AccuracySection)
    return bench.section


def labels(rows: Any) -> list[str]:
    return [row.label.strip() for row in rows]


def test_while_blind_nothing_is_told_of_what_was_not_answered(folder: Path, own: Any, bench: Make) -> None:
    copy = own(folder)
    section = section_of(bench(copy, section="accuracy", resamples=50))
    assert section.empty.isVisible() and not any(card.isVisible() for card in section.cards.values())
    with Workspace.open(copy) as held:
        questions = Questions(held)
        first = questions.queue(questions_filter()).rows[0].item_id
        questions.say(first, [Intent("item", "answer", "B")], 100, "en")
    section = section_of(bench(copy, section="accuracy", resamples=50))
    assert not section.empty.isVisible() and section.open_all.isVisible()
    assert "1 of 30" in section.notices.texts()[0]
    assert [row.cells[-1][0] for row in section.models.rows()] == ["1", "1"]


def questions_filter() -> Any:
    from annotator.domain.question_sheet import QuestionFilter

    return QuestionFilter()


def test_models_stand_best_first_and_the_profile_switches_them(opened: Path, bench: Make) -> None:
    page = bench(opened, section="accuracy", resamples=50)
    section = section_of(page)
    assert labels(section.models.rows()) == ["Other", "GPT-4o"]
    assert section.models.rows()[0].cells[0][0] == "90.0 %" and section.models.rows()[1].cells[0][0] == "20.0 %"
    assert not section.open_all.isVisible() and section.best == "Other"
    assert labels(section.profiles.rows()) == ["official", "vlmevalkit", "careful"]
    assert not section.profile.part("confirmed").isVisible()
    section.profile.part("official").click()
    page.settle()
    assert section.pooled(section.view).part()["profile"] == frozenset({"official"})
    bars = {bar.key: bar.aside for bar in section.kinds.bars()}
    assert bars["failed"] == "1" and bars["blank"] == "1" and bars["bare_letter"] == "57"


def test_the_papers_figure_stands_beside_a_model_that_is_in_it(opened: Path, bench: Make) -> None:
    page = bench(opened, section="accuracy", resamples=50)
    section = section_of(page)
    assert {row.cells[1][0] for row in section.domains.rows()} == {"–"}  # of all models together nothing is printed
    section.chooser.setCurrentIndex(section.chooser.findData("GPT-4o"))
    section.chooser.activated.emit(section.chooser.currentIndex())
    page.settle()
    printed = {row.label.strip(): (row.cells[1][0], row.cells[3][0]) for row in section.domains.rows()}
    assert printed["Perception"] == ("46.43", "41.93") and printed["Reasoning"] == ("37.61", "42.28")
    page.page.view = page.page.view.__class__(**{**page.page.view.__dict__, "names": {"GPT-4o": "B"}})
    page.page.ask()
    page.settle()
    assert {row.cells[1][0] for row in section.domains.rows()} == {"–"}  # it would name a model that is hidden
    assert "GPT" not in section.chooser.itemText(1)


def test_every_mark_opens_exactly_its_questions(opened: Path, bench: Make) -> None:
    page = bench(opened, (1400, 2400), "accuracy", resamples=50)
    section = section_of(page)
    page.click(section.models, ("model", "Other"))
    behind, title = page.found.pop()
    assert len(behind.places) == 3 and "Other" in title
    page.click(section.wrong, ("E", "A"))
    assert len(page.found.pop()[0].places) == 6  # GPT-4o alone reads A where E is right
    page.click(section.kinds, "blank")
    assert len(page.found.pop()[0].places) == 1
    page.click(section.e, ("part", (("task", "Reasoning"),)))
    assert page.found.pop()[0].units == 1  # the other model says E of the two whose key it is, but once it failed
    page.click(section.profiles, ("profile", "careful"))
    assert len(page.found.pop()[0].places) == 24  # what either model got wrong


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_all_is_said_in_both_languages(opened: Path, bench: Make, language: str) -> None:
    i18n.set_language(language)
    section = section_of(bench(opened, section="accuracy", resamples=50))
    told = " ".join([*section.models.texts(), *section.wrong.texts(), *section.kinds.texts(), section.accessibleName()])
    assert "accuracy." not in told
    assert ("模型" in section.chooser.itemText(0)) == (language == "zh_CN")


def test_the_queue_of_questions_holds_a_figures_questions(opened: Path, drive: Callable[[Path], Driver]) -> None:
    driver = drive(opened)
    window = driver.window
    window.show_page("statistics")
    page = window.pages.get("statistics")
    page.show_section("accuracy")
    driver.settle()
    page.section().items.cell(("E", "A"))
    driver.settle()
    choice = window.choice
    assert window.stack.currentWidget() is choice.page
    assert len(choice.desk.queue.rows) == 6 and choice.desk.view.row.item_id in {
        row.item_id for row in choice.desk.queue.rows
    }
    chip = choice.page.queue.filters.only
    assert chip.isVisible() and "E" in chip.title
    chip.click()
    driver.settle()
    assert len(choice.desk.queue.rows) == 30 and not chip.isVisible()


def test_who_looks_at_all_sees_all_figures_and_is_blind_no_more(
    folder: Path, own: Any, drive: Callable[[Path], Driver]
) -> None:
    driver = drive(own(folder))
    window = driver.window
    window.show_page("statistics")
    page = window.pages.get("statistics")
    page.show_section("accuracy")
    driver.settle()
    section = page.section()
    assert section.empty.isVisible()
    section.empty.activated.emit()
    driver.settle()
    assert not section.empty.isVisible() and sorted(labels(section.models.rows())) == ["Model A", "Model B"]
    assert window.choice.desk.source.phase == "open"
