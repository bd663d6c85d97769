"""Fetching from a stand-in on this machine: whole, pinned, cut, wrong, refused, resumed, and then never asked again."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.fakehub import COMMIT, FakeHub, Repo
from tests.helpers.fetching import Came, fetch
from tests.unit.hub.test_archives import tar_bytes, zip_bytes

ID = "lab/bench"
BIG = bytes((n * 7 + n // 251) % 256 for n in range(300_000))
FILES = {
    "README.md": b"# bench\n",
    "video_final.json": json.dumps([{"_ai_unique_id_": "1"}]).encode(),
    "clips/one.mp4": BIG,
    "clips/two.mp4": BIG[::-1],
    "图/街 1.png": b"\x89PNG",
    "empty.jsonl": b"",
}
LARGE = frozenset({"clips/one.mp4", "clips/two.mp4"})
OTHER = "abcdefabcdefabcdefabcdefabcdefabcdefabcd"


def repo(**more: Any) -> Repo:
    return Repo(FILES, large=LARGE, **more)


class Desk:
    """A data root, a person's home, and a stand-in."""

    def __init__(self, hub: FakeHub, home: Path) -> None:
        self.hub, self.home, self.root = hub, home, home / "data"

    def fetch(self, repo_id: str = ID, **asked: Any) -> dict[str, Any]:
        return self.came(repo_id, **asked).told

    def came(self, repo_id: str = ID, **asked: Any) -> Came:
        self.hub.asked.clear()
        return fetch(self.hub.endpoint, self.home, repo_id, self.root, **asked)

    def here(self) -> dict[str, bytes]:
        found = (p for p in self.root.rglob("*") if p.is_file() and ".fetch" not in p.parts)
        return {p.relative_to(self.root).as_posix(): p.read_bytes() for p in found}


@pytest.fixture
def at(tmp_path: Path) -> Any:
    """Make a desk for a repository; its server ends with the test."""
    open_ = []

    def make(of: Repo | None = None, **more: Any) -> Desk:
        hub = FakeHub({ID: of or repo(**more)})
        hub.__enter__()
        open_.append(hub)
        return Desk(hub, tmp_path)

    yield make
    for hub in open_:
        hub.__exit__(None, None, None)


def test_a_whole_repository_comes_pinned_and_then_nothing_is_asked(at: Any) -> None:
    desk = at()
    told = desk.fetch()
    assert (told["revision"], told["requested"], told["files"]) == (COMMIT, "main", len(FILES))
    assert told["fetched"] == told["size"] == sum(map(len, FILES.values()))
    assert desk.here() == FILES
    assert not any(p.is_symlink() for p in desk.root.rglob("*"))
    assert told["steps"][0][0] == "look"
    assert told["steps"][-1] == ["fetch", told["size"], told["size"], len(FILES), len(FILES)]
    assert len(desk.hub.asked) == 2 + len(FILES)
    assert all("agent" not in path and "whoami" not in path for _, path, _, _ in desk.hub.asked)
    for revision in (None, COMMIT):
        again = desk.fetch(revision=revision)
        assert desk.hub.asked == []
        assert (again["fetched"], again["imported"], again["revision"]) == (0, False, COMMIT)
    offline = desk.fetch(revision="main", env={"HF_HUB_OFFLINE": "1"})
    assert offline["revision"] == COMMIT and desk.hub.asked == []


def test_a_pinned_commit_is_listed_without_being_looked_up(at: Any) -> None:
    desk = at()
    assert desk.fetch(revision=COMMIT)["revision"] == COMMIT
    assert not [p for _, p, _, _ in desk.hub.asked if "/revision/" in p]
    assert desk.here() == FILES


def test_main_is_looked_up_anew_and_only_what_changed_is_fetched(at: Any) -> None:
    newer = {**FILES, "video_final.json": b'[{"_ai_unique_id_": "2"}]', "new.json": b"[]"}
    del newer["README.md"]
    desk = at(commits={OTHER: newer})
    desk.fetch()
    desk.hub.repos[ID].refs["main"] = OTHER
    assert desk.fetch()["revision"] == COMMIT  # nothing said: the commit that is here
    told = desk.fetch(revision="main")
    assert told["revision"] == OTHER
    assert sorted(desk.hub.files_asked()) == ["new.json", "video_final.json"]
    assert desk.here() == newer


def test_long_listings_are_read_to_the_end(at: Any) -> None:
    many = {f"images/{n:03d}.json": b"[%d]" % n for n in range(130)}
    desk = at(Repo(many))
    assert desk.fetch()["files"] == 130
    assert desk.here() == many


