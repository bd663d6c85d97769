"""One figure of a report: a value with its interval, its n and its reasons; and what all figures are asked with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.stats import Result

SCALE: Final = (1.0, 2.0, 3.0, 4.0, 5.0)


@dataclass(frozen=True)
class Figure:
    """A named number over one combination of the fields asked for.

    Attributes:
        name: the function's name with its parameters, joined by `_`.
        by: exactly the fields asked for, with `raters` where it is about a pair.
        value: a number, a tuple, or None where it is undefined; `why` then says why.
        low, high: the ends of its interval; where there is none, `why` says why.
        n: the units that took part; `n_clusters` the dialogues, None where nothing was clustered.
        more: what else belongs to this figure (p values, knots, a slope).
    """

    name: str
    by: Mapping[str, Any]
    value: Any
    why: str | None = None
    low: Any = None
    high: Any = None
    n: int = 0
    n_clusters: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def raw(self) -> dict[str, Any]:
        """As JSON has it."""
        core = {name: getattr(self, name) for name in ("value", "why", "low", "high", "n", "n_clusters")}
        return {"name": self.name, "by": dict(self.by), **core, **self.more}

    def with_more(self, **more: Any) -> Figure:
        """The figure with something beside it."""
        return replace(self, more={**self.more, **more})


def of_result(name: str, by: Mapping[str, Any], result: Result, **more: Any) -> Figure:
    """A figure from what the library hands out."""
    told: dict[str, Any] = {} if result.method is None else {"method": result.method}
    if result.n_raters is not None:
        told["n_raters"] = result.n_raters
    return Figure(
        name=name,
        by=by,
        value=result.value,
        why=result.why,
        low=result.low,
        high=result.high,
        n=result.n_units,
        n_clusters=result.n_clusters,
        more={**told, **more},
    )


@dataclass(frozen=True)
class Asked:
    """How intervals are made, and how a long calculation tells how far it is and is stopped.

    Attributes:
        by: the fields to group by.
        seed, resamples: of the bootstrap.
        wide: every coefficient there is, for small tables of any origin.
        epsilon: the discount of the alternative annotator test.
    """

    by: tuple[str, ...] = ()
    seed: int = 0
    resamples: int = 2_000
    wide: bool = False
    epsilon: float = 0.2
    token: CancelToken | None = None
    progress: Callable[[int, int], None] | None = None

    def how(self) -> dict[str, Any]:
        """The keyword arguments of an estimator; the work stops at the next thousand resamples."""
        check(self.token)
        return {"seed": self.seed, "resamples": self.resamples, "progress": self._resampled}

    def _resampled(self, done: int, of: int) -> None:
        check(self.token)

    def tell(self, done: int, of: int) -> None:
        """Say how many groups are through."""
        check(self.token)
        if self.progress is not None:
            self.progress(done, of)
