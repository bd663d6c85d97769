"""The packing line: five clips of five seconds, one for each turn.

Counter, pressure gauge, signal lamp, fault code and guard door are each right in one clip only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from annotator.sample.canvas import Canvas, Pixels, Sprite

WIDTH_PX, HEIGHT_PX = 640, 360
CLIP_SECONDS = 5.0
LAMPS = {"red": (236, 74, 60), "amber": (250, 176, 50), "green": (70, 204, 122)}


@dataclass(frozen=True)
class Shot:
    """What one clip shows.

    Attributes:
        count: boxes on the counter at the start and at the end.
        bar: air pressure at the start and at the end, in bar.
        lamp: the lit lamp at the start and at the end.
        code: what the panel's display says at the end.
        code_at: second at which `code` replaces "RUN".
        running: whether boxes move (until `code_at`).
        guard_open: whether the guard door stands open.
        unlabelled: which box (from the left) has no label, or none.
    """

    count: tuple[int, int]
    bar: tuple[float, float]
    lamp: tuple[str, str]
    code: str = "RUN"
    code_at: float = 0.0
    running: bool = True
    guard_open: bool = False
    unlabelled: int | None = None


SHOTS = (
    Shot((116, 118), (5.0, 5.0), ("green", "green"), unlabelled=1),
    Shot((119, 120), (5.2, 7.6), ("green", "green")),
    Shot((121, 121), (7.6, 7.6), ("green", "amber"), "E-07", 2.0),
    Shot((121, 121), (3.0, 3.0), ("amber", "amber"), "E-07", 0.0, False, True),
    Shot((122, 124), (4.4, 5.0), ("green", "green")),
)


def _hall(c: Canvas) -> None:
    c.gradient((0, 0, WIDTH_PX, 240), (214, 220, 222), (192, 200, 202))
    for x in range(0, WIDTH_PX, 80):
        c.rect((x, 0, x + 2, 240), (180, 188, 192))
    c.rect((0, 14, WIDTH_PX, 26), (166, 174, 178))
    for x in range(40, WIDTH_PX, 160):
        c.poly([(x, 26), (x + 60, 26), (x + 72, 42), (x - 12, 42)], (92, 100, 106))
        c.rect((x - 10, 42, x + 70, 46), (252, 248, 226), 2)
    c.rect((0, 240, WIDTH_PX, HEIGHT_PX), (150, 156, 156))
    c.rect((0, 314, WIDTH_PX, 320), (226, 190, 70))
    c.rect((16, 56, 146, 88), (44, 92, 134), 4)
    c.text((81, 72), "LINE 3 · 装箱线", 15, (248, 250, 250), bold=True, anchor="mm")


def _belt(c: Canvas) -> None:
    c.rect((0, 224, 432, 246), (66, 72, 78), 6)
    c.rect((0, 228, 432, 233), (88, 94, 100))
    for x in range(8, 430, 32):
        c.disc(x + 6, 240, 6, (120, 126, 130))
    for x in (30, 210, 392):
        c.rect((x, 246, x + 14, 318), (108, 114, 120))
        c.rect((x - 8, 314, x + 22, 320), (84, 90, 96), 2)


def _cabinet(c: Canvas) -> None:
    c.rect((452, 96, 628, 320), (206, 212, 210), 6, (158, 166, 166), 1.5)
    c.rect((462, 106, 618, 206), (232, 236, 234), 4)
    c.text((472, 118), "COUNT", 11, (80, 88, 92), bold=True)
    c.text((472, 164), "STATUS", 11, (80, 88, 92), bold=True)
    c.rect((535, 60, 545, 98), (120, 126, 130))
    c.text((540, 314), "BAR", 10, (80, 88, 92), bold=True, anchor="mb")
    c.disc(484, 258, 17, (244, 206, 60))
    c.disc(484, 258, 12, (206, 52, 44))
    c.text((484, 288), "STOP", 10, (80, 88, 92), bold=True, anchor="mm")


def _gauge(c: Canvas, x: float, y: float) -> None:
    c.disc(x, y, 43, (92, 98, 104))
    c.disc(x, y, 39, (250, 250, 246))
    box = (x - 32, y - 32, x + 32, y + 32)
    c.arc(box, _angle(4), _angle(6), LAMPS["green"], 6)
    c.arc(box, _angle(7), _angle(10), LAMPS["red"], 6)
    for bar in range(0, 11, 2):
        angle = math.radians(_angle(bar))
        c.text((x + 20 * math.cos(angle), y + 20 * math.sin(angle)), str(bar), 9, (60, 66, 70), bold=True, anchor="mm")


def _angle(bar: float) -> float:
    """Where the needle points, degrees clockwise from three o'clock: 0 bar at the lower left, 10 at the lower right."""
    return 135 + bar * 27


def _lcd(text: str, colour: tuple[int, int, int]) -> Sprite:
    c = Canvas(136, 30)
    c.rect((0, 0, 136, 30), (22, 30, 32), 4)
    c.text((126, 15), text, 23, colour, bold=True, anchor="rm")
    return c.sprite()


