"""The kitchen: a pill box, a pot of porridge and a timer, 26 seconds, six turns, at a varying frame rate.

The pills are there, then gone; the flame is high, then low; the pot boils over and calms down; the thermometer lies
in the bowl only at the end. A single time marks where each turn ends.
"""

from __future__ import annotations

import math

from annotator.sample.canvas import Canvas, Pixels, Sprite

WIDTH_PX, HEIGHT_PX = 640, 360
DAYS = "一二三四五六日"


def _room(c: Canvas) -> None:
    c.gradient((0, 0, WIDTH_PX, 236), (238, 232, 218), (228, 218, 200))
    for row in range(96, 236, 28):
        for column in range(-20 + (row // 28 % 2) * 28, WIDTH_PX, 56):
            c.rect((column, row, column + 54, row + 26), (226, 222, 208), 2)
    c.rect((18, 20, 178, 152), (250, 250, 246), 3)
    c.gradient((26, 28, 170, 144), (166, 206, 228), (218, 234, 228))
    c.disc(138, 58, 15, (252, 240, 204))
    c.poly([(26, 144), (26, 112), (66, 92), (112, 118), (170, 100), (170, 144)], (142, 176, 136))
    c.rect((95, 28, 101, 144), (250, 250, 246))
    c.rect((18, 146, 178, 154), (214, 204, 186), 2)
    for x, tone in ((40, (196, 108, 78)), (140, (206, 160, 84))):
        c.poly([(x - 12, 128), (x + 12, 128), (x + 9, 147), (x - 9, 147)], tone)
        for dx, dy in ((-9, -12), (0, -18), (9, -11)):
            c.disc(x + dx, 128 + dy, 8, (96, 142, 98))
    c.rect((214, 10, 470, 60), (118, 148, 136), 3)
    for x in (218, 346):
        c.rect((x, 14, x + 120, 56), (130, 160, 148), 2)
        c.rect((x + 52, 46, x + 68, 50), (224, 214, 186), 2)
    c.poly([(256, 60), (366, 60), (386, 92), (236, 92)], (172, 178, 182))
    c.rect((236, 92, 386, 100), (148, 154, 158), 2)


def _counter(c: Canvas) -> None:
    c.rect((0, 234, WIDTH_PX, 250), (204, 188, 164))
    c.rect((0, 250, WIDTH_PX, HEIGHT_PX), (150, 112, 82))
    for x in range(6, WIDTH_PX, 158):
        c.rect((x, 262, x + 146, 338), (164, 124, 92), 4)
        c.rect((x + 56, 270, x + 90, 275), (222, 206, 174), 2)
    c.rect((222, 222, 400, 236), (58, 62, 66), 5)
    c.rect((246, 216, 376, 222), (38, 40, 44), 2)
    for x in (262, 357):
        c.rect((x, 200, x + 5, 217), (38, 40, 44))
    for x in (240, 268, 354, 382):
        c.disc(x, 229, 4, (196, 200, 202))
    c.rect((500, 62, 628, 236), (232, 236, 238), 8, (196, 202, 206), 1.5)
    c.rect((500, 118, 628, 120), (196, 202, 206))
    c.rect((510, 74, 515, 108), (166, 174, 180), 2)
    c.rect((510, 132, 515, 172), (166, 174, 180), 2)
    c.rect((540, 72, 612, 110), (252, 240, 184), 1)
    c.text((576, 84), "奶奶的药", 13, (110, 90, 50), bold=True, anchor="mm")
    c.text((576, 100), "早饭后吃", 13, (110, 90, 50), anchor="mm")


def _clock(c: Canvas) -> None:
    c.disc(434, 104, 31, (88, 110, 122))
    c.disc(434, 104, 27, (252, 252, 248))
    for hour in range(12):
        angle = math.radians(hour * 30)
        c.disc(434 + 22 * math.sin(angle), 104 - 22 * math.cos(angle), 1.6, (90, 96, 100))
    c.line([(434, 104), (424, 109)], (52, 58, 62), 3.2)
    c.line([(434, 104), (440, 84)], (52, 58, 62), 2.2)
    c.disc(434, 104, 3, (190, 70, 58))


def _pill_box(taken: bool) -> Sprite:
    """Seven lids; Wednesday's stands open, with two pills in it or none."""
    c = Canvas(196, 58)
    c.rect((0, 16, 196, 58), (98, 146, 178), 6)
    for n, day in enumerate(DAYS):
        x = 5 + n * 27
        if n == 2:
            c.rect((x, 0, x + 24, 17), (188, 214, 230), 4)
            c.rect((x, 21, x + 24, 53), (46, 84, 110), 3)
            if not taken:
                c.disc(x + 8, 33, 5.5, (250, 250, 246))
                c.ellipse((x + 8, 40, x + 21, 49), (246, 200, 76))
            c.text((x + 12, 8), day, 13, (40, 72, 96), bold=True, anchor="mm")
        else:
            c.rect((x, 21, x + 24, 53), (160, 196, 218), 4)
            c.text((x + 12, 37), day, 15, (36, 66, 90), bold=True, anchor="mm")
    return c.sprite()


def _pot() -> Sprite:
    c = Canvas(150, 84)
    c.rect((0, 34, 30, 43), (44, 48, 54), 4)
    c.rect((120, 34, 150, 43), (44, 48, 54), 4)
    c.rect((20, 20, 130, 84), (190, 78, 62), 10)
    c.rect((20, 20, 130, 32), (208, 98, 80), 6)
    c.ellipse((20, 10, 130, 30), (236, 226, 204), (160, 62, 50), 2)
    for x, y in ((48, 19), (74, 22), (98, 18)):
        c.disc(x, y, 4, (250, 244, 228))
    return c.sprite()


def _foam(level: int) -> Sprite:
    c = Canvas(150, 84)
    for n in range(9):
        x = 22 + n * 13
        c.disc(x, 18 - level * 1.6 + (n % 3) * 3, 9 + level, (252, 248, 238))
    for n, x in enumerate((24, 52, 100, 128)):
        c.rect((x - 6, 14, x + 6, 24 + level * 11 - n % 2 * 10), (252, 248, 238), 6)
    return c.sprite()


def _flames(high: bool, phase: int) -> Sprite:
    c = Canvas(130, 26)
    for n in range(7):
        x = 14 + n * 17
        tall = (20 if high else 8) + (n + phase) % 3 * (2 if high else 1)
        c.poly(
            [(x - 7, 26), (x - 4, 26 - tall * 0.5), (x, 26 - tall), (x + 4, 26 - tall * 0.5), (x + 7, 26)],
            (78, 142, 224),
        )
        c.poly([(x - 3, 26), (x, 26 - tall * 0.6), (x + 3, 26)], (250, 206, 110) if high else (170, 210, 244))
    return c.sprite()


def _timer(text: str) -> Sprite:
    c = Canvas(92, 46)
    c.rect((0, 0, 92, 46), (246, 244, 238), 8, (150, 150, 146), 1.5)
    c.rect((8, 8, 84, 38), (188, 204, 180), 3)
    c.text((46, 23), text, 24, (34, 44, 38), bold=True, anchor="mm")
    return c.sprite()


def _bowl(text: str) -> Sprite:
    c = Canvas(132, 84)
    c.line([(74, 40), (104, 6)], (120, 126, 130), 4)
    c.rect((64, 0, 130, 30), (44, 48, 54), 5)
    c.text((97, 15), text, 18, (120, 232, 170), bold=True, anchor="mm")
    c.ellipse((0, 28, 108, 54), (238, 230, 208), (70, 110, 150), 2.5)
    c.poly([(2, 42), (106, 42), (84, 80), (24, 80)], (84, 128, 168))
    c.rect((22, 76, 86, 83), (66, 106, 144), 3)
    return c.sprite()


class Kitchen:
    """Draws the frame for any instant of the 26 seconds.

    Attributes:
        width_px: 640.
        height_px: 360.
    """

    width_px = WIDTH_PX
    height_px = HEIGHT_PX

    def __init__(self) -> None:
        """Draw the room and every sprite once."""
        c = Canvas(WIDTH_PX, HEIGHT_PX, (238, 232, 218))
        _room(c)
        _counter(c)
        _clock(c)
        self._ground = c.pixels()
        self._pills = [_pill_box(False), _pill_box(True)]
        self._pot = _pot()
        self._foams = [_foam(level) for level in range(5)]
        self._flames = [[_flames(high, phase) for phase in range(3)] for high in (False, True)]
        texts = ["--:--", "05:00", *(f"04:{s:02d}" for s in range(59, 45, -1))]
        self._timers = [_timer(text) for text in texts]
        self._bowl = _bowl("62°C")
        self._steam = [self._puff(radius) for radius in (9, 13, 17, 21)]

    @staticmethod
    def _puff(radius: int) -> Sprite:
        c = Canvas(2 * radius, 2 * radius)
        c.disc(radius, radius, radius, (255, 255, 255, 118 - radius * 4))
        return c.sprite()

    def frame(self, second: float) -> Pixels:
        """The picture at `second` (0-26), uint8 (360, 640, 3), a fresh array."""
        out = self._ground.copy()
        self._pills[second >= 5.5].over(out, 14, 190)
        timer = 0 if second < 12.8 else min(len(self._timers) - 1, 1 + max(0, math.ceil(second - 16.3)))
        self._timers[timer].over(out, 406, 190)
        self._stove(out, second)
        if second >= 21.5:
            self._bowl.over(out, 500, 214)
        if 4 <= second < 6.4:
            self._hand(out, second)
        return out

    def _stove(self, out: Pixels, second: float) -> None:
        if second < 8.8:
            flame = None
        else:
            flame = self._flames[second < 20.5][int(second * 9) % 3]
        if flame is not None:
            flame.over(out, 246, 194)
        self._pot.over(out, 236, 118)
        if second >= 9.2:
            strength = 6 if second < 20.5 else 3
            for n in range(strength):
                phase = (second * 0.55 + n / strength) % 1
                x = 268 + n * 74 / strength + 8 * math.sin(second + n)
                self._steam[int(phase * 3.99)].over(out, x, 108 - 62 * phase)
        if 16.6 <= second < 20.6:
            level = min(4, int((second - 16.6) * 1.8))
            self._foams[level].over(out, 236, 118)

    @staticmethod
    def _hand_sprite() -> Sprite:
        c = Canvas(120, 66)
        c.rect((0, 24, 66, 60), (122, 106, 150), 10)
        c.rect((58, 28, 92, 58), (228, 186, 158), 12)
        c.line([(84, 38), (112, 32)], (228, 186, 158), 9)
        c.line([(84, 48), (110, 46)], (228, 186, 158), 9)
        return c.sprite()

    def _hand(self, out: Pixels, second: float) -> None:
        reach = 1 - abs(second - 5.2) / 1.2
        self._hand_sprite().over(out, -120 + 86 * max(0.0, reach), 196)
