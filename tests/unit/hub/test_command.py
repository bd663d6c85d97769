"""`annotator fetch` against a stand-in: the same workspace as importing from disk, and what the words and codes are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.sample import build_sample
from annotator.workspace.workspace import Workspace
from tests.helpers.fakehub import COMMIT, FakeHub, Repo
from tests.helpers.fetching import GUARD, environment, python
from tests.unit.cli import sources
from tests.unit.hub.test_archives import zip_bytes

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


def state_of(folder: Path, root: Path) -> dict[str, Any]:
    """Everything in a workspace that comes of its sources, the data root's own name aside."""
    with Workspace.open(folder, read_only=True) as door:
        items, store = door.store.items, door.store
        rows: dict[str, Any] = {}
        for head in items.heads():
            dialogue = items.dialogue(head.item_id).model_dump_json()
            answers = [r.model_dump_json() for r in items.responders(head.item_id)]
            judged = [r.model_dump_json() for r in store.judges.records(head.item_id)]
            rows[head.item_id] = [
                t.replace(str(root), "ROOT") for t in (head.content_hash, dialogue, *answers, *judged)
            ]
        said = {(e.item_id, e.responder, e.target, e.field, repr(e.value), e.rater) for e in store.labels.events()}
        return {"rows": rows, "said": said, "totals": items.totals(), "problems": len(store.imports.problems())}


def test_fetching_the_sample_ends_in_the_workspace_of_importing_it(tmp_path: Path) -> None:
    data = tmp_path / "disk"
    build_sample(data)
    with Workspace.create(tmp_path / "by-disk", rater="lin") as door:
        door.import_source(data, media_roots=[data])
    files = contents(data)
    large = frozenset(name for name in files if name.endswith((".mp4", ".jpg")))
    with FakeHub({ID: Repo(files, large=large)}) as hub:
        code, out, err = annotator(hub, tmp_path, "new", tmp_path / "by-hub", "--rater", "lin")
        assert code == 0, err
        code, out, err = annotator(hub, tmp_path, "fetch", ID, tmp_path / "by-hub", "--json")
        assert code == 0, err
        told = json.loads(out)
        root = tmp_path / "by-hub" / "data" / "bench"
        assert Path(told["root"]) == root
        assert state_of(tmp_path / "by-hub", root) == state_of(tmp_path / "by-disk", data)
        assert told["report"]["dialogues"] == 6
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
