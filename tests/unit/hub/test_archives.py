"""Archives of all kinds: those of tests/data/media with their right outcome, and what else the world sends."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import Refused, WorldError
from annotator.hub import archives
from annotator.hub.unpacking import Limits

DATA = Path(__file__).parents[2] / "data" / "media"
CASES = [c for c in json.loads((DATA / "media-cases.json").read_text("utf-8"))["cases"] if c["kind"] == "archive"]

# What is kept of the cases that are not refused as a whole: every file, with a word that the notes must hold.
KEPT = {
    "M29-case": ({"dialogue.json", "images/ok.png", "images/OK.PNG"}, "differ by case"),
    "M29-crc": ({"dialogue.json", "图/[1] a#b%20.png"}, "images/ok.png"),
    "M29-dup": ({"dialogue.json", "images/ok.png"}, "images/ok.png"),
    "M29-lie": ({"dialogue.json", "images/ok.png"}, "images/lie.png"),
}


def tree(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() or p.is_symlink()}


def unpack(root: Path, **more: Any) -> tuple[Path, archives.Unpacked]:
    """Unpack the one archive of a folder."""
    (archive,) = archives.find(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
    made = archives.unpack(archive, root, root / ".scratch", **more)
    assert not (root / ".scratch").exists()
    return root / archive.folder, made


@pytest.fixture(scope="session")
def case_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("archive-cases")
    with tarfile.open(DATA / "media.tar.gz") as tar:
        wanted = [m for m in tar.getmembers() if m.name.removeprefix("./").startswith("archives/")]
        tar.extractall(root, members=wanted, filter="data")
    return root


def test_all_archive_cases_are_known() -> None:
    assert len(CASES) == 10
    assert {c["id"] for c in CASES if c["policy"] != "refuse"} == set(KEPT)


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_a_case_comes_to_its_right_end(case: dict[str, Any], case_files: Path, tmp_path: Path) -> None:
    name = Path(case["files"][0]).name
    root = tmp_path / "deep" / "root"
    root.mkdir(parents=True)
    (root / name).write_bytes((case_files / case["files"][0]).read_bytes())
    (tmp_path / "deep" / "outside").mkdir()
    (tmp_path / "deep" / "outside" / "secret.png").write_bytes(b"secret")
    around = tree(tmp_path)
    if case["policy"] == "refuse":
        with pytest.raises(Refused) as told:
            unpack(root)
        assert name in told.value.sentence
        assert tree(tmp_path) == around
    else:
        folder, made = unpack(root)
        files, word = KEPT[case["id"]]
        assert tree(folder) == files
        assert any(name in note and word in note for note in made.notes)
        assert tree(tmp_path) - tree_of(folder, tmp_path) == around
        assert all((folder / n).read_bytes().startswith(b"\x89PNG") for n in files if n.lower().endswith(".png"))
    for outside in case["expect"]["must_not_exist"]:
        assert not (root / outside).exists()


def tree_of(folder: Path, top: Path) -> set[str]:
    return {(folder / name).relative_to(top).as_posix() for name in tree(folder)}


def test_of_two_files_of_one_name_the_first_is_kept(case_files: Path, tmp_path: Path) -> None:
    (tmp_path / "dup.zip").write_bytes((case_files / "archives/dup.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "dup.zip") as source:
        first = source.read(source.infolist()[1])
    folder, made = unpack(tmp_path)
    assert (folder / "images/ok.png").read_bytes() == first
    assert made.files == 2


# --- tar ------------------------------------------------------------------------------------------------------------
Member = tuple[str, Any]


def tar_bytes(*members: Member) -> bytes:
    """A tar of (name, content) or (name, (type, link target))."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
            else:
                info.type, info.linkname = content
                tar.addfile(info)
    return out.getvalue()


def xz(data: bytes) -> bytes:
    return lzma.compress(data)


