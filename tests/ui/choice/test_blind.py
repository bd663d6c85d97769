"""Before the rater's own answer nothing of key, findings or predictions is anywhere in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotator.domain.questions import Finding, Question
from annotator.workspace.questions import PredictionView, QuestionView
from tests.ui.choice.bench import Bench
from tests.ui.choice.invented import SECRET_OUTPUT, FakeQuestions
from tests.ui.choice.walk import objects, texts

REVEALING = ("Key D", "7360", "A careful count", "Model Q 8B", SECRET_OUTPUT)


def told(bench: Bench) -> list[str]:
    shown = list(texts(bench))
    return [word for word in REVEALING if any(word in text for text in shown)]


def test_the_walk_finds_what_is_revealed(bench: Bench) -> None:
    """The proof is worth something: after the answer the same walk finds all of it."""
    bench.press("c")
    bench.press("2")
    assert told(bench) == list(REVEALING)
    found = list(objects(bench.page, bench.desk))
    assert any(isinstance(o, PredictionView) for o in found)
    assert any(isinstance(o, Question) and o.key is not None for o in found)
    assert any(isinstance(o, Finding) for o in found)


def test_no_widget_tells_key_or_predictions_before_the_answer(bench: Bench) -> None:
    assert not bench.view.revealed
    assert told(bench) == []


def test_no_object_holds_key_or_predictions_before_the_answer(bench: Bench) -> None:
    found = list(objects(bench.page, bench.desk))
    views = [o for o in found if isinstance(o, QuestionView)]
    assert len(views) >= 2  # the shown one and what was read ahead
    assert not any(isinstance(o, (PredictionView, Finding)) for o in found)
    assert all(o.key is None and o.key_raw == "" for o in found if isinstance(o, Question))
    assert not any(isinstance(o, str) and SECRET_OUTPUT in o for o in found)


def test_the_next_question_keeps_nothing_of_the_last_one(bench: Bench) -> None:
    bench.press("c")
    bench.press("2")
    bench.press("j")
    assert told(bench)
    bench.press("\x1b")
    bench.press("\n")
    assert not bench.view.revealed
    assert told(bench) == []
    assert bench.page.column.letters.model.rowCount() == 0
    assert bench.page.column.findings.texts() == ()
    assert not bench.page.column.letters.isVisible()
    assert not bench.page.column.verdict.isVisible()


def test_an_answer_that_is_not_saved_reveals_nothing(bench: Bench) -> None:
    bench.questions.failing = True
    bench.press("c")
    assert bench.dialogues.outbox.failing
    assert bench.view.sheet.answered
    assert told(bench) == []
    bench.press("1")
    assert bench.view.sheet.value("key_verdict") is None
    bench.questions.failing = False
    bench.dialogues.outbox.retry_now()
    bench.settle()
    assert bench.view.revealed
    assert SECRET_OUTPUT in told(bench)


def test_a_project_that_is_open_shows_the_key_and_still_takes_an_answer(
    make_bench: Callable[..., Bench], images: Path
) -> None:
    questions = FakeQuestions(images)
    questions.phase = "open"
    bench = make_bench(questions)
    assert bench.view.revealed
    assert SECRET_OUTPUT in told(bench)
    assert bench.router.context() == "question"
    bench.press("b")
    assert bench.view.sheet.value("answer") == "B"
