"""The street corner: a breakfast stall, a bus stop and a crossing, 36 seconds, nine turns on one clip.

Each turn's answer is on screen in its own four seconds and in no others: the price board, the bus stop's display,
the bus and its door sign, the crossing's light and countdown all change a fifth of a second after a turn's border, so
that the frame at the border still belongs to the turn that ends there.
"""

from __future__ import annotations

import math

from annotator.sample.canvas import Canvas, Pixels, Sprite
from annotator.sample.people import bust, walker

WIDTH_PX, HEIGHT_PX = 854, 480
AMBER = (255, 178, 64)
LAG = 0.2
"""Seconds between a turn's border and the change on screen."""
_BUS_TIMES = (16.4, 17.9, 24.2, 26.2)
"""Seconds at which the bus comes in, stands, leaves, is gone."""


def _town(c: Canvas) -> None:
    c.gradient((0, 0, WIDTH_PX, 330), (171, 205, 226), (231, 238, 236))
    c.disc(742, 62, 30, (250, 238, 200))
    for x, y, w, shade in (
        (300, 96, 70, 0), (360, 60, 56, 1), (424, 110, 84, 0), (500, 74, 62, 1), (570, 124, 72, 0), (636, 88, 58, 1),
        (700, 118, 90, 0), (786, 80, 80, 1),
    ):  # fmt: skip
        c.rect((x, y, x + w, 330), ((176, 194, 207), (160, 181, 197))[shade])
        for row in range(y + 12, 300, 20):
            for column in range(x + 9, x + w - 12, 16):
                c.rect((column, row, column + 8, row + 10), ((200, 214, 222), (186, 203, 214))[shade])
    c.rect((0, 318, WIDTH_PX, 396), (205, 203, 196))
    c.rect((0, 388, WIDTH_PX, 396), (178, 176, 170))
    c.rect((0, 396, WIDTH_PX, HEIGHT_PX), (92, 97, 104))
    for x in range(12, 600, 74):
        c.rect((x, 428, x + 40, 433), (224, 222, 210))
    for x in range(640, 850, 30):
        c.poly([(x, 398), (x + 17, 398), (x + 12, 460), (x - 8, 460)], (233, 233, 228))


