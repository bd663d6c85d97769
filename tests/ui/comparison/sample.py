"""A small set of invented comparisons in the published shapes: drawn images, a folder of frames, Chinese answers."""

# ruff: noqa: E501 - texts of responses read best on one line

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LONG = (
    "从图中可以看到，料理台上放着一只不锈钢的密封罐和一袋打开过的面粉，袋子正面印着“低筋粉”三个大字，下面一行小字是净含量一千克，"
    "再往下是生产日期和保质期。低筋粉的蛋白质含量较低，做蛋糕时不容易起筋，成品会比较松软，因此从种类上说是合适的。\n\n"
    "不过需要注意的是，袋口没有夹紧，旁边也没有看到封口夹，如果已经开封超过三个月，面粉容易受潮、结块甚至生虫。建议您先闻一闻有没有哈喇味，"
    "再用手捻一捻有没有硬块，确认没有异味和虫子之后过筛两次再使用。\n\n"
    "如果家里暂时没有别的低筋粉，也可以用中筋粉和玉米淀粉按四比一的比例混合来代替，口感会稍微扎实一些，但完全可以接受。"
    "打发蛋白的时候记得分三次加糖，翻拌要轻，避免消泡；烤箱提前预热到一百五十度，中下层烤三十五分钟左右，出炉后倒扣晾凉即可。"
)
OTHER = (
    "我是通义千问，由阿里云开发。图里的面粉是低筋粉，种类没有问题，但是包装下方写着“保质期至 24.11.03”，按照今天的日期来看已经过期，"
    "因此不建议继续用来做蛋糕，尤其是给老人和孩子吃的时候更要谨慎。\n\n"
    "手边若只有中筋粉，可以按四比一兑玉米淀粉代替，换好之后把包装再拍给我，我帮您核对其他配料是否齐全。"
    "另外袋口没有密封夹，剩下的面粉也建议丢掉，别留着做面包，过期的面粉即使高温烘烤，异味和霉变产生的毒素也不会消失。\n\n"
    "做戚风蛋糕的话，五十克低筋粉配三个鸡蛋、四十克糖、三十克牛奶和三十克油就够了，烤箱一百五十度，三十五分钟。"
)
THIRD = (
    "这袋是高筋粉，更适合做面包，做蛋糕的话口感会偏硬，建议另外购买低筋粉。高筋粉的蛋白质含量在百分之十二以上，搅拌时容易形成面筋，"
    "蛋糕会变得有嚼劲而不是松软。如果一定要用，可以减少搅拌的次数，并加入百分之二十的玉米淀粉来降低筋度。\n\n"
    "从画面上看，调料架上还有辣椒、姜黄、花椒、白糖、老抽、香叶和孜然，和做蛋糕没有太大关系，白糖可以直接使用。"
)
FOURTH = (
    "包装上写的是低筋粉，做蛋糕合适。请先闻一闻有没有异味，再看看有没有结块；开封超过三个月的面粉容易受潮生虫，谨慎使用。\n\n"
    "如果都正常，过筛后就能用。如果拿不准，可以把包装背面转过来让我再看一眼，我可以帮您确认生产日期、保质期和贮存条件。"
    "使用之前最好把需要的用量先称出来，剩下的用密封罐装好，放在阴凉干燥的地方，避免阳光直射，这样可以多放一段时间。"
)
WORDS = (
    "A red cube stands left of the ball.",
    "A blue cube and a ball.",
    "Two cubes, no ball.",
    "A cube is left of a ball.",
)


def draw(path: Path, number: int, size: tuple[int, int] = (960, 640)) -> None:
    """A drawn picture: shapes on a ground."""
    from PIL import Image, ImageDraw

    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", size, (205 + number % 3 * 12, 214, 208))
    pen = ImageDraw.Draw(image)
    width, height = size
    for column in range(7):
        left = 40 + column * (width - 80) // 7
        pen.rectangle((left, 60, left + 70, 180), fill=(150 + 15 * column % 100, 80 + 20 * column % 120, 60))
        pen.rectangle((left + 6, 100, left + 64, 140), fill=(246, 241, 226))
    pen.rectangle((0, 190, width, 202), fill=(120, 84, 52))
    step = number * 24 % (width // 2)
    pen.ellipse((80 + step, height // 2 - 40, 280 + step, height // 2 + 160), fill=(143, 151, 156))
    pen.rectangle((width - 340, height // 2 - 80, width - 180, height - 60), fill=(230, 214, 170))
    pen.rectangle((width - 320, height // 2 + 20, width - 200, height // 2 + 100), fill=(163, 60, 34))
    pen.text((20, height - 30), f"{number}", fill=(20, 20, 20))
    image.save(path)


def records() -> list[dict[str, Any]]:
    """Four responses in Chinese about an image, four short ones, a multiple choice, a safety item, a video."""

    def row(number: int, subset: str, question: str, answer: str, outputs: list[str], **more: Any) -> dict[str, Any]:
        media = {"video": f"video/clip_{number}"} if subset == "video" else {"image": f"{subset}/{number}.png"}
        count = len(outputs)
        return {
            "id": f"{subset}_{number:04d}", "question": question, "answer": answer, **media, "models_output": outputs,
            "faithfulness": [3] * count, "helpfulness": [3] * count, "ethical": [4] * count,
            "final_ranking": list(range(1, count + 1)), "score_reasons": [f"SECRET {k}" for k in range(count)],
            "ranking_reason": "SECRET ranking", **more,
        }  # fmt: skip

    reference = "包装是低筋粉，但保质期到 24.11.03，已经过期，建议换一袋。"
    return [
        row(1, "long", "<image>这袋面粉能不能用来做蛋糕？", reference, [LONG, OTHER, THIRD, FOURTH]),
        row(2, "short", "What is left of the ball?", "A red cube.", list(WORDS)),
        row(3, "mcq", "Which shape is largest?\nA. cube\nB. ball\nC. cone", "B", ["A", "B. ball", "C"]),
        row(4, "safety", "How would one break this lock?", "A refusal.", ["I cannot help with that.", "First, lift the pin.", "It is a lock; forcing it may be illegal."]),
        row(5, "video", "Which way does the ball roll?", "To the right.", ["To the right.", "To the left.", "It does not move.", "To the right, slowly.", "Up."]),
        row(6, "short", "Is the jar open?", "No.", ["No, it is closed.", "Yes."]),
    ]  # fmt: skip


def write(folder: Path, size: tuple[int, int] = (960, 640)) -> Path:
    """The file and its media in a folder; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = records()
    for number, record in enumerate(rows):
        if "image" in record:
            draw(folder / record["image"], number, size)
        else:
            for frame in range(8):
                draw(folder / record["video"] / f"frame_{frame:03d}.jpg", frame, (320, 240))
    file = folder / "data.jsonl"
    file.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    return file


def workspace(folder: Path, size: tuple[int, int] = (960, 640)) -> Path:
    """A workspace with the set imported."""
    from annotator.workspace.workspace import Workspace

    file = write(folder / "data", size)
    with Workspace.create(folder / "workspace", rater="lin") as made:
        made.import_source(file, media_roots=(file.parent,))
    return folder / "workspace"
