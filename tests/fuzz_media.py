"""Two thousand broken media files, from a seed: `python -m tests.fuzz_media [--count N] [--seed S] [--jobs J]`.

The cases are unpacked, truncated, flipped and spliced, and opened in child processes of a hundred files each, so that a
crash or a hang of a decoder takes only its child: it is told with the seed that repeats it. Ends with exit code 1 if
anything but a picture of the promised size or a refusal in words came out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "data" / "media" / "media.tar.gz"
CHUNK = 100
# A hundred files take some ten seconds; a child that takes this long hangs.
PATIENCE_S = 600


def one(folder: Path, seed: int, count: int) -> dict[str, Any]:
    """Run one child; what it found, or how it ended."""
    command = [sys.executable, "-m", "tests.unit.media.fuzz", str(folder), str(seed), str(count)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=ROOT
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"tally": {}, "wrong": [f"seed {seed}: hung for {PATIENCE_S} s"]}
    if done.returncode != 0:
        last = (done.stderr or "").strip().splitlines()[-1:]
        return {"tally": {}, "wrong": [f"seed {seed}: ended with {done.returncode}: {' '.join(last)}"]}
    found: dict[str, Any] = json.loads(done.stdout)
    if sum(found["tally"].values()) != 4 * count:
        found["wrong"].append(f"seed {seed}: {found['tally']} for {count} files")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run all of them and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(CASES) as archive:
            archive.extractall(scratch, filter="data")
        folder = next(p.parent for p in Path(scratch).rglob("images") if p.is_dir())
        sizes = [min(CHUNK, asked.count - start) for start in range(0, asked.count, CHUNK)]
        with ThreadPoolExecutor(asked.jobs) as pool:
            runs = pool.map(lambda n: one(folder, asked.seed * 10_000 + n, sizes[n]), range(len(sizes)))
            for found in runs:
                tally.update(found["tally"])
                wrong += found["wrong"]
    print(json.dumps({"files": asked.count, "seed": asked.seed, "tally": tally, "wrong": wrong}, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
