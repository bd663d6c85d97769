"""The tray's page about the files themselves: source, terms, attribution; what was seen of them, and what for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.domain.assets import AssetTerms
from annotator.domain.items import Asset
from annotator.ui import density, theme
from annotator.ui.i18n import tr
from annotator.ui.media_states import Veil
from annotator.ui.textcolumn import Paragraph, TextColumn
from annotator.ui.widgets import Button
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView


class TermsPage(Live, QWidget):
    """What the manifest says of the open turn's files; a copy can be bound to what is released by reference only.

    Signals:
        bind_wanted(name): choose a local copy of this asset.
    """

    bind_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing is said."""
        super().__init__(parent)
        self.setObjectName("termsPage")
        self._view: ReviewView | None = None
        self._turn: int | None = None
        self._facts: Mapping[str, float] = {}
        self._bindable = ""
        self.texts, self.seen = TextColumn(), TextColumn()
        self.bind = Button("", "default", "link", small=True)
        self.bind.setObjectName("bindCopy")
        self.bind.clicked.connect(self._bind)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(self.seen, 1)
        right.addWidget(self.bind)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self.texts, 3)
        row.addLayout(right, 2)
        self.go_live()

    def show_review(self, view: ReviewView | None, turn: int | None) -> None:
        """Show what is known of the files of a turn (None: of all)."""
        self._view, self._turn = view, turn
        self._write()

    def show_facts(self, facts: Mapping[str, Any]) -> None:
        """What the person has seen of the open turn: shares from 0 to 1."""
        self._facts = {name: float(held) for name, held in facts.items() if name in ("opened", "played", "seen_full")}
        self._write_seen()

    def word(self) -> str:
        """The state of the open turn's files in a word, for the tab; "" where nothing is said."""
        found = [t for _, t in self._of_turn()]
        if any(t.takedown for t in found):
            return tr("media.terms_word_takedown")
        if any(t.by_reference and not t.bound for t in found):
            return tr("media.terms_word_reference")
        return tr("media.terms_word_usable") if found else ""

    def _of_turn(self) -> list[tuple[Asset, AssetTerms]]:
        view = self._view
        if view is None or not view.terms:
            return []
        turns = view.turns if self._turn is None else view.turns[: self._turn + 1]
        assets = {a.raw or a.inside or "": a for turn in reversed(turns) for a in (*turn.evidence, *turn.frames)}
        return [(asset, view.terms[name]) for name, asset in assets.items() if name in view.terms]

    def _write(self) -> None:
        veil = Veil.over(self._view.responders) if self._view is not None else Veil()
        found = self._of_turn()
        made: list[Paragraph] = []
        self._bindable = ""
        for asset, terms in found:
            name = veil.cover(asset.raw or asset.inside or "")
            made.append((name, veil.cover("\n".join(lines_of(terms))), "warn" if terms.takedown else "text"))
            if not self._bindable and terms.by_reference and not terms.takedown and not asset.found:
                self._bindable = terms.key
        if not made:
            made.append((tr("media.terms_title"), tr("media.terms_none"), "text3"))
        self.texts.set_texts(made)
        self.bind.setVisible(bool(self._bindable) and self._view is not None and not self._view.read_only)
        self._write_seen()

    def _write_seen(self) -> None:
        values = {name: f"{self._facts.get(name, 0.0) * 100:.0f}" for name in ("opened", "played", "seen_full")}
        told: list[Paragraph] = []
        if self._turn is not None:
            told.append((tr("media.seen_title", turn=self._turn + 1), tr("media.seen_facts", **values), "text"))
        told.append((tr("media.seen_rule_title"), tr("media.seen_rule"), "text2"))
        self.seen.set_texts(told)

    def _bind(self) -> None:
        if self._bindable:
            self.bind_wanted.emit(self._bindable)

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("media.terms_title"))
        self.bind.set_text(tr("media.terms_bind"))
        self._write()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The panel's ground."""
        QPainter(self).fillRect(self.rect(), theme.color("panel"))

    def sizeHint(self) -> QSize:
        """Two columns of text."""
        return QSize(480, density.scaled(160))


def lines_of(terms: AssetTerms) -> list[str]:
    """An entry in words: takedown first, then where from and on which terms, then the columns we do not know."""
    found: list[str] = []
    if terms.takedown:
        why = terms.takedown_text()
        found.append(tr("media.terms_takedown", why=why) if why else tr("media.terms_takedown_plain"))
    for name in ("source", "terms", "attribution"):
        held = getattr(terms, name)
        if held:
            found.append(tr(f"media.terms_{name}", text=held))
    if terms.release_form is not None:
        found.append(tr(f"media.terms_form_{terms.release_form}"))
    if terms.bound:
        found.append(tr("media.terms_bound", file=terms.bound, digest=(terms.bound_sha256 or "")[:12]))
    found += [f"{name}: {plain(held)}" for name, held in terms.extra.items() if held not in (None, "")]
    return found


def plain(value: Any) -> str:
    """A value of a column as text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
