"""Find the measurements, run them, print one table; `--write` keeps it in docs/performance.md."""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import re
import sys
import time
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Row, number

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TABLE = ROOT / "docs" / "performance.md"
HEAD = ("what", "target", "measured", "floor or peer in the same run", "notes")
RUN = re.compile(r"^def run\(.*\) -> list\[Row\]:", re.MULTILINE)
OWN_COMMANDS = frozenset({"coverage"})  # a study of its own: `./dev study`


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


def document(sections: dict[str, tuple[str, list[Row]]]) -> str:
    """The page: facts of the machine, a table for each measurement, and what is missed."""
    missed = [row for _, rows in sections.values() for row in rows if row.missed]
    parts = [
        "# Performance\n\nWritten by `./dev bench --write`; do not edit the tables by hand. Trust ratios and medians: "
        "the machine is shared\nand small. Floors and peers were measured in the same run, by turns.",
        f"Measured on {time.strftime('%Y-%m-%d')}: {machine()}.",
    ]
    for name, (title, rows) in sections.items():
        parts.append(f"## {name}\n\n{title}\n\n{table(row.cells() for row in rows)}")
    if missed:
        parts.append("## Missed\n\n" + "\n".join(f"- {sentence(row)}" for row in missed))
    return "\n\n".join(parts) + "\n"


def sentence(row: Row) -> str:
    """What is missed by how much, and why."""
    return f"{row.what}: {number(row.measured)} {row.unit} instead of {row.cells()[1]}. {row.note}"


def measure(name: str) -> tuple[str, list[Row]]:
    """Run one measurement: the first line of its docstring, and its rows."""
    module: Any = import_module(f"tests.benchmarks.{name}")
    rows: list[Row] = module.run()
    return (module.__doc__ or "").strip().split("\n\n")[0].replace("\n", " "), rows


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of: " + ", ".join(names()))
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {TABLE.relative_to(ROOT)}")
    parser.add_argument("--peers", action="store_true", help="print what outside peers took when they were measured")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(names())
    if unknown:
        parser.error(f"no such measurement: {', '.join(sorted(unknown))}")
    sections = {}
    for name in asked.names or names():
        print(f"{name} …", file=sys.stderr, flush=True)
        sections[name] = measure(name)
        print(table(row.cells() for row in sections[name][1]), flush=True)
    if asked.write:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(document(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
