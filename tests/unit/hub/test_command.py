"""`annotator fetch` against a stand-in: the same workspace as importing from disk, and what the words and codes are."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from annotator.cli import say
from annotator.cli.fetching import Line
from annotator.hub import Step
from annotator.sample import build_sample
from annotator.workspace.workspace import Workspace
from tests.helpers.fakehub import COMMIT, FakeHub, Repo
from tests.helpers.fetching import GUARD, ROOT, environment, python
from tests.unit.cli import sources
from tests.unit.hub.test_archives import zip_bytes

OF_ONE_WORKSPACE = {"created", "device", "devices", "workspace_id", "hub"}
RUN = GUARD + "\nfrom annotator.cli.main import run\nsys.exit(run(sys.argv[1:]))"
ID = "lab/bench"


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[FakeHub]:
    with FakeHub({ID: Repo(contents(sources.write(tmp_path / "source")))}) as hub:
        yield hub


def annotator(hub: FakeHub, home: Path, *arguments: object, **env: str) -> tuple[int, str, str]:
    done = python(RUN, *[str(a) for a in arguments], env=environment(hub.endpoint, home, **env))
    return done.returncode, done.stdout, done.stderr


def tables_of(folder: Path, root: Path) -> dict[str, list[str]]:
    """Every row of every table, the names of the data root and of this one workspace and the time aside."""
    with closing(sqlite3.connect(folder / "workspace.db")) as base:
        base.row_factory = sqlite3.Row
        names = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = {}
        for name in names:
            rows = [dict(row) for row in base.execute(f'SELECT * FROM "{name}"')]
            rows = [row for row in rows if not (name == "meta" and row["name"] in OF_ONE_WORKSPACE)]
            kept = [{k: v for k, v in row.items() if (name, k) != ("import_run", "at")} for row in rows]
            tables[name] = sorted(repr(row).replace(str(root), "ROOT") for row in kept)
    return tables


def test_fetching_the_sample_ends_in_the_workspace_of_importing_it(tmp_path: Path) -> None:
    data = tmp_path / "disk"
    build_sample(data)
    with Workspace.create(tmp_path / "by-disk", rater="lin") as door:
        door.import_source(data, media_roots=[data])
    files = contents(data)
    large = frozenset(name for name in files if name.endswith((".mp4", ".jpg")))
    root = tmp_path / "far" / "bench"
    with FakeHub({ID: Repo(files, large=large)}) as hub:
        code, out, err = annotator(hub, tmp_path, "new", tmp_path / "by-hub", "--rater", "lin")
        assert code == 0, err
        code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "by-hub", "--data-root", root, "--json")
        assert code == 0, err
        told = json.loads(out)
        assert Path(told["root"]) == root and told["report"]["dialogues"] == 6
        by_hub, by_disk = tables_of(tmp_path / "by-hub", root), tables_of(tmp_path / "by-disk", data)
        assert by_hub == by_disk
        assert len(by_disk["item"]) == 6 and len(by_disk["judge_record"]) > 50 and len(by_disk["label_log"]) > 100
        hub.asked.clear()
        code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "by-hub", "--json", HF_HUB_OFFLINE="1")
        assert (code, hub.asked, json.loads(out)["report"]["unchanged"] > 0) == (0, [], True), err


def test_a_folder_that_is_not_there_becomes_a_workspace_pinned_to_the_commit(hub: FakeHub, tmp_path: Path) -> None:
    code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws")
    assert code == 0, err
    assert COMMIT in out and "2 dialogues" in out
    with Workspace.open(tmp_path / "ws", read_only=True) as door:
        pin = door.store.desk.get("hub")[ID]
    assert (pin["revision"], pin["requested"]) == (COMMIT, "main")
    hub.repos[ID].refs["main"] = "f" * 40  # what main is now does not matter to a workspace that is pinned
    hub.asked.clear()
    code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws", "--json")
    assert (code, hub.asked, json.loads(out)["requested"]) == (0, [], "main"), err
    # The pin holds for another folder too.
    code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws", "--data-root", tmp_path / "d", "--json")
    assert (code, json.loads(out)["revision"], json.loads(out)["root"]) == (0, COMMIT, str(tmp_path / "d")), err


def test_archives_find_their_media(tmp_path: Path) -> None:
    files = contents(sources.write(tmp_path / "source"))
    files["media.zip"] = zip_bytes(("clips/street-1.mp4", b"clip"), ("deep/clips/street-2.mp4", b"clip"))
    files["bad.zip"] = zip_bytes(("../x", b"x"))
    with FakeHub({ID: Repo(files)}) as hub:
        code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws", "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["report"]["assets"]["ok"] == 2  # both turns of street-1
    assert told["refused"] and "bad.zip" in err and told["refused"][0] in told["report"]["notes"]
    assert not [note for note in told["report"]["notes"] if note.startswith("media.zip is of no known kind")]


@pytest.mark.parametrize("asked", ["lab/nothing", "noname"])
def test_a_refusal_is_one_sentence_with_exit_1(hub: FakeHub, tmp_path: Path, asked: str) -> None:
    code, out, err = annotator(hub, tmp_path, "fetch", asked, tmp_path / "ws", "--json")
    assert code == 1
    assert asked in err and err.count("\n") == 1 and "Traceback" not in err
    assert json.loads(out)["error"] in err
    assert (tmp_path / "ws").exists() == (asked != "noname")


def test_what_holds_no_records_is_refused_by_the_import(tmp_path: Path) -> None:
    with FakeHub({ID: Repo({"config.json": b"{}", "README.md": b"x"})}) as hub:
        code, _, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws")
    assert code == 1 and "nothing to import" in err


def test_a_token_is_in_no_file_and_no_word(hub: FakeHub, tmp_path: Path) -> None:
    secret = "hf_" + "Zz9" * 11
    hub.repos[ID].token = secret
    code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws", HF_TOKEN=secret, HF_DEBUG="1")
    assert code == 0, err
    assert secret not in out
    held = [p for p in tmp_path.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()]
    assert held == []


def largest(parts: Path) -> int:
    """The size of the largest beginning of a file; small files may come to their end meanwhile."""
    sizes = [0]
    for part in parts.glob("*.part"):
        with suppress(FileNotFoundError):
            sizes.append(part.stat().st_size)
    return max(sizes)


def test_a_kill_in_the_middle_costs_only_what_was_on_its_way(hub: FakeHub, tmp_path: Path) -> None:
    held = hub.repos[ID]
    big = bytes(n % 251 for n in range(400_000))
    held.commits[COMMIT] = {**held.files, "big.mp4": big}
    held.slow["big.mp4"] = 0.02
    parts = tmp_path / "ws" / "data" / "bench" / ".fetch" / "parts"
    kept = 0
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", RUN, "fetch", ID, str(tmp_path / "ws")], cwd=ROOT,
            env=environment(hub.endpoint, tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as running:  # fmt: skip
            while running.poll() is None and largest(parts) < kept + 40_000:
                time.sleep(0.005)
            running.kill()
        assert kept < largest(parts) < len(big)
        kept = largest(parts)
    held.slow.clear()
    hub.asked.clear()
    code, _, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "ws", "--json")
    assert code == 0, err
    assert [r for _, path, r, _ in hub.asked if path.endswith("big.mp4")] == [f"bytes={kept}-"]
    assert (tmp_path / "ws" / "data" / "bench" / "big.mp4").read_bytes() == big


def test_the_address_of_a_page_names_dataset_and_revision(hub: FakeHub, tmp_path: Path) -> None:
    page = f"https://hub.example/datasets/{ID}/tree/{COMMIT}"
    code, out, err = annotator(hub, tmp_path, "fetch", page, tmp_path / "ws", "--json")
    assert (code, json.loads(out)["repo_id"], json.loads(out)["requested"]) == (0, ID, COMMIT), err


@pytest.mark.parametrize("above", [".", "ws"])
def test_the_workspace_itself_is_no_data_folder(hub: FakeHub, tmp_path: Path, above: str) -> None:
    root = tmp_path / "x" / above
    code, _, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "x" / "ws", "--data-root", root)
    assert code == 1 and "holds the workspace itself" in err and hub.asked == []


def test_a_line_of_progress_says_what_is_known() -> None:
    assert Line.text(Step("look")) == "Looking at the Hub"
    assert Line.text(Step("look", pause=61.0)) == "Waiting for the Hub: the next try is in 0:01:01"
    text = Line.text(Step("fetch", 1_500, 3_000_000_000, 1, 2, 2_500_000.0, 3700.0, "a.mp4"))
    assert text == "Fetching   0 %  1.5 kB of 3.0 GB  2.5 MB/s  1:01:40 left  a.mp4"
    assert Line.text(Step("unpack", 5, 10, 0, 1, 0.0, None, "a.zip")) == "Unpacking  50 %  a.zip"


def test_a_line_of_progress_never_wraps(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "50")
    line = Line()
    line(Step("fetch", 1, 2, 0, 1, 1.0, 1.0, "视频" * 40))
    told = capsys.readouterr().err.removeprefix("\r\x1b[K")
    assert say.width(told) <= 49 and told.endswith("…")