def test_patterns_choose_files_and_more_may_follow(at: Any) -> None:
    desk = at()
    assert desk.fetch(allow=["*.json", "图/"])["files"] == 2
    assert set(desk.here()) == {"video_final.json", "图/街 1.png"}
    desk.fetch()
    assert sorted(desk.hub.files_asked()) == sorted(set(FILES) - {"video_final.json", "图/街 1.png"})
    assert desk.here() == FILES
    desk.fetch(allow=["*.json"])  # a part of what is here whole
    assert desk.hub.asked == []
    told = desk.fetch(allow=["*.nothing"])
    assert told["code"] == "no_match" and "video_final.json" in told["error"]


def test_a_cut_connection_goes_on_where_it_stopped(at: Any) -> None:
    desk = at(cut={"clips/one.mp4": [100_000, 50_000]})
    told = desk.fetch()
    assert desk.here() == FILES
    ranges = [r for _, p, r, _ in desk.hub.asked if p.endswith("one.mp4")]
    assert ranges == ["", "bytes=100000-", "bytes=150000-"]
    assert told["fetched"] == told["size"]


def test_a_server_without_ranges_begins_anew(at: Any) -> None:
    desk = at(cut={"clips/one.mp4": [100_000]}, no_range=True)
    told = desk.fetch()
    assert desk.here() == FILES
    assert told["steps"][-1][1] == told["size"]  # what came twice is not counted twice


def test_a_lost_connection_is_told_and_the_next_call_resumes(at: Any) -> None:
    desk = at(cut={"clips/one.mp4": [120_000] + [0] * 20})
    told = desk.fetch()
    assert told["code"] == "connection" and "goes on from there" in told["error"]
    assert "clips/one.mp4" not in desk.here()
    desk.hub.repos[ID].cut.clear()
    desk.hub.repos[ID].refs["main"] = OTHER  # it moved on meanwhile: what was begun is finished
    told = desk.fetch()
    assert told["revision"] == COMMIT
    assert desk.here() == FILES
    assert [r for _, p, r, _ in desk.hub.asked if p.endswith("one.mp4")] == ["bytes=120000-"]
    assert not [p for _, p, _, _ in desk.hub.asked if "/api/" in p]
    assert not (desk.root / ".fetch" / "parts").exists()


def test_nobody_there_is_told(at: Any) -> None:
    desk = at()
    desk.hub.__exit__(None, None, None)
    told = desk.fetch()
    assert told["code"] == "connection" and "cannot be reached" in told["error"]


@pytest.mark.parametrize("path", ["clips/one.mp4", "video_final.json"], ids=["sha256", "git"])
def test_wrong_bytes_are_fetched_again(at: Any, path: str) -> None:
    desk = at(wrong={path: 1})
    desk.fetch()
    assert desk.here() == FILES
    assert desk.hub.files_asked().count(path) == 2


def test_bytes_that_stay_wrong_are_named_and_the_rest_is_kept(at: Any) -> None:
    desk = at(wrong={"clips/one.mp4": 99, "video_final.json": 99})
    told = desk.fetch()
    assert told["code"] == "wrong_bytes"
    assert "clips/one.mp4, video_final.json" in told["error"]
    assert desk.here() == {k: v for k, v in FILES.items() if k not in ("clips/one.mp4", "video_final.json")}
    desk.hub.repos[ID].wrong.clear()
    desk.fetch()
    assert sorted(desk.hub.files_asked()) == ["clips/one.mp4", "video_final.json"]
    assert desk.here() == FILES


def test_a_file_that_was_spoilt_on_the_disk_is_fetched_again(at: Any) -> None:
    desk = at()
    desk.fetch()
    (desk.root / "clips/one.mp4").write_bytes(BIG[:-1] + b"!")
    (desk.root / "README.md").write_bytes(FILES["README.md"])  # touched, but right
    told = desk.fetch()
    assert desk.hub.files_asked() == ["clips/one.mp4"]
    assert told["fetched"] == len(BIG)
    assert desk.here() == FILES


def test_files_that_are_there_already_are_checked_and_used(at: Any) -> None:
    desk = at()
    (desk.root / "clips").mkdir(parents=True)
    (desk.root / "clips/one.mp4").write_bytes(BIG)
    desk.fetch()
    assert "clips/one.mp4" not in desk.hub.files_asked()
    assert desk.here() == FILES


def test_a_strangers_file_is_not_overwritten(at: Any) -> None:
    desk = at()
    desk.root.mkdir()
    (desk.root / "video_final.json").write_bytes(b"[my own]")
    told = desk.fetch()
    assert told["code"] == "in_the_way" and "video_final.json" in told["error"]
    assert desk.here() == {"video_final.json": b"[my own]"}
    assert desk.hub.files_asked() == []