def _tower(lit: str) -> Sprite:
    c = Canvas(36, 58)
    for n, name in enumerate(("red", "amber", "green")):
        tone = LAMPS[name]
        dim = tuple(round(v * 0.35 + 50) for v in tone)
        c.rect((4, n * 19, 32, n * 19 + 18), tone if name == lit else (dim[0], dim[1], dim[2]), 4)
    return c.sprite()


def _box(labelled: bool) -> Sprite:
    c = Canvas(72, 62)
    c.rect((0, 6, 72, 62), (204, 162, 112), 2)
    c.rect((0, 6, 72, 18), (190, 146, 98), 2)
    c.rect((30, 6, 42, 62), (222, 190, 142))
    if labelled:
        c.rect((8, 28, 46, 52), (250, 250, 246), 1)
        for n in range(7):
            c.rect((12 + n * 4.5, 32, 14 + n * 4.5 + n % 2, 42), (50, 52, 56))
        c.rect((12, 45, 40, 48), (140, 144, 148))
    return c.sprite()


def _guard(is_open: bool) -> Sprite:
    c = Canvas(150, 150)
    c.rect((0, 0, 150, 10), (236, 196, 62), 2)
    c.rect((0, 0, 8, 150), (236, 196, 62), 2)
    c.rect((142, 0, 150, 150), (236, 196, 62), 2)
    if is_open:
        c.poly([(8, 10), (44, 26), (44, 150), (8, 136)], (180, 208, 222, 190))
        c.line([(44, 26), (44, 150)], (236, 196, 62), 4)
        c.line([(8, 10), (44, 26)], (236, 196, 62), 4)
    else:
        c.rect((8, 10, 142, 136), (190, 216, 228, 110))
        c.line([(30, 120), (80, 30)], (255, 255, 255, 120), 5)
        c.rect((62, 10, 90, 24), (70, 76, 82), 3)
    c.disc(133, 24, 5, LAMPS["red"] if is_open else LAMPS["green"])
    return c.sprite()


class Packing:
    """Draws the frames of one of the five clips.

    Attributes:
        width_px: 640.
        height_px: 360.
    """

    width_px = WIDTH_PX
    height_px = HEIGHT_PX

    def __init__(self, shot: Shot) -> None:
        """Draw hall and sprites of one clip."""
        self._shot = shot
        c = Canvas(WIDTH_PX, HEIGHT_PX, (214, 220, 222))
        _hall(c)
        _belt(c)
        _cabinet(c)
        _gauge(c, 568, 258)
        self._ground = c.pixels()
        green = (126, 232, 168)
        first, last = shot.count
        self._counts = {n: _lcd(f"{n:05d}", green) for n in range(first, last + 1)}
        self._codes = {"RUN": _lcd("RUN", green)}
        self._codes.setdefault(shot.code, _lcd(shot.code, LAMPS["amber"]))
        self._towers = {name: _tower(name) for name in shot.lamp}
        self._boxes = [_box(True), _box(False)]
        self._guard = _guard(shot.guard_open)
        self._needles: dict[int, Sprite] = {}

    def frame(self, second: float) -> Pixels:
        """The picture at `second` (0-5), uint8 (360, 640, 3), a fresh array."""
        shot, out = self._shot, self._ground.copy()
        share = min(1.0, second / (CLIP_SECONDS * 0.8))
        changed = second >= shot.code_at
        moved = second if shot.code == "RUN" else min(second, shot.code_at)
        for n in range(-1, 4):
            x = n * 128 + (moved * 52 if shot.running else 0) + 24
            self._boxes[shot.unlabelled is not None and n == shot.unlabelled].over(out[:, :432], x, 163)
        self._guard.over(out, 212, 92)
        count = shot.count[0] + round(share * (shot.count[1] - shot.count[0]))
        self._counts[count].over(out, 472, 126)
        self._codes[shot.code if changed else "RUN"].over(out, 472, 171)
        self._towers[shot.lamp[1] if changed else shot.lamp[0]].over(out, 522, 44)
        shake = 0.04 * math.sin(second * 9) if shot.running else 0.0
        self._needle(shot.bar[0] + (shot.bar[1] - shot.bar[0]) * share + shake).over(out, 568 - 43, 258 - 43)
        return out

    def _needle(self, bar: float) -> Sprite:
        tenth = round(bar * 20)
        if tenth not in self._needles:
            c = Canvas(86, 86)
            angle = math.radians(_angle(tenth / 20))
            tip = (43 + 30 * math.cos(angle), 43 + 30 * math.sin(angle))
            c.line([(43 - 7 * math.cos(angle), 43 - 7 * math.sin(angle)), tip], (190, 46, 40), 3)
            c.disc(43, 43, 5, (60, 64, 68))
            self._needles[tenth] = c.sprite()
        return self._needles[tenth]
