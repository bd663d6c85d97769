"""Ranking the responses: all at once or pair by pair, all good and all bad told apart, a reason, and an example."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from annotator.domain import comparisons_ordering as ordering
from annotator.domain.comparisons import full_tie
from annotator.domain.comparisons_ordering import Tiers
from annotator.domain.comparisons_sheet import ALL_BAD, ALL_GOOD
from annotator.ui import density
from annotator.ui.comparison.column import Waiting
from annotator.ui.comparison.example import ExampleRow
from annotator.ui.comparison.pairs import PairsBox
from annotator.ui.comparison.panel import left_width
from annotator.ui.comparison.ranking_view import RankingView
from annotator.ui.comparison.words import letters, ranking_line, tiers_of
from annotator.ui.i18n import tr
from annotator.ui.reason import ReasonEdit
from annotator.ui.widgets import Button, ElidedLabel, Ground, Keycap, Segmented
from annotator.workspace.views import Intent

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ComparisonView

ITEM = "item"


class RankingPanel(Ground):
    """The ranking under the responses.

    Signals:
        said(list of Intent): what a person says. drafted(target, field, text): is being written.
        pair_changed(): other two are compared now, or none.
        entered(): the keyboard is to be here. left(): it may go back to the ranking.
    """

    said = Signal(object)
    drafted = Signal(str, str, str)
    pair_changed = Signal()
    entered = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing to rank."""
        super().__init__("panel", ("top",), "line", parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._view: ComparisonView | None = None
        self._picked: int | None = None
        self._answers: list[int] = []
        self.pair: tuple[int, ...] = ()  # the two that are compared now, by place in source order
        self.title = ElidedLabel("", "body", weight=600)
        self.mode = Segmented()
        self.mode.setObjectName("rankingMode")
        self.mode.add("whole", "")
        self.mode.add("pairs", "", key="pairs")
        self.line = ElidedLabel("", "time")
        self.line.setObjectName("rankingLine")
        self.view, self.pairs = RankingView(), PairsBox()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.pairs)
        self.reason = ReasonEdit()
        self.reason.setObjectName("rankingReason")
        self.example = ExampleRow()
        self.good = Button("", icon="thumbs-up", key="all_good", small=True)
        self.bad = Button("", icon="thumbs-down", key="all_bad", small=True)
        self.whole = ElidedLabel("", "label", "text2")
        self.hints = {name: ElidedLabel("", "label", "text3") for name in ("move", "tie", "confirm")}
        for name, button in (("allGood", self.good), ("allBad", self.bad)):
            button.setObjectName(name)
            button.setCheckable(True)
        self._build()
        self._connect()
        self.go_live()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.mode)
        head.addStretch(1)
        self._caps = QWidget()
        caps = QHBoxLayout(self._caps)
        caps.setContentsMargins(0, 0, 0, 0)
        caps.setSpacing(4)
        for keys, name in ((("rank_left", "rank_right"), "move"), (("tie",), "tie"), (("rank_confirm",), "confirm")):
            for key in keys:
                caps.addWidget(Keycap(key))
            caps.addWidget(self.hints[name])
        caps.addStretch(1)
        self._left = left = Ground("window", ("right",))
        left.go_live()
        upright = QVBoxLayout(left)
        upright.setContentsMargins(14, 6, 8, 6)
        upright.setSpacing(4)
        upright.addLayout(head)
        upright.addWidget(self.line)
        upright.addStretch(1)
        upright.addWidget(self._caps)
        centre = QVBoxLayout()
        centre.setContentsMargins(12, 6, 12, 6)
        centre.setSpacing(5)
        centre.addWidget(self.stack)
        centre.addWidget(self.reason)
        centre.addWidget(self.example)
        right = QVBoxLayout()
        right.setContentsMargins(8, 6, 8, 6)
        right.setSpacing(2)
        right.addWidget(self.whole)
        right.addWidget(self.good)
        right.addWidget(self.bad)
        right.addStretch(1)
        self.grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 1, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(left, 0, 0)
        grid.addLayout(centre, 0, 1)
        grid.addLayout(right, 0, 2)
        grid.setColumnStretch(1, 1)

    def _connect(self) -> None:
        self.view.arranged.connect(self._arrange)
        self.view.picked.connect(self._pick_by_hand)
        self.mode.chosen.connect(self.set_mode)
        self.pairs.answered.connect(self.answer_pair)
        self.pairs.back.connect(self.pair_back)
        self.good.clicked.connect(self.say_all_good)
        self.bad.clicked.connect(self.say_all_bad)
        self.reason.committed.connect(self._reasoned)
        self.reason.drafted.connect(self._reason_drafted)
        self.reason.left.connect(self.left)
        self.example.written.connect(self._constructed)
        self.example.drafted.connect(self._example_drafted)
        self.example.left.connect(self.left)

    # --- what is shown ----------------------------------------------------------------------------------------
    def show_item(self, view: ComparisonView, waiting: Waiting) -> None:
        """Show another item, or the same one with other labels."""
        before, self._view = self._view, view
        if before is None or before.row.item_id != view.row.item_id:
            self._picked, self._answers = None, []
            self.example.begin()
            self.mode.set_current("pairs" if len(view.responses) == 2 else "whole")
        ranking = view.sheet.ranking
        tiers, said = self.tiers(), ranking is not None
        notes = {r.place: str(view.sheet.value(r.target, "note") or "") for r in view.responses}
        unsaved = (ITEM, "ranking") in waiting.pending
        self.view.show_tiers(
            tiers, view.order, letters(view), notes, said=said, waiting=unsaved, read_only=view.read_only
        )
        self.view.set_picked(self._picked)
        self.line.set_text(ranking_line(view, tiers) if said else tr("comparison.not_ranked"))
        failed = unsaved and waiting.failing
        self.line.set_role("error" if failed else "text" if said else "text3")
        for button, flag in ((self.good, ALL_GOOD), (self.bad, ALL_BAD)):
            button.setChecked(view.sheet.value(ITEM, flag) is True and said and full_tie(ranking or ()))
            button.setEnabled(not view.read_only)
        self._show_reason(view)
        tied = ranking is not None and full_tie(ranking)
        self.example.setVisible(tied)
        if tied:
            self.example.show_example(
                view.sheet.example, view.drafts.get((ITEM, "constructed")), all_bad=self.bad.isChecked(),
                read_only=view.read_only,
            )  # fmt: skip
        self._show_pairs()

    def _show_reason(self, view: ComparisonView) -> None:
        saved = str(view.sheet.value(ITEM, "ranking_reason") or "")
        self.reason.set_value(saved, view.drafts.get((ITEM, "ranking_reason")) or None)
        self.reason.setReadOnly(view.read_only)
        wanted = view.sheet.reasons and not self.reason.text()
        self.reason.setPlaceholderText(tr(f"comparison.ranking_reason_{'wanted' if wanted else 'short'}"))

    def clear(self) -> None:
        """No item is open: the next one is another, whatever its id."""
        self._view = None

    def tiers(self) -> Tiers:
        """The ranking as it stands; where nothing is ranked, each response alone in the order shown."""
        if self._view is None:
            return ()
        held = tiers_of(self._view)
        return held if held is not None else ordering.apart(self._view.order)

    @property
    def picked(self) -> int | None:
        """The response that keys move, by place in source order."""
        return self._picked

    # --- all at once ------------------------------------------------------------------------------------------
    def _may(self) -> bool:
        return self._view is not None and not self._view.read_only

    def _arrange(self, tiers: Tiers) -> None:
        if self._view is None or not self._may():
            return
        ranking = ordering.to_ranking(tiers)
        said = [Intent(ITEM, "ranking", ranking)]
        if not full_tie(ranking):
            said += [Intent(ITEM, f, None) for f in (ALL_GOOD, ALL_BAD) if self._view.sheet.value(ITEM, f)]
        self.said.emit(said)

    def pick(self, number: int) -> bool:
        """Take the response with a letter, counted from 0 as shown; whether there is one."""
        if self._view is None or number >= len(self._view.responses) or self.mode.current() != "whole":
            return False
        self._picked = self._view.responses[number].place
        self.view.set_picked(self._picked)
        return True

    def _pick_by_hand(self, place: int) -> None:
        self._picked = place
        self.view.set_picked(place)
        self.entered.emit()

    def move(self, by: int) -> None:
        """Move the picked response; without one, the one at that end is picked."""
        if self.mode.current() != "whole" or self._view is None:
            return
        if self._picked is None:
            tiers = self.tiers()
            self._pick_by_hand(tiers[0][0] if by > 0 else tiers[-1][-1])
            return
        tiers = ordering.moved(self.tiers(), self._picked, by)
        if tiers != self.tiers():
            self._arrange(tiers)

    def tie(self) -> None:
        """Tie the picked response with its left neighbour, or take it out of its tie."""
        if self._picked is not None and self._view is not None and self.mode.current() == "whole":
            tiers = ordering.tied(self.tiers(), self._picked, self._view.order)
            if tiers != self.tiers():
                self._arrange(tiers)

    def confirm(self) -> bool:
        """The ranking is right as it stands; whether that was news."""
        if self._view is None or self._view.sheet.ranking is not None or self.mode.current() != "whole":
            return False
        self._arrange(self.tiers())
        return True

    def say_all_good(self) -> None:
        """All tie because all are good; said again, only the tie stays."""
        self._say_all(ALL_GOOD, ALL_BAD, self.good)

    def say_all_bad(self) -> None:
        """All tie because all are bad; said again, only the tie stays."""
        self._say_all(ALL_BAD, ALL_GOOD, self.bad)

    def _say_all(self, flag: str, other: str, button: Button) -> None:
        view = self._view
        if view is None or not self._may():
            return
        ranking, held = view.sheet.ranking, view.sheet.value(ITEM, flag) is True
        tied = ranking is not None and full_tie(ranking)
        button.setChecked(held and tied)
        said = [] if tied else [Intent(ITEM, "ranking", [1] * len(view.responses))]
        said.append(Intent(ITEM, flag, None if held and tied else True))
        if view.sheet.value(ITEM, other):
            said.append(Intent(ITEM, other, None))
        self.said.emit(said)

    # --- pair by pair -----------------------------------------------------------------------------------------
    def set_mode(self, mode: str) -> None:
        """`whole` or `pairs`; pairs begin anew."""
        self.mode.set_current(mode)
        self._answers = []
        self._show_pairs()
        self.entered.emit()

    def toggle_mode(self) -> None:
        """The other one."""
        self.set_mode("whole" if self.mode.current() == "pairs" else "pairs")

    def _pairing(self) -> ordering.Pairing | None:
        if self._view is None or self.mode.current() != "pairs":
            return None
        return ordering.pairing(self._view.order, self._answers)

    def answer_pair(self, answer: int) -> None:
        """-1 where the left one is better, 1 where the right one is, 0 for a tie; of two responses again and again."""
        asked = self._pairing()
        if asked is None or self._view is None or not self._may():
            return
        if asked.pair is None:
            if len(self._view.responses) != 2:
                return
            self._answers = []
        self._answers.append(answer)
        done = ordering.pairing(self._view.order, self._answers)
        if done.pair is None:
            self._arrange(done.tiers)
        self._show_pairs()

    def pair_back(self) -> None:
        """Take the last answer back; what is said already stays until the pairs are through again."""
        if self._answers:
            self._answers.pop()
            self._show_pairs()

    def _show_pairs(self) -> None:
        asked, view = self._pairing(), self._view
        self.stack.setCurrentWidget(
            self.view if asked is None or (asked.pair is None and not self._two()) else self.pairs
        )
        if asked is None or view is None:
            self.pair = ()
            self.pair_changed.emit()
            return
        names = letters(view)
        pair = asked.pair or ((view.order[0], view.order[1]) if self._two() else None)
        if pair is not None:
            shown = (names[pair[0]], names[pair[1]])
            self.pairs.show_pair(shown, asked.done, asked.most, self._held(pair), read_only=view.read_only)
        self.pair = pair or ()
        self.pair_changed.emit()

    def _two(self) -> bool:
        return self._view is not None and len(self._view.responses) == 2

    def _held(self, pair: tuple[int, int]) -> int | None:
        """What the ranking says of a pair of two already."""
        ranking = self._view.sheet.ranking if self._view is not None and self._two() else None
        if ranking is None:
            return None
        left, right = ranking[pair[0]], ranking[pair[1]]
        return (left > right) - (left < right)

    # --- words ------------------------------------------------------------------------------------------------
    def _reasoned(self, text: str) -> None:
        self.said.emit([Intent(ITEM, "ranking_reason", text or None)])

    def _reason_drafted(self, text: str) -> None:
        self.drafted.emit(ITEM, "ranking_reason", text)

    def _constructed(self, value: Any) -> None:
        self.said.emit([Intent(ITEM, "constructed", value)])

    def _example_drafted(self, text: str) -> None:
        self.drafted.emit(ITEM, "constructed", text)

    def flush(self) -> None:
        """Say what is typed and not yet said."""
        self.reason.commit()
        self.example.flush()

    def take_keyboard(self) -> None:
        """The keyboard is on the ranking."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        """Read all texts again."""
        self.title.set_text(tr("comparison.ranking"))
        for name in ("whole", "pairs"):
            self.mode.set_text(name, tr(f"comparison.mode_{name}"))
        for name, label in self.hints.items():
            label.set_text(tr(f"comparison.hint_{name}"))
        self.whole.set_text(tr("comparison.all"))
        self.good.set_text(tr("comparison.all_good"))
        self.bad.set_text(tr("comparison.all_bad"))
        self.reason.setAccessibleName(tr("comparison.ranking_reason"))
        if self._view is not None:
            self.show_item(self._view, Waiting())

    def remeasure(self) -> None:
        """The left cell is as wide as the column above it."""
        self._left.setFixedWidth(left_width())
        self._caps.setVisible(density.metrics().key_hints)
        super().remeasure()
