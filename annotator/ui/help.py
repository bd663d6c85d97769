"""The guide inside the application: a local text in the language in force; nothing in it is ever fetched."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QKeySequence, QShortcut, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from annotator import resources
from annotator.ui import fonts, i18n
from annotator.ui.i18n import tr
from annotator.ui.widgets import Button
from annotator.ui.widgets.base import Live

SIZE = (860, 720)


class GuideView(QTextBrowser):
    """Shows the guide; links and pictures from anywhere but the program's own files stay words."""

    def loadResource(self, kind: int, name: QUrl) -> Any:
        """Nothing but the program's own files is loaded."""
        del kind, name
        return None


class HelpDialog(Live, QDialog):
    """The guide in a window of its own, beside the work."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Show it in the language in force."""
        super().__init__(parent)
        self.view = GuideView()
        self.view.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.view.setOpenLinks(False)
        self.view.setStyleSheet("QTextBrowser { border: none; }")
        self.close_button = Button("", key="Esc")
        self.close_button.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 8)
        foot.addStretch(1)
        foot.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.view, 1)
        layout.addLayout(foot)
        QShortcut(QKeySequence("F1"), self, self.accept)
        self.resize(*SIZE)
        self.go_live()

    def retranslate(self) -> None:
        """The guide of the other language."""
        self.setWindowTitle(tr("help.title"))
        self.close_button.set_text(tr("help.close"))
        self.view.setAccessibleName(tr("help.title"))
        text = resources.path(f"help/{i18n.language()}.md").read_text(encoding="utf-8")
        self.view.setMarkdown(text)
        _give_air(self.view.document())

    def remeasure(self) -> None:
        """The reading font."""
        self.view.setFont(fonts.font("read"))
        self.view.document().setDocumentMargin(fonts.px(24))
        super().remeasure()

    def restyle(self) -> None:
        """Code and tables take their colours from the palette; they are laid out anew."""
        if self.view.toPlainText():
            self.retranslate()
        super().restyle()


def _give_air(document: QTextDocument) -> None:
    """Space around headings and paragraphs, and a line height that Chinese can be read at."""
    block = document.begin()
    while block.isValid():
        shape = block.blockFormat()
        heading = shape.headingLevel()
        in_list = block.textList() is not None
        shape.setTopMargin(fonts.px(18 if heading == 2 else 0))
        shape.setBottomMargin(fonts.px(6 if heading else 3 if in_list else 10))
        shape.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(block)
        cursor.setBlockFormat(shape)
        block = block.next()
