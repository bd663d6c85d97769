"""How the view is lightened, stretched and bent: three numbers that change what is painted and never the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a person set.

    Attributes:
        brightness: added, in shares of the full range, -1 to 1.
        contrast: a factor about middle grey.
        gamma: above 1 lifts the shadows.
    """

    brightness: float = 0.0
    contrast: float = 1.0
    gamma: float = 1.0

    @property
    def neutral(self) -> bool:
        """Whether the data is shown as it is."""
        return self == NEUTRAL

    def applied(self, pixels: Any) -> Any:
        """A changed copy of a display buffer, uint8 (height, width, 4)."""
        from annotator.media import pictures

        return pictures.adjust(pixels, self.brightness, self.contrast, self.gamma)


NEUTRAL = Adjustment()
