from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCursor, QImage, QPainter, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from annotator.ui import density, i18n, theme
from annotator.ui.widgets import (
    Button,
    Card,
    CheckBox,
    Chip,
    Combo,
    ElidedLabel,
    EmptyState,
    FilterChip,
    Ground,
    IconButton,
    Keycap,
    Message,
    MessageBar,
    MiniScore,
    PanelHead,
    PlainLabel,
    SavedLabel,
    ScoreStrip,
    SearchField,
    Segmented,
    Separator,
    Spark,
    message,
    paint,
    plain_tooltip,
    saved,
)


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def colours(widget: QWidget) -> set[str]:
    return shades(picture(widget))


def shades(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def role(name: str) -> str:
    return theme.color(name).name()


# -- the score strip


@pytest.fixture
def strip(qtbot: QtBot) -> ScoreStrip:
    QCursor.setPos(3000, 3000)  # a pointer over the strip would draw its hover frame
    made = ScoreStrip("accuracy")
    qtbot.addWidget(made)
    made.set_title("Accuracy")
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_strip_has_the_names_of_the_contract(strip: ScoreStrip) -> None:
    assert strip.objectName() == "score_accuracy"
    names = [button.objectName() for button in strip.findChildren(QAbstractButton)]
    assert names == [*(f"score_accuracy_{n}" for n in range(1, 6)), "score_accuracy_cannot"]
    assert strip.cells[0].accessibleName() == "Accuracy: score 1"
    assert strip.cells[-1].accessibleName() == "Accuracy: cannot judge"


def test_a_click_is_an_intent_and_changes_nothing_by_itself(strip: ScoreStrip, qtbot: QtBot) -> None:
    with qtbot.waitSignal(strip.chosen) as heard:
        QTest.mouseClick(strip.cells[3], Qt.MouseButton.LeftButton)
    assert heard.args == [4]
    assert strip.value() is None
    assert not strip.cells[3].isChecked()
    with qtbot.waitSignal(strip.chosen) as heard:
        strip.cells[5].click()
    assert heard.args == ["cannot_judge"]


def test_a_click_on_the_chosen_cell_keeps_it(strip: ScoreStrip) -> None:
    strip.set_value(4)
    strip.cells[3].click()
    assert strip.cells[3].isChecked()


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_the_chosen_cell_is_filled_and_the_cells_before_it_have_a_foot(strip: ScoreStrip, value: int) -> None:
    strip.set_value(value)
    image = picture(strip)
    wanted = role(f"s{value}")
    for place, cell in enumerate(strip.cells[:5], 1):
        area = cell.geometry()
        top = image.pixelColor(area.left() + 4, area.top() + 4).name()
        foot = image.pixelColor(area.center().x(), area.bottom() - 1).name()
        assert (top == wanted) is (place == value)
        assert (foot == wanted) is (place <= value)


def test_cannot_judge_fills_the_dash(strip: ScoreStrip) -> None:
    strip.set_value("cannot_judge")
    image, area = picture(strip), strip.cells[5].geometry()
    assert image.pixelColor(area.left() + 4, area.top() + 4).name() == role("text3")
    assert "Accuracy: cannot judge" in strip.accessibleName()


def test_digits_never_disappear(strip: ScoreStrip) -> None:
    """Every cell shows something that is not its ground, whatever the value."""
    for value in (None, 1, 5, "cannot_judge"):
        strip.set_value(value)
        image = picture(strip)
        for cell in strip.cells:
            middle = image.copy(cell.geometry().adjusted(5, 4, -5, -5))
            assert len(shades(middle)) > 3


def test_states_are_seen_and_said(strip: ScoreStrip) -> None:
    strip.set_value(4)
    plain = picture(strip)
    strip.set_not_saved(True)
    assert role("error") in colours(strip)
    assert strip.accessibleName() == "Accuracy: 4 of 5, not saved"
    strip.set_not_saved(False)
    strip.set_conflict(True)
    assert role("warn") in colours(strip)
    assert strip.accessibleName() == "Accuracy: 4 of 5, in conflict"
    strip.set_conflict(False)
    strip.set_pending(True)
    assert role("s4") not in colours(strip)
    assert strip.value() == 4
    strip.set_pending(False)
    assert picture(strip) == plain


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_strip_from_its_picture_is_the_painted_one(qtbot: QtBot, look: theme.ThemeName) -> None:
    QCursor.setPos(3000, 3000)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.set_theme(app, look)
    shown = []
    for ground in ("", "selected"):
        below = QWidget()
        qtbot.addWidget(below)
        below.setAutoFillBackground(True)
        palette = below.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color("selected"))
        below.setPalette(palette)
        strip = ScoreStrip("accuracy", parent=below)
        strip.resize(strip.sizeHint())
        below.resize(strip.sizeHint())
        if ground:
            strip.set_ground(ground)
        pictures = []
        for value in (None, 1, 4, "cannot_judge"):
            strip.set_value(value)
            for name in ("pending", "not_saved", "conflict", "current"):
                getattr(strip, f"set_{name}")(True)
                pictures.append(picture(below))
                getattr(strip, f"set_{name}")(False)
        shown.append(pictures)
    assert shown[0] == shown[1]
    assert len({bytes(image.constBits()) for image in shown[1]}) > 12
    theme.set_theme(app, "light")


