"""The evidence box beside the picture: its native pixels small, its share of the image against the published bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import density, fonts, theme
from annotator.ui.choice_section import Section
from annotator.ui.evidence_box import share_text
from annotator.ui.i18n import tr
from annotator.ui.widgets import ElidedLabel, IconButton, paint
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionView

_CROP = (196, 46)


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """A box in picture pixels, its share of the picture (0 to 1), and the largest share that is published."""

    rect: QRect
    share: float
    bound: float

    @property
    def within(self) -> bool:
        """Whether the share keeps to the bound."""
        return self.share <= self.bound


class Crop(Live, QWidget):
    """Native pixels of the box, fitted, never enlarged beyond whole multiples."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing yet."""
        super().__init__(parent)
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_image(self, image: QImage | None) -> None:
        """Show other pixels; None while there are none."""
        self._image = image
        self.update()

    def sizeHint(self) -> QSize:
        """A strip."""
        return QSize(density.scaled(_CROP[0]), density.scaled(_CROP[1]))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The pixels on the stage's ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("stage"))
        image = self._image
        if image is None or image.isNull():
            return
        ratio = self.devicePixelRatioF()
        scale = min(self.width() * ratio / image.width(), self.height() * ratio / image.height())
        scale = max(1.0, float(int(scale))) if scale >= 1 else scale
        size = QSize(max(1, round(image.width() * scale / ratio)), max(1, round(image.height() * scale / ratio)))
        box = QRect(QPoint(0, 0), size)
        box.moveCenter(self.rect().center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 1)
        painter.drawImage(QRectF(box), image, QRectF(image.rect()))


class ShareBar(Live, QWidget):
    """A bar from nothing to the bound and beyond; the mark at its end is the bound."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing yet."""
        super().__init__(parent)
        self._facts: BoxFacts | None = None
        self.setFixedHeight(8)
        self.go_live()

    def set_facts(self, facts: BoxFacts | None) -> None:
        """Show another share."""
        self._facts = facts
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Track, share, mark."""
        painter = QPainter(self)
        track = QRectF(0, 2, self.width() - 2, 4)
        paint.frame(painter, track, theme.color("sunken"), theme.color("hair"), 2.0)
        facts = self._facts
        if facts is not None:
            filled = QRectF(track)
            filled.setWidth(max(3.0, track.width() * min(1.0, facts.share / facts.bound)))
            paint.frame(painter, filled, theme.color("accent" if facts.within else "warn"), None, 2.0)
        painter.fillRect(QRectF(self.width() - 2, 0, 2, 8), theme.color("text"))


class BoxPanel(Section):
    """What is pinned, or how to pin.

    Signals:
        remove_wanted(): take the box away.
    """

    remove_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """No box."""
        super().__init__(keys=("box",), parent=parent)
        self.setObjectName("boxPanel")
        self.facts: BoxFacts | None = None
        self._bound = 0.1
        self.verdict = ElidedLabel(style="label", role="ok", weight=500)
        self.remove = IconButton("x")
        self.remove.setObjectName("boxRemove")
        self.remove.clicked.connect(self.remove_wanted)
        self.head.addWidget(self.verdict)
        self.head.addWidget(self.remove)
        self.crop, self.bar = Crop(), ShareBar()
        self.share = ElidedLabel(style="time", tabular=True)
        self.size_text = ElidedLabel(style="label", role="text2", tabular=True)
        self.of, self.bound = ElidedLabel(style="meta", role="text3"), ElidedLabel(style="meta", role="text3")
        self.how = ElidedLabel(style="label", role="text3")
        self.body.addWidget(self.how)
        self._shown = QWidget()
        self._build()
        self.body.addWidget(self._shown)
        self.go_live()

    def _build(self) -> None:
        first, last = QHBoxLayout(), QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.share)
        first.addWidget(self.size_text)
        first.addStretch(1)
        last.addWidget(self.of)
        last.addStretch(1)
        last.addWidget(self.bound)
        right = QVBoxLayout()
        right.setSpacing(1)
        right.addLayout(first)
        right.addWidget(self.bar)
        right.addLayout(last)
        row = QHBoxLayout(self._shown)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.crop, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(right, 1)

    def show_box(self, view: QuestionView, facts: BoxFacts | None, crop: QImage | None) -> None:
        """Show a box of a question, None where none is pinned."""
        self.facts, self._bound = facts, view.share_bound
        self.crop.set_image(crop)
        self.bar.set_facts(facts)
        self._shown.setVisible(facts is not None)
        self.how.setVisible(facts is None)
        self.verdict.setVisible(facts is not None)
        self.remove.setVisible(facts is not None and not view.read_only)
        self.retranslate()

    def retranslate(self) -> None:
        """Read all texts again."""
        self.set_title(tr("choice.box"))
        self.remove.set_text(tr("choice.box_remove"))
        part = round(1 / self._bound) if self._bound else 10
        self.how.set_text(tr("choice.box_how", part=part))
        facts = self.facts
        if facts is None:
            return
        word = tr("choice.box_within", part=part) if facts.within else tr("choice.box_beyond", part=part)
        self.verdict.set_text(word)
        self.verdict.set_role("ok" if facts.within else "warn")
        self.share.set_text(share_text(facts.share))
        self.size_text.set_text(tr("choice.box_size", width=facts.rect.width(), height=facts.rect.height()))
        self.of.set_text(tr("choice.box_of_all"))
        self.bound.set_text(tr("choice.box_bound", percent=f"{self._bound * 100:g}"))

    def remeasure(self) -> None:
        """The crop's size follows the text scale."""
        self.crop.updateGeometry()
        self.body.setSpacing(fonts.px(4))
        super().remeasure()
