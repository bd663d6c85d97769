"""The supermarket: a poster, a receipt, and one shelf picture of 41.7 megapixels with a detail 20 pixels high.

The shelf is pasted together from a dozen product tiles: drawing it takes a fraction of a second, and the one bottle
that matters is unlike its neighbours only to somebody who looks at full size.
"""

from __future__ import annotations

from PIL import Image

from annotator.sample.canvas import Canvas

Rgb = tuple[int, int, int]

SHELF_PX = (7680, 5424)
DETAIL = (7058, 3173, 162, 22)
"""Where the best-before date stands on the shelf picture: left, top, width, height in pixels."""
_ROW_TOP, _ROW_PX, _FIRST_X, _STEP = 560, 960, 130, 300


def _lighter(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """A gleam on something of this colour."""
    red, green, blue = (round(v + (255 - v) * 0.28) for v in colour)
    return red, green, blue


def _bottle(cap: Rgb, label: Rgb, glass: Rgb, name: str) -> Canvas:
    c = Canvas(220, 660)
    c.rect((82, 0, 138, 64), cap, 8)
    c.rect((82, 50, 138, 58), _lighter(cap))
    c.rect((90, 60, 130, 170), glass, 8)
    c.rect((20, 140, 200, 656), glass, 52)
    c.rect((40, 210, 54, 620), _lighter(glass), 6)
    c.rect((20, 300, 200, 576), label)
    c.rect((20, 300, 200, 314), _lighter(label))
    c.rect((20, 562, 200, 576), _lighter(label))
    for row, sign in enumerate(name):
        c.text((110, 364 + row * 80), sign, 72, (255, 252, 240), bold=True, anchor="mm")
    return c


def _jar(lid: Rgb, content: Rgb, name: str) -> Canvas:
    c = Canvas(250, 540)
    c.rect((24, 0, 226, 66), lid, 10)
    c.rect((24, 44, 226, 54), _lighter(lid))
    c.rect((8, 58, 242, 536), content, 38)
    c.rect((26, 96, 42, 500), _lighter(content), 8)
    c.rect((8, 200, 242, 410), (250, 246, 234))
    c.rect((8, 214, 242, 222), content)
    c.rect((8, 388, 242, 396), content)
    c.text((125, 306), name, 84, (92, 62, 40), bold=True, anchor="mm")
    return c


def _carton(body: Rgb, band: Rgb, name: str) -> Canvas:
    c = Canvas(280, 640)
    c.rect((0, 0, 280, 638), body, 8)
    c.rect((250, 0, 280, 638), _lighter(body), 8)
    c.rect((0, 80, 280, 280), band)
    c.text((140, 180), name, 98, (255, 255, 250), bold=True, anchor="mm")
    c.ellipse((50, 330, 220, 500), _lighter(body))
    c.ellipse((84, 364, 186, 466), band)
    for n in range(18):
        c.rect((66 + n * 7, 550, 69 + n * 7 + n % 3, 604), (40, 40, 44))
    return c


def _tin(body: Rgb, name: str) -> Canvas:
    """Two tins, one on the other."""
    c = Canvas(260, 660)
    for top in (0, 325):
        c.rect((0, top + 18, 260, top + 322), body, 12)
        c.ellipse((0, top, 260, top + 44), (206, 210, 212))
        c.ellipse((12, top + 5, 248, top + 38), (186, 190, 194))
        c.rect((20, top + 62, 38, top + 296), _lighter(body), 8)
        c.rect((0, top + 240, 260, top + 262), _lighter(body))
        c.text((130, top + 150), name, 88, (255, 250, 236), bold=True, anchor="mm")
    return c


def _rows() -> list[list[tuple[Canvas, str]]]:
    """Five shelves from the top, each a list of (product, price) from left to right."""
    soy, oil = (74, 44, 36), (226, 200, 120)
    return [
        [
            (_carton((234, 196, 96), (184, 106, 52), "麦片"), "16.9"),
            (_carton((150, 190, 206), (54, 104, 144), "燕麦"), "14.5"),
            (_carton((222, 206, 180), (150, 92, 74), "荞麦"), "18.0"),
            (_carton((176, 202, 150), (84, 128, 72), "小米"), "12.9"),
        ],
        [
            (_jar((60, 108, 84), (172, 92, 48), "豆瓣"), "9.9"),
            (_jar((178, 60, 48), (204, 76, 52), "辣酱"), "11.0"),
            (_jar((210, 160, 70), (142, 96, 56), "甜面"), "8.5"),
            (_jar((70, 90, 120), (214, 176, 110), "芝麻"), "15.0"),
        ],
        [
            (_bottle((46, 88, 150), (38, 84, 140), soy, "生抽王"), "12.8"),
            (_bottle((60, 60, 64), (142, 92, 48), soy, "老抽王"), "13.5"),
            (_bottle((110, 60, 110), (112, 66, 118), (92, 44, 40), "香陈醋"), "10.9"),
        ],
        [
            (_tin((196, 92, 70), "番茄"), "6.5"),
            (_tin((92, 132, 92), "青豆"), "5.8"),
            (_tin((222, 172, 70), "玉米"), "6.0"),
            (_tin((88, 126, 160), "金枪"), "12.0"),
        ],
        [
            (_bottle((230, 226, 210), (96, 134, 92), oil, "玉米油"), "49.9"),
            (_bottle((196, 160, 60), (186, 122, 50), (214, 168, 84), "花生油"), "69.0"),
            (_bottle((86, 120, 70), (120, 140, 60), (198, 190, 96), "橄榄油"), "89.0"),
        ],
    ]


def _price(c: Canvas, x: float, y: float, price: str, special: bool) -> None:
    c.rect((x, y, x + 170, y + 84), (250, 222, 80) if special else (252, 252, 248), 6, (180, 182, 184), 2)
    c.text((x + 85, y + 44), f"¥{price}", 52, (190, 40, 34) if special else (44, 48, 54), bold=True, anchor="mm")


def shelf() -> Canvas:
    """The shelf picture, 7680 x 5424. The last bottle of the third shelf has a red cap and a date of its own."""
    width_px, height_px = SHELF_PX
    c = Canvas(width_px, height_px, (226, 222, 212), scale=1)
    c.rect((0, 0, width_px, 400), (52, 116, 92))
    c.rect((0, 384, width_px, 400), (38, 92, 72))
    c.text((width_px / 2, 200), "粮油调味 · 第 6 通道", 210, (250, 250, 240), bold=True, anchor="mm")
    for number, row in enumerate(_rows()):
        _shelf_row(c, number, row)
    return c


def _shelf_row(c: Canvas, number: int, row: list[tuple[Canvas, str]]) -> None:
    """One board with its goods; the third ends with the bottle that the questions are about."""
    top = _ROW_TOP + number * _ROW_PX
    floor = top + 760
    c.rect((0, top - 60, c.width_px, floor), ((204, 200, 190), (210, 206, 196))[number % 2])
    c.rect((0, top - 60, c.width_px, top - 20), (176, 172, 164))
    goods = [(tile.pixels(), price) for tile, price in row]
    sprites = [Image.fromarray(pixels) for pixels, _ in goods]
    columns = 23 if number == 2 else 25
    for column in range(columns):
        kind = column * len(row) // columns
        x = _FIRST_X + column * _STEP
        c.image.paste(sprites[kind], (x, floor - sprites[kind].height), sprites[kind])
        if column % 2 == 0:
            _price(c, x + 20, floor + 34, goods[kind][1], number == 2 and kind == 0)
    if number == 2:
        odd = Image.fromarray(_red_cap().pixels())
        x = _FIRST_X + columns * _STEP
        c.image.paste(odd, (x, floor - odd.height), odd)
        _price(c, x + 20, floor + 34, "12.8", True)
    c.rect((0, floor, c.width_px, floor + 24), (150, 156, 158))
    c.text((60, floor + 76), str(number + 1), 90, (120, 124, 126), bold=True, anchor="mm")


def _red_cap() -> Canvas:
    c = _bottle((206, 52, 44), (38, 84, 140), (74, 44, 36), "生抽王")
    c.rect((20, 584, 200, 622), (246, 242, 228))
    c.text((110, 603), "保质期至 26.12.03", 20, (40, 40, 44), anchor="mm")
    return c


def poster() -> Canvas:
    """The entrance poster, 1600 x 1200: which offer holds on which day."""
    c = Canvas(1600, 1200, (248, 238, 220))
    c.rect((0, 0, 1600, 250), (190, 58, 46))
    c.text((800, 128), "本周优惠", 150, (255, 244, 214), bold=True, anchor="mm")
    rows = (("周一", "鸡蛋", "每盒减 2 元"), ("周三", "酱油", "第二件半价"), ("周五", "大米", "满 60 减 8"))
    for n, (day, what, deal) in enumerate(rows):
        y = 310 + n * 235
        c.rect((90, y, 1510, y + 200), (255, 252, 244), 24, (226, 206, 172), 3)
        c.rect((90, y, 350, y + 200), (222, 150, 62), 24)
        c.text((220, y + 100), day, 92, (255, 252, 244), bold=True, anchor="mm")
        c.text((420, y + 100), what, 92, (70, 52, 44), bold=True)
        c.text((1450, y + 100), deal, 76, (186, 54, 44), bold=True, anchor="rm")
    c.rect((90, 1040, 1510, 1140), (236, 222, 196), 16)
    c.text((800, 1090), "优惠以收银小票为准 · 服务台在 2 号口", 50, (110, 88, 66), anchor="mm")
    return c


def receipt() -> Canvas:
    """The receipt, 1080 x 1720 portrait: the offer was not applied."""
    c = Canvas(1080, 1720, (118, 98, 82))
    for n in range(12):
        c.rect((0, n * 146, 1080, n * 146 + 3), (106, 87, 72))
    c.rect((140, 60, 940, 1660), (252, 251, 246), 6)
    ink = (56, 58, 62)
    c.text((540, 150), "惠民超市", 74, ink, bold=True, anchor="mm")
    c.text((540, 230), "周三 10:42 · 收银 03", 40, ink, anchor="mm")
    lines = (("生抽王", "× 2", "25.60"), ("鸡蛋", "× 1", "15.80"), ("燕麦", "× 1", "14.50"))
    c.line([(190, 290), (890, 290)], (170, 172, 174), 3)
    for n, (what, number, price) in enumerate(lines):
        y = 370 + n * 110
        c.text((190, y), what, 52, ink)
        c.text((560, y), number, 52, ink, anchor="mm")
        c.text((890, y), price, 52, ink, anchor="rm")
    c.line([(190, 690), (890, 690)], (170, 172, 174), 3)
    for n, (what, price) in enumerate((("优惠", "0.00"), ("合计", "55.90"), ("实收", "60.00"), ("找零", "4.10"))):
        y = 770 + n * 110
        c.text((190, y), what, 58 if n == 1 else 50, ink, bold=n == 1)
        c.text((890, y), price, 58 if n == 1 else 50, ink, bold=n == 1, anchor="rm")
    for n in range(60):
        c.rect((230 + n * 10, 1260, 230 + n * 10 + 3 + n * 7 % 5, 1420), ink)
    c.text((540, 1520), "如需退换请凭小票到服务台", 42, ink, anchor="mm")
    return c
