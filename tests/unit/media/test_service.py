"""Requests from a window: the newest wins, shared work, prefetch that yields, a bounded cache, a clean end."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError, Future, wait
from fractions import Fraction
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.media import display, pictures
from annotator.media.clip import Clip
from annotator.media.framecache import FrameCache
from annotator.media.pictures import Picture
from annotator.media.reader import Reader
from annotator.media.service import MediaService, Urgency
from annotator.media.workers import Workers
from tests.unit.media.clips import make_clip, read_number

WAIT_S = 20


class Block:
    """A value of so many bytes."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes


def png(path: Path, value: int = 50, size: tuple[int, int] = (60, 40)) -> Path:
    PIL.Image.fromarray(np.full((size[1], size[0], 3), value, np.uint8)).save(path)
    return path


@pytest.fixture
def clip_path(tmp_path: Path) -> Path:
    return make_clip(tmp_path / "c.mp4", 30, "libx264", options={"x264-params": "keyint=10:bframes=2", "crf": "20"})


def test_pictures_frames_and_sounds_come_back(tmp_path: Path, clip_path: Path) -> None:
    path = png(tmp_path / "p.png")
    with MediaService() as service:
        assert service.preview(path, 30, 30, lane="view").result(WAIT_S).pixels.shape == (20, 30, 4)
        assert service.full(path, lane="view").result(WAIT_S).scale == 1.0
        assert len(service.pyramid(path, lane="view").result(WAIT_S).levels) == 1
        frame = service.frame_at(clip_path, 1.25, lane="view").result(WAIT_S)
        assert (read_number(frame.pixels), frame.exact) == (12, True)
        assert read_number(service.frame(clip_path, 29, lane="view").result(WAIT_S).pixels) == 29
        assert service.frame(clip_path, 99, lane="view").result(WAIT_S).index == 29
        facts = service.facts(clip_path).result(WAIT_S)
        assert (len(facts.times), facts.duration, facts.width, facts.height) == (30, 3, 192, 112)
        assert facts.index_at(1.25) == 12
        assert not service.scrub(clip_path, Fraction(3, 2), lane="scrub").result(WAIT_S).exact


def test_what_is_at_hand_is_answered_in_the_calling_thread(tmp_path: Path, clip_path: Path) -> None:
    path = png(tmp_path / "p.png")
    with MediaService() as service:
        assert service.peek_preview(path, 30, 30) is None and service.peek_frame(clip_path, 0.5) is None
        service.preview(path, 30, 30).result(WAIT_S)
        again = service.preview(path, 30, 30, lane="view")
        assert again.done() and again.result() is service.peek_preview(path, 30, 30)
        service.frame_at(clip_path, 0.5).result(WAIT_S)
        assert service.frame_at(clip_path, 0.55, lane="view").done()
        peeked = service.peek_frame(clip_path, 0.55)
        assert peeked is not None and peeked.index == 5
        assert service.scrub(clip_path, 0.55, lane="scrub").result(0).exact


def test_the_whole_that_a_preview_needed_is_kept(tmp_path: Path) -> None:
    path = png(tmp_path / "p.png")
    with MediaService() as service:
        service.preview(path, 30, 30).result(WAIT_S)
        assert service.peek_full(path) is not None


def test_a_file_replaced_under_its_name_is_another_one(tmp_path: Path) -> None:
    with MediaService() as service:
        path = png(tmp_path / "p.png", 50)
        assert int(service.full(path).result(WAIT_S).pixels[0, 0, 0]) == 50
        png(path, 51, (61, 41))
        assert int(service.full(path).result(WAIT_S).pixels[0, 0, 0]) == 51


def test_what_cannot_be_shown_is_a_sentence_in_the_future(tmp_path: Path) -> None:
    with MediaService() as service:
        with pytest.raises(WorldError, match=r"gone\.png is not there"):
            service.full(tmp_path / "gone.png", lane="view").result(WAIT_S)
        with pytest.raises(WorldError, match=r"gone\.mp4 is not there"):
            service.frame_at(tmp_path / "gone.mp4", 1, lane="view").result(WAIT_S)
        # A worker outlives what it was asked.
        assert service.preview(png(tmp_path / "p.png"), 9, 9, lane="view").result(WAIT_S).scale < 1