def test_read_only_takes_no_score(strip: ScoreStrip, qtbot: QtBot) -> None:
    strip.set_value(2)
    strip.set_read_only(True)
    with qtbot.assertNotEmitted(strip.chosen):
        QTest.mouseClick(strip.cells[3], Qt.MouseButton.LeftButton)
    assert role("sunken") in colours(strip)


def test_the_ring_is_for_the_keyboard_and_for_the_current_row(strip: ScoreStrip, qtbot: QtBot) -> None:
    assert role("accent") not in colours(strip)
    strip.set_current(True)
    assert role("accent") in colours(strip)
    strip.set_current(False)
    qtbot.waitUntil(strip.isActiveWindow)
    strip.clearFocus()
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    assert strip.hasFocus()
    assert role("accent") in colours(strip)
    strip.clearFocus()
    strip.setFocus(Qt.FocusReason.MouseFocusReason)
    assert role("accent") not in colours(strip)


def test_the_strip_follows_size_theme_and_language(strip: ScoreStrip, qapp: QApplication) -> None:
    strip.set_value(5)
    assert strip.cells[0].size() == QSize(30, 24)
    density.update_for(QSize(1366, 768))
    assert strip.cells[0].size() == QSize(27, 20)
    assert strip.sizeHint().height() <= density.metrics().score_row
    theme.set_theme(qapp, "dark")
    assert role("s5") in colours(strip)
    i18n.set_language("zh_CN")
    assert strip.accessibleName() == "Accuracy：5 分（满分 5）"


def test_a_strip_without_a_dash_and_with_other_levels(qtbot: QtBot) -> None:
    made = ScoreStrip("helpfulness_r0", levels=3, cannot=False)
    qtbot.addWidget(made)
    assert [cell.objectName() for cell in made.cells] == [f"score_helpfulness_r0_{n}" for n in (1, 2, 3)]
    assert [paint.score_role(value, 3) for value in (1, 2, 3)] == ["s1", "s3", "s5"]


# -- small marks


def test_mini_scores_say_the_value_by_length(qtbot: QtBot) -> None:
    mini = MiniScore(3)
    qtbot.addWidget(mini)
    image = picture(mini)
    foot = [image.pixelColor(x, 17).name() == role("s3") for x in range(20)]
    assert foot.count(True) == 12
    mini.set_value(None)
    assert mini.accessibleName() == "missing"
    mini.set_value("cannot_judge")
    assert mini.accessibleName() == "cannot judge"


def test_sparks_say_the_value_by_height(qtbot: QtBot) -> None:
    spark = Spark([1, 5, "cannot_judge", None])
    qtbot.addWidget(spark)
    spark.resize(spark.sizeHint())
    image = picture(spark)
    ground = image.pixelColor(4, 0).name()
    heights = [sum(image.pixelColor(5 * bar, y).name() != ground for y in range(14)) for bar in range(4)]
    assert heights == [4, 14, 5, 1]
    assert spark.accessibleName() == "1 5 cannot judge missing"


# -- labels


HOSTILE = '<b>bold</b> <img src="http://example.org/x.png"> & "quoted"'


def test_text_is_plain_text_always(qtbot: QtBot) -> None:
    label = PlainLabel(HOSTILE)
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.text() == HOSTILE
    tip = plain_tooltip(HOSTILE)
    assert "<img" not in tip and "<b>" not in tip
    assert plain_tooltip("plain words") == "plain words"


def test_a_label_that_does_not_fit_has_its_text_as_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel("A rather long sentence that cannot fit")
    qtbot.addWidget(label)
    label.resize(60, 18)
    label.show()
    assert label.toolTip() == "A rather long sentence that cannot fit"
    label.resize(600, 18)
    assert label.toolTip() == ""
    label.set_text("<i>short</i>" * 30)
    label.resize(60, 18)
    assert "&lt;i&gt;" in label.toolTip()


# -- buttons


def test_a_click_takes_no_focus_and_shows_no_ring(qtbot: QtBot) -> None:
    button = Button("Keep", "verdict", "check", "verdict_keep", "ok")
    qtbot.addWidget(button)
    button.show()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.isChecked()
    assert not button.hasFocus()
    seen = colours(button)
    assert role("ok-soft") in seen and role("ok") in seen and role("accent") not in seen


