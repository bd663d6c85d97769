"""Paths stay inside the data roots, whatever a record says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from annotator.media.roots import Resolved, Roots

FILES = ("clips/a.mp4", "data/clips/a.mp4", "odd/100%.png", "odd/a#b.png", "odd/back\\slash.png", "back/slash.png",
         "odd/v1..2..png", "x/.png", ".hidden.png", "图/像.png", "odd/ends.png.", "%2e%2e/inside.png")  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root with a neighbour that nobody may look at."""
    folder = tmp_path / "root"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.png").write_bytes(b"x")
    (folder / "inside_link.png").symlink_to("clips/a.mp4")
    (folder / "absolute_link.png").symlink_to(folder / "clips" / "a.mp4")
    (folder / "out.png").symlink_to("../outside/secret.png")
    (folder / "out_absolute.png").symlink_to(tmp_path / "outside" / "secret.png")
    (folder / "out_folder").symlink_to("../outside")
    (folder / "self").symlink_to(".")
    (folder / "loop_a").symlink_to("loop_b")
    (folder / "loop_b").symlink_to("loop_a")
    (folder / "device.png").symlink_to("/dev/zero")
    (folder / "chain").symlink_to("self/out_folder")
    os.mkfifo(folder / "pipe.mp4")
    return folder


@pytest.mark.parametrize(
    ("raw", "status", "inside"),
    [
        ("clips/a.mp4", "ok", "clips/a.mp4"),
        ("clips\\a.mp4", "ok", "clips/a.mp4"),
        ("./clips//a.mp4", "ok", "clips/a.mp4"),
        ("clips/../clips/./a.mp4", "ok", "clips/a.mp4"),
        ("odd/100%.png", "ok", "odd/100%.png"),
        ("odd/a#b.png", "ok", "odd/a#b.png"),
        ("odd/back\\slash.png", "ok", "odd/back\\slash.png"),
        ("back\\slash.png", "ok", "back/slash.png"),
        ("odd/v1..2..png", "ok", "odd/v1..2..png"),
        ("x/.png", "ok", "x/.png"),
        (".hidden.png", "ok", ".hidden.png"),
        ("图/像.png", "ok", "图/像.png"),
        ("odd/ends.png.", "ok", "odd/ends.png."),
        ("%2e%2e/inside.png", "ok", "%2e%2e/inside.png"),
        ("inside_link.png", "ok", "inside_link.png"),
        ("absolute_link.png", "ok", "absolute_link.png"),
        ("self/self/self/clips/a.mp4", "ok", "self/self/self/clips/a.mp4"),
        ("/mnt/else/data/clips/a.mp4", "remapped", "data/clips/a.mp4"),
        ("E:\\x\\clips\\a.mp4", "remapped", "clips/a.mp4"),
        ("c:clips/a.mp4", "remapped", "clips/a.mp4"),
        ("//server/share/data/clips/a.mp4", "remapped", "data/clips/a.mp4"),
        ("\\\\?\\C:\\data\\clips\\a.mp4", "remapped", "data/clips/a.mp4"),
        ("file:///mnt/x/odd/100%25.png", "remapped", "odd/100%.png"),
        ("../outside/secret.png", "refused", None),
        ("clips/../../outside/secret.png", "refused", None),
        ("..\\..\\etc\\passwd", "refused", None),
        ("D:\\..\\..\\secret.png", "refused", None),
        ("/etc/passwd", "refused", None),
        ("D:/nothing/here.mp4", "refused", None),
        ("out.png", "refused", None),
        ("out_absolute.png", "refused", None),
        ("out_folder/secret.png", "refused", None),
        ("chain/secret.png", "refused", None),
        ("device.png", "refused", None),
        ("/x/out.png", "refused", None),
        ("DATA:image/png;base64,AA", "refused", None),
        ("a\0.png", "refused", None),
        ("file:///etc/passwd", "refused", None),
        ("https://example.invalid/clips/a.mp4", "url", None),
        ("S3://bucket/clips/a.mp4", "url", None),
        ("hf://datasets/x/a.mp4", "url", None),
        ("loop_a", "missing", None),
        ("pipe.mp4", "missing", None),
        ("clips", "missing", None),
        ("clips/", "missing", None),
        ("clips/a.mp4/b", "missing", None),
        ("~/clips/a.mp4", "missing", None),
        ("$HOME/a.mp4", "missing", None),
        ("%2e%2e/outside/secret.png", "missing", None),
        ("clips/none.mp4", "missing", None),
        ("x" * 300 + ".png", "missing", None),
        ("x/" * 4000 + "a.png", "missing", None),
        ("\ud800.png", "missing", None),
        ("", "missing", None),
        ("  ", "missing", None),
        (".", "missing", None),
    ],
)
def test_where_a_path_leads(root: Path, raw: str, status: str, inside: str | None) -> None:
    found = Roots([root]).resolve(raw)
    assert (found.status, found.inside) == (status, inside)
    assert found.root == (str(root) if inside else None)
    assert bool(found.reason) == (status == "refused")


@pytest.mark.parametrize("raw", [None, 7, True, ["clips/a.mp4"], {"p": 1}])
def test_what_is_no_text_is_missing(root: Path, raw: object) -> None:
    assert Roots([root]).resolve(raw) == Resolved("missing")


def test_absolute_paths_inside_a_root_are_found_as_they_stand(root: Path) -> None:
    assert Roots([root]).resolve(str(root / "data/clips/a.mp4")).status == "ok"
    link = root.parent / "link"
    link.symlink_to(root)
    found = Roots([link]).resolve(str(root / "clips/a.mp4"))
    assert (found.status, found.inside, found.root) == ("ok", "clips/a.mp4", str(link))


def test_roots_are_tried_in_order_and_the_exact_place_comes_first(root: Path) -> None:
    other = root.parent / "other"
    (other / "clips").mkdir(parents=True)
    (other / "clips" / "b.mp4").write_bytes(b"x")
    roots = Roots([root, other])
    assert roots.folders == (str(root), str(other))
    assert roots.resolve("clips/b.mp4").root == str(other)
    assert roots.resolve("/z/clips/b.mp4").status == "remapped"
    assert roots.resolve("/z/clips/a.mp4").root == str(root)


def test_without_a_stated_root_a_foreign_path_is_merely_missing(root: Path) -> None:
    roots = Roots([root], stated=False)
    assert roots.resolve("D:/nothing/here.mp4").status == "missing"
    assert roots.resolve("../outside/secret.png").status == "refused"


def test_nothing_outside_is_ever_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        looked.append(os.fspath(path))
        return real(path)

    roots = Roots([root])
    monkeypatch.setattr("annotator.media.roots.os.lstat", lstat)
    outside = str(root.parent / "outside" / "secret.png")
    links = ("out.png", "out_folder/secret.png", "chain/secret.png", "device.png")
    for raw in (*links, "../outside/secret.png", "/etc/passwd", outside, "self/../../outside/secret.png"):
        assert roots.resolve(raw).status == "refused"
    assert looked and all(path.startswith(str(root) + "/") for path in looked)


def test_many_assets_of_one_file_cost_one_look(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots = Roots([root])
    assert roots.resolve("clips/a.mp4").found
    monkeypatch.setattr("annotator.media.roots.os.lstat", lambda path: pytest.fail("looked again"))
    assert roots.resolve("clips/a.mp4").found and roots.resolve("./clips/a.mp4").found
