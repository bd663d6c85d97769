"""The report: one page that asks nobody for anything, numbers that can be made again, and a change that is found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.store import Draft, Store
from annotator.workspace.reporting import SECTIONS, verify, write_report
from tests.helpers.imports import TASK, bring, judged, sample, video, workspace, write

MODEL = f"p::m::{TASK}"
HOSTILE = "<script>alert('x')</script>&"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    names = [f"d{k}" for k in range(6)]
    with workspace(tmp_path) as held:
        bring(held, write(tmp_path / "d.json", [video(name, 1) for name in names]))
        bring(held, write(tmp_path / "s.jsonl", [sample(name, "m", 1) for name in names]))
        rows = [
            judged(name, 0, judge=judge, scores={"accuracy": {"score": 2 + k % 3, "reason": ""}})
            for k, name in enumerate(names) for judge in ("j", "m-judge")
        ]  # fmt: skip
        bring(held, write(tmp_path / "j.jsonl", rows))
        for rater, shift in (("li", 0), (HOSTILE, 1)):
            held.labels.append(
                [said(held, rater, k, 1 + (k + shift) % 4) for k in range(6)]
                + [said(held, rater, 0, "keep", target="item", field="verdict", responder=None)]
            )
        yield held


def said(store: Store, rater: str, dialogue: int, value: Any, **more: Any) -> Draft:
    told = {"target": "turn:0", "field": "accuracy", "responder": MODEL} | more
    return Draft(rater=rater, item_id=store.items.resolve(f"d{dialogue}"), value=value, **told)


class Page(HTMLParser):
    """Opens and closes every element, and collects what would be fetched or run."""

    VOID = frozenset({"meta", "br", "line", "circle", "rect", "polyline", "polygon"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in ("script", "link", "img", "iframe", "object"):
            self.outside.append(tag)
        self.outside += [f"{name}={value}" for name, value in attrs if name in ("src", "href", "onclick")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_the_page_is_whole_and_fetches_nothing(store: Store, tmp_path: Path, lang: str) -> None:
    done = write_report(store, tmp_path / "r.html", Asked(resamples=30), lang)
    text = done.page.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == [] and page.outside == []
    assert not re.search(r"https?://|@import|url\(", text) and "<script" not in text
    assert "&lt;script&gt;" in text  # the rater's name, harmless
    assert text.count("<svg") > 20 and ("undefined because" if lang == "en" else "无定义") in text
    told = json.loads(done.numbers.read_text(encoding="utf-8"))
    assert [section["id"] for section in told["sections"]] == [name for name, _, _ in SECTIONS]
    assert done.figures == sum(len(section["figures"]) for section in told["sections"])
    for figure in (figure for section in told["sections"] for figure in section["figures"]):
        assert figure["value"] is not None or figure["why"], figure
    assert "CC BY-NC-SA" in text and told["sources"]["events"] == 14


def test_a_report_holds_until_one_event_is_another(store: Store, tmp_path: Path) -> None:
    done = write_report(store, tmp_path / "r.html", Asked(seed=4, resamples=30))
    assert verify(store, done.numbers, Asked()) == []
    first = done.numbers.read_bytes()
    write_report(store, tmp_path / "r.html", Asked(seed=4, resamples=30))
    assert done.numbers.read_bytes() == first
    store.labels.append([said(store, "li", 0, 5)])
    lines = verify(store, done.numbers, Asked())
    assert any(line.startswith("sources.events_sha256") for line in lines)
    assert any(".value" in line and "exact" in line for line in lines)


def test_a_number_that_was_touched_is_found(store: Store, tmp_path: Path) -> None:
    done = write_report(store, tmp_path / "r.html", Asked(resamples=30))
    told = json.loads(done.numbers.read_text(encoding="utf-8"))
    figure = next(one for one in told["sections"][0]["figures"] if one["name"] == "exact")
    for change, count in ((1e-10, 0), (1e-6, 1)):
        kept = figure["value"]
        figure["value"] += change
        done.numbers.write_text(json.dumps(told), encoding="utf-8")
        lines = verify(store, done.numbers, Asked())
        assert len(lines) == count and all("agreement" in line and "exact" in line for line in lines)
        figure["value"] = kept


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "rubric-annotator report", "version": 9}'])
def test_what_is_no_report_is_told(store: Store, tmp_path: Path, text: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WorldError, match=r"r\.json"):
        verify(store, file, Asked())


def test_page_and_numbers_are_two_files(store: Store, tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="page and numbers"):
        write_report(store, tmp_path / "r.json", Asked(resamples=5))


def test_a_judge_of_the_model_s_family_is_told_of(store: Store, tmp_path: Path) -> None:
    done = write_report(store, tmp_path / "r.html", Asked(resamples=5))
    assert "of one family: m" in done.page.read_text(encoding="utf-8")