def test_the_ring_shows_for_keyboard_focus(qtbot: QtBot) -> None:
    button = Button("Keep")
    qtbot.addWidget(button)
    with qtbot.waitExposed(button):
        button.show()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(button.hasFocus)
    assert role("accent") in colours(button)


def test_ampersands_are_words_not_shortcuts(qtbot: QtBot) -> None:
    button = Button("Save & close")
    qtbot.addWidget(button)
    assert button.shortcut().isEmpty()
    assert button.accessibleName() == "Save & close"


def test_an_icon_button_tells_its_name_and_key(qtbot: QtBot) -> None:
    button = IconButton("zoom-in", "Loupe", "loupe")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Loupe"
    assert "Loupe" in button.toolTip() and "Z" in button.toolTip()
    assert button.content_size().width() >= 26 and button.content_size().height() >= 26


def test_buttons_are_never_cut_at_any_text_scale(qtbot: QtBot) -> None:
    button = Button("Complete, next", "primary", None, "complete_next")
    qtbot.addWidget(button)
    for scale in (80, 100, 150, 200):
        density.set_text_scale(scale)
        room = button.sizeHint().width() - 2 * button.RING_MARGIN - paint.keycap_width("Ctrl+Enter")
        assert room > paint.text_width("Complete, next", button._font(600))


def test_a_check_box_ticks_by_click_and_by_space(qtbot: QtBot) -> None:
    box = CheckBox("Hide names & aliases")
    qtbot.addWidget(box)
    with qtbot.waitExposed(box):
        box.show()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    assert box.isChecked() and role("accent") in colours(box)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert not box.isChecked()
    assert box.accessibleName() == "Hide names & aliases"


def test_segments_are_exclusive_and_say_which(qtbot: QtBot) -> None:
    segments = Segmented()
    qtbot.addWidget(segments)
    first, second = segments.add("turns", "Turns"), segments.add("session", "Session", "lock")
    assert segments.current() == "turns"
    with qtbot.waitSignal(segments.chosen) as heard:
        second.click()
    assert heard.args == ["session"]
    assert not first.isChecked()
    with qtbot.assertNotEmitted(segments.chosen):
        segments.set_current("turns")
    assert segments.current() == "turns"


def test_a_search_field_empties_on_escape_and_is_found_by_name(qtbot: QtBot) -> None:
    field = SearchField("Search id, goal, text")
    qtbot.addWidget(field)
    field.show()
    with qtbot.waitSignal(field.changed) as heard:
        QTest.keyClicks(field.edit, "soy")
    assert heard.args == ["s"]
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert field.edit.accessibleName() == "Search id, goal, text"


# -- messages and the saved mark


