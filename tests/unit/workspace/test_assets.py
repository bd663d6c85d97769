"""Asset manifests: read from three formats, applied to what is shown and exported, local copies bound by hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.assets import AssetTerms
from annotator.errors import WorldError
from annotator.importers.manifest import is_manifest
from annotator.store import Store
from annotator.workspace.assets import MANIFEST, AssetBook
from annotator.workspace.exporting import export_labels
from annotator.workspace.listing import show_item
from annotator.workspace.views import Intent, asset_path
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import bring, codes, video, workspace, write

ENTRIES: list[dict[str, Any]] = [
    {"path": "clips/0.mp4", "source": "https://example.org/0", "terms": "CC BY 4.0", "attribution": "A. Maker",
     "release_form": "file", "takedown": False, "consent form": "no. 12", "width": 640},
    {"path": ".\\clips\\1.mp4", "source": "archive 7", "terms": "on request", "attribution": "", "release_form":
     "reference", "takedown": {"status": True, "date": "2026-03-01", "reason": "a face can be known"}},
]  # fmt: skip
CSV = (
    "path;source;terms;attribution;release_form;takedown;takedown_date;takedown_reason;consent form\n"
    'clips/0.mp4;https://example.org/0;CC BY 4.0;"A. Maker";file;no;;;no. 12\n'
    "clips/1.mp4;archive 7;on request;;reference;yes;2026-03-01;a face can be known;\n"
)


def with_dialogue(folder: Path, store: Store, **more: Any) -> Path:
    """A dialogue of two clips whose files are there."""
    for k in range(2):
        clip = folder / "root" / "clips" / f"{k}.mp4"
        clip.parent.mkdir(parents=True, exist_ok=True)
        clip.write_bytes(b"clip %d" % k)
    bring(store, write(folder / "root" / "d.json", [video("d1", **more)]), folder / "root")
    return folder / "root"


def manifest(folder: Path, form: str) -> Path:
    if form == "csv":
        (folder / "m.csv").write_text(CSV, encoding="utf-8-sig")
        return folder / "m.csv"
    if form == "object":
        return write(folder / "m.json", {"version": 1, "assets": ENTRIES})
    return write(folder / f"m.{form}", ENTRIES)


@pytest.mark.parametrize("kind", ["auto", "manifest"])
@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "object"])
def test_three_formats_say_the_same(tmp_path: Path, form: str, kind: str) -> None:
    with workspace(tmp_path) as store:
        report = bring(store, manifest(tmp_path, form), kind=kind)
        assert not report.refused and report.kind == "manifest" and report.accepted == report.new == 2
        assert report.notes == ["1 asset is under takedown: hidden from now on, and left out of exports."]
        first, second = AssetBook(store).entries
        assert (first.source, first.terms, first.attribution) == ("https://example.org/0", "CC BY 4.0", "A. Maker")
        assert first.release_form == "file" and not first.takedown and first.extra["consent form"] == "no. 12"
        assert second.by_reference and second.takedown
        assert second.takedown_text() == "2026-03-01 · a face can be known"
        again = bring(store, manifest(tmp_path, form), kind=kind)
        assert (again.new, again.revised, again.unchanged) == (0, 0, 2)


def test_a_newer_entry_takes_the_place_of_the_older_and_others_stay(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, manifest(tmp_path, "csv"))
        new = [{"path": "clips/0.mp4", "source": "s", "terms": "t", "takedown": "2026-04-04"}]
        report = bring(store, write(tmp_path / "n.json", new))
        assert (report.new, report.revised, report.unchanged) == (0, 1, 0)
        book = AssetBook(store)
        assert len(book) == 2 and book.taken_down("clips/0.mp4") and book.taken_down("clips/1.mp4")
        assert book.entries[0].takedown_reason == "2026-04-04"


@pytest.mark.parametrize(
    ("held", "taken"),
    [(True, True), (False, False), ("true", True), ("no", False), ("", False), (None, False), (1, True), (0, False),
     ("2026-01-02", True), ({"reason": "asked"}, True), ({"status": False, "reason": "asked"}, False), ({}, False)],
)  # fmt: skip
def test_what_a_takedown_may_look_like(tmp_path: Path, held: Any, taken: bool) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "m.json", [{"path": "a", "source": "s", "terms": "t", "takedown": held}]))
        assert AssetBook(store).entries[0].takedown is taken


def test_a_date_without_a_flag_is_a_takedown_and_a_plain_no_is_none(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        text = "sha256,source,terms,takedown,takedown_date\n" + f"{'a' * 64},s,t,,2026-01-01\n{'b' * 64},s,t,no,2020\n"
        (tmp_path / "m.csv").write_text(text, encoding="utf-8")
        bring(store, tmp_path / "m.csv")
        assert [t.takedown for t in AssetBook(store).entries] == [True, False]


def test_entries_that_name_nothing_and_values_that_do_not_fit_are_told(tmp_path: Path) -> None:
    entries = [
        {"source": "s", "terms": "t", "takedown": True},
        {"path": 7, "sha256": "xyz", "source": ["a"], "terms": None, "release_form": "Film", "takedown": False},
    ]
    with workspace(tmp_path) as store:
        report = bring(store, write(tmp_path / "m.jsonl", [*entries, ENTRIES[0]]))
        assert codes(report) == {"asset_unnamed": 1, "field_type": 4}
        assert report.rejected == 1 and report.accepted == 2
        odd = AssetBook(store).entries[0]
        assert odd.path == "7" and odd.release_form == "none", "what is not plainly released is not passed on"


def test_a_takedown_hides_at_once_and_from_exports(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        root = with_dialogue(tmp_path, store)
        door = Workspace(store)
        item = store.items.heads()[0].item_id
        before = door.review(item, "")
        assert all(asset_path(t.evidence[0]) is not None for t in before.turns)
        for turn, name in ((0, "clips/0.mp4"), (1, "clips/1.mp4")):
            value = {"asset": name, "time": 0.5, "frame": 1, "box": [0, 0, 4, 4]}
            door.say(item, "reference", [Intent(f"turn:{turn}", "evidence", value)], 0, "en")
        door.import_source(manifest(tmp_path, "csv"))
        view = door.review(item, "")
        assert asset_path(view.turns[0].evidence[0]) == root / "clips" / "0.mp4"
        hidden = view.turns[1].evidence[0]
        assert hidden.status == "takedown" and asset_path(hidden) is None
        assert asset_path(view.strip.stops[1].asset) is None, "the strip knows no path to it either"
        assert view.terms["clips/1.mp4"].takedown_reason == "a face can be known"
        shown = show_item(store, item)
        assert shown["turns"][1]["evidence"][0]["status"] == "takedown"
        assert shown["assets"]["clips/0.mp4"]["attribution"] == "A. Maker"
        told = export_labels(store, tmp_path / "out.jsonl")
        lines = [json.loads(line) for line in told.file.read_text("utf-8").splitlines()]
        assert [line["value"]["asset"] for line in lines] == ["clips/0.mp4"]
        assert json.loads(told.meta.read_text("utf-8"))["taken_down"] == 1
        events = export_labels(store, tmp_path / "events.jsonl", events=True)
        assert events.lines == 2, "the log itself loses nothing"
        assert before.dialogue.content() == view.dialogue.content(), "what was judged is the same"


def test_a_reference_only_asset_takes_a_local_copy_by_its_hash(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1")]))
        copy = tmp_path / "elsewhere" / "my copy.mp4"
        copy.parent.mkdir()
        copy.write_bytes(b"the very file")
        digest = hashlib.sha256(b"the very file").hexdigest()
        entries = [
            {"path": "clips/0.mp4", "sha256": digest, "source": "ask", "terms": "t", "release_form": "reference"},
            {"path": "clips/1.mp4", "source": "ask", "terms": "t", "release_form": "reference", "takedown": True},
        ]
        bring(store, write(tmp_path / "m.json", entries))
        door = Workspace(store)
        item = store.items.heads()[0].item_id
        view = door.review(item, "")
        assert asset_path(view.turns[0].evidence[0]) is None and view.terms["clips/0.mp4"].by_reference
        other = tmp_path / "other.mp4"
        other.write_bytes(b"another file")
        for name, file, match in (
            ("clips/0.mp4", other, "differs"),
            ("clips/1.mp4", copy, "takedown"),
            ("clips/9.mp4", copy, "no entry"),
            ("clips/0.mp4", tmp_path / "none", "cannot be read"),
        ):
            with pytest.raises(WorldError, match=match):
                door.bind_asset(name, file)
        bound = door.bind_asset("clips/0.mp4", copy)
        assert bound.bound_sha256 == digest
        assert asset_path(door.review(item, "").turns[0].evidence[0]) == copy
        again = Workspace(store)
        assert asset_path(again.review(item, "").turns[0].evidence[0]) == copy, "it is bound for good"
        bring(store, write(tmp_path / "m2.json", [{**entries[0], "terms": "other"}]))
        assert AssetBook(store).entries[0].bound == str(copy), "a newer manifest does not unbind"
        again.assets.unbind("clips/0.mp4")
        assert asset_path(again.review(item, "").turns[0].evidence[0]) is None and copy.exists()


@pytest.mark.parametrize("manifest_first", [True, False])
def test_entries_by_hash_alone_find_their_files_in_any_order(tmp_path: Path, manifest_first: bool) -> None:
    entry = {"sha256": hashlib.sha256(b"clip 1").hexdigest().upper(), "source": "s", "terms": "t", "takedown": True}
    with workspace(tmp_path) as store:
        file = write(tmp_path / "m.json", [entry])
        if manifest_first:
            bring(store, file)
            with_dialogue(tmp_path, store)
        else:
            with_dialogue(tmp_path, store)
            bring(store, file)
        view = Workspace(store).review(store.items.heads()[0].item_id, "")
        assert [t.evidence[0].status for t in view.turns] == ["ok", "takedown"]


def test_safety_sets_are_marked_by_manifest_or_source(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        with_dialogue(tmp_path, store)
        door = Workspace(store)
        item = store.items.heads()[0].item_id
        assert not door.review(item, "").safety
        door.import_source(
            write(tmp_path / "m.json", [{"path": "clips/1.mp4", "source": "s", "terms": "t", "safety": "yes"}])
        )
        assert door.review(item, "").safety
        bring(store, write(tmp_path / "e.json", [video("d2", conversation_meta={"safety": True})]))
        other = next(h.item_id for h in store.items.heads() if h.source_id == "d2")
        assert Workspace(store).review(other, "").safety


def test_a_folder_with_data_and_manifest_is_read_in_one_go(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    write(folder / "d.json", [video("d1")])
    manifest(folder, "csv")
    (folder / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with workspace(tmp_path) as store:
        report = bring(store, folder)
        assert report.dialogues == 1 and len(store.desk.get(MANIFEST)) == 2
        assert any("notes.csv" in note for note in report.notes)


def test_broken_tables_are_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    with workspace(tmp_path) as store:
        for text in (b"path,terms,source\n\xff\xfe\xfd,\xff\n", b'sha256,takedown\n"' + b"x" * 200_000):
            path.write_bytes(text)
            report = bring(store, path, kind="manifest")
            assert report.refused and "m.csv" in report.notes[0], report.notes
        assert store.desk.get(MANIFEST, []) == []


def test_only_manifests_are_taken_for_manifests() -> None:
    assert is_manifest(["path", "takedown"]) and is_manifest(["SHA256", "source", "terms"])
    for other in (["path"], ["source", "terms"], ["item", "score", "rater"], ["image_path", "question"], []):
        assert not is_manifest(other)
    assert AssetTerms(sha256="0" * 64).key == "sha256:" + "0" * 64
