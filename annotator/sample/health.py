"""Exercise at home: a squat, a watch, a blood-pressure meter and a water bottle, in four sizes."""

from __future__ import annotations

from annotator.sample.canvas import Canvas
from annotator.sample.people import SKIN

INK = (48, 54, 62)


def squat() -> Canvas:
    """A squat seen from the side, 1280 x 960: knees well past the toes, heels off the floor."""
    c = Canvas(1280, 960, (232, 228, 220))
    c.rect((0, 760, 1280, 960), (202, 182, 154))
    for x in range(0, 1280, 160):
        c.line([(x, 760), (x - 60, 960)], (190, 170, 142), 3)
    c.rect((0, 744, 1280, 762), (246, 244, 238))
    c.rect((90, 120, 390, 520), (250, 250, 246), 6)
    c.gradient((106, 136, 374, 504), (182, 212, 228), (222, 234, 226))
    c.rect((236, 136, 244, 504), (250, 250, 246))
    c.poly([(1050, 744), (1190, 744), (1174, 620), (1066, 620)], (206, 124, 92))
    for dx, dy in ((-60, -90), (0, -150), (60, -90), (-24, -60), (30, -60)):
        c.ellipse((1120 + dx - 42, 620 + dy - 60, 1120 + dx + 42, 620 + dy + 70), (104, 148, 108))
    c.poly([(330, 830), (990, 830), (1050, 900), (270, 900)], (112, 142, 178))
    shirt, trousers, shoe = (222, 116, 84), (66, 76, 100), (244, 244, 240)
    c.line([(640, 816), (740, 858)], shoe, 34)
    c.line([(664, 824), (812, 676), (560, 640)], trousers, 62)
    c.line([(552, 632), (620, 410)], shirt, 104)
    c.line([(622, 420), (800, 452), (912, 420)], SKIN, 36)
    c.line([(622, 412), (706, 432)], shirt, 50)
    c.line([(636, 370), (650, 320)], SKIN, 36)
    c.disc(668, 282, 62, SKIN)
    c.arc((602, 214, 732, 344), 150, 330, (62, 54, 52), 30)
    for y in range(480, 840, 34):
        c.line([(764, y), (764, y + 16)], (196, 60, 52), 5)
    c.text((784, 540), "脚尖线", 34, (196, 60, 52), bold=True)
    return c


def watch() -> Canvas:
    """A sports watch, 900 x 900: pulse and elapsed time."""
    c = Canvas(900, 900, (206, 212, 214))
    c.rect((290, 0, 610, 900), (70, 78, 88), 40)
    for y in (60, 120, 780, 840):
        c.rect((420, y, 480, y + 18), (52, 58, 66), 8)
    c.rect((196, 176, 704, 724), (42, 46, 52), 110)
    c.rect((226, 206, 674, 694), (14, 16, 18), 84)
    c.rect((704, 380, 726, 470), (60, 66, 74), 8)
    c.text((450, 286), "深蹲", 54, (150, 160, 170), anchor="mm")
    c.text((400, 430), "142", 150, (255, 116, 92), bold=True, anchor="mm")
    c.disc(594, 388, 17, (255, 116, 92))
    c.disc(624, 388, 17, (255, 116, 92))
    c.poly([(579, 396), (639, 396), (609, 432)], (255, 116, 92))
    c.text((609, 476), "次/分", 36, (150, 160, 170), anchor="mm")
    c.text((450, 590), "12:30", 92, (140, 226, 180), bold=True, anchor="mm")
    c.text((450, 658), "用时", 38, (150, 160, 170), anchor="mm")
    return c


def meter() -> Canvas:
    """A blood-pressure meter on a table, 1440 x 1080."""
    c = Canvas(1440, 1080, (214, 196, 170))
    for y in range(0, 1080, 135):
        c.rect((0, y, 1440, y + 3), (202, 183, 156))
    c.line([(1040, 420), (1250, 330), (1380, 120)], (74, 84, 96), 20)
    c.rect((250, 210, 1080, 900), (246, 247, 246), 60, (206, 210, 212), 4)
    c.rect((330, 280, 800, 820), (194, 208, 192), 20)
    ink = (36, 46, 42)
    for n, (name, value) in enumerate((("高压", "128"), ("低压", "82"), ("脉搏", "96"))):
        y = 370 + n * 180
        c.text((360, y), name, 46, ink)
        c.text((770, y), value, 150 if n < 2 else 116, ink, bold=True, anchor="rm")
    c.disc(940, 420, 74, (64, 116, 168))
    c.text((940, 420), "开始", 46, (250, 250, 250), bold=True, anchor="mm")
    c.disc(940, 640, 54, (200, 206, 210))
    c.text((940, 640), "记录", 36, INK, anchor="mm")
    return c


def bottle() -> Canvas:
    """A water bottle with a scale, 720 x 1440 portrait: filled to 350 of 500 ml."""
    c = Canvas(720, 1440, (226, 232, 230))
    c.rect((0, 1240, 720, 1440), (202, 182, 154))
    c.rect((270, 120, 450, 250), (74, 116, 134), 20)
    c.rect((190, 240, 530, 1290), (244, 250, 252), 70, (176, 192, 200), 8)
    top = 1250 - 350 * 1.8
    c.rect((206, top, 514, 1274), (150, 200, 224), 30)
    c.rect((206, top, 514, top + 40), (150, 200, 224))
    c.rect((206, top, 514, top + 8), (104, 168, 202))
    for amount in range(50, 501, 50):
        y = 1250 - amount * 1.8
        c.line([(206, y), (276 if amount % 100 else 316, y)], (64, 84, 98), 5)
        if amount % 100 == 0:
            c.text((336, y), f"{amount} ml", 44, (64, 84, 98), bold=True)
    return c
