"""Figures that several scenes share: a standing person, a walking one, a hand."""

from __future__ import annotations

from annotator.sample.canvas import Canvas, Colour

SKIN = (232, 190, 160)
SKIN_DARK = (196, 146, 112)


def bust(canvas: Canvas, x: float, y: float, size: float, coat: Colour, hair: Colour, skin: Colour = SKIN) -> None:
    """Head and shoulders seen from the front, without features; `(x, y)` is the chin, `size` the head's height."""
    canvas.rect((x - size * 0.95, y + size * 0.12, x + size * 0.95, y + size * 1.5), coat, size * 0.5)
    canvas.rect((x - size * 0.22, y - size * 0.2, x + size * 0.22, y + size * 0.3), skin, size * 0.1)
    canvas.ellipse((x - size * 0.42, y - size * 1.02, x + size * 0.42, y + size * 0.05), skin)
    canvas.rect((x - size * 0.43, y - size * 1.08, x + size * 0.43, y - size * 0.66), hair, size * 0.2)


def walker(step: int, coat: Colour, trousers: Colour, bag: Colour | None = None) -> Canvas:
    """A person walking to the right, 44 x 104, in one of four steps."""
    canvas = Canvas(44, 104)
    swing = (9, 3, -9, -3)[step % 4]
    for way, shade in ((-1, trousers), (1, trousers)):
        knee, foot = 22 + way * swing * 0.6, 22 + way * swing * 1.3
        canvas.line([(22, 62), (knee, 80), (foot, 99)], shade, 8)
        canvas.line([(foot, 100), (foot + 5, 100)], (52, 54, 60), 5)
    canvas.rect((11, 26, 33, 68), coat, 9)
    canvas.line([(22, 34), (22 - swing, 60)], coat, 7)
    canvas.disc(22 - swing, 62, 3.6, SKIN)
    canvas.disc(23, 15, 10, SKIN)
    canvas.arc((12, 4, 33, 26), 160, 330, (62, 58, 60), 5)
    if bag is not None:
        canvas.rect((4 - swing * 0.4, 56, 18 - swing * 0.4, 74), bag, 3)
    return canvas