@pytest.mark.parametrize(
    ("name", "pack"),
    [("a.tar", bytes), ("a.tar.gz", gzip.compress), ("a.tgz", gzip.compress), ("a.tar.bz2", bz2.compress),
     ("a.tar.xz", xz), ("a.txz", xz), ("wrongly_named.zip", gzip.compress)],
)  # fmt: skip
def test_every_packing_is_told_by_its_content(name: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(pack(tar_bytes(("videos/1.mp4", b"one" * 1000), ("图/二.png", b"two"))))
    folder, made = unpack(tmp_path)
    assert tree(folder) == {"videos/1.mp4", "图/二.png"}
    assert (folder / "videos/1.mp4").read_bytes() == b"one" * 1000
    assert (made.files, made.size, made.notes) == (2, 3003, ())
    assert folder.name == name.split(".")[0]


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_refuse_the_archive(kind: bytes, tmp_path: Path) -> None:
    (tmp_path / "d.tar").write_bytes(tar_bytes(("a.png", b"a"), ("dev", (kind, ""))))
    with pytest.raises(Refused, match=r"d\.tar .*device") as told:
        unpack(tmp_path)
    assert told.value.code == "device"
    assert tree(tmp_path) == {"d.tar"}


@pytest.mark.parametrize(
    ("name", "link"),
    [("x", (tarfile.SYMTYPE, "/etc/passwd")), ("x", (tarfile.SYMTYPE, "../out")),
     ("a/x", (tarfile.SYMTYPE, "../../out")),
     ("x", (tarfile.LNKTYPE, "../out")), ("x", (tarfile.LNKTYPE, "/etc/passwd")), ("x", (tarfile.SYMTYPE, "..\\out"))],
)  # fmt: skip
def test_links_to_the_outside_refuse_the_archive(name: str, link: tuple[bytes, str], tmp_path: Path) -> None:
    (tmp_path / "l.tar.gz").write_bytes(gzip.compress(tar_bytes(("a.png", b"a"), (name, link))))
    with pytest.raises(Refused, match=r"l\.tar\.gz") as told:
        unpack(tmp_path)
    assert told.value.code == "link"
    assert tree(tmp_path) == {"l.tar.gz"}


def test_links_inside_become_files_and_others_are_named(tmp_path: Path) -> None:
    members = (
        ("d/b.png", (tarfile.SYMTYPE, "../a.png")), ("c.png", (tarfile.LNKTYPE, "a.png")), ("a.png", b"picture"),
        ("loop", (tarfile.SYMTYPE, "loop")), ("gone", (tarfile.SYMTYPE, "no.png")), ("dir", (tarfile.SYMTYPE, "d")),
    )  # fmt: skip
    (tmp_path / "in.tar").write_bytes(tar_bytes(*members))
    folder, made = unpack(tmp_path)
    assert tree(folder) == {"a.png", "d/b.png", "c.png"}
    assert not any(p.is_symlink() for p in folder.rglob("*"))
    assert (folder / "d/b.png").read_bytes() == b"picture"
    assert all(name in made.notes[0] for name in ("loop", "gone", "dir"))


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "C:/x", "C:x", "\\x", "..\\x", "a\\..\\..\\x", "//host/x"])
def test_names_that_lead_outside_refuse_the_archive(name: str, tmp_path: Path) -> None:
    root = tmp_path / "deep" / "root"
    root.mkdir(parents=True)
    (root / "n.tar").write_bytes(tar_bytes(("a.png", b"a"), (name, b"evil")))
    with pytest.raises(Refused, match=r"n\.tar") as told:
        unpack(root)
    assert told.value.code == "outside"
    assert tree(tmp_path) == {"deep/root/n.tar"}


def test_a_header_that_asks_for_much_memory_is_damage(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 1 << 33
    (tmp_path / "h.tar").write_bytes(info.tobuf() + bytes(4096))
    with pytest.raises(Refused, match=r"h\.tar"):
        unpack(tmp_path)


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.97, -8])
def test_an_archive_that_ends_early_is_refused(cut: float, tmp_path: Path) -> None:
    noise = bytes((n * n * 7919) % 251 for n in range(60_000))
    whole = gzip.compress(tar_bytes(("a.bin", noise), ("b.bin", noise[::-1])))
    (tmp_path / "cut.tar.gz").write_bytes(whole[: int(len(whole) * cut)] if cut > 0 else whole[: int(cut)])
    with pytest.raises(Refused, match=r"cut\.tar\.gz"):
        unpack(tmp_path)
    assert tree(tmp_path) == {"cut.tar.gz"}


