"""Texts that are laid out already: the next question's lines are broken while the rater still looks at this one."""

from __future__ import annotations

from functools import lru_cache

from annotator.ui import density, fonts
from annotator.ui.density import Density
from annotator.ui.fonts import StyleName
from annotator.ui.transcript_layout import TextBlock

_KEPT = 96  # a few questions with their choices, before and after they are answered
_LONG = 4_000  # characters; longer texts are rare, and not worth keeping


def laid_out(text: str, style: StyleName, weight: int, width: float, *, limited: bool = True) -> TextBlock:
    """A text's lines at a width in px, as `TextBlock` breaks them; equal ones are shared, and never changed."""
    if len(text) > _LONG:
        return _made(text, style, weight, width, limited)
    return _kept(text, style, weight, width, limited, density.current(), density.text_scale())


def _made(text: str, style: StyleName, weight: int, width: float, limited: bool) -> TextBlock:
    return TextBlock(text, fonts.font(style, weight), fonts.line_height(style), width, limited)


@lru_cache(maxsize=_KEPT)
def _kept(
    text: str, style: StyleName, weight: int, width: float, limited: bool, _class: Density, _scale: int
) -> TextBlock:
    """`_class` and `_scale` are what fonts follow."""
    return _made(text, style, weight, width, limited)
