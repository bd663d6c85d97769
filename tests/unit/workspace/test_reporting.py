"""The report: one page that asks nobody for anything, numbers that can be made again, and a change that is found."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import annotator
from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.report.reasons import reason, sentence
from annotator.report.writing import USE_NOTE
from annotator.store import Draft, Store
from annotator.workspace.figures import figures_of, left_out_notes
from annotator.workspace.figures_items import items_behind
from annotator.workspace.report_sections import SECTIONS
from annotator.workspace.reporting import CITATION, LIMITS, verify, write_report
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
        self.places: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in ("script", "link", "img", "iframe", "object"):
            self.outside.append(tag)
        self.links |= {str(value)[1:] for name, value in attrs if name == "href" and str(value).startswith("#")}
        self.places |= {str(value) for name, value in attrs if name == "id"}
        self.outside += [
            f"{name}={value}"
            for name, value in attrs
            if name in ("src", "onclick") or (name == "href" and not str(value).startswith("#"))
        ]

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
    assert page.links and page.links <= page.places
    assert not re.search(r"https?://|@import|url\(", text) and "<script" not in text
    assert "&lt;script&gt;" in text  # the rater's name, harmless
    assert text.count("<svg") > 20 and ("undefined because" if lang == "en" else "无定义") in text
    told = json.loads(done.numbers.read_text(encoding="utf-8"))
    assert [section["id"] for section in told["sections"]] == [one.id for one in SECTIONS if one.kind == "dialogue"]
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


def test_a_page_in_chinese_says_every_sentence_in_chinese(store: Store, tmp_path: Path) -> None:
    """Names of figures, ids, commands and what people typed aside, no text holds three English words in a row."""
    text = write_report(store, tmp_path / "r.html", Asked(resamples=5), "zh_CN").page.read_text(encoding="utf-8")
    body = re.sub(r"<style>.*?</style>|<code.*?</code>|<h4>.*?</h4>", "", text, flags=re.S)
    shown = re.findall(r">([^<>]+)<", body)
    known = ("rubric-annotator", "annotator report --verify", "annotator show", HOSTILE.replace("<", "&lt;"))
    english = [one for one in shown if re.search(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", one)]
    assert [one for one in english if not any(word in one for word in known)] == []


def test_every_figure_leads_to_its_items_and_can_be_printed_again(store: Store, tmp_path: Path) -> None:
    done = write_report(store, tmp_path / "r.html", Asked(seed=2, resamples=20))
    told, text = json.loads(done.numbers.read_text(encoding="utf-8")), done.page.read_text(encoding="utf-8")
    for section in told["sections"]:
        assert f"<code>{section['command']}</code>" in text
        asked = Asked(by=tuple(section["by"]), seed=2, resamples=20)
        again = figures_of(store, section["subject"], asked).raw()["figures"]
        for figure, same in zip(section["figures"], json.loads(json.dumps(again)), strict=True):
            behind = told["items"][figure.pop("behind")]
            assert figure == same
            assert len(behind) == figure["n_clusters"] or _counted_otherwise(figure), (section["id"], figure, behind)
    assert all(re.search(rf'id="{name}"', text) for name in told["items"])


def _counted_otherwise(figure: dict[str, Any]) -> bool:
    """Figures of nothing, of pairs (whose group's list stands for theirs), and those that count part of a group."""
    pair = "raters" in figure["by"] or figure["name"] == "kappa_quadratic"
    part = figure["name"].startswith(("funnel_", "reason_", "verdict_", "sensitivity_", "specificity_", "icc_"))
    return figure["n_clusters"] in (0, None) or pair or part or figure["name"] in ("ppi_mean", "anchored", "anchoring")


def test_items_behind_a_figure_are_those_that_took_part(store: Store) -> None:
    assert len(items_behind(store, "agreement", "exact", {})) == 6
    assert len(items_behind(store, "retention", "wilson_keep", {})) == 1
    kept = items_behind(store, "retention", "funnel_kept", {"modality": "video"})
    assert kept == items_behind(store, "retention", "funnel_kept", {})
    assert items_behind(store, "retention", "reason_content", {}) == ()
    judges = figures_of(store, "calibration", Asked(resamples=5)).figures[0].more["judges"]
    assert len(items_behind(store, "calibration", "difference_bias", {"judge": judges})) == 6
    assert len(items_behind(store, "agreement", "kappa_quadratic", {"raters": ["li", HOSTILE]})) == 6
    for subject, name, by in (("agreement", "exact", {"scenario": "nowhere"}), ("agreement", "exact", {"judge": "j"})):
        with pytest.raises(WorldError, match=r"There is no figure exact|cannot be grouped"):
            items_behind(store, subject, name, by)


def test_sentences_of_figures_have_a_chinese_one() -> None:
    """Every text in the code that begins as reasons do, with anything in its open places, is on the list."""
    room = Path(annotator.__file__).parent
    trees = [
        ast.parse(file.read_text(encoding="utf-8"))
        for part in ("stats", "report")
        for file in room.glob(f"{part}/*.py")
    ]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    formed = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in formed for part in node.values}
    found = {_with_sevens(node) for node in formed}
    found |= {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside
    }
    heads = ("undefined: ", "no interval: ", "not tested: ", "not applicable: ")
    reasons = {text for text in found if text.startswith(heads) and not text.endswith(": ")}
    # Four are put together from words, which are on the list whole.
    bare = {
        "undefined: 7",
        "undefined: 7 rated by every rater",
        "undefined: every unit is 7",
        "undefined: people scored no unit 7",
        "undefined: the 7 list is 7 throughout",
        "no interval: 7, fewer than the 7 that one needs",
    }
    assert len(reasons) > 50 and bare <= reasons
    assert [text for text in sorted(reasons - bare) if sentence(text, "zh_CN") == text] == []
    words = (
        "no unit was rated by every rater",
        "every unit is kept",
        "people scored no unit low",
        "there is only one rater",
    )
    assert all(sentence(f"undefined: {text}", "zh_CN").startswith("无定义：") for text in words)
    assert sentence("no interval: 1 cluster, fewer than the 5 that one needs", "zh_CN").startswith("无区间：")
    limits = [*LIMITS, CITATION, USE_NOTE, *left_out_notes(2, 3)]
    assert [text for text in limits if sentence(text, "zh_CN") == text] == []
    assert sentence("undefined: all scores are 5", "zh_CN") == "无定义：所有评分都是 5"
    assert (reason("undefined: only ties", "en"), reason("undefined: only ties", "zh_CN")) == ("only ties", "只有平局")


def _with_sevens(node: ast.JoinedStr) -> str:
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)


def test_a_chart_tells_its_values_in_digits_and_what_stands_for_all_is_open(store: Store, tmp_path: Path) -> None:
    write_report(store, tmp_path / "r.html", Asked(resamples=50))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    told = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    exact = next(f for f in told["sections"][0]["figures"] if f["name"] == "exact")
    clusters = f", dialogues {exact['n_clusters']}" if exact["n_clusters"] else ""
    assert f">{exact['value']:.3f} · n {exact['n']}{clusters}</text>" in page
    wide = sum(section["by"] in ([], ["judge"]) for section in told["sections"])
    assert page.count("<details open>") == wide > 1
    assert page.count("<details>") == len(told["sections"]) - wide
