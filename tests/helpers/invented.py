"""An invented dialogue of nine turns, opened for audit, in Chinese or English: what panels are tested with."""

# ruff: noqa: E501 - dialogue text reads best on one line

from __future__ import annotations

from typing import Any

from annotator.domain.gate import Strip
from annotator.domain.items import Answer, Asset, Category, Dialogue, Turn
from annotator.domain.queue import QueueRow
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS, load_rubric
from annotator.domain.sheet import Cell, Sheet, turn_progress
from annotator.domain.timecode import parse
from annotator.workspace.views import ReviewView

ITEM = "dialogue:0123456789abcdef"
RESPONDER = "acme::model-b::streaming"

_ZH = (
    (
        "我刚下渡轮，前面那个亭子是租车的吗？",
        "是的，左边蓝色亭子写着“环湖单车”，门口停着一排自行车。",
        "是，左侧蓝色亭子是租车点。",
    ),
    (
        "租一小时多少钱？",
        "价目牌上普通车 12 元一小时，双人车 30 元，押金 100 元。",
        "普通车 12 元一小时，另收押金 100 元。",
    ),
    (
        "他们几点收车？我想看完日落再还。",
        "牌子下方写着收车到 19:30，您日落后慢慢骑回来都来得及。",
        "牌上写 18:30 前还车，看完日落再还会超时。",
    ),
    (
        "我膝盖有旧伤，想找一条不用爬坡的路。时间不多，直接告诉我走哪条。",
        "地图上的红线和绿线都沿湖，坡度很小，可以放心骑；黄线标着“陡坡”，请避开。时间不多的话，建议走绿线到二号码头折返，"
        "全程约 40 分钟，路上有两处饮水点，骑累了可以随时停下。",
        "黄线有陡坡，要避开。绿线全程平路；红线过桥处坡度看不清，需要先问店员。时间不多可走绿线到二号码头折返。",
    ),
    ("这把锁怎么开？", "把卡贴在锁上的圆圈处，听到提示音后拉开。", "刷卡后拉开锁扣。"),
    ("前面这个牌子是什么意思？", "前方施工，请下车推行。", "施工路段，推行。"),
    ("我是不是骑过头了？", "是的，二号码头在您身后约 200 米。", "过了约 200 米。"),
    ("天快黑了，车灯在哪开？", "车把右侧有一个黑色按钮。", "车把右侧按钮。"),
    ("来得及还车吗？", "现在 18:05，回到亭子约 15 分钟，来得及。", "来得及，约 18:20 到。"),
)
_EN = (
    ("I just left the ferry. Is that hut ahead a bike rental?", "Yes: the blue hut on the left reads “Lake Bikes”, there is a row of bicycles at its door.", "Yes, the blue hut on the left rents bikes."),
    ("How much is an hour?", "The board says 12 for a plain bike and 30 for a tandem, with a deposit of 100.", "12 an hour for a plain bike, and a deposit of 100."),
    ("When do they close? I want to bring it back after the sunset.", "Below the sign it says open until 19:30, so you can ride back slowly after sunset.", "The sign says return by 18:30; after the sunset is too late."),
    (
        "My knee was hurt once, so I want a way without climbing. I have little time, just tell me which one to take.",
        "The red and the green line on the map both follow the lake and hardly climb, so you can ride them safely; the "
        "yellow line is marked “steep”, so avoid it. With little time, take the green line to pier two and back: about "
        "40 minutes, two places to drink on the way, and you can stop whenever you are tired.",
        "The yellow line is steep, avoid it. The green line is flat; whether the red one climbs at the bridge cannot be seen, ask first. With little time: green to pier two and back.",
    ),
    ("How does this lock open?", "Hold the card to the circle on the lock and pull when it beeps.", "Hold the card to it, then pull."),
    ("What does this sign ahead mean?", "Works ahead: get off and push.", "Works, push the bike."),
    ("Did I ride too far?", "Yes, pier two is about 200 m behind you.", "Yes, by about 200 m."),
    ("It is getting dark. Where is the light?", "There is a black button at the right of the handlebar.", "The button at the right of the bar."),
    ("Can I still return it in time?", "It is 18:05 and the hut is 15 minutes away, so yes.", "Yes, at about 18:20."),
)  # fmt: skip
_TIMES = ("00:03.0", "00:13.6", "00:24.4", "00:35.4-00:47.0", "00:58.2", "01:10.0", "01:24.8", "01:40.0", "02:02.5")
_SCORES: tuple[tuple[Any, ...], ...] = ((5, 5, 5, 4, 5, 5, 4, 5), (5, 4, 5, 5, 5, 5, 3, None), (2, 4, 5, 5, 5, 4, 4, 3))
_HALF = (3, 4, 5, 4, 5, 5)