def test_a_flipped_byte_of_a_compressed_tar_is_found(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(tar_bytes(("a.bin", bytes(range(256)) * 40)), compresslevel=0))
    packed[len(packed) // 2] ^= 1
    (tmp_path / "flip.tar.gz").write_bytes(packed)
    with pytest.raises(Refused, match="damaged"):
        unpack(tmp_path)


# --- split ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "marks",
    [[".part_aa", ".part_ab", ".part_ac"], [".part00", ".part01", ".part02"], [".001", ".002", ".003"],
     [".part-1", ".part-2", ".part-3"], [".aa", ".ab", ".ac"], [".part_aa"]],
)  # fmt: skip
@pytest.mark.parametrize("packing", ["tar.gz", "zip"])
def test_parts_are_joined(marks: list[str], packing: str, tmp_path: Path) -> None:
    content = bytes((n * 31) % 256 for n in range(5000))
    if packing == "zip":
        packed = zip_bytes(("a/1.bin", content), ("a/2.bin", content[::-1]))
    else:
        packed = gzip.compress(tar_bytes(("a/1.bin", content), ("a/2.bin", content[::-1])))
    step = -(-len(packed) // len(marks))
    for number, mark in enumerate(marks):
        (tmp_path / f"ocr.{packing}{mark}").write_bytes(packed[number * step : (number + 1) * step])
    folder, made = unpack(tmp_path)
    assert folder == tmp_path / "ocr"
    assert made.files == 2
    assert (folder / "a/2.bin").read_bytes() == content[::-1]


@pytest.mark.parametrize(
    ("names", "missing"),
    [(["x.tar.gz.part_aa", "x.tar.gz.part_ac"], "ab"), (["x.tar.gz.part_ab"], "aa"), (["x.zip.002"], "001"),
     (["x.tar.part00", "x.tar.part02"], "01"), (["x.zip", "x.z01"], "z01")],
)  # fmt: skip
def test_a_missing_part_is_named(names: list[str], missing: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"PK\x03\x04")
    (archive,) = archives.find(names)
    with pytest.raises(Refused) as told:
        archives.unpack(archive, tmp_path, tmp_path / ".scratch")
    assert f"part {missing} is missing" in told.value.sentence
    assert told.value.code == "parts"


def test_hundreds_of_letters_are_in_order() -> None:
    marks = [chr(97 + n // 26) + chr(97 + n % 26) for n in range(60)]
    (archive,) = archives.find(f"v.tar.part_{m}" for m in reversed(marks))
    assert archive.parts == tuple(f"v.tar.part_{m}" for m in marks)
    assert not archive.missing


def test_archives_get_folders_that_nothing_else_has() -> None:
    found = archives.find(["videos.zip", "videos/a.mp4", "b/c.zip", "b/c.tar.gz", "notes.json", "a.partial"])
    assert [a.name for a in found] == ["b/c.tar.gz", "b/c.zip", "videos.zip"]
    assert len({a.folder for a in found}) == 3
    assert found[2].folder == "videos-unpacked"
    assert not archives.is_archive("a/notes.json")
    assert archives.is_archive("a/ocr_cc.tar.gz.part_ae")


# --- zip ------------------------------------------------------------------------------------------------------------
def zip_bytes(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def raw_zip(*members: tuple[bytes, bytes, bytes]) -> bytes:
    """A stored zip of (raw name, content, extra field), without the flag for UTF-8."""
    out, directory = b"", b""
    for name, content, extra in members:
        facts = struct.pack("<IIIHH", zlib.crc32(content), len(content), len(content), len(name), len(extra))
        directory += struct.pack("<IHHHHHH", 0x02014B50, 20, 20, 0, 0, 0, 33) + facts
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(out)) + name + extra
        out += struct.pack("<IHHHHH", 0x04034B50, 20, 0, 0, 0, 33) + facts + name + extra + content
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(members), len(members), len(directory), len(out), 0)
    return out + directory + end


@pytest.mark.parametrize(
    ("raw", "meant"),
    [("图片/街景.png".encode("gb18030"), "图片/街景.png"), ("图片/街景.png".encode(), "图片/街景.png"),
     ("café.png".encode("cp437"), "café.png"), (b"images\\win.png", "images/win.png")],
)  # fmt: skip
def test_names_in_other_encodings_are_read_as_they_were_meant(raw: bytes, meant: str, tmp_path: Path) -> None:
    (tmp_path / "names.zip").write_bytes(raw_zip((raw, b"x", b""), (b"plain.json", b"y", b"")))
    folder, _ = unpack(tmp_path)
    assert tree(folder) == {meant, "plain.json"}


def test_the_unicode_path_field_wins_where_it_belongs_to_the_name(tmp_path: Path) -> None:
    def field(stored: bytes, meant: str) -> bytes:
        body = b"\x01" + struct.pack("<I", zlib.crc32(stored)) + meant.encode()
        return struct.pack("<HH", 0x7075, len(body)) + body

    members = [(b"a_.png", b"1", field(b"a_.png", "a图.png")), (b"b_.png", b"2", field(b"other", "b图.png"))]
    (tmp_path / "u.zip").write_bytes(raw_zip(*members))
    folder, _ = unpack(tmp_path)
    assert tree(folder) == {"a图.png", "b_.png"}


def test_tar_names_in_gbk_are_read_as_they_were_meant(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT, encoding="gb18030") as tar:
        info = tarfile.TarInfo("视频/街.mp4")
        info.size = 1
        tar.addfile(info, io.BytesIO(b"x"))
    (tmp_path / "g.tar").write_bytes(out.getvalue())
    folder, _ = unpack(tmp_path)
    assert tree(folder) == {"视频/街.mp4"}


def test_names_that_are_too_long_are_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    long = "名" * 90 + ".png"  # 274 bytes, more than a file system takes
    (tmp_path / "long.zip").write_bytes(zip_bytes(("ok.png", b"a"), (long, b"b"), ("d/" * 1600 + "x", b"c")))
    folder, made = unpack(tmp_path)
    assert tree(folder) == {"ok.png"}
    assert "too long" in made.notes[0] and "long.zip" in made.notes[0]


def test_a_file_and_a_folder_of_one_name_are_told(tmp_path: Path) -> None:
    (tmp_path / "fd.zip").write_bytes(zip_bytes(("a", b"file"), ("a/b.png", b"x"), ("c/d", b"y"), ("c", b"z")))
    folder, made = unpack(tmp_path)
    assert tree(folder) == {"a", "c/d"}
    assert {"a/b.png", "c"} <= {word.strip(":,") for note in made.notes for word in note.split()}


def test_names_that_are_ours_are_free_for_members(tmp_path: Path) -> None:
    names = [".member", ".scratch", ".scratch.member", ".fetch/state.json"]
    (tmp_path / "a.zip").write_bytes(zip_bytes(*[(name, name.encode()) for name in names]))
    folder, made = unpack(tmp_path)
    assert {n: (folder / n).read_bytes() for n in tree(folder)} == {name: name.encode() for name in names}
    assert made.notes == ()


def test_a_password_is_told(tmp_path: Path) -> None:
    data = bytearray(zip_bytes(("a.png", b"a" * 40)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "secret.zip").write_bytes(data)
    with pytest.raises(Refused, match=r"secret\.zip is protected by a password"):
        unpack(tmp_path)


def test_archives_inside_stay_packed_and_are_told(tmp_path: Path) -> None:
    (tmp_path / "outer.zip").write_bytes(zip_bytes(("a.json", b"[]"), ("inner.zip", zip_bytes(("x", b"y")))))
    folder, made = unpack(tmp_path)
    assert tree(folder) == {"a.json", "inner.zip"}
    assert "inner.zip" in made.notes[0]


# --- bombs and stops ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("packing", ["zip", "tar.gz", "tar.xz"])
def test_a_bomb_is_refused_by_what_it_would_unpack_to(packing: str, tmp_path: Path) -> None:
    zeros = bytes(3_000_000)
    pack = {"zip": lambda: zip_bytes(("z", zeros)), "tar.gz": lambda: gzip.compress(tar_bytes(("z", zeros))),
            "tar.xz": lambda: xz(tar_bytes(("z", zeros)))}[packing]  # fmt: skip
    (tmp_path / f"bomb.{packing}").write_bytes(pack())
    with pytest.raises(Refused) as told:
        unpack(tmp_path, limits=Limits(ratio=10, free_size=1_000_000))
    assert told.value.code == "bomb"
    assert tree(tmp_path) == {f"bomb.{packing}"}
    folder, _ = unpack(tmp_path)  # the limits of everyday let three megabytes of black pass
    assert (folder / "z").stat().st_size == 3_000_000


def test_overlapping_members_are_a_bomb(tmp_path: Path) -> None:
    """Many names in the directory for one content: each is honest by itself, together they are not."""
    once = zip_bytes(("a", bytes(100_000)))
    start, end = once.index(b"PK\x01\x02"), once.index(b"PK\x05\x06")
    many = once[start:end] * 60
    tail = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 60, 60, len(many), start, 0)
    (tmp_path / "over.zip").write_bytes(once[:start] + many + tail)
    with pytest.raises(Refused) as told:
        unpack(tmp_path, limits=Limits(ratio=10, free_size=1_000_000))
    assert told.value.code == "bomb"


def test_too_many_names_are_a_bomb(tmp_path: Path) -> None:
    (tmp_path / "many.tar").write_bytes(tar_bytes(*[(f"{n}.txt", b"") for n in range(30)]))
    with pytest.raises(Refused, match="more than 20 names"):
        unpack(tmp_path, limits=Limits(members=20))


def test_a_disk_without_room_stops_it(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_bytes(("a", b"x" * 100)))
    with pytest.raises(WorldError, match="free") as told:
        unpack(tmp_path, limits=Limits(reserve=1 << 60))
    assert told.value.code == "disk_full"
    assert tree(tmp_path) == {"a.zip"}


def test_it_can_be_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(tar_bytes(("a", b"x")))
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        unpack(tmp_path, token=token)
    assert tree(tmp_path) == {"a.tar"}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"not an archive at all"])
