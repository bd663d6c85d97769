"""Hubs that answer oddly, and settings that cannot be used: a listing is whole or refused, no try goes on for ever."""

from __future__ import annotations

import email.utils
import logging
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.hub import door, listing, surroundings
from annotator.hub.door import Door
from tests.helpers.fakehub import COMMIT, Repo
from tests.unit.hub.test_fetch import BIG, FILES, ID, at

__all__ = ["at"]  # the fixture
MANY = {f"images/{n:03d}.json": b"[%d]" % n for n in range(90)}


# --- listings -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("links", ["mirror", "relative"])
def test_pages_behind_a_mirror_are_all_read(at: Any, links: str) -> None:
    desk = at(Repo(MANY, links=links))
    assert desk.fetch()["files"] == 90
    assert desk.here() == MANY


@pytest.mark.parametrize("links", ["circle", "away"])
def test_a_listing_that_does_not_come_to_its_end_is_refused(at: Any, links: str) -> None:
    desk = at(Repo(MANY, links=links))
    told = desk.fetch()
    assert told["code"] == "answer" and ID in told["error"]
    assert desk.hub.files_asked() == []


def test_a_file_that_is_listed_twice_comes_once(at: Any) -> None:
    desk = at(Repo({"a.json": b"[1]", "b.json": b"[2]"}, twice=True))
    assert desk.fetch()["files"] == 2
    assert sorted(desk.hub.files_asked()) == ["a.json", "b.json"]


def test_a_file_that_is_listed_as_two_is_refused() -> None:
    answers = [[{"type": "file", "path": "a.json", "size": n, "oid": f"{n:040x}"}] for n in (1, 2)]
    asked = SimpleNamespace(repo_id=ID)
    pages = iter([(answers[0], "more"), (answers[1], "")])
    way: Any = SimpleNamespace(asked=asked, api=lambda *parts: "", json=lambda *a: next(pages))
    with pytest.raises(WorldError) as told:
        listing.files_at(way, COMMIT)
    assert told.value.code == "answer"


# --- contents -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("content", [BIG[:-1000], BIG + b"x" * 1000, b"<html>please sign in</html>"])
def test_a_file_of_another_length_is_named_after_two_tries(at: Any, content: bytes) -> None:
    desk = at(instead={"clips/one.mp4": content})
    told = desk.fetch()
    assert told["code"] == "wrong_bytes" and "clips/one.mp4" in told["error"]
    assert desk.hub.files_asked().count("clips/one.mp4") == 2
    assert desk.here() == {path: held for path, held in FILES.items() if path != "clips/one.mp4"}


def test_a_sign_in_page_does_not_cost_what_came_before(at: Any) -> None:
    desk = at(cut={"clips/one.mp4": [120_000] + [0] * 20})
    assert desk.fetch()["code"] == "connection"
    held = desk.hub.repos[ID]
    held.cut.clear()
    held.instead["clips/one.mp4"] = b"<html>" * 30_000
    held.no_range = True  # such a page comes whole, whatever is asked for
    assert desk.fetch()["code"] == "wrong_bytes"
    held.instead.clear()
    held.no_range = False
    desk.fetch()
    assert [r for _, p, r, _ in desk.hub.asked if p.endswith("one.mp4")] == ["bytes=120000-"]
    assert desk.here() == FILES


def test_a_part_of_a_file_that_became_shorter_is_given_up(at: Any) -> None:
    desk = at(cut={"clips/one.mp4": [120_000] + [0] * 20})
    assert desk.fetch()["code"] == "connection"
    desk.hub.repos[ID].cut.clear()
    desk.hub.repos[ID].instead["clips/one.mp4"] = BIG[:100]
    assert desk.fetch()["code"] == "wrong_bytes"
    assert len(desk.hub.files_asked()) == 2


def test_a_listed_file_that_is_not_there_is_named_and_the_rest_comes(at: Any) -> None:
    desk = at(instead={"clips/one.mp4": None})
    told = desk.fetch()
    assert told["code"] == "no_file" and "clips/one.mp4" in told["error"]
    assert desk.here() == {path: held for path, held in FILES.items() if path != "clips/one.mp4"}


def test_a_refused_file_is_named(at: Any) -> None:
    desk = at(fail={"clips/one.mp4": [(403, "")]})
    told = desk.fetch()
    assert told["code"] == "forbidden" and f"clips/one.mp4 in {ID}" in told["error"]


# --- pauses ---------------------------------------------------------------------------------------------------------
NOW = 1_790_000_000.0


class Clock:
    """A clock that moves by sleeping on it."""

    def __init__(self) -> None:
        self.now = NOW

    def time(self) -> float:
        return self.now

    monotonic = time

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(door, "time", made)
    return made


def asked_pause(status: int, **headers: str) -> float | None:
    request = httpx2.Request("GET", "http://127.0.0.1/x")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = httpx2.Response(status, headers=named, request=request)
    return door._asked_pause(httpx2.HTTPStatusError("no", request=request, response=answer))


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (503, {"Retry_After": "7"}, 7.0),
        (503, {"Retry_After": email.utils.formatdate(NOW + 90, usegmt=True)}, 90.0),
        (503, {"Retry_After": email.utils.formatdate(NOW - 90, usegmt=True)}, 0.0),
        (503, {"Retry_After": "soon"}, None),
        (503, {"Retry_After": "-3"}, None),
        (503, {"Retry_After": "1.5"}, None),
        (503, {"Retry_After": "Mon, 99 Foo 2026 00:00:00 GMT"}, None),
        (503, {}, None),
        (429, {"RateLimit": '"resolvers";r=0;t=55'}, 55.0),
        (429, {"RateLimit": '"resolvers";r=0;t=55', "Retry_After": "3"}, 3.0),
        (429, {"RateLimit": "nonsense"}, None),
    ],
)  # fmt: skip
def test_the_pause_that_is_asked_for(clock: Clock, status: int, headers: dict[str, str], pause: float | None) -> None:
    assert asked_pause(status, **headers) == pause