def _shop(c: Canvas) -> None:
    c.rect((0, 40, 312, 372), (198, 152, 118))
    for row in range(44, 140, 12):
        for column in range(-10 + (row // 12 % 2) * 14, 312, 28):
            c.rect((column, row, min(column + 26, 312), row + 10), (190, 141, 107))
    for x in (34, 132, 230):
        c.rect((x, 52, x + 48, 92), (238, 232, 216))
        c.rect((x + 4, 56, x + 44, 92), (118, 146, 160))
        c.rect((x + 22, 56, x + 26, 92), (238, 232, 216))
    c.rect((10, 104, 302, 152), (166, 44, 38), 4)
    c.rect((16, 109, 296, 147), (178, 52, 44), 3, (232, 190, 104), 1.5)
    c.text((156, 128), "晨光早点", 30, (252, 236, 196), bold=True, anchor="mm")
    c.rect((14, 152, 298, 372), (94, 68, 52))
    c.rect((24, 172, 288, 318), (250, 214, 150))
    c.gradient((24, 172, 288, 318), (252, 224, 168), (238, 186, 116))
    for x in range(14, 298, 36):
        c.poly([(x, 152), (x + 18, 152), (x + 14, 178), (x - 6, 178)], (240, 236, 226))
        c.poly([(x + 18, 152), (x + 36, 152), (x + 32, 178), (x + 14, 178)], (186, 62, 52))
    c.rect((176, 206, 284, 211), (150, 104, 70))
    for x, tone in ((182, (108, 140, 96)), (204, (206, 116, 72)), (226, (238, 228, 206)), (248, (118, 100, 140))):
        c.rect((x, 186, x + 15, 206), tone, 2)
    bust(c, 224, 270, 34, (240, 240, 236), (240, 240, 236))
    c.rect((207, 286, 241, 322), (74, 112, 138), 4)
    c.rect((18, 314, 296, 372), (134, 90, 60))
    c.rect((12, 308, 302, 318), (166, 118, 80), 2)
    for x in (44, 132, 218):
        c.rect((x, 326, x + 56, 366), (120, 79, 52), 2)
    for x, y in ((176, 296), (176, 284), (178, 272)):
        c.rect((x - 30, y, x + 8, y + 12), (214, 178, 120), 3, (176, 138, 84), 1)


def _stop(c: Canvas) -> None:
    c.rect((350, 150, 356, 380), (92, 104, 114))
    c.rect((574, 150, 580, 380), (92, 104, 114))
    c.rect((340, 136, 590, 150), (56, 92, 120), 4)
    c.text((465, 143), "学院路站", 12, (240, 244, 246), anchor="mm")
    c.rect((366, 232, 564, 346), (214, 228, 232), 2, (150, 168, 178), 1.5)
    c.rect((366, 352, 564, 360), (150, 112, 80), 2)
    c.rect((376, 360, 382, 380), (92, 104, 114))
    c.rect((548, 360, 554, 380), (92, 104, 114))
    c.rect((374, 242, 424, 320), (250, 250, 246), 2, (160, 170, 176), 1)
    for row in range(250, 316, 9):
        c.rect((380, row, 418 - row % 3 * 6, row + 3), (150, 172, 190))
    for x, y, r in ((612, 330, 26), (634, 318, 30), (598, 342, 20), (652, 338, 24)):
        c.disc(x, y - 20, r, (106, 148, 104))
    c.rect((622, 330, 630, 382), (110, 84, 64))
    c.rect((758, 150, 766, 392), (84, 90, 96))


def backdrop() -> Pixels:
    """All that does not move."""
    c = Canvas(WIDTH_PX, HEIGHT_PX, (171, 205, 226))
    _town(c)
    _shop(c)
    _stop(c)
    return c.pixels()


def _board(lines: tuple[str, ...], note: str) -> Sprite:
    c = Canvas(136, 104)
    c.rect((0, 0, 136, 104), (140, 98, 62), 4)
    c.rect((6, 6, 130, 98), (42, 58, 50), 2)
    if note:
        c.text((68, 24), note, 18, (250, 204, 112), anchor="mm")
    for row, text in enumerate(lines):
        c.text((68, (62 if note else 52) + row * 30), text, 27, (244, 244, 236), bold=True, anchor="mm")
    return c.sprite()


def _display(rows: tuple[str, ...]) -> Sprite:
    c = Canvas(206, 68)
    c.rect((0, 0, 206, 68), (44, 48, 54), 5)
    c.rect((5, 5, 201, 63), (16, 18, 20), 2)
    for row, text in enumerate(rows):
        y = 35 if len(rows) == 1 else 21 + row * 27
        left, _, right = text.partition("|")
        if right:
            c.text((16, y), left, 21, AMBER, bold=True)
            c.text((190, y), right, 21, AMBER, bold=True, anchor="rm")
        else:
            c.text((103, y), left, 21, AMBER, bold=True, anchor="mm")
    return c.sprite()


def _light(walk: bool, seconds: int | None) -> Sprite:
    c = Canvas(62, 128)
    c.rect((0, 0, 62, 128), (40, 44, 48), 8)
    red, green = ((72, 34, 32), (72, 226, 142)) if walk else ((240, 70, 56), (28, 62, 46))
    c.rect((9, 8, 53, 48), (18, 18, 20), 6)
    c.disc(31, 16, 5, red)
    c.line([(31, 22), (31, 36)], red, 9)
    c.line([(28, 36), (28, 45)], red, 5)
    c.line([(34, 36), (34, 45)], red, 5)
    c.rect((9, 50, 53, 90), (18, 18, 20), 6)
    c.disc(33, 57, 5, green)
    c.line([(32, 63), (31, 74)], green, 8)
    c.line([(31, 75), (24, 86)], green, 4.5)
    c.line([(31, 75), (39, 85)], green, 4.5)
    c.line([(32, 65), (41, 73)], green, 4)
    c.rect((9, 93, 53, 121), (18, 18, 20), 6)
    if seconds is not None:
        c.text((31, 107), f"{seconds:02d}", 25, (92, 236, 156) if walk else (250, 92, 74), bold=True, anchor="mm")
    return c.sprite()


def _bus(door: str) -> Sprite:
    c = Canvas(344, 150)
    c.rect((2, 10, 342, 128), (46, 118, 108), 14)
    c.rect((2, 84, 342, 128), (238, 236, 226), 8)
    c.rect((2, 84, 342, 92), (226, 160, 62))
    c.rect((10, 44, 40, 82), (176, 206, 214), 6)
    for x in (106, 166, 226, 286):
        c.rect((x, 44, x + 50, 82), (176, 206, 214), 5)
        bust(c, x + 25, 70, 15, (86, 96, 112), (58, 54, 56))
        c.rect((x, 82, x + 50, 92), (226, 160, 62))
    c.rect((48, 42, 98, 124), (36, 92, 84), 4)
    for x in (52, 75):
        c.rect((x, 46, x + 20, 120), (190, 214, 218), 3)
    c.rect((104, 16, 336, 40), (14, 16, 18), 3)
    c.text((220, 28), "27路 图书馆东门", 19, AMBER, bold=True, anchor="mm")
    c.rect((46, 16, 100, 40), (14, 16, 18), 3)
    c.text((73, 28), door, 16, (255, 96, 80) if door == "满员" else (110, 232, 150), bold=True, anchor="mm")
    c.rect((0, 98, 8, 108), (250, 232, 160), 3)
    for x in (76, 272):
        c.disc(x, 128, 21, (40, 42, 46))
        c.disc(x, 128, 10, (176, 180, 184))
    return c.sprite()


def _cloud(dark: bool) -> Sprite:
    c = Canvas(150, 54)
    tone = (150, 162, 174, 235) if dark else (250, 251, 250, 215)
    c.rect((14, 28, 138, 50), tone, 11)
    for x, y, r in ((44, 30, 17), (76, 22, 21), (106, 30, 15)):
        c.disc(x, y, r, tone)
    return c.sprite()


class Street:
    """Draws the frame for any instant of the 36 seconds.

    Attributes:
        width_px: 854.
        height_px: 480.
    """

    width_px = WIDTH_PX
    height_px = HEIGHT_PX

    def __init__(self) -> None:
        """Draw the backdrop and every sprite once."""
        self._ground = backdrop()
        self._stilled = self._ground
        self._state: tuple[int, int, int | None, bool] | None = None
        self._boards = [_board(("豆浆 3元",), "价目"), _board(("豆浆 2元",), "今日特价"), _board(("稍后回来",), "")]
        texts = (
            ("欢迎乘车",),
            ("12路|3分钟", "27路|8分钟"),
            ("12路|延误", "27路|即将到站"),
            ("27路|已到站",),
            ("12路|延误",),
        )
        self._displays = [_display(rows) for rows in texts]
        self._red = _light(False, None)
        self._green = {s: _light(True, s) for s in (*range(5, 10), *range(21, 26))}
        self._buses = {name: _bus(name) for name in ("上车", "满员")}
        self._clouds = [_cloud(False), _cloud(True)]
        self._walkers = [walker(i, (176, 84, 76), (70, 78, 96), (226, 200, 150)).sprite() for i in range(4)]
        self._strollers = [walker(i, (88, 124, 146), (90, 78, 70)).sprite() for i in range(4)]
        self._steam = [self._puff(radius) for radius in (7, 9, 11, 13)]

    @staticmethod
    def _puff(radius: int) -> Sprite:
        c = Canvas(2 * radius, 2 * radius)
        c.disc(radius, radius, radius, (255, 255, 255, 150 - radius * 8))
        return c.sprite()

    def frame(self, second: float) -> Pixels:
        """The picture at `second` (0-36), uint8 (480, 854, 3), a fresh array."""
        out = self._still(second).copy()
        self._sky(out, second)
        for n in range(4):
            phase = (second * 0.5 + n / 4) % 1
            self._steam[int(phase * 3.99)].over(out, 166 + 5 * math.sin(n * 2 + second), 262 - 34 * phase)
        self._people(out, second)
        self._traffic(out, second)
        if second >= 32 + LAG:
            self._rain(out, second)
        return out

    def _still(self, second: float) -> Pixels:
        """The ground with board, display and light of this instant, kept while none of them changes."""
        second -= LAG
        board = 0 if second < 4 else 1 if second < 8 else 2
        display = 0 if second < 8 else 1 if second < 12 else 2 if second < 16 else 3 if second < 24 else 4
        seconds = None
        if 24 <= second < 28:
            seconds = max(5, 9 - int(second - 24))
        elif second >= 32:
            seconds = max(21, 25 - int(second - 32))
        state = (board, display, seconds, second >= 28)
        if state != self._state:
            still = self._ground.copy()
            if second >= 28:
                still[:318] -= still[:318] >> 3
            self._boards[board].over(still, 30, 196)
            self._displays[display].over(still, 362, 156)
            (self._red if seconds is None else self._green[seconds]).over(still, 731, 166)
            self._state, self._stilled = state, still
        return self._stilled

    def _sky(self, out: Pixels, second: float) -> None:
        sky = out[:, 312:]
        for n, (speed, y) in enumerate(((7, 16), (4, 50), (5.5, 8))):
            self._clouds[second >= 28 + LAG].over(sky, (n * 200 + second * speed + 240) % 700 - 150, y)

    def _people(self, out: Pixels, second: float) -> None:
        step = int(second * 5) % 4
        self._strollers[step].over(out, 330 + (second * 22) % 620 - 60, 286)
        if second >= 24.8 and second < 28:
            self._walkers[step].over(out, 640 + (second - 24.8) * 58, 330)
        elif second < 24.8:
            self._walkers[1].over(out, 636, 292)

    def _traffic(self, out: Pixels, second: float) -> None:
        arrive, stand, leave, gone = _BUS_TIMES
        if not arrive <= second < gone:
            return
        if second < stand:
            share = 1 - (1 - (second - arrive) / (stand - arrive)) ** 2
            x = WIDTH_PX - share * (WIDTH_PX - 318)
        elif second < leave:
            x = 318.0
        else:
            x = 318 - ((second - leave) / (gone - leave)) ** 2 * 700
        self._buses["满员" if second >= 20 + LAG else "上车"].over(out, x, 300)

    @staticmethod
    def _rain(out: Pixels, second: float) -> None:
        bottom = HEIGHT_PX - 22
        for n in range(170):
            y = int((n * 97 + second * (420 + n % 5 * 40)) % (bottom + 20)) - 16
            x = (n * 131 + y // 5) % WIDTH_PX
            top = max(0, y)
            if top < min(bottom, y + 12):
                patch = out[top : min(bottom, y + 12), x : x + 1]
                patch[:] = (patch >> 2) + 172