def test_what_is_no_archive_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    for name in ("a.zip", "b.tar.gz", "c.tar"):
        root = tmp_path / name.replace(".", "")
        root.mkdir()
        (root / name).write_bytes(content)
        with pytest.raises(Refused) as told:
            unpack(root)
        assert name in told.value.sentence
        assert tree(root) == {name}


def test_again_replaces_what_was_unpacked_before(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_bytes(("old.png", b"x")))
    (archive,) = archives.find(["a.zip"])
    archives.unpack(archive, tmp_path, tmp_path / ".scratch")
    (tmp_path / "a.zip").write_bytes(zip_bytes(("new.png", b"y")))
    archives.unpack(archive, tmp_path, tmp_path / ".scratch")
    assert tree(tmp_path / "a") == {"new.png"}


@pytest.mark.parametrize("packing", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_flipped_bytes_end_in_a_sentence_or_in_named_losses(packing: str, tmp_path: Path) -> None:
    """Never another exception, never a file outside, never another content under a name that stayed."""
    members = [(f"d{n}/f{n}.txt", bytes((n * k) % 256 for k in range(700))) for n in range(4)]
    plain = tar_bytes(*members)
    pack = {"zip": lambda: zip_bytes(*members), "tar": lambda: plain, "tar.gz": lambda: gzip.compress(plain),
            "tar.bz2": lambda: bz2.compress(plain), "tar.xz": lambda: xz(plain)}[packing]  # fmt: skip
    whole, random = pack(), Random(packing)
    root = tmp_path / "root"
    root.mkdir()
    ends = set()
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(random.choice((1, 1, 2, 8))):
            data[random.randrange(len(data))] = random.randrange(256)
        (root / f"f.{packing}").write_bytes(data)
        refused = ""
        try:
            folder, made = unpack(root)
        except Refused as error:
            refused = error.sentence
        if refused:
            assert f"f.{packing}" in refused
            ends.add("refused")
        else:
            ends.add("kept" if not made.notes else "named")
            if packing == "zip":
                kept = {n: (folder / n).read_bytes() for n in tree(folder)}
                assert all(kept[name] == content for name, content in members if name in kept)
        assert {p.name for p in tmp_path.iterdir()} == {"root"}
    assert "refused" in ends