@pytest.mark.parametrize(
    ("asked", "failed", "takes"),
    [(None, 1, 0.5), (0.0, 3, 2.0), (9.0, 1, 9.0), (1e9, 1, 120.0), (None, 99, 8.0)],
)
def test_no_pause_is_shorter_than_patience_or_longer_than_two_minutes(
    clock: Clock, asked: float | None, failed: int, takes: float
) -> None:
    told: list[float] = []
    way = Door.__new__(Door)
    way.token, way.waits = CancelToken(), told.append
    way._pause(asked, failed)
    assert clock.now - NOW == pytest.approx(takes, abs=0.001)
    if takes < door.TOLD_PAUSE_S:
        assert told == []
    else:
        assert told[0] == pytest.approx(takes)
        assert all(before - after >= 1 for before, after in pairwise(told))


def test_a_pause_is_told_of(at: Any) -> None:
    desk = at(fail={"tree": [(503, "")], "clips/one.mp4": [(503, "")]})
    steps = desk.fetch(first="door.TOLD_PAUSE_S = 0.001")["pauses"]
    assert {phase for phase, pause in steps if pause > 0} == {"look", "fetch"}


# --- what a person set ----------------------------------------------------------------------------------------------
@pytest.fixture
def own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name in ("HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS"):
        monkeypatch.setenv(name, "1")
    level = logging.getLogger("httpx2").level
    yield monkeypatch
    logging.getLogger("httpx2").setLevel(level)


@pytest.mark.parametrize(
    "address",
    ["hub.example", "http://", "ftp://127.0.0.1/x", "http://127.0.0.1:99999", "http://u:secret@h:x", "a b c"],
)
def test_an_address_that_is_none_is_told_and_not_repeated(own_environment: pytest.MonkeyPatch, address: str) -> None:
    own_environment.setenv("HF_ENDPOINT", address)
    with pytest.raises(WorldError) as told:
        surroundings.prepare()
    assert told.value.code == "endpoint"
    assert address not in told.value.sentence and "secret" not in told.value.sentence


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "https://hub.example/mirror/", "http://[::1]:80"])
def test_an_address_is_taken(own_environment: pytest.MonkeyPatch, address: str) -> None:
    own_environment.setenv("HF_ENDPOINT", address)
    surroundings.prepare()


def test_addresses_are_not_logged(own_environment: pytest.MonkeyPatch) -> None:
    surroundings.prepare()
    assert not logging.getLogger("httpx2").isEnabledFor(logging.INFO)


@pytest.mark.parametrize(
    ("env", "code", "word"),
    [
        ({"ALL_PROXY": "socks5://user:hidden@127.0.0.1:1"}, "proxy", "SOCKS"),
        ({"HTTP_PROXY": "hidden::::"}, "proxy", "is no address"),
        ({"SSL_CERT_FILE": "/no/such/hidden.pem"}, "certificates", "SSL_CERT_FILE"),
        ({"HF_TOKEN": "hf_hidden\u4e2d"}, "token", "characters that no token has"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used_are_a_sentence(at: Any, env: dict[str, str], code: str, word: str) -> None:
    desk = at()
    came = desk.came(env=env)
    assert came.told["code"] == code and word in came.told["error"]
    assert "hidden" not in came.printed
    assert desk.hub.asked == [] and not desk.root.exists()


def test_a_token_store_that_is_no_text_is_named(at: Any) -> None:
    desk = at()
    (desk.home / "hf").mkdir()
    (desk.home / "hf" / "token").write_bytes(b"\xff\xfe\0")
    told = desk.fetch()
    assert told["code"] == "token" and str(desk.home / "hf" / "token") in told["error"]


# --- names ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "repo_id", "revision"),
    [
        ("lab/bench", "lab/bench", ""),
        (" lab/bench/ ", "lab/bench", ""),
        ("https://hub.example/datasets/lab/bench", "lab/bench", ""),
        ("https://hub.example/datasets/lab/bench/?x=1#top", "lab/bench", ""),
        ("https://hub.example/datasets/lab/bench/tree/v1.2", "lab/bench", "v1.2"),
        ("https://hub.example/datasets/lab/bench/tree/refs%2Fpr%2F3/clips", "lab/bench", "refs/pr/3"),
        (f"https://hub.example/datasets/lab/bench/blob/{COMMIT}/a.json", "lab/bench", COMMIT),
        ("hf://datasets/lab/bench", "lab/bench", ""),
        ("datasets/lab/bench", "lab/bench", ""),
        ("no name", "no name", ""),
        ("", "", ""),
    ],
)
def test_the_address_of_a_page_names_its_dataset(text: str, repo_id: str, revision: str) -> None:
    assert listing.named(text) == (repo_id, revision)


def test_a_name_that_no_disk_can_hold_is_told_before_anything_is_fetched(at: Any) -> None:
    desk = at(Repo({"a.json": b"[]", "字" * 100 + ".png": b"x"}))
    told = desk.fetch()
    assert told["code"] == "path" and "too long" in told["error"] and desk.hub.files_asked() == []
    assert desk.fetch(allow=["*.json"])["files"] == 1


def test_our_own_folder_is_ours_in_any_case(at: Any) -> None:
    assert at(listed_path=".Fetch/state.json").fetch()["code"] == "path"
