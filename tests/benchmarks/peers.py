"""Programs of others on the same work, in the same run: labelme opens a 42 MP picture, mpv seeks exactly.

They are put into a folder outside the tree (pip into an environment of its own, Debian's packages unpacked, nothing
installed), and what they took is recorded with versions and date, to be printed where they are not measured again.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Row

RECORD = Path(__file__).with_name("peers.json")
SCRATCH = Path(tempfile.gettempdir()) / "rubric-annotator-peers"
SEEKS, OPENED = 8, 3
LABELME = """
import json, os, sys, time
os.environ.update(QT_QPA_PLATFORM="offscreen", HOME=sys.argv[2])
from PyQt5 import QtWidgets
app = QtWidgets.QApplication([])
from labelme.app import MainWindow
window = MainWindow()
window.resize(1920, 1080)
window.show()
app.processEvents()
took = []
for _ in range(int(sys.argv[3])):
    start, own = time.perf_counter(), time.process_time()
    window._load_file(sys.argv[1])
    app.processEvents()
    window.repaint()
    took.append((1000 * (time.perf_counter() - start), 1000 * (time.process_time() - own)))
print(json.dumps(took), flush=True)
os._exit(0)
"""


class NotHereError(Exception):
    """A peer could not be put here or run; the text says why in one line."""


def command(words: list[str], seconds: float = 600, **more: Any) -> str:
    """What a command prints; NotHereError with its last line if it fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=seconds, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotHereError(f"{Path(words[0]).name}: {error}") from error
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise NotHereError(f"{Path(words[0]).name}: {lines[-1] if lines else f'exit {done.returncode}'}")
    return done.stdout


# ------------------------------------------------------------------------------------------------------------ labelme
def labelme(scratch: Path, picture: Path) -> dict[str, Any]:
    """Milliseconds, on the clock and of CPU, from asking for a picture until it is painted."""
    python = scratch / "labelme" / "bin" / "python"
    if not python.exists():
        command([sys.executable, "-m", "venv", str(scratch / "labelme")])
        command([str(python), "-m", "pip", "install", "-qq", "labelme"], seconds=900)
    home = scratch / "home"
    home.mkdir(exist_ok=True)
    printed = command([str(python), "-c", LABELME, str(picture), str(home), str(OPENED)], seconds=300)
    took = json.loads(printed.strip().splitlines()[-1])
    version = command([str(python), "-c", "import importlib.metadata as m; print(m.version('labelme'))"]).strip()
    return {
        "version": version,
        "wall_ms": statistics.median(wall for wall, _ in took),
        "cpu_ms": statistics.median(own for _, own in took),
    }


# ---------------------------------------------------------------------------------------------------------------- mpv
def mpv(scratch: Path, clip: Path) -> dict[str, Any]:
    """Milliseconds of exact seeks in a 1080p clip, without painting."""
    program, env = put_mpv(scratch / "mpv")
    version = command([program, "--version"], env=env).split()[1]
    rng = random.Random(1)
    # The same frames as `media_video` seeks, at their times.
    from tests.benchmarks.media_video import COUNT, FPS

    targets = [rng.randrange(COUNT) / FPS for _ in range(SEEKS + 1)]
    with tempfile.TemporaryDirectory() as folder, playing(program, env, clip, Path(folder) / "socket") as (pid, talk):
        taken = [seek(pid, talk, at) for at in targets][1:]
    return {
        "version": version,
        "wall_ms": statistics.median(wall for wall, _ in taken),
        "cpu_ms": statistics.median(own for _, own in taken),
    }


def put_mpv(folder: Path) -> tuple[str, dict[str, str]]:
    """The program and its environment: the system's own, else Debian's packages unpacked into a folder."""
    there = shutil.which("mpv")
    if there is not None:
        return there, dict(os.environ)
    root, held = folder / "root", folder / "debs"
    if not (root / "usr/bin/mpv").exists():
        (held / "partial").mkdir(parents=True, exist_ok=True)
        command([
            "apt-get", "-y", "-q", "--no-install-recommends", "--download-only", "-o", "Debug::NoLocking=1",
            "-o", f"Dir::Cache::archives={held}", "install", "mpv",
        ])  # fmt: skip
        for package in sorted(held.glob("*.deb")):
            command(["dpkg", "-x", str(package), str(root)])
    libraries = sorted({str(file.parent) for file in root.rglob("*.so*")})
    return str(root / "usr/bin/mpv"), {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries), "LC_ALL": "C"}


@contextlib.contextmanager
def playing(program: str, env: dict[str, str], clip: Path, at: Path) -> Iterator[tuple[int, Any]]:
    """A paused mpv with the clip open, its process id, and the file to talk to it."""
    words = [
        program, "--no-config", "--vo=null", "--ao=null", "--pause", "--hr-seek=yes", "--keep-open=yes",
        "--no-terminal", f"--input-ipc-server={at}", str(clip),
    ]  # fmt: skip
    process = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(60)
        limit = time.monotonic() + 60
        while True:
            try:
                line.connect(str(at))
                break
            except OSError as error:
                if time.monotonic() > limit or process.poll() is not None:
                    raise NotHereError("mpv did not open the clip") from error
                time.sleep(0.05)
        yield process.pid, line.makefile("rwb", buffering=0)
        line.close()
    finally:
        process.terminate()
        process.wait(10)


