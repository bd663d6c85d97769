"""Draw every base widget in both themes and languages into PNG files, to be looked at beside the mock-ups.

python -m tests.ui.gallery OUT_FOLDER
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from annotator.ui import fonts, icons, theme
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
    paint,
)
from annotator.ui.widgets.keys_overlay import KeysOverlay

SIZE = (1600, 1000)


def row(*widgets: QWidget | int, gap: int = 8) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(gap)
    for widget in widgets:
        if isinstance(widget, int):
            line.addSpacing(widget)
        else:
            line.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    line.addStretch(1)
    return line


def note(text: str) -> PlainLabel:
    return PlainLabel(text, "label", "text2", wrap=False)


def strips() -> Card:
    card = Card("Score strip", "position and length carry the score, colour only repeats it")
    grid = QGridLayout()
    grid.setVerticalSpacing(3)
    cases = [
        "empty",
        "hover 4",
        "focus",
        1,
        2,
        3,
        4,
        5,
        "cannot judge",
        "read only",
        "not saved",
        "conflict",
        "pending",
    ]
    for place, case in enumerate(cases):
        strip = ScoreStrip(f"sample_{place}")
        strip.set_title("Accuracy")
        if isinstance(case, int):
            strip.set_value(case)
        if case == "hover 4":
            strip.cells[3].setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
        if case in ("focus",):
            strip.set_current(True)
        if case == "cannot judge":
            strip.set_value("cannot_judge")
        if case in ("read only", "not saved", "pending"):
            strip.set_value(4)
        if case == "conflict":
            strip.set_value(3)
        strip.set_read_only(case == "read only")
        strip.set_not_saved(case == "not saved")
        strip.set_conflict(case == "conflict")
        strip.set_pending(case == "pending")
        grid.addLayout(row(strip, note(str(case))), place // 2, place % 2)
    card.body.addLayout(grid)
    return card


def marks() -> Card:
    card = Card("Mini score and spark", "digit and bar length; height per dimension")
    card.body.addLayout(row(*[MiniScore(v) for v in (1, 2, 3, 4, 5, "cannot_judge", None)]))
    cannot = "cannot_judge"
    card.body.addLayout(
        row(
            Spark([5, 5, 4, 5, 5, 4, 5, 5]),
            note("all good"),
            Spark([2, 4, 5, 5, 5, 4, 3, 1]),
            note("two low"),
            Spark([5, 5, 4, cannot, 5, 5, 5, cannot]),
            note("two cannot judge"),
            Spark([3, 4, 5, None, None, None, None, None]),
            note("five missing"),
            gap=10,
        )
    )
    return card


def types() -> Card:
    card = Card("Type", "Inter, Noto Sans CJK SC, JetBrains Mono for ids")
    texts = {
        "figure": "72.9 % .79 5,859", "page": "Judge calibration 裁判校准", "time": "00:41.320",
        "read": "价目牌上的豆浆、油条都不含花生 Soy milk is 3 yuan",
        "body": "完成并下一条 Complete and next 还缺 42 轮分",
        "label": "营业时间 6:30 至 10:30, frame 1033, x 1204 y 388",
        "meta": "户外公共空间 Outdoor public space 00:41.320",
        "mono": "V-0417 clips/0415_07.mp4 街角",
    }  # fmt: skip
    for style, text in texts.items():
        head = ElidedLabel(style, "meta", "text3")
        head.setFixedWidth(70)
        card.body.addLayout(row(head, ElidedLabel(text, style)))
    card.body.addLayout(row(*[ElidedLabel(f"Weight {w} 字重", "body", weight=w) for w in (400, 500, 600)], gap=16))
    return card


def caps() -> Card:
    card = Card("Keycaps")
    pairs = [
        ("score_1", ""),
        ("score_5", "score, step on"),
        ("cannot_judge", "cannot judge"),
        ("row_up", ""),
        ("row_down", "row"),
    ]
    more = [
        ("play", "play"),
        ("frame_back", ""),
        ("frame_forward", "frame"),
        ("loupe", "loupe"),
        ("complete_next", "done"),
    ]
    for line in (pairs, more):
        parts: list[QWidget] = []
        for key, text in line:
            parts.append(Keycap(key))
            if text:
                parts.append(note(text))
        card.body.addLayout(row(*parts))
    return card


class IconSheet(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(150)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        for place, name in enumerate(sorted(icons.names())):
            icons.paint(painter, name, 4 + 28 * (place % 19), 4 + 24 * (place // 19), "text2")


def buttons() -> Card:
    card = Card("Buttons")
    keep = Button("Keep", "default", "check", "verdict_keep")
    hover = Button("Keep", "default", "check", "verdict_keep")
    hover.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    card.body.addLayout(
        row(
            Button("Complete, next", "primary", None, "complete_next"),
            keep,
            hover,
            Button("Report", "flat", "download"),
        )
    )
    chosen = []
    for text, icon, key, role in (
        ("Keep", "check", "verdict_keep", "ok"), ("Revise", "pencil", "verdict_revise", "warn"),
        ("Reject", "x", "verdict_reject", "error"),
    ):  # fmt: skip
        button = Button(text, "verdict", icon, key, role)
        button.setChecked(True)
        chosen.append(button)
    card.body.addLayout(row(*chosen))
    off = Button("Complete, next", "primary", None, "complete_next")
    off.setEnabled(False)
    on = IconButton("repeat", "Loop", checkable=True)
    on.setChecked(True)
    disabled = IconButton("redo-2", "Redo")
    disabled.setEnabled(False)
    focus = Button("Focus", "default", small=True)
    focus.setObjectName("focused")
    card.body.addLayout(
        row(off, Button("Small", small=True), focus, IconButton("zoom-in", "Loupe", "loupe"), on, disabled)
    )
    segments = Segmented()
    segments.add("turns", "Turns 4/9")
    segments.add("session", "Session", "lock")
    fit = Segmented()
    fit.add("fit", "Fit", None, "fit")
    fit.add("100", "100 %")
    fit.add("200", "200 %")
    combo = Combo()
    combo.addItems(["Model B · name hidden", "Model A · name hidden"])
    card.body.addLayout(row(segments, fit))
    card.body.addLayout(row(combo, FilterChip("Scenario", menu=True)))
    return card


def chips() -> Card:
    card = Card("Chips")
    kinds = [
        ("neutral", None), ("outline", None), ("chosen", "check"), ("ok", "check"), ("warn", "triangle-alert"),
        ("error", "circle-x"), ("info", "info"),
    ]  # fmt: skip
    card.body.addLayout(row(*[Chip(kind, kind, icon) for kind, icon in kinds]))
    set_chip = FilterChip("Open 86")
    set_chip.setChecked(True)
    card.body.addLayout(
        row(set_chip, FilterChip("Scenario", menu=True), FilterChip("Modality", menu=True), FilterChip("+"))
    )
    return card


def messages() -> Card:
    card = Card("Message bar", "one at a time, above the verdict bar, never over the media")
    card.body.setContentsMargins(0, 0, 0, 0)
    card.body.setSpacing(0)
    texts = [
        Message("ok", "Restored from the backup of 29 November, 18:00.", (("undo", "Undo"),)),
        Message("info", "The ranking ties A and D, but D scores 3 higher. Both are kept.", (("compare", "Compare"),)),
        Message("warn", "This workspace is on a network share. Work on a copy, then sync.", (("copy", "Make a copy"),)),
        Message(
            "error",
            "Not saved: the disk is full. Kept on screen, retrying.",
            (("other", "Other folder"), ("retry", "Retry")),
        ),
    ]
    for text in texts:
        bar = MessageBar()
        bar.show_message(text)
        if text.kind == "error":
            bar.show_message(Message("info", "Another one"))
        card.body.addWidget(bar)
    return card


class Roles(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(210)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        for place, role in enumerate(theme.roles()):
            x, y = 130 * (place % 4), 21 * (place // 4)
            paint.frame(painter, QRectF(x, y + 3, 26, 15), theme.color(role), theme.color("line"), 2)
            paint.draw_text(painter, QRectF(x + 33, y, 96, 21), role, fonts.font("meta"), "text2")


def saved() -> Card:
    card = Card("Saved")
    labels = [SavedLabel() for _ in range(5)]
    labels[0].set_saved(0.2)
    labels[1].set_saving()
    labels[2].set_failed(3)
    labels[3].set_read_only()
    labels[4].set_pending()
    for label in labels:
        label.setFixedHeight(22)
        card.body.addWidget(label)
    return card


def empties() -> Card:
    card = Card("Empty, locked, missing")
    grid = QGridLayout()
    states = [
        EmptyState("list-checks", "Nothing left in this filter", "86 items are open without it.", "Clear filter"),
        EmptyState("lock", "Opens after turn 4", "The model had not seen this yet.", locked=True),
        EmptyState(
            "file-exclamation-point", "Clip not found", "clips/0415_07.mp4 is not in a data folder.", "Locate…", "error"
        ),
        EmptyState("shield-check", "Taken down by its owner", "Not shown and not exported.", role="warn"),
    ]
    for place, state in enumerate(states):
        state.setMinimumHeight(132)
        grid.addWidget(state, place // 2, place % 2)
    card.body.addLayout(grid)
    return card


class QueueRows(QWidget):
    ROWS = (
        ("circle-check", "ok", "Picking up a prescription", "V-0412", ["full"] * 8),
        (
            "circle-dot",
            "accent",
            "Breakfast at the corner 街角早餐铺点餐",
            "V-0417",
            ["full"] * 3 + ["half"] + ["open"] * 5,
        ),
        ("circle", "text2", "Setting up a cuff", "V-0418", ["open"] * 9),
    )

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(144)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (icon, role, title, number, ticks) in enumerate(self.ROWS):
            y = 48 * place
            if place == 1:
                painter.fillRect(QRectF(0, y, self.width(), 48), theme.color("selected"))
                painter.fillRect(QRectF(0, y, 3, 48), theme.color("accent"))
            icons.paint(painter, icon, 12, y + 8, role)
            paint.draw_text(painter, QRectF(35, y + 5, self.width() - 45, 20), title, fonts.font("body", 500))
            paint.draw_text(painter, QRectF(35, y + 25, 60, 18), number, fonts.font("mono"), "text3")
            paint.draw_ticks(painter, self.width() - 10, y + 29, ticks)
            paint.hairline(painter, 0, y + 47, self.width(), y + 48)


def fields() -> Card:
    card = Card("Fields")
    card.body.addWidget(SearchField("Search id, goal, text"))
    edit = QPlainTextEdit()
    edit.setPlaceholderText("Reason (asked for at 3 or below)")
    edit.setFixedHeight(40)
    card.body.addWidget(edit)
    ticked = CheckBox("Hide names")
    ticked.setChecked(True)
    card.body.addLayout(row(ticked, CheckBox("Read only")))
    card.body.addWidget(Separator())
    card.body.addWidget(
        PlainLabel("<b>Plain</b> text stays plain & wraps when it is longer than the place it has got.", "label")
    )
    return card


def page() -> Ground:
    ground = Ground("window")
    line = QHBoxLayout(ground)
    line.setContentsMargins(10, 10, 10, 10)
    line.setSpacing(10)
    sheet = Card("Icons", "24 grid, 1.75 stroke")
    sheet.body.addWidget(IconSheet())
    roles = Card("Colour roles")
    roles.body.addWidget(Roles())
    rows = Card("Queue row", "48 px, two lines")
    rows.body.setContentsMargins(0, 0, 0, 0)
    rows.body.addWidget(QueueRows())
    head = PanelHead("Turn 4", "8 dimensions")
    head.add(Chip("6 / 8"))
    head.add(IconButton("book-open", "Levels", "levels"))
    columns = (
        (strips(), marks(), types(), caps(), sheet),
        (buttons(), chips(), messages(), roles),
        (saved(), empties(), rows, fields(), head),
    )
    for stretch, cards in zip((120, 114, 90), columns, strict=True):
        column = QVBoxLayout()
        column.setSpacing(10)
        for card in cards:
            column.addWidget(card)
        column.addStretch(1)
        line.addLayout(column, stretch)
    return ground


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication([])
    from annotator.ui import i18n

    assert isinstance(app, QApplication)
    theme.set_theme(app, "light")
    sheet, keys = page(), KeysOverlay()
    sheet.resize(*SIZE)
    sheet.show()
    focused = sheet.findChild(Button, "focused")
    if focused is not None:
        focused.setFocus(Qt.FocusReason.TabFocusReason)
    for name in ("light", "dark"):
        theme.set_theme(app, name)
        for language in i18n.LANGUAGES:
            i18n.set_language(language)
            for _ in range(6):  # a changed height travels up one layout at a time
                app.processEvents()
            sheet.grab().save(str(folder / f"components-{name}-{language}.png"))
            keys.grab().save(str(folder / f"keys-{name}-{language}.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/gallery"))
