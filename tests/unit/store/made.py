"""Dialogues, answers and workspaces for the tests of the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from annotator.domain.ids import item_id
from annotator.domain.items import Answer, Asset, Category, Dialogue, Responder, Turn
from annotator.domain.judge import JudgeRecord
from annotator.domain.report import ImportReport
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.domain.timecode import parse
from annotator.store import Draft, Store, create_store

MODELS = ("acme::Alpha::video", "acme::Beta::video", "zeta::Gamma::video")
RATER = "anna"


def the_id(number: int, modality: str = "video") -> str:
    return item_id("dialogue", f"d{number}", modality)


def dialogue(number: int, *, turns: int = 3, revision: int = 1, mark: str = "", modality: str = "video") -> Dialogue:
    return Dialogue(
        item_id=the_id(number, modality),
        source_id=f"d{number}",
        modality=modality,  # type: ignore[arg-type]
        environment="work_and_office_environment-desk",
        scenario="work_and_office_environment",
        detail="desk",
        revision=revision,
        turns=tuple(
            Turn(
                index=k,
                question=f"第{k}轮问题 Straße {number}{mark}",
                reference=f"Réponse {number}.{k}",
                timestamp=parse(f"00:{10 + k}"),
                category=Category(primary=f"cat{k % 2}"),
                evidence=(Asset(role="clip", raw=f"v/{number}_{k}.mp4", field="clip_path", status="missing"),),
            )
            for k in range(turns)
        ),
    )


def answers(number: int, responder: str, *, turns: int = 3, revision: int = 1, mark: str = "") -> Responder:
    texts = tuple(Answer(index=k, text=f"answer {number}.{k} of {responder[:4]}{mark}") for k in range(turns))
    return Responder(item_id=the_id(number), responder=responder, answers=texts, revision=revision)


def judgement(number: int, *, judge: str = "g::pro::v1", score: int = 4, turn: int = 0) -> JudgeRecord:
    key = f"{MODELS[0]}::d{number}"
    return JudgeRecord(
        judgement_id=f"{key}::d{number}:round_{turn:03d}",
        judge=judge,
        source_id=f"d{number}",
        responder=MODELS[0],
        target=f"turn:{turn}",
        modality="video",
        status="success",
        scores={"accuracy": score},
        reasons={},
        avg=float(score),
        prediction=f"answer {number}.{turn}",
        raw={"scores": {"accuracy": {"score": score}}},
    )


def fill(store: Store, dialogues: Iterable[Dialogue], responders: Iterable[Responder] = ()) -> None:
    with store.imports.begin("rubric-mme", "made") as writer:
        writer.put_dialogues(dialogues)
        writer.put_responders(responders)
        writer.publish(ImportReport(kind="rubric-mme"))


def workspace(folder: Path, *, dialogues: int = 2, models: Sequence[str] = MODELS[:2]) -> Store:
    store = create_store(folder, rater=RATER)
    fill(store, map(dialogue, range(dialogues)), [answers(i, m) for i in range(dialogues) for m in models])
    return store


def score(
    number: int = 0, value: object = 4, *, target: str = "turn:0", field: str = "accuracy", **more: object
) -> Draft:
    said: dict[str, object] = {"responder": MODELS[0], **more}
    return Draft(RATER, the_id(number), target, field, value, **said)  # type: ignore[arg-type]


def whole_sheet(number: int, responder: str, *, turns: int = 3) -> list[Draft]:
    item = the_id(number)
    drafts = [
        Draft(RATER, item, f"turn:{k}", name, 4, responder=responder) for k in range(turns) for name in TURN_DIMENSIONS
    ]
    drafts += [Draft(RATER, item, "session", name, 4, responder=responder) for name in SESSION_DIMENSIONS]
    return [*drafts, Draft(RATER, item, "item", "verdict", "keep")]
