"""The comparison on this person's desk: what is shown, what was said of it, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from annotator.ui.comparison.words import with_said
from annotator.ui.desk import Desk
from annotator.ui.item_desk import ItemDesk
from annotator.workspace.comparisons_views import ComparisonFilter, ComparisonView
from annotator.workspace.views import Intent

if TYPE_CHECKING:
    from annotator.workspace.comparisons import Comparisons
    from annotator.workspace.comparisons_flow import ComparisonSetup
    from annotator.workspace.workspace import Workspace


def _comparisons(workspace: Workspace) -> Comparisons:
    from annotator.workspace.comparisons import Comparisons

    return Comparisons(workspace)


class ComparisonDesk(ItemDesk):
    """The comparisons of the open workspace and the one that is shown."""

    KIND: ClassVar = "comparison"
    LAST: ClassVar = "comparison.last_item"
    FIRST: ClassVar = "comparison.first_item"

    def __init__(self, desk: Desk, make: Callable[[Workspace], Comparisons] = _comparisons) -> None:
        """`make` gives the workspace's comparisons."""
        super().__init__(desk, make)
        self.can_make = False

    def _no_filter(self) -> ComparisonFilter:
        return ComparisonFilter()

    def _read(self, source: Comparisons, item_id: str) -> ComparisonView:
        return source.comparison(item_id)

    def _laid_over(self, view: ComparisonView, intents: Sequence[Intent]) -> ComparisonView:
        return with_said(view, intents)

    @property
    def comparisons(self) -> Comparisons | None:
        """The workspace's side of them."""
        found: Comparisons | None = self.source
        return found

    def setup(self) -> ComparisonSetup | None:
        """What makes comparisons in the open workspace; to be asked in a lane."""
        workspace = self.desk.workspace
        if workspace is None:
            return None
        from annotator.workspace.comparisons_flow import ComparisonSetup

        return ComparisonSetup(workspace)

    def _forget(self) -> None:
        super()._forget()
        self.can_make = False

    def _count(self, _n: int = 0) -> None:
        source = self.source
        setup = self.setup() if source is not None else None
        if setup is not None:
            self._lanes.quick(lambda: (source.count(), setup.can_make()), self._told)

    def _told(self, answer: tuple[int, bool]) -> None:
        count, self.can_make = answer
        self._counted(count)

    def say(self, intents: Sequence[Intent]) -> bool:
        """State something about the shown comparison; shown at once as pending, on disk soon after."""
        if self.view is None or self.source is None or not intents or not self.can_write:
            return False
        self._state(intents, self.clock.take())
        return True

    def look_beneath(self, place: int) -> bool:
        """Show the names covered in a response: an event, and what is said from now on counts as seen."""
        return self.say([Intent(f"response:{place}", "peek", {"unmasked": True})])

    def save_draft(self, target: str, field: str, text: str) -> None:
        """Keep a text that is being written, outside the log."""
        view, workspace = self.view, self.desk.workspace
        if view is not None and workspace is not None and self.can_write:
            item = view.row.item_id
            self._lanes.quick(lambda: workspace.save_draft(item, "", target, field, text))
