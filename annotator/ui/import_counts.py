"""The two cards above the lines of an import report: what was counted, and how it compares with what was published."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.domain.report import ImportReport
from annotator.ui import fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

COLUMNS = 5
ROW = 78


def counted(report: ImportReport) -> list[tuple[str, int]]:
    """(text key, number) of the figures worth showing, ten at most; labels and judgements instead of zeros."""
    assets = report.assets
    figures = [
        ("dialogues", report.dialogues),
        ("turns", report.turns),
        ("unanswered", report.unanswered),
        ("records", report.records),
        ("score_values", report.score_values),
        ("new", report.new),
        ("revised", report.revised),
        ("unchanged", report.unchanged),
        ("assets_ok", assets.ok + assets.remapped),
        ("assets_gone", assets.missing + assets.refused),
    ]
    if report.kind == "labels" or report.kind == "judge":
        figures[2:5] = [("accepted", report.accepted), ("rejected", report.rejected), ("waiting", report.waiting)]
    return figures


class PaintedCard(Live, QWidget):
    """A card that is painted whole: frame, then what a subclass draws."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.report: ImportReport | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_report(self, report: ImportReport) -> None:
        """Show another report."""
        self.report = report
        self.setAccessibleName(self.spoken())
        self.updateGeometry()
        self.update()

    def spoken(self) -> str:
        """What a screen reader says."""
        return ""

    def sizeHint(self) -> QSize:
        """Two rows of figures."""
        return QSize(480, 2 * fonts.px(ROW) + 2)

    def draw(self, painter: QPainter, report: ImportReport) -> None:
        """Draw the inside."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame and inside."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.color("panel"))
        painter.setPen(theme.color("hair"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self.report is not None:
            self.draw(painter, self.report)
        painter.end()


class CountsCard(PaintedCard):
    """Ten figures in two rows."""

    def spoken(self) -> str:
        """All figures."""
        pairs = counted(self.report) if self.report else []
        return "; ".join(f"{tr(f'import.count.{name}')}: {n}" for name, n in pairs)

    def draw(self, painter: QPainter, report: ImportReport) -> None:
        """Figure over name, with lines between."""
        width = self.width() / COLUMNS
        height = self.height() / 2
        for place, (name, n) in enumerate(counted(report)):
            row, column = divmod(place, COLUMNS)
            x, y = column * width, row * height
            if column:
                paint.hairline(painter, int(x), int(y), int(x), int(y + height))
            warn = n > 0 and name in ("assets_gone", "rejected", "waiting")
            figure = QRectF(x + 14, y + fonts.px(12), width - 20, fonts.px(30))
            paint.draw_text(painter, figure, i18n.count(n), fonts.font("figure"), "warn" if warn else "text")
            label = QRectF(x + 14, y + fonts.px(44), width - 20, fonts.px(18))
            paint.draw_text(painter, label, tr(f"import.count.{name}"), fonts.font("label"), "text2")
        paint.hairline(painter, 1, int(height), self.width() - 2, int(height))


PAIRS = (("dialogues", ""), ("turns", ""), ("video_dialogues", "video_turns"), ("image_dialogues", "image_turns"),
         ("scenarios", "categories"))  # fmt: skip


class TotalsCard(PaintedCard):
    """Found beside published, with a check where they are equal."""

    def spoken(self) -> str:
        """All totals."""
        totals = self.report.totals if self.report else {}
        return "; ".join(f"{name}: {t['found']} / {t['published']}" for name, t in totals.items())

    def draw(self, painter: QPainter, report: ImportReport) -> None:
        """One line per total; an empty card says why."""
        head = QRectF(14, fonts.px(8), self.width() - 28, fonts.px(18))
        paint.draw_text(painter, head, tr("import.totals"), fonts.font("body", weight=600), "text")
        if not report.totals:
            box = QRectF(14, fonts.px(34), self.width() - 28, self.height() - fonts.px(40))
            painter.setPen(theme.color("text2"))
            painter.setFont(fonts.font("label"))
            painter.drawText(box, int(Qt.TextFlag.TextWordWrap), tr("import.no_totals"))
            return
        top = fonts.px(32)
        height = (self.height() - top) / len(PAIRS)
        for place, names in enumerate(PAIRS):
            self._line(painter, report, names, top + place * height, height)

    def _line(self, painter: QPainter, report: ImportReport, names: tuple[str, str], y: float, height: float) -> None:
        paint.hairline(painter, 1, int(y), self.width() - 2, int(y))
        held = [report.totals[n] for n in names if n in report.totals]
        if not held:
            return
        equal = all(t["found"] == t["published"] for t in held)
        icons.paint(painter, "circle-check" if equal else "triangle-alert", 14, int(y + (height - 14) / 2),
                    "ok" if equal else "warn", 14)  # fmt: skip
        found = " / ".join(i18n.count(t["found"]) for t in held)
        published = tr("import.published", n=" / ".join(i18n.count(t["published"]) for t in held))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        inner = self.width() - 28
        paint.draw_text(painter, QRectF(36, y, inner * 0.40, height), tr(f"import.total.{names[0]}"),
                        fonts.font("label"), "text")  # fmt: skip
        paint.draw_text(painter, QRectF(36 + inner * 0.30, y, inner * 0.28, height), found,
                        fonts.font("label", weight=600, tabular=True), "text" if equal else "warn", right)  # fmt: skip
        paint.draw_text(painter, QRectF(36 + inner * 0.60, y, inner * 0.40 - 22, height), published,
                        fonts.font("label", tabular=True), "text2", right)  # fmt: skip