@pytest.fixture
def ground(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def bar(ground: QWidget) -> MessageBar:
    column = QVBoxLayout(ground)
    made = MessageBar()
    column.addWidget(made)
    ground.resize(800, 100)
    ground.show()
    return made


def test_one_message_at_a_time_the_others_wait(bar: MessageBar) -> None:
    assert bar.objectName() == "messageBar"
    assert not bar.isVisible()
    bar.show_message(Message("warn", "First", (("copy", "Make a copy"),), "share"))
    bar.show_message(Message("error", "Second", key="disk"))
    assert bar.isVisible() and bar.height() == 32
    assert bar.current() is not None and bar.current().text == "First"
    assert bar.waiting() == 1
    bar.close_current()
    assert bar.current() is not None and bar.current().text == "Second"
    bar.dismiss("disk")
    assert not bar.isVisible()


def test_a_long_sentence_is_never_cut(bar: MessageBar, ground: QWidget, qtbot: QtBot) -> None:
    sentence = "This workspace is on a network share. Work on a copy, then sync. " * 2
    bar.show_message(Message("warn", sentence, (("a", "Copy"),)))
    assert bar.height() > 40
    ground.resize(2000, 100)
    qtbot.waitUntil(lambda: bar.height() == 32)


def test_a_message_of_the_same_matter_replaces_the_old_one(bar: MessageBar) -> None:
    bar.show_message(Message("error", "Not saved: 1 value", key="save"))
    bar.show_message(Message("error", "Not saved: 2 values", key="save"))
    assert bar.waiting() == 0
    assert bar.current() is not None and bar.current().text == "Not saved: 2 values"


def test_an_action_closes_the_message_and_tells_which(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message(Message("error", "Full", (("other", "Other folder"), ("retry", "Retry")), "disk"))
    shown = [button for button in bar.findChildren(Button) if button.isVisible()]
    assert [button.accessibleName() for button in shown] == ["Other folder", "Retry"]
    with qtbot.waitSignal(bar.acted) as heard:
        shown[1].click()
    assert heard.args == ["disk", "retry"]
    assert bar.current() is None
    with pytest.raises(ValueError, match="two actions"):
        bar.show_message(Message("info", "x", (("a", "a"), ("b", "b"), ("c", "c"))))


def test_info_leaves_by_itself_and_errors_stay(bar: MessageBar, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    assert message.LEAVES_AFTER_MS == 8000
    monkeypatch.setattr(message, "LEAVES_AFTER_MS", 20)
    bar.show_message(Message("info", "Restored"))
    qtbot.waitUntil(lambda: bar.current() is None, timeout=10_000)
    bar.show_message(Message("error", "Not saved"))
    qtbot.wait(60)
    assert bar.current() is not None


@pytest.fixture
def mark(qtbot: QtBot) -> SavedLabel:
    made = SavedLabel()
    qtbot.addWidget(made)
    return made


def test_the_saved_mark_says_what_is_so(mark: SavedLabel) -> None:
    assert mark.objectName() == "savedLabel"
    mark.set_saved(0.2)
    assert (mark.state(), mark.text()) == ("saved", "Saved 0.2 s ago")
    mark.set_failed(3)
    assert (mark.state(), mark.text()) == ("failed", "Not saved, 3 waiting")
    assert role("error") in colours(mark)
    mark.set_read_only()
    assert mark.text() == "Read only"
    i18n.set_language("zh_CN")
    assert mark.text() == mark.accessibleName() == "只读"


def test_pending_never_reads_as_saved_and_becomes_saving_after_a_while(mark: SavedLabel, qtbot: QtBot) -> None:
    mark.set_saved(5)
    mark.set_pending()
    assert mark.state() == "pending"
    assert "Saved" not in mark.text()
    qtbot.waitUntil(lambda: mark.state() == "saving", timeout=10_000)
    mark.set_saved()
    qtbot.wait(saved.SAVING_AFTER_MS + 50)
    assert mark.state() == "saved"


def test_a_failed_save_is_not_hidden_by_the_next_pending_value(mark: SavedLabel) -> None:
    mark.set_failed(1)
    mark.set_pending()
    assert mark.state() == "failed"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.24, "0.2 s ago"), (12, "12 s ago"), (125, "2 min ago"), (7300, "2 h ago")]
)
def test_ages(seconds: float, words: str) -> None:
    assert saved.age_text(seconds) == words


# -- furniture


def test_an_empty_place_says_what_why_and_what_to_do(qtbot: QtBot) -> None:
    place = EmptyState("list-checks", "Nothing left in this filter", "86 items are open without it.", "Clear filter")
    qtbot.addWidget(place)
    place.resize(300, 200)
    place.show()
    action = place.findChild(Button)
    assert action is not None and action.isVisible()
    with qtbot.waitSignal(place.activated):
        action.click()
    place.set_texts("Taken down by its owner")
    assert not action.isVisible()


def test_a_locked_place_is_hatched(qtbot: QtBot) -> None:
    place = EmptyState("lock", "Opens after turn 4", locked=True)
    qtbot.addWidget(place)
    place.resize(300, 200)
    assert role("sunken") in colours(place)


def test_grounds_and_cards_follow_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    grounds = (
        (Ground("window", ("bottom",)), "window"),
        (Card("Title", "note"), "panel"),
        (PanelHead("Turn"), "panel"),
    )
    for widget, ground in grounds:
        qtbot.addWidget(widget)
        widget.resize(200, 80)
        for name in ("light", "dark"):
            theme.set_theme(qapp, name)
            assert picture(widget).pixelColor(100, 15).name() == role(ground)


def test_all_interactive_widgets_have_names(qtbot: QtBot) -> None:
    combo = Combo()
    combo.setAccessibleName("Responder")
    acting = (Button("Keep"), IconButton("x", "Close"), FilterChip("Open"), combo)
    for widget in (*acting, Chip("ok", "ok"), Keycap("K"), Separator()):
        qtbot.addWidget(widget)
        widget.resize(widget.sizeHint().expandedTo(QSize(1, 1)))
        picture(widget)
        if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            assert widget.accessibleName()


def test_helpers_draw_inside_their_widths() -> None:
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(theme.color("panel"))
    painter = QPainter(image)
    width = paint.draw_keycap(painter, 10, 10, "Ctrl+Enter")
    chip = paint.draw_chip(painter, 110, 10, "attention", "warn", "triangle-alert")
    painter.end()
    used = [x for x in range(200) if any(image.pixelColor(x, y).name() != role("panel") for y in range(40))]
    assert used[0] >= 10
    assert all(10 <= x < 10 + width or 110 <= x < 110 + chip for x in used)