class Gate:
    """Work that waits until it is let through or cancelled."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.open = threading.Event()
        self.cancelled = threading.Event()

    def __call__(self, token: CancelToken) -> str:
        self.started.set()
        deadline = time.monotonic() + WAIT_S
        while not self.open.wait(0.002) and time.monotonic() < deadline:
            if token.cancelled:
                self.cancelled.set()
                raise Cancelled
        return "done"


@pytest.fixture
def workers() -> Workers:
    return Workers(2, on_exit=lambda: None)


def test_the_newest_request_of_a_lane_wins_even_over_running_work(workers: Workers) -> None:
    old = Gate()
    first = workers.ask("old", old, "view", Urgency.NOW)
    assert old.started.wait(WAIT_S)
    second = workers.ask("new", lambda token: "new", "view", Urgency.NOW)
    assert second.result(WAIT_S) == "new"
    assert first.cancelled() and old.cancelled.wait(WAIT_S)
    with pytest.raises(CancelledError):
        first.result(0)
    workers.shutdown()


def test_lanes_do_not_disturb_each_other(workers: Workers) -> None:
    gate = Gate()
    first = workers.ask("a", gate, "view", Urgency.NOW)
    assert workers.ask("b", lambda token: 1, "thumbnail", Urgency.NOW).result(WAIT_S) == 1
    gate.open.set()
    assert first.result(WAIT_S) == "done"
    workers.shutdown()


def test_equal_requests_share_their_work_and_it_goes_on_while_one_still_waits(workers: Workers) -> None:
    gate, runs = Gate(), []

    def work(token: CancelToken) -> str:
        runs.append(1)
        return gate(token)

    prefetch = workers.ask("key", work, None, Urgency.LATER)
    assert gate.started.wait(WAIT_S)
    asked = workers.ask("key", work, "view", Urgency.NOW)
    workers.cancel("view")
    assert asked.cancelled() and not gate.cancelled.wait(0.05)
    gate.open.set()
    assert prefetch.result(WAIT_S) == "done" and runs == [1]
    workers.shutdown()


def test_a_request_nobody_waits_for_never_starts(workers: Workers) -> None:
    gates = [Gate(), Gate()]
    busy = [workers.ask(f"busy{i}", gate, None, Urgency.NOW) for i, gate in enumerate(gates)]
    ran: list[str] = []

    def noting(name: str) -> object:
        return lambda token: ran.append(name)

    for name in ("one", "two", "three"):
        last = workers.ask(name, noting(name), "view", Urgency.NOW)  # type: ignore[arg-type]
    for gate in gates:
        gate.open.set()
    last.result(WAIT_S)
    wait(busy, WAIT_S)
    assert ran == ["three"]
    workers.shutdown()


def test_what_can_wait_never_takes_the_last_worker(workers: Workers) -> None:
    gates = [Gate(), Gate(), Gate()]
    later = [workers.ask(i, gate, None, Urgency.LATER) for i, gate in enumerate(gates)]
    assert gates[0].started.wait(WAIT_S)
    assert not gates[1].started.wait(0.05)
    assert workers.ask("now", lambda token: "now", "view", Urgency.NOW).result(WAIT_S) == "now"
    for gate in gates:
        gate.open.set()
    assert [future.result(WAIT_S) for future in later] == ["done"] * 3
    workers.shutdown()


def test_urgent_work_goes_before_work_that_waits(workers: Workers) -> None:
    single = Workers(1, on_exit=lambda: None)
    gate = Gate()
    busy = single.ask("busy", gate, None, Urgency.NOW)
    assert gate.started.wait(WAIT_S)
    order: list[str] = []

    def noting(name: str) -> object:
        return lambda token: order.append(name)

    futures: list[Future[object]] = [
        single.ask(name, noting(name), None, urgency)  # type: ignore[arg-type, misc]
        for name, urgency in (("later", Urgency.LATER), ("soon", Urgency.SOON), ("now", Urgency.NOW))
    ]
    # Asked for again with more urgency, work that waits moves up.
    futures.append(single.ask("later", noting("later"), None, Urgency.NOW))  # type: ignore[arg-type]
    gate.open.set()
    wait([*futures, busy], WAIT_S)
    assert order == ["now", "later", "soon"]
    single.shutdown()
    workers.shutdown()


def test_the_end_waits_for_every_worker_and_closes_files(tmp_path: Path) -> None:
    closed: list[str] = []
    workers = Workers(3, on_exit=lambda: closed.append(threading.current_thread().name))
    gate = Gate()
    running = workers.ask("a", gate, "view", Urgency.NOW)
    assert gate.started.wait(WAIT_S)
    workers.shutdown()
    assert running.cancelled() and gate.cancelled.is_set() and len(closed) == 3
    assert not [t for t in threading.enumerate() if t.name.startswith("media-")]
    with pytest.raises(RuntimeError, match="shut down"):
        workers.ask("b", lambda token: 1, None, Urgency.NOW)
    workers.shutdown()


def test_a_service_can_be_shut_down_in_the_middle_of_work(tmp_path: Path, clip_path: Path) -> None:
    service = MediaService()
    futures: list[Future[object]] = [service.frame(clip_path, i) for i in range(30)]  # type: ignore[misc]
    service.shutdown()
    assert all(future.done() for future in futures)


def test_many_threads_asking_at_once_get_their_own_answers(clip_path: Path) -> None:
    with MediaService(workers=3) as service:
        wrong: list[int] = []

        def ask(seed: int) -> None:
            order = np.random.default_rng(seed).integers(0, 30, 25)
            for i in order:
                if read_number(service.frame(clip_path, int(i)).result(WAIT_S).pixels) != i:
                    wrong.append(int(i))

        threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


# ------------------------------------------------------------------------------------------------------------- cache


def test_the_cache_stays_within_its_bytes_and_drops_what_was_used_longest_ago() -> None:
    cache = FrameCache(100)
    for name in "abc":
        cache.put(name, Block(30))
    assert cache.get("a", Block) is not None
    cache.put("d", Block(30))
    assert [name in cache for name in "abcd"] == [True, False, True, True] and cache.nbytes == 90
    cache.put("a", Block(50))
    assert cache.nbytes <= 100 and "a" in cache
    cache.put("huge", Block(101))
    assert "huge" not in cache and cache.nbytes <= 100
    cache.drop("a")
    assert "a" not in cache
    cache.clear()
    assert len(cache) == 0 and cache.nbytes == 0


def test_the_cache_gives_only_the_kind_that_was_asked_for() -> None:
    cache = FrameCache(100)
    cache.put("a", Block(1))
    assert cache.get("a", Picture) is None and cache.get("a", Block) is not None


def test_the_cache_counts_right_under_many_threads() -> None:
    cache = FrameCache(10_000)

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(2000):
            key = int(rng.integers(0, 50))
            if rng.random() < 0.5:
                cache.put(key, Block(int(rng.integers(1, 900))))
            elif rng.random() < 0.2:
                cache.drop(key)
            else:
                cache.get(key, Block)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [cache.get(key, Block) for key in range(50)]
    assert cache.nbytes == sum(block.nbytes for block in kept if block is not None) <= 10_000


def test_the_budget_of_a_service_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [png(tmp_path / f"{i}.png", i, (100, 100)) for i in range(12)]
    with MediaService(byte_budget=200_000) as service:
        for path in paths:
            service.full(path).result(WAIT_S)
        assert service.cache.nbytes <= 200_000
        loads: list[object] = []
        real = pictures.load_full

        def counting(path: object, *args: object, **kwargs: object) -> Picture:
            loads.append(path)
            return real(path, *args, **kwargs)  # type: ignore[arg-type]

        monkeypatch.setattr(pictures, "load_full", counting)
        service.full(paths[-1]).result(WAIT_S)
        assert loads == []
        service.full(paths[0]).result(WAIT_S)
        assert loads == [paths[0]]


def test_what_is_wanted_now_of_a_film_goes_to_the_worker_that_showed_it_last(workers: Workers) -> None:
    """Two decoders would both run the whole film; and what can wait would lead the one that plays away."""
    names: list[str] = []

    def where(token: CancelToken) -> str:
        names.append(threading.current_thread().name)
        return names[-1]

    def of(key: str, urgency: Urgency, film: str = "film") -> str:
        return workers.ask(key, where, None, urgency, film).result(WAIT_S)

    shows = of("0", Urgency.NOW)
    assert {of(f"now{n}", Urgency.NOW) for n in range(20)} == {shows}
    rest = {of(f"soon{n}", Urgency.SOON) for n in range(5)} | {of(f"later{n}", Urgency.LATER) for n in range(5)}
    assert len(rest) == 1 and shows not in rest
    assert of("again", Urgency.NOW) == shows
    workers.shutdown()


def test_a_film_of_a_busy_worker_is_taken_up_by_the_free_one(workers: Workers) -> None:
    def where(token: CancelToken) -> str:
        return threading.current_thread().name

    own = workers.ask("first", where, None, Urgency.NOW, "film").result(WAIT_S)
    gate, other = Gate(), Gate()
    pair = [workers.ask("a", gate, None, Urgency.NOW), workers.ask("b", other, None, Urgency.NOW)]
    assert gate.started.wait(WAIT_S) and other.started.wait(WAIT_S)
    # Whichever of the two the film's own worker holds stays shut: the other one takes the film up.
    names = {thread.ident: thread.name for thread in workers._threads}
    held = next(job.key for ident, job in workers._doing.items() if names[ident] == own)
    free, shut = (other, gate) if held == "a" else (gate, other)
    asked = workers.ask("next", where, None, Urgency.NOW, "film")
    free.open.set()
    assert asked.result(WAIT_S) != own
    shut.open.set()
    wait(pair, WAIT_S)
    workers.shutdown()


def test_one_worker_does_everything_of_a_film() -> None:
    single = Workers(1, on_exit=lambda: None)
    done = [single.ask(n, lambda token: "done", None, urgency, "film") for n, urgency in enumerate(Urgency)]
    assert [future.result(WAIT_S) for future in done] == ["done"] * 3
    single.shutdown()


def test_thumbnails_of_one_group_decode_its_key_frame_once(clip_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    plain = Reader.key_frame

    def counted(reader: Reader, packet: int, token: CancelToken | None) -> object:
        decoded.append(packet)
        return plain(reader, packet, token)

    monkeypatch.setattr(Reader, "key_frame", counted)
    with Clip(clip_path) as clip:
        shown = [clip.preview_at(Fraction(tenth, 10)) for tenth in (11, 12, 13, 15, 21, 22, 12)]
    assert [(frame.index, read_number(frame.pixels)) for frame in shown] == [(10, 10)] * 4 + [(20, 20)] * 2 + [(10, 10)]
    assert len(decoded) == 2 and not any(frame.exact for frame in shown)


def test_a_played_frame_is_let_go(clip_path: Path) -> None:
    with MediaService() as service:
        service.facts(clip_path).result(WAIT_S)
        service.frame(clip_path, 4).result(WAIT_S)
        before = service.cache.nbytes
        assert service.peek_frame(clip_path, Fraction(2, 5)) is not None
        service.let_go(clip_path, 4)
        assert service.peek_frame(clip_path, Fraction(2, 5)) is None and service.cache.nbytes < before


def test_a_thumbnail_is_fitted_and_never_stands_for_its_frame(clip_path: Path) -> None:
    with MediaService() as service:
        full = service.frame(clip_path, 10).result(WAIT_S)
        service.cache.clear()
        service.facts(clip_path).result(WAIT_S)
        small = service.scrub(clip_path, Fraction(1), box=(96, 96), lane="thumb").result(WAIT_S)
        assert small.exact and small.pixels.shape == (56, 96, 4) and read_number(small.pixels) == 10
        assert service.peek_frame(clip_path, Fraction(1)) is None
        assert service.scrub(clip_path, Fraction(1), lane="scrub").result(WAIT_S).pixels.shape == full.pixels.shape


def test_a_turned_clips_thumbnail_is_turned_too(tmp_path: Path, media_root: Path) -> None:
    path = next((media_root / "videos").glob("M32-rot270*"))
    with Clip(path) as clip:
        whole, small = clip.preview_at(0), clip.preview_at(0, box=(60, 60))
        height, width = whole.pixels.shape[:2]
        assert small.pixels.shape[:2] == display.fit_size(width, height, 60, 60)[::-1]
        near = display.resize(whole.pixels, small.pixels.shape[1], small.pixels.shape[0])
        assert np.abs(near.astype(int) - small.pixels).mean() < 8