def seek(pid: int, talk: Any, seconds: float) -> tuple[float, float]:
    """One exact seek: wall and CPU milliseconds until the frame is there."""
    start, own = time.perf_counter(), cpu_s(pid)
    talk.write(json.dumps({"command": ["seek", seconds, "absolute+exact"], "request_id": 7}).encode() + b"\n")
    asked = False
    while True:
        told = json.loads(talk.readline())
        asked = asked or told.get("request_id") == 7
        if asked and told.get("event") == "playback-restart":
            return 1000 * (time.perf_counter() - start), 1000 * (cpu_s(pid) - own)


def cpu_s(pid: int) -> float:
    """CPU seconds of a process so far."""
    held = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(held[11]) + int(held[12])) / os.sysconf("SC_CLK_TCK")


# --------------------------------------------------------------------------------------------------------------- ours
def ours(picture: Path, clip: Path) -> dict[str, float]:
    """The same two by our own engine: a cold picture sharp at fit with its pyramid, and exact seeks."""
    from annotator.media import pictures, pyramid
    from annotator.media.clip import Clip
    from tests.benchmarks.media_video import COUNT

    def timed(work: Any) -> tuple[float, float]:
        start, own = time.perf_counter(), time.process_time()
        work()
        return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - own)

    def opened() -> None:
        pictures.load_preview(picture, 1920, 1080)
        pyramid.build(pictures.load_full(picture))

    first = [timed(lambda: pictures.load_preview(picture, 1920, 1080)) for _ in range(OPENED)]
    whole = [timed(opened) for _ in range(OPENED)]
    rng, seeks = random.Random(1), []
    with Clip(clip) as held:
        index = held.packet_index
    for target in [rng.randrange(COUNT) for _ in range(SEEKS + 1)]:
        with Clip(clip, index=index) as cold:
            cold.preview_at(0)
            seeks.append(timed(lambda cold=cold, target=target: cold.frame(target)))  # type: ignore[misc]
    return {
        "first_wall": statistics.median(w for w, _ in first), "first_cpu": statistics.median(c for _, c in first),
        "whole_cpu": statistics.median(c for _, c in whole), "seek_wall": statistics.median(w for w, _ in seeks[1:]),
        "seek_cpu": statistics.median(c for _, c in seeks[1:]),
    }  # fmt: skip


def measured(scratch: Path = SCRATCH) -> dict[str, Any]:
    """Peers and ours in one run, as it is recorded; a peer that cannot be had is named with the reason."""
    import PIL.Image

    from tests.benchmarks import media_images, media_video

    scratch.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {"date": time.strftime("%Y-%m-%d"), "missing": []}
    with tempfile.TemporaryDirectory() as folder:
        picture, clip = Path(folder) / "a.jpg", Path(folder) / "hd.mp4"
        PIL.Image.fromarray(media_images.scene()).save(picture, quality=90)
        media_video.make(clip)
        found["ours"] = ours(picture, clip)
        for name, work, file in (("labelme", labelme, picture), ("mpv", mpv, clip)):
            try:
                found[name] = work(scratch, file)
            except NotHereError as error:
                found["missing"].append(f"{name} could not be measured here ({error})")
    return found


def recorded() -> dict[str, Any] | None:
    """What was measured last, None where nothing was."""
    try:
        found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found


def rows_of(found: dict[str, Any]) -> list[Row]:
    """The rows of a measurement, fresh or recorded."""
    mine, made, rows = found["ours"], f"measured {found['date']}", []
    if "labelme" in found:
        peer = found["labelme"]
        beside = f"labelme {peer['version']}: {peer['cpu_ms']:.0f} ms CPU, {peer['wall_ms']:.0f} ms, window frozen"
        rows.append(Row("42 MP JPEG sharp on the screen, CPU as a multiple of labelme's", mine["first_cpu"]
                        / peer["cpu_ms"], "x", None, beside, f"ours {mine['first_cpu']:.0f} ms CPU, "
                        f"{mine['first_wall']:.0f} ms beside the window; {made}"))  # fmt: skip
        rows.append(Row("with native pixels and pyramid", mine["whole_cpu"] / peer["cpu_ms"], "x", None, beside,
                        f"ours {mine['whole_cpu']:.0f} ms CPU; {made}"))  # fmt: skip
    if "mpv" in found:
        peer = found["mpv"]
        rows.append(Row("cold exact seek, 1080p, wall as a multiple of mpv's", mine["seek_wall"] / peer["wall_ms"], "x",
                        1.1, f"mpv {peer['version']}: {peer['wall_ms']:.0f} ms, {peer['cpu_ms']:.0f} ms CPU",
                        f"ours {mine['seek_wall']:.0f} ms, {mine['seek_cpu']:.0f} ms CPU; parity is the aim; {made}",
                        "Both decode from the key frame on; ours makes a display buffer too, and asks one worker.")
                    )  # fmt: skip
    return rows