def test_one_folder_holds_one_repository(at: Any) -> None:
    desk = at()
    desk.fetch()
    told = desk.fetch("lab/other")
    assert told["code"] == "other_repo" and ID in told["error"] and desk.hub.asked == []


# --- refusals -------------------------------------------------------------------------------------------------------
SECRET = "hf_" + "a1B2" * 8


@pytest.mark.parametrize(
    ("of", "token", "asked", "code", "words"),
    [
        ({"gated": True}, "", {}, "gated", ["gated", "accept its terms", "HF_TOKEN"]),
        ({"gated": True}, SECRET, {}, "gated", ["gated", "your account has no access"]),
        ({"token": SECRET}, "", {}, "no_repo", ["no access", "HF_TOKEN"]),
        ({"token": SECRET}, "hf_someoneelse", {}, "no_repo", ["no access", "your account"]),
        ({}, "hf_bad", {}, "token", ["does not accept your token"]),
        ({}, "hf_forbidden", {}, "forbidden", ["refuses access", "may not read"]),
        ({}, "", {"repo_id": "lab/nothing"}, "no_repo", ["no dataset lab/nothing"]),
        ({}, "", {"revision": "v9"}, "no_revision", ['no revision "v9"']),
        ({}, "", {"revision": OTHER}, "no_revision", [OTHER]),
        ({}, "", {"repo_id": "no name"}, "repo_id", ["OWNER/NAME"]),
        ({}, "", {"repo_id": "../x"}, "repo_id", ["OWNER/NAME"]),
        ({"listed_path": "../evil.json"}, "", {}, "path", ["../evil.json", "nothing is fetched"]),
        ({"listed_path": "/etc/evil.json"}, "", {}, "path", ["/etc/evil.json"]),
        ({"listed_path": ".fetch/state.json"}, "", {}, "path", [".fetch/state.json"]),
    ],
)  # fmt: skip
def test_refusals_are_one_sentence_each(
    at: Any, of: dict[str, Any], token: str, asked: dict[str, Any], code: str, words: list[str]
) -> None:
    desk = at(**of)
    came = desk.came(**asked, env={"HF_TOKEN": token} if token else {})
    told = came.told
    assert told["code"] == code, told
    assert all(word in told["error"] for word in words), told["error"]
    assert "\n" not in told["error"] and told["error"].endswith(".")
    assert not token or token not in came.printed
    assert not desk.root.exists()


def test_a_token_opens_a_private_repository_and_is_kept_nowhere(at: Any) -> None:
    desk = at(token=SECRET)
    (desk.home / "hf").mkdir()
    (desk.home / "hf" / "token").write_text(SECRET)  # the Hub's own store, as "hf auth login" leaves it
    came = desk.came()
    assert came.told["files"] == len(FILES)
    assert all(authorization == f"Bearer {SECRET}" for *_, authorization in desk.hub.asked)
    assert SECRET not in came.printed
    assert not [p for p in desk.root.rglob("*") if p.is_file() and SECRET.encode() in p.read_bytes()]


def test_a_token_does_not_follow_a_redirect_to_another_host(at: Any) -> None:
    far = at(cut={"clips/one.mp4": [100_000]})
    desk = at(token=SECRET, elsewhere=far.hub.endpoint)
    desk.fetch(env={"HF_TOKEN": SECRET})
    assert desk.here() == FILES
    assert [(r, a) for _, p, r, a in far.hub.asked if p.endswith("one.mp4")] == [("", ""), ("bytes=100000-", "")]
    assert {a for *_, a in far.hub.asked} == {""}


def test_without_a_token_nothing_is_sent_as_one(at: Any) -> None:
    desk = at()
    desk.fetch()
    assert {authorization for *_, authorization in desk.hub.asked} == {""}


@pytest.mark.parametrize("where", ["revision", "tree", "clips/one.mp4"])
def test_a_busy_hub_is_waited_for_as_long_as_it_asks(at: Any, where: str) -> None:
    desk = at(fail={where: [(503, "1"), (503, ""), (429, "")]})
    began = time.monotonic()
    assert desk.fetch()["files"] == len(FILES)
    assert time.monotonic() - began > 1.0
    assert desk.here() == FILES


def test_a_hub_that_stays_busy_is_told(at: Any) -> None:
    desk = at(fail={"clips/one.mp4": [(503, "0")] * 50})
    # Files are fetched side by side: the others are here before, so that none is on its way when the busy one gives up.
    desk.fetch(allow=sorted(set(FILES) - {"clips/one.mp4"}))
    told = desk.fetch()
    assert told["code"] == "unavailable" and "503" in told["error"]
    assert desk.fetch(revision="main")["code"] == "unavailable"
    desk.hub.repos[ID].fail.clear()
    desk.fetch()
    assert desk.hub.files_asked() == ["clips/one.mp4"]
    assert desk.here() == FILES


