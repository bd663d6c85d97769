"""The transcript: what is shown, what is not yet, and what a person says with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from annotator.domain.items import Answer, Dialogue, Entry
from annotator.domain.sheet import Cell
from annotator.ui import density, i18n, theme
from annotator.ui.transcript import TranscriptView
from tests.helpers.invented import invented, scored_whole
from tests.ui.panels.helpers import Desk, case_texts, collect

DeskMaker = Callable[..., Desk]


@pytest.fixture
def view(desk: DeskMaker) -> TranscriptView:
    made = TranscriptView()
    desk(made)
    made.show_review(invented("en"))
    made.show_turn(3)
    QApplication.processEvents()
    return made


def texts(view: TranscriptView) -> list[str]:
    return [view.model().index(row, 0).data() for row in range(view.model().rowCount())]


def click(qtbot: Any, view: TranscriptView, row: int, at: QPointF) -> None:
    corner = view.visualRect(view.model().index(row, 0)).topLeft()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=corner + at.toPoint())


def drag(qtbot: Any, view: TranscriptView, row: int, start: QPointF, end: QPointF) -> None:
    corner = QPointF(view.visualRect(view.model().index(row, 0)).topLeft())
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=(corner + start).toPoint())
    middle = (corner + (start + end) / 2).toPoint()
    for point in (middle, (corner + end).toPoint()):
        qtbot.mouseMove(view.viewport(), point)
        send_move(view, point)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=(corner + end).toPoint())


def send_move(view: TranscriptView, at: QPoint) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    spot = QPointF(at)
    left = Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    view.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, spot, spot, left, left, none))


def test_nothing_beyond_the_open_turn_is_in_the_view(view: TranscriptView) -> None:
    review = invented("en")
    for k in (0, 3, 8):
        view.show_turn(k)
        everything = "\n".join(texts(view)) + repr(view.model().entries())  # type: ignore[attr-defined]
        for later in review.turns[k + 1 :]:
            assert later.question not in everything and later.reference not in everything
            assert review.answers[later.index].text not in everything  # type: ignore[union-attr]
        assert review.turns[k].question in everything


def test_another_dialogue_opens_at_its_first_turn(view: TranscriptView) -> None:
    view.show_turn(None)
    view.show_review(invented("en", item="dialogue:00000000000000aa"))
    assert view.current_turn() == 0
    assert invented("en").turns[1].question not in "\n".join(texts(view))


def test_the_same_dialogue_stays_where_it_is(view: TranscriptView) -> None:
    view.show_review(invented("en", scored=4))
    assert view.current_turn() == 3


def test_session_view_opens_all(view: TranscriptView) -> None:
    view.show_turn(None)
    review = invented("en")
    assert all(turn.question in text for turn, text in zip(review.turns, texts(view), strict=True))
    assert all(turn.reference in text for turn, text in zip(review.turns, texts(view), strict=True))


def test_future_turns_say_when_they_open(view: TranscriptView) -> None:
    assert texts(view)[4] == "5 opens after turn 4"
    assert texts(view)[5] == "6 not yet"


def test_reference_comes_and_goes_with_its_key(qtbot: Any, view: TranscriptView) -> None:
    reference = invented("en").turns[3].reference
    assert reference in texts(view)[3]
    before = view.row_layout(3).height
    qtbot.keyClick(view, Qt.Key.Key_R)
    assert reference not in texts(view)[3] and view.row_layout(3).height < before
    assert view.row_layout(3).text("reference") is None
    qtbot.keyClick(view, Qt.Key.Key_R)
    assert reference in texts(view)[3]


def test_low_score_of_a_past_turn_is_named_by_its_tag(view: TranscriptView) -> None:
    assert "Wrong time, place or number" in texts(view)[2]
    i18n.set_language("zh_CN")
    assert "时空与数值错误" in texts(view)[2]


def test_missing_answer_and_runner_error_are_shown_as_what_they_are(view: TranscriptView) -> None:
    answers = {0: None, 1: Answer(index=1, text=None, error="HTTP 500"), 2: Answer(index=2, text="")}
    view.show_review(invented("en", answers=answers, item="dialogue:00000000000000ab"))
    view.show_turn(None)
    found = texts(view)
    assert "No answer" in found[0] and "Runner error: HTTP 500" in found[1] and "The answer is empty." in found[2]
    kinds = [view.row_layout(k).text("answer").part.kind for k in range(3)]  # type: ignore[union-attr]
    assert kinds == ["absent", "error", "absent"]


def test_proactive_turn_says_that_nobody_asked(view: TranscriptView) -> None:
    view.show_review(
        invented("en", texts=[("", "Watch out, the bridge is wet.", "x")], item="dialogue:00000000000000ac")
    )
    assert "the model speaks on its own" in texts(view)[0]


def test_reference_as_responder_stands_once(view: TranscriptView) -> None:
    row = [("Where to?", "unused", "To pier two.")]
    answers = {0: Answer(index=0, text="To pier two.")}
    view.show_review(
        invented("en", texts=row, answers=answers, responder="reference", item="dialogue:00000000000000ad")
    )
    assert texts(view)[0].count("To pier two.") == 1


def test_markup_is_shown_letter_by_letter(view: TranscriptView) -> None:
    rows = case_texts("txt_html")
    view.show_review(invented("en", texts=rows, item="dialogue:00000000000000ae"))
    view.show_turn(None)
    view.grab()
    for k, (question, answer, _) in enumerate(rows):
        assert question in texts(view)[k]
        block = view.row_layout(k).text("answer")
        assert block is not None and block.block.text == answer


def test_long_texts_open_cut_and_are_shown_whole_when_asked(qtbot: Any, view: TranscriptView) -> None:
    big = "字" * 100_000
    review = invented("en", texts=[(big, big, big), ("b", "line\n" * 5000, "c")], item="dialogue:00000000000000af")
    view.show_review(review)
    view.grab()
    assert "Show all 100,000 characters" in [line.text for line in view.row_layout(0).lines]
    whole = next(rect for name, rect in view.row_layout(0).hits if name == "whole:question")
    view.verticalScrollBar().setValue(round(whole.y()) - 40)
    click(qtbot, view, 0, whole.center())
    view.grab()
    shown = view.row_layout(0).text("question")
    assert shown is not None and not shown.block.cut and shown.block.lines[-1].end == 100_000


def test_play_link_names_its_turn(qtbot: Any, view: TranscriptView) -> None:
    play = next(rect for name, rect in view.row_layout(3).hits if name == "play")
    with qtbot.waitSignal(view.play_audio) as heard:
        click(qtbot, view, 3, play.center())
    assert heard.args == [3]


def test_click_on_a_past_turn_goes_there_and_on_its_arrow_opens_it(qtbot: Any, view: TranscriptView) -> None:
    with qtbot.waitSignal(view.turn_clicked) as heard:
        click(qtbot, view, 2, QPointF(100, 30))
    assert heard.args == [2]
    assert view.row_layout(1).text("answer") is None
    fold = next(rect for name, rect in view.row_layout(1).hits if name == "fold")
    with qtbot.assertNotEmitted(view.turn_clicked):
        click(qtbot, view, 1, fold.center())
    opened = view.row_layout(1).text("answer")
    assert opened is not None and opened.block.text == invented("en").answers[1].text  # type: ignore[union-attr]


def test_click_on_a_future_turn_does_nothing(qtbot: Any, view: TranscriptView) -> None:
    with qtbot.assertNotEmitted(view.turn_clicked):
        click(qtbot, view, 4, QPointF(100, 12))


def test_span_is_said_in_code_points(qtbot: Any, view: TranscriptView) -> None:
    question, answer, _ = case_texts("txt_emoji")[0]
    view.show_review(
        invented("en", texts=[(question, answer, "r")], scored=0, half=False, item="dialogue:00000000000000b0")
    )
    view.set_dimension("accuracy")
    said = collect(view)
    item = view.row_layout(0).text("answer")
    assert item is not None
    pick = item.block.rects(2, 3)[0].translated(item.x, item.y)
    drag(qtbot, view, 0, QPointF(pick.left() + 1, pick.center().y()), QPointF(pick.right() - 1, pick.center().y()))
    assert view.selected_text() == "好" and view.can_mark()
    view.mark_selection("幻觉与捏造")
    assert said == [("turn:0", "span:accuracy", [[2, 3, "幻觉与捏造"]])]
    assert [(m.start, m.end) for m in view.marks(0)] == [(2, 3)]


def test_mark_link_asks_for_a_tag(qtbot: Any, view: TranscriptView) -> None:
    view.set_dimension("accuracy")
    view.select(3, "answer", 4, 20)
    tool = view.tools(3, view.row_layout(3))[0]
    assert tool.text == "Mark what is wrong here"
    with qtbot.waitSignal(view.mark_wanted):
        click(qtbot, view, 3, tool.rect.center())


def test_mark_can_be_taken_away_again(qtbot: Any, view: TranscriptView) -> None:
    cells = {("turn:3", "span:accuracy"): Cell([[4, 20, "幻觉与捏造"], [30, 40, "偏离主题"]])}
    view.show_review(invented("en", cells=cells))
    view.set_dimension("accuracy")
    said = collect(view)
    item = view.row_layout(3).text("answer")
    assert item is not None
    click(qtbot, view, 3, item.block.rects(8, 9)[0].translated(item.x, item.y).center())
    assert [t.name for t in view.tools(3, view.row_layout(3))] == ["", "unmark"]
    click(qtbot, view, 3, view.tools(3, view.row_layout(3))[1].rect.center())
    assert said == [("turn:3", "span:accuracy", [[30, 40, "偏离主题"]])]


def test_spans_past_the_answers_end_are_cut_there(view: TranscriptView) -> None:
    cells = {("turn:0", "span:accuracy"): Cell([[0, 10_000, "x"], [9000, 9999, "y"]])}
    view.show_review(invented("en", cells=cells))
    answer = invented("en").answers[0]
    assert answer is not None and answer.text is not None
    assert [(m.start, m.end) for m in view.marks(0)] == [(0, len(answer.text))]


def test_read_only_takes_no_marks(view: TranscriptView) -> None:
    view.show_review(invented("en", read_only=True))
    view.set_dimension("accuracy")
    view.select(3, "answer", 0, 5)
    assert not view.can_mark() and view.tools(3, view.row_layout(3)) == []


def test_selection_is_copied_as_typed(qtbot: Any, view: TranscriptView) -> None:
    view.select(3, "question", 0, 7)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == invented("en").turns[3].question[:7]


def test_stale_turn_says_so(view: TranscriptView) -> None:
    view.show_review(invented("en", cells={("turn:3", "accuracy"): Cell(3, stale=True)}))
    kinds = [piece.kind for piece in view.row_layout(3).head]
    assert "stale" in kinds


def test_open_turn_is_in_view(view: TranscriptView) -> None:
    for k in (0, 3, 8):
        view.show_turn(k)
        QApplication.processEvents()
        rect = view.visualRect(view.model().index(k, 0))
        assert rect.top() >= 0 and rect.bottom() <= view.viewport().height()


def test_language_theme_and_size_switch_live(view: TranscriptView, qapp: QApplication) -> None:
    from PySide6.QtCore import QSize

    light = view.grab().toImage()
    theme.set_theme(qapp, "dark")
    assert view.grab().toImage() != light
    i18n.set_language("zh_CN")
    assert texts(view)[4] == "5 第 4 轮评完后可见"
    high = view.row_layout(0).height
    density.update_for(QSize(1366, 768))
    assert view.row_layout(0).height < high, "past turns are one line in a small window"
    density.update_for(QSize(2560, 1440))
    assert view.row_layout(0).text("reference") is not None, "past turns are whole in a wide window"


def test_images_are_numbered_by_their_place(view: TranscriptView) -> None:
    view.show_review(invented("en", modality="image", item="dialogue:00000000000000b1"))
    view.show_turn(2)
    assert "Picture 3 · 00:24.4" in texts(view)[2]


def test_session_of_a_scored_dialogue_paints(view: TranscriptView) -> None:
    view.show_review(invented("en", cells=scored_whole(invented("en"))))
    view.show_turn(None)
    assert not view.grab().isNull()


def test_answer_is_selected_and_marked_without_a_pointer(qtbot: Any, view: TranscriptView) -> None:
    texts = [("q", "👍🏽好 word 👨‍👩‍👧!", "r")]
    view.show_review(invented("en", texts=texts, scored=0, half=False, item="dialogue:00000000000000b2"))
    view.set_dimension("accuracy")
    view.setFocus()
    shift, control = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
    for expected in ("👍🏽", "👍🏽好"):
        qtbot.keyClick(view, Qt.Key.Key_Right, shift)
        assert view.selected_text() == expected, "whole characters as read, not halves of them"
    qtbot.keyClick(view, Qt.Key.Key_Left, shift)
    assert view.selected_text() == "👍🏽"
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Right, shift | control)
    assert view.selected_text() == "👍🏽好 word"
    said = collect(view)
    view.mark_selection("偏离主题")
    assert said == [("turn:0", "span:accuracy", [[0, 8, "偏离主题"]])]


def test_replaced_questions_of_a_turn_stand_before_it(view: TranscriptView) -> None:
    review = invented("en", item="dialogue:00000000000000b3")
    asked = (Entry(speaker="user", text="First try?"), Entry(speaker="user", text=review.turns[0].question))
    turns = (review.turns[0].model_copy(update={"entries": asked}), *review.turns[1:])
    view.show_review(replace(review, turns=turns))
    shown = texts(view)[0]
    assert shown.count("First try?") == 1 and shown.index("First try?") < shown.index(review.turns[0].question)
    assert shown.count(review.turns[0].question) == 1


def test_what_nobody_answered_is_seen_with_the_session_and_never_before(view: TranscriptView) -> None:
    made = invented("en")
    loose = (Entry(speaker="user", timestamp="09:59", text="And tomorrow?"), Entry(speaker="guide", text="Closed."))
    view.show_review(replace(made, dialogue=replace_in(made.dialogue, unanswered=loose)), 3)
    for turn in range(len(made.turns)):
        view.show_turn(turn)
        assert len(texts(view)) == len(made.turns) and "And tomorrow?" not in "".join(texts(view))
    view.show_turn(None)
    said = i18n.tr("transcript.unanswered")
    assert texts(view)[len(made.turns) :] == [f"09:59\nAnd tomorrow?\n{said}", f"guide\nClosed.\n{said}"]
    view.show_turn(0)
    assert len(texts(view)) == len(made.turns)


def test_a_dialogue_without_turns_says_so(view: TranscriptView) -> None:
    made = invented("en", item="dialogue:00000000000000ab")
    view.show_review(replace(made, dialogue=replace_in(made.dialogue, turns=()), turns=(), answers=()), None)
    assert [text.strip() for text in texts(view)] == [i18n.tr("transcript.no_turns")]


def replace_in(dialogue: Dialogue, **new: Any) -> Dialogue:
    return dialogue.model_copy(update=new)
