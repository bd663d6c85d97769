"""The office: a whiteboard, a chart, a floor plan and a notice on a door, in four sizes."""

from __future__ import annotations

from annotator.sample.canvas import Canvas, Colour

INK = (44, 52, 62)


def whiteboard() -> Canvas:
    """The whiteboard, 2048 x 1152: the day's agenda, with one entry moved."""
    c = Canvas(2048, 1152, (196, 188, 174))
    c.rect((70, 60, 1978, 1010), (168, 174, 178), 14)
    c.rect((88, 78, 1960, 992), (252, 253, 252), 6)
    c.rect((700, 1010, 1348, 1040), (150, 156, 160), 6)
    for x, tone in ((760, (44, 92, 168)), (900, (196, 56, 48)), (1040, (44, 132, 88))):
        c.rect((x, 996, x + 110, 1014), tone, 6)
    c.text((170, 180), "Today", 104, (44, 92, 168), bold=True)
    c.line([(170, 246), (470, 246)], (44, 92, 168), 7)
    rows = (
        ("09:30", "Stand-up", "kitchen"),
        ("11:00", "Design review", "B2"),
        ("14:30", "Budget", "C4"),
        ("16:00", "Retro", "B2"),
    )
    for n, (time, what, room) in enumerate(rows):
        y = 350 + n * 150
        c.text((180, y), time, 82, INK, bold=True)
        c.text((500, y), what, 82, INK)
        c.rect((1290, y - 56, 1530, y + 56), (232, 240, 248), 22)
        c.text((1410, y), room, 66, (44, 92, 168), bold=True, anchor="mm")
    c.line([(176, 502), (410, 502)], (196, 56, 48), 9)
    c.text((1580, 500), "→ 15:00", 82, (196, 56, 48), bold=True)
    c.rect((1600, 140, 1850, 360), (250, 226, 120))
    for n, text in enumerate(("Bring", "printed", "copies")):
        c.text((1725, 190 + n * 60), text, 48, (92, 76, 30), anchor="mm")
    return c


def chart() -> Canvas:
    """The chart, 1920 x 1080: support tickets by quarter, opened and solved."""
    c = Canvas(1920, 1080, (250, 251, 252))
    c.text((130, 110), "Support tickets by quarter", 68, INK, bold=True)
    opened, solved = (84, 126, 158), (226, 150, 66)
    for n, (name, tone) in enumerate((("opened", opened), ("solved", solved))):
        c.rect((1290 + n * 270, 90, 1326 + n * 270, 126), tone, 4)
        c.text((1342 + n * 270, 108), name, 44, INK)
    for n in range(6):
        y = 900 - n * 130
        c.line([(200, y), (1800, y)], (222, 226, 230), 2)
        c.text((176, y), str(n * 100), 38, (110, 118, 126), anchor="rm")
    values = (("Q1", 310, 290), ("Q2", 360, 335), ("Q3", 480, 340), ("Q4", 405, 430))
    for n, (name, a, b) in enumerate(values):
        x = 290 + n * 390
        for k, (value, tone) in enumerate(((a, opened), (b, solved))):
            top = 900 - value * 1.3
            c.rect((x + k * 130, top, x + k * 130 + 114, 900), tone, 4)
            c.text((x + k * 130 + 57, top - 30), str(value), 42, INK, bold=True, anchor="mm")
        c.text((x + 122, 950), name, 50, INK, anchor="mm")
    c.line([(200, 900), (1800, 900)], (120, 128, 136), 3)
    c.text((130, 1030), "Source: help desk, year to date", 34, (130, 138, 146))
    return c


def plan() -> Canvas:
    """The floor plan, 1600 x 1600: two ways from the lift to the rooms, one of them with steps."""
    c = Canvas(1600, 1600, (246, 244, 238))
    c.rect((120, 200, 1480, 1480), (255, 255, 255), 4, INK, 10)
    c.text((120, 120), "Floor 2", 84, INK, bold=True)
    rooms: tuple[tuple[tuple[float, float, float, float], str, Colour], ...] = (
        ((120, 200, 560, 600), "B1", (226, 236, 244)), ((560, 200, 1000, 600), "B2", (214, 232, 220)),
        ((1000, 200, 1480, 600), "B3", (226, 236, 244)), ((120, 1080, 560, 1480), "C3", (244, 234, 220)),
        ((1040, 1080, 1480, 1480), "C4", (244, 234, 220)),
    )  # fmt: skip
    for box, name, tone in rooms:
        c.rect(box, tone, 0, INK, 8)
        c.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), name, 110, INK, bold=True, anchor="mm")
    for x, y in ((300, 600), (740, 600), (1200, 600), (300, 1080), (1220, 1080)):
        c.rect((x, y - 9, x + 110, y + 9), (255, 255, 255))
    c.rect((640, 1180, 960, 1480), (232, 232, 236), 0, INK, 8)
    c.text((800, 1330), "LIFT", 84, INK, bold=True, anchor="mm")
    c.rect((745, 1171, 855, 1189), (255, 255, 255))
    c.rect((125, 605, 1475, 760), (238, 242, 236))
    c.line([(125, 760), (1475, 760)], INK, 5)
    c.text((160, 720), "+ 40 cm", 40, (110, 118, 112))
    for n in range(6):
        c.rect((620, 760 + n * 34, 820, 760 + n * 34 + 28), (216 - n * 6, 200 - n * 6, 168 - n * 6))
    c.text((720, 1000), "STEPS", 46, (126, 96, 50), bold=True, anchor="mm")
    c.gradient((1000, 758, 1320, 960), (226, 238, 228), (150, 190, 160))
    c.line([(1160, 930), (1160, 800)], (52, 112, 72), 9)
    c.poly([(1126, 816), (1194, 816), (1160, 776)], (52, 112, 72))
    c.text((1160, 1000), "RAMP", 46, (52, 112, 72), bold=True, anchor="mm")
    c.disc(1390, 900, 38, (52, 104, 168))
    c.disc(1386, 880, 6, (255, 255, 255))
    c.line([(1386, 890), (1388, 906), (1402, 906), (1408, 918)], (255, 255, 255), 5)
    c.arc((1370, 894, 1402, 926), 40, 290, (255, 255, 255), 5)
    return c


def door() -> Canvas:
    """The notice on a door, 1080 x 1440 portrait."""
    c = Canvas(1080, 1440, (214, 208, 198))
    c.rect((150, 60, 930, 1440), (150, 108, 76), 8)
    c.rect((186, 96, 894, 1440), (168, 122, 86), 4)
    c.rect((230, 1000, 850, 1440), (158, 113, 79), 4)
    c.rect((800, 820, 850, 960), (190, 194, 198), 12)
    c.line([(826, 880), (720, 880)], (206, 210, 212), 22)
    c.rect((440, 150, 640, 270), (52, 68, 88), 12)
    c.text((540, 212), "B2", 84, (250, 250, 250), bold=True, anchor="mm")
    c.rect((290, 340, 790, 730), (253, 252, 246))
    c.poly([(500, 322), (580, 322), (572, 356), (508, 356)], (226, 206, 130))
    c.text((540, 430), "Projector fault", 54, INK, bold=True, anchor="mm")
    c.text((540, 530), "Today's 15:00", 48, INK, anchor="mm")
    c.text((540, 600), "design review", 48, INK, anchor="mm")
    c.text((540, 672), "is in C3", 56, (190, 50, 44), bold=True, anchor="mm")
    return c