def test_no_benchmark_in_it_is_told_with_what_was_found(at: Any) -> None:
    desk = at(Repo({"model.safetensors": b"x", "README.md": b"y", ".gitattributes": b"z"}))
    told = desk.fetch()
    assert told["code"] == "no_benchmark"
    assert "README.md, model.safetensors" in told["error"] and ".gitattributes" not in told["error"]
    assert desk.hub.files_asked() == []


def test_offline_asks_nothing_and_says_so(at: Any) -> None:
    desk = at()
    told = desk.fetch(env={"HF_HUB_OFFLINE": "1"})
    assert told["code"] == "offline" and desk.hub.asked == []
    desk.fetch(allow=["*.json"])
    (desk.root / "video_final.json").unlink()
    told = desk.fetch(allow=["*.json"], env={"HF_HUB_OFFLINE": "1"})
    assert told["code"] == "offline" and desk.hub.asked == []


def test_a_small_disk_is_told_before_anything_is_fetched(at: Any) -> None:
    desk = at()
    small = "import shutil; shutil.disk_usage = lambda p: type('D', (), {'free': 200_500_000})"
    told = desk.fetch(first=small)
    assert told["code"] == "disk_small"
    assert "600.0 kB to fetch" in told["error"] and "200.5 MB free" in told["error"]
    assert desk.hub.files_asked() == []


def test_cancelling_keeps_what_came_and_the_next_call_goes_on(at: Any) -> None:
    desk = at(slow={"clips/one.mp4": 0.02})
    told = desk.fetch(allow=["clips/one.mp4", "*.json"], stop_at=60_000)
    assert told["cancelled"]
    (part,) = (desk.root / ".fetch" / "parts").iterdir()
    kept = part.stat().st_size
    assert 0 < kept < len(BIG)
    desk.hub.repos[ID].slow.clear()
    told = desk.fetch(allow=["clips/one.mp4", "*.json"])
    assert [r for _, p, r, _ in desk.hub.asked if p.endswith("one.mp4")] == [f"bytes={kept}-"]
    assert told["fetched"] == len(BIG) - kept
    assert hashlib.sha256(desk.here()["clips/one.mp4"]).digest() == hashlib.sha256(BIG).digest()


def test_two_fetches_do_not_share_a_folder(at: Any) -> None:
    desk = at()
    lock = "from annotator.hub import state; other = state.held(Path(asked['root'])); other.__enter__()"
    assert desk.fetch(first=lock)["code"] == "busy"


# --- archives -------------------------------------------------------------------------------------------------------
def test_archives_are_unpacked_once_each_into_a_folder(at: Any) -> None:
    import gzip

    packed = gzip.compress(tar_bytes(("v/a.mp4", BIG), ("v/b.mp4", b"b")))
    half = len(packed) // 2
    files = {
        "q.json": b"[]",
        "ocr.tar.gz.part_aa": packed[:half],
        "ocr.tar.gz.part_ab": packed[half:],
        "images/data.zip": zip_bytes(("one.png", b"1"), ("One.png", b"2")),
        "evil.zip": zip_bytes(("../evil.png", b"x")),
    }
    desk = at(Repo(files, large=frozenset({"ocr.tar.gz.part_aa"})))
    told = desk.fetch()
    assert told["folders"] == [str(desk.root / "images/data"), str(desk.root / "ocr")]
    assert desk.here() == {
        **files,
        "images/data/one.png": b"1",
        "images/data/One.png": b"2",
        "ocr/v/a.mp4": BIG,
        "ocr/v/b.mp4": b"b",
    }
    assert len(told["refused"]) == 1 and told["refused"][0].startswith("evil.zip")
    assert any("images/data.zip" in note for note in told["notes"])
    assert told["steps"][-1][0] == "unpack" and told["steps"][-1][3:] == [3, 3]
    (desk.root / "ocr/v/mark").touch()
    again = desk.fetch()
    assert desk.hub.asked == [] and (desk.root / "ocr/v/mark").exists()
    assert (again["refused"], again["notes"]) == (told["refused"], told["notes"])
    assert not (desk.root.parent / "evil.png").exists()


def test_a_strangers_folder_is_not_replaced(at: Any) -> None:
    desk = at(Repo({"a.zip": zip_bytes(("x.json", b"[]"))}))
    (desk.root / "a").mkdir(parents=True)
    (desk.root / "a/mine").write_bytes(b"mine")
    told = desk.fetch()
    assert told["code"] == "in_the_way"
    assert (desk.root / "a/mine").read_bytes() == b"mine"
