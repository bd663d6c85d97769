"""The report as one HTML page: style, charts and numbers in one file that asks nobody for anything, and prints."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from annotator import resources
from annotator.report.html_charts import Json, Say, fields_of, said_of
from annotator.report.html_charts_more import ALL_CHARTS
from annotator.report.html_text import definition, words
from annotator.report.reasons import sentence

ROLES: Final = (
    "window",
    "panel",
    "hair",
    "line",
    "text",
    "text2",
    "accent",
    "accent-text",
    "selected",
    "series-b",
    "warn-soft",
    "warn",
)
_OPEN_ROWS: Final = 200
_PARTS: Final = (
    ("people", "agreement"),
    ("judge", "calibration"),
    ("keep", "retention"),
    ("prefer", "preference"),
    ("accurate", "accuracy"),
)
_STYLE: Final = """
body{background:var(--window);color:var(--text);font:14px/1.5 system-ui,"Noto Sans","Noto Sans CJK SC",sans-serif;
margin:0}main{max-width:960px;margin:0 auto;padding:24px}h1{font-size:24px}h2{font-size:19px;margin-top:40px;
border-bottom:1px solid var(--line)}h3{font-size:15px;margin:24px 0 6px}table{border-collapse:collapse;width:100%;
font-size:12px}th,td{text-align:left;padding:3px 8px;border-bottom:1px solid var(--hair);vertical-align:top}
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
details td:last-child,details th:last-child{width:40%}td.list{white-space:normal}svg{max-width:100%;height:auto;
background:var(--panel);border:1px solid var(--hair);margin:4px 0}svg text{font-size:12px;fill:var(--text)}
svg .label{text-anchor:end}svg .tick,svg .count{text-anchor:middle}svg .tick,svg .note{fill:var(--text2)}
svg .side{text-anchor:middle;fill:var(--text2)}svg .why{fill:var(--warn);font-style:italic}svg .grid{stroke:var(--hair)}
svg .zero{stroke:var(--text2);stroke-dasharray:4 3}svg .whisker{stroke:var(--accent);stroke-width:2}svg .dot,svg .bar,
svg .cell{fill:var(--accent)}svg .same{fill:var(--series-b)}svg .line{fill:none;stroke:var(--accent);stroke-width:2}
svg .band{fill:var(--accent);fill-opacity:.15}.notice{background:var(--warn-soft);padding:4px 10px}
.grid{display:flex;flex-wrap:wrap;gap:12px}.grid p{width:100%;margin:8px 0 0}figure{margin:0;width:300px}
figcaption{font-size:12px;color:var(--text2)}.small{color:var(--text2);font-size:12px}summary{cursor:pointer}
a{color:var(--accent-text)}svg a text{fill:var(--accent-text)}code{font:12px ui-monospace,"JetBrains Mono",monospace;
overflow-wrap:anywhere}
h4{font-size:13px;margin:14px 0 2px}.items p{margin:2px 0}.items:target{background:var(--selected)}
@media print{body{background:none}main{padding:0}h2{break-before:page}h1+p+h2{break-before:auto}
h3,h4,p.small{break-after:avoid}svg,tr,figure,.items{break-inside:avoid}details:not([open]){display:none}}
"""


def page(told: Json, lang: str = "en") -> str:
    """The page of a report's numbers (see `workspace.reporting`), in `en` or `zh_CN`."""
    say = words(lang)
    body = [f"<h1>{say['title']}</h1>", _made(told, say, lang)]
    for title, subject in _PARTS:
        sections = [section for section in told["sections"] if section["subject"] == subject]
        if sections:
            body.append(f"<h2>{say[title]}</h2>")
        for section in sections:
            body += _section(section, told, say, lang)
    body += items_of(told, say, lang)
    body.append(f"<h2>{say['limits']}</h2>")
    said = (*told["limits"], told["use"], told["citation"])
    body += [f"<p>{escape(sentence(text, lang))}</p>" for text in said]
    return (
        f'<!DOCTYPE html><html lang="{lang.replace("_", "-")}"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{say["title"]}</title><style>{_colours()}{_STYLE}</style></head>'
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _colours() -> str:
    """The colours that the page uses, as the window has them."""
    light = tomllib.loads(resources.path("theme/tokens.toml").read_text(encoding="utf-8"))["light"]
    return ":root{" + ";".join(f"--{role}:{light[role]}" for role in ROLES) + "}"


def _made(told: Json, say: Say, lang: str) -> str:
    sources = told["sources"]
    facts = (
        say["facts"].format(
            software=told["software"], rubric=told["rubric"], seed=told["seed"], resamples=f"{told['resamples']:,}"
        ),
        say["hashes"].format(
            count=f"{sources['events']:,}",
            **{name: sources[f"{name}_sha256"][:16] for name in ("events", "items", "judges")},
        ),
        ", ".join(f"{one['kind']}: {one['source']}" for one in sources["imports"]),
        say["again"],
    )
    return f'<p class="small">{say["made"]}: {"<br>".join(escape(fact) for fact in facts)}</p>'


def _section(section: Json, told: Json, say: Say, lang: str) -> Iterator[str]:
    if section["subject"] == "accuracy":
        say = {**say, "clusters": say["images"]}
    by = fields_of(section["by"], say)
    yield f'<h3 id="{section["id"]}">{say["by"].format(fields=escape(by)) if by else say["all"]}</h3>'
    yield f'<p class="small">{say["command"]} <code>{escape(section["command"])}</code></p>'
    for note in section["notes"]:
        yield f'<p class="notice">{escape(sentence(note, lang))}</p>'
    for judge, counts in section.get("judge_records", {}).items() if section["by"] == ["judge"] else ():
        listed = ", ".join(f"{status} {count:,}" for status, count in counts.items())
        yield f'<p class="small">{say["records"]}: {escape(judge)}: {escape(listed)}</p>'
    for notice in sorted({figure["notice"] for figure in section["figures"] if "notice" in figure}):
        yield f'<p class="notice">{escape(sentence(notice, lang))}</p>'
    yield from ALL_CHARTS[section["subject"]](section, say, lang)
    yield _table(section, told["items"], say, lang)


def _table(section: Json, items: Mapping[str, Sequence[str]], say: Say, lang: str) -> str:
    """Every figure with n, definition and interval, or the reason why there is none; and the way to its items."""
    names = ("figure", "of", "value", "interval", "n", "clusters", "items", "why")
    head = "".join(f"<th>{say[name]}</th>" for name in names)
    figures, rows = section["figures"], []
    for figure in figures:
        why = f"{definition(figure['name'], lang, section['subject'])} {sentence(figure['why'] or '', lang)}".strip()
        ends = "" if figure["low"] is None else f"{_shown(figure['low'])} – {_shown(figure['high'])}"
        clusters = "" if figure["n_clusters"] is None else f"{figure['n_clusters']:,}"
        cells = (_shown(figure["value"]), ends, f"{figure['n']:,}", clusters)
        numbers = "".join(f'<td class="number{" list" * (", " in cell)}">{cell}</td>' for cell in cells)
        behind = figure["behind"]
        way = f'<a href="#{behind}">{len(items[behind]):,}</a>' if isinstance(behind, str) else f"{behind:,}"
        rows.append(
            f"<tr><td>{escape(figure['name'])}</td><td>{escape(said_of(figure, lang, short=False))}</td>{numbers}"
            f'<td class="number">{way}</td><td>{escape(why)}</td></tr>'
        )
    summary = f"<summary>{say['numbers']} ({len(figures):,})</summary>"
    # What stands for everything is open, and so on paper; the many by one field or another open by a click.
    opened = " open" if section["by"] in ([], ["judge"]) and len(figures) <= _OPEN_ROWS else ""
    return f"<details{opened}>{summary}<table><tr>{head}</tr>{''.join(rows)}</table></details>"


def items_of(told: Json, say: Say, lang: str) -> Iterator[str]:
    """The lists of items that figures lead to, each once, with the command that prints it."""
    first: dict[str, tuple[Json, Json]] = {}
    for section in told["sections"]:
        for figure in section["figures"]:
            if isinstance(figure["behind"], str):
                first.setdefault(figure["behind"], (section, figure))
    yield f'<h2>{say["items_title"]}</h2><p class="small">{say["items_how"]}</p>'
    names = told["source_ids"]
    for name, (section, figure) in first.items():
        ids = told["items"][name]
        listed = " ".join(
            f'<code title="{escape(item_id)}">{escape(names.get(item_id, item_id))}</code>' for item_id in ids
        )
        of = said_of(figure, lang)
        title = f"{figure['name']} · {of}" if of else figure["name"]
        yield (
            f'<section class="items" id="{name}"><h4>{escape(title)}: {len(ids):,}</h4><p class="small"><code>'
            f"{escape(listing_command(section, figure))}</code></p><p>{listed or '–'}</p></section>"
        )


def listing_command(section: Json, figure: Json) -> str:
    """The command that lists the items behind a figure."""
    words_ = ["annotator list WORKSPACE --behind", section["subject"], "--figure", figure["name"]]
    for field in section["by"]:
        value = figure["by"][field]
        words_ += [f"--where {_quoted(f'{field}={one}')}" for one in (value if isinstance(value, list) else [value])]
    return " ".join(words_)


def _quoted(text: str) -> str:
    plain = all(letter.isalnum() or letter in "-_./=:" for letter in text)
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return "…" if value and isinstance(value[0], list) else ", ".join(_shown(part) for part in value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)
