"""Where evidence meets the page: pins go to the desk, cards to the stage, the cursor's dimension to new pins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from annotator.ui.evidence_card import EvidenceCard
from annotator.ui.evidence_model import Pin, is_field, read_pin
from annotator.ui.i18n import tr

if TYPE_CHECKING:
    from annotator.ui.review import ReviewPage
    from annotator.workspace.views import ReviewView


def heading(view: ReviewView | None, target: str, field: str) -> str:
    """What a pin is evidence for, in words; "" where it is not on the sheet."""
    pin = read_pin(target, field, view.sheet.value(target, field)) if view is not None else None
    return EvidenceCard.heading_of(pin, view) if pin is not None and view is not None else ""


class EvidenceWiring(QObject):
    """Connects the media panel's evidence with tray, grid and desk of one review page."""

    def __init__(self, page: ReviewPage) -> None:
        """Connect everything."""
        super().__init__(page)
        self._page = page
        media, cards, pins = page.media, page.tray.evidence, page.media.asides.evidence
        cards.use(pins.may_see, pins.crop)
        cards.wanted.connect(self._wanted)
        cards.chosen.connect(self._chosen)
        cards.gone.connect(pins.remove)
        cards.given.connect(pins.give)
        media.said.connect(self._said)
        media.left.connect(page.take_keyboard)
        media.turn_opened.connect(self._opened)
        media.shown.connect(page.tray.terms.show_facts)
        media.unblurred.connect(cards.renew_crops)
        page.grid.row_changed.connect(self._row_changed)
        page.tray.terms.bind_wanted.connect(self._bind)

    def _opened(self) -> None:
        page = self._page
        page.tray.evidence.show_review(page.desk.view, page.turn)
        page.media.set_target(page.target, page.grid.current_dimension())

    def _row_changed(self, dimension: str) -> None:
        self._page.media.set_target(self._page.target, dimension)

    def _wanted(self) -> None:
        self._page.media.handle("evidence")
        self._page.take_keyboard()

    def _chosen(self, pin: Pin) -> None:
        self._page.media.go_to_pin(pin.target, pin.field)
        self._page.take_keyboard()

    def _said(self, target: str, field: str, value: object) -> None:
        page = self._page
        page.say_beside(target, field, value)
        if is_field(field) and value is not None:
            page.tray.show_tab("evidence")
            if page.tray.is_open():
                return
            page.telling.tell("info", tr("evidence.pinned", what=heading(page.desk.view, target, field)), "pinned")

    # --------------------------------------------------------------------------------------------------- local copies
    def _bind(self, name: str) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._page, tr("media.terms_choose", name=name))
        if chosen:
            self.bind(name, Path(chosen))

    def bind(self, name: str, file: Path) -> None:
        """Bind a local copy to an asset that is released by reference only, and show it."""
        desk = self._page.desk
        workspace = desk.workspace
        if workspace is not None and desk.can_write:
            desk.lanes.quick(lambda: workspace.bind_asset(name, file), self._bound)

    def _bound(self, _terms: object) -> None:
        self._page.telling.tell("ok", tr("media.terms_bound_now"), "bound")
        self._page.desk.reload()