def invented(
    language: str = "zh_CN",
    *,
    modality: str = "video",
    scored: int = 3,
    half: bool = True,
    cells: dict[tuple[str, str], Cell] | None = None,
    answers: dict[int, Answer | None] | None = None,
    texts: list[tuple[str, str, str]] | None = None,
    responder: str = RESPONDER,
    drafts: dict[tuple[str, str], str] | None = None,
    read_only: bool = False,
    item: str = ITEM,
) -> ReviewView:
    """A review view: `scored` turns are scored whole, the next one (with `half`) in six of eight dimensions."""
    rows = texts if texts is not None else list(_ZH if language == "zh_CN" else _EN)
    role = "image" if modality == "image" else "clip"
    turns = tuple(_turn(k, row, role, language) for k, row in enumerate(rows))
    given = tuple((answers or {}).get(k, Answer(index=k, text=row[1])) for k, row in enumerate(rows))
    title = "环湖骑行租车" if language == "zh_CN" else "Renting a bike at the lake"
    dialogue = Dialogue(
        item_id=item, source_id="V-0417", modality=modality, environment="outdoor_public_space-lakeside",
        scenario="outdoor_public_space", detail="lakeside", turns=turns, spoken=True, source="dialogues.json",
        goal={"goal": "租一辆车沿湖骑一圈，日落后还车" if language == "zh_CN" else "Rent a bike, ride along the lake, bring it back"},
        persona={"age": 34, "状态": "膝盖有旧伤，希望回答短、能念出来"} if language == "zh_CN"
        else {"age": 34, "state": "an old knee injury; wants short answers that can be read aloud", "languages": ["en", "zh"]},
    )  # fmt: skip
    said = _cells(language, len(rows), scored, half)
    said.update(cells or {})
    sheet = Sheet(item, responder, "lin", "blind", len(rows), said)
    row = QueueRow(
        item_id=item, responder=responder, source_id="V-0417", title=title, alias="" if responder == "reference" else "B",
        scenario="outdoor_public_space", modality=modality, categories=(), spoken=True, turns=len(rows),
        progress=bytes(turn_progress(sheet)), session=sheet.done("session"), verdict=sheet.value("item", "verdict"),
        status=sheet.status(),
    )  # fmt: skip
    responders = (("acme::model-a::streaming", "A"), (RESPONDER, "B"))
    return ReviewView(
        row=row, dialogue=dialogue, turns=turns, answers=given, responders=responders, sheet=sheet,
        strip=Strip(dialogue.modality, turns), rubric=load_rubric(), drafts=drafts or {}, read_only=read_only,
    )  # fmt: skip


def _turn(k: int, row: tuple[str, str, str], role: Any, language: str) -> Turn:
    primary = "安全与健康提示" if language == "zh_CN" else "Safety and health"
    clip = f"clips/{k // 3}.mp4" if role == "clip" else f"images/{k}.png"
    return Turn(
        index=k, question=row[0], reference=row[2], timestamp=parse(_TIMES[k % len(_TIMES)]),
        category=Category(primary=primary, requires_history=k >= 3),
        evidence=(Asset(role=role, raw=clip, field="clip_path", status="ok", inside=clip, root="/data"),),
        audio=Asset(role="audio", raw=f"{k}.wav", field="audio", status="ok", inside=f"{k}.wav", root="/data"),
    )  # fmt: skip


def _cells(language: str, turns: int, scored: int, half: bool) -> dict[tuple[str, str], Cell]:
    found: dict[tuple[str, str], Cell] = {}
    for k in range(min(scored, turns)):
        for dimension, value in zip(TURN_DIMENSIONS, _SCORES[k % len(_SCORES)], strict=True):
            found[(f"turn:{k}", dimension)] = Cell(value if value is not None else "cannot_judge")
    if scored > 2:
        found[("turn:2", "tags:accuracy")] = Cell(["时空与数值错误"])
    if half and turns > scored:
        target = f"turn:{scored}"
        for dimension, value in zip(TURN_DIMENSIONS, _HALF, strict=False):
            found[(target, dimension)] = Cell(value)
        zh = language == "zh_CN"
        found[(target, "tags:accuracy")] = Cell(["幻觉与捏造", "对象与属性错误"])
        found[(target, "reason:accuracy")] = Cell(
            "“坡度很小”没有画面依据，桥上看不清" if zh else "“Hardly climb” is not shown; the bridge cannot be seen"
        )
        found[(target, "reason:completeness")] = Cell("没有提醒先问店员" if zh else "Does not say to ask the staff")
    return found


def scored_whole(view: ReviewView) -> dict[tuple[str, str], Cell]:
    """Cells that fill every turn and the session but its last row."""
    found = {
        (f"turn:{k}", d): Cell(5 - (k + i) % 4) for k in range(len(view.turns)) for i, d in enumerate(TURN_DIMENSIONS)
    }
    for dimension, value in zip(SESSION_DIMENSIONS[:3], (4, 5, 2), strict=True):
        found[("session", dimension)] = Cell(value)
    found[("session", "tags:persona_adaptation")] = Cell(["显式用户状态适配不足"])
    found[("session", "reason:session_consistency")] = Cell("第 2 轮与第 6 轮对还车时间的说法一致；未回提第 3 轮的建议")
    found[("session", "reason:intent_fulfillment")] = Cell("九轮都围绕租车与还车推进，步骤完整")
    found[("session", "reason:persona_adaptation")] = Cell("用户两次说膝盖不便，仍给长句；没有主动念出过期的收车时间")
    return found
