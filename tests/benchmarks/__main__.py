"""Find the measurements, run each in a process of its own, print one table; `--write` keeps it in docs/performance.md.

`--peers` measures programs of others in the same run, in a folder outside the tree; without it, what they took when
they were measured last is printed with its date.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.benchmarks import peers
from tests.benchmarks.rows import Row, number

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TABLE = ROOT / "docs" / "performance.md"
HEAD = ("part", "what", "target", "measured", "", "floor or peer in the same run", "notes")
RUN = re.compile(r"^def run\(.*\) -> list\[Row\]:", re.MULTILINE)
OWN_COMMANDS = frozenset({"coverage", "coverage_preference"})  # studies of their own: `./dev coverage`
LONGEST_S = 1200
INTRO = """# Performance

Written by `./dev bench --peers --write`; do not edit by hand. Everything was measured in one run, floors and stand-ins
by turns with ours, each part in a process of its own. Trust ratios and medians: the machine is small. Rows in CPU time
say so; all others are times on the clock, to the end of the paint where something is shown.

Two targets are held by tests instead: a nine-turn dialogue takes at most 95 keys and no pointer
(`tests/e2e/test_main_job_by_keys.py` counts them), and nothing that was called saved is lost when the application is
killed while scoring (`tests/e2e/test_killed_while_scoring.py`, and `./dev faults` for more of it)."""


def names() -> list[str]:
    """The measurements there are: modules of this package with a `run() -> list[Row]`."""
    found = (file.stem for file in sorted(HERE.glob("*.py")) if RUN.search(file.read_text(encoding="utf-8")))
    return [name for name in found if name not in OWN_COMMANDS and not name.startswith("_")]


def machine() -> str:
    """What the numbers were measured on: processor, number of cores, system, Python and Qt."""
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    import PySide6

    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release().partition('-')[0]}, "
        f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, no graphics processor (offscreen)"
    )


def table(rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, padded so that it can be read as text."""
    held = [HEAD, *rows]
    widths = [max(len(row[column]) for row in held) for column in range(len(HEAD))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in held]
    lines.insert(1, "-|-".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in lines)


def cells(sections: dict[str, list[Row]]) -> list[tuple[str, ...]]:
    """All rows as printed, each with its part."""
    return [(name if first == 0 else "", *row.cells()) for name, rows in sections.items()
            for first, row in enumerate(rows)]  # fmt: skip


def document(sections: dict[str, list[Row]], titles: dict[str, str], beside: list[str], spent_s: float) -> str:
    """The page: facts of the machine, the table, what each part is, and what is missed and why."""
    held = [row for rows in sections.values() for row in rows]
    aimed = [row for row in held if row.target is not None]
    missed = [row for row in aimed if row.missed]
    parts = [
        INTRO,
        f"Measured on {time.strftime('%Y-%m-%d')} in {spent_s / 60:.0f} minutes, load before it "
        f"{os.getloadavg()[2]:.1f}: {machine()}. Of {len(aimed)} targets {len(aimed) - len(missed)} are met.",
        table(cells(sections)),
        "## Missed, and why\n\n" + ("\n".join(f"- {sentence(row)}" for row in missed) or "Nothing."),
    ]
    if beside:
        parts.append("\n".join(f"- {line}" for line in beside))
    parts.append("## The parts\n\n" + "\n".join(f"- `{name}`: {titles[name]}" for name in sections if titles[name]))
    return "\n\n".join(parts) + "\n"


def sentence(row: Row) -> str:
    """What is missed by how much, and why."""
    why = row.why or f"No reason is known. {row.note}"
    return f"{row.what}: {number(row.measured)} {row.unit} instead of {row.cells()[1]}. {why}"


def title(name: str) -> str:
    """The first paragraph of a measurement's docstring."""
    text = (HERE / f"{name}.py").read_text(encoding="utf-8")
    return text.split('"""')[1].strip().split("\n\n")[0].replace("\n", " ")


def measure(name: str) -> list[Row]:
    """Run one measurement in a fresh process; SystemExit with its last words where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "rows.json"
        words = [sys.executable, "-m", "tests.benchmarks", "--into", str(kept), name]
        done = subprocess.run(words, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False, timeout=LONGEST_S)
        if done.returncode or not kept.exists():
            raise SystemExit(f"{name} could not be measured: {done.stderr[-1500:]}")
        return [Row(**row) for row in json.loads(kept.read_text(encoding="utf-8"))]


def run_here(name: str, into: Path) -> None:
    """One measurement in this process, its rows into a file."""
    module: Any = import_module(f"tests.benchmarks.{name}")
    rows: list[Row] = module.run()
    into.write_text(json.dumps([asdict(row) for row in rows]), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # what a window leaves behind is no part of the measurement


def others(fresh: bool, write: bool) -> tuple[list[Row], list[str]]:
    """The peers' rows, measured now or as recorded, and a line for each that could not be had."""
    found = peers.measured() if fresh else peers.recorded()
    if found is None:
        return [], ["Peers were never measured here: `./dev bench --peers`."]
    if fresh and write:
        peers.RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return peers.rows_of(found), [f"{line}." for line in found["missing"]]


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of: " + ", ".join(names()))
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TABLE.relative_to(ROOT)}")
    parser.add_argument("--peers", action="store_true", help="measure labelme and mpv too, outside the tree")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    unknown = set(asked.names) - set(names())
    if unknown:
        parser.error(f"no such measurement: {', '.join(sorted(unknown))}")
    if asked.into is not None:
        run_here(asked.names[0], asked.into)
    if asked.write and asked.names:
        parser.error("the page holds all measurements: leave the names out")
    began = time.monotonic()
    sections = {}
    for name in asked.names or names():
        start = time.monotonic()
        sections[name] = measure(name)
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        print(table(cells({name: sections[name]})), flush=True)
    beside: list[str] = []
    if asked.peers or not asked.names:
        sections["peers"], beside = others(asked.peers, asked.write)
        print("\n".join([table(cells({"peers": sections["peers"]})), *beside]), flush=True)
    if asked.write:
        titles = {name: title(name) for name in sections}
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(document(sections, titles, beside, time.monotonic() - began), encoding="utf-8")


if __name__ == "__main__":
    main()
