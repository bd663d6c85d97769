"""The media of one turn of a dataset file: what it reveals, how its question sounds, what frames a model was given."""

from __future__ import annotations

from typing import Any, Final

from annotator.domain.items import Asset, AssetRole, Modality
from annotator.importers.base import Context, Sayings, asset_of, kind_of

# Where the media of a turn may lie when it has no local file: addresses, shown as text and never fetched.
_REMOTE: Final = ("gcs_url", "oss_url", "sign_url", "destPath")
_AUDIO: Final = ("user_tts_path", "human_tts_path")
_AUDIO_REMOTE: Final = ("tts_gcs_url", "tts_destPath")


def evidence_of(
    entry: dict[str, Any], modality: Modality, name: str, context: Context, sayings: Sayings
) -> tuple[Asset, ...]:
    """The clip or image that the turn reveals.

    An address stands in where there is no path at all; where the clip is absent but its compressed copy is there, the
    copy is shown under the clip's name.
    """
    keys = ("clip_path", "image_path") if modality == "video" else ("image_path", "clip_path")
    role: AssetRole = "clip" if modality == "video" else "image"
    key = next((k for k in keys if k in entry), None)
    compressed = entry.get("compressed_clip_path")
    if compressed is not None and not isinstance(compressed, str):
        sayings.say("field_type", f"expected a path, found {kind_of(compressed)}", f"{name}.compressed_clip_path")
        compressed = None
    if key is None or entry[key] is None:
        other = "compressed_clip_path" if compressed else next((k for k in _REMOTE if _is_text(entry.get(k))), None)
        if other is None and key is None:
            return ()
        key = other or key or keys[0]
    elif compressed and isinstance(entry[key], str) and context.locate(entry[key]).status == "missing":
        copy = context.locate(compressed)
        if copy.status in ("ok", "remapped"):
            field = f"{name}.compressed_clip_path"
            return (
                Asset(role=role, raw=entry[key], field=field, status="remapped", inside=copy.inside, root=copy.root),
            )
    return (asset_of(entry[key], role, f"{name}.{key}", context, sayings),)


def audio_of(entry: dict[str, Any], name: str, context: Context, sayings: Sayings) -> Asset | None:
    """The spoken question, if there is one."""
    key = next((k for k in (*_AUDIO, *_AUDIO_REMOTE) if entry.get(k) not in (None, "")), None)
    return None if key is None else asset_of(entry[key], "audio", f"{name}.{key}", context, sayings)


def frames_of(entry: dict[str, Any], name: str, context: Context, sayings: Sayings) -> tuple[Asset, ...]:
    """The prepared frames; missing ones of a turn share one line."""
    paths = entry.get("gpt_frame_paths")
    if paths is None:
        return ()
    if not isinstance(paths, list):
        sayings.say("field_type", f"expected a list of paths, found {kind_of(paths)}", f"{name}.gpt_frame_paths")
        return ()
    own = Sayings(sayings.file, sayings.record, sayings.line)
    frames = tuple(
        asset_of(path, "frame", f"{name}.gpt_frame_paths[{i}]", context, own) for i, path in enumerate(paths)
    )
    absent = [line for line in own.lines if line.code == "path_missing"]
    if len(absent) > 1:
        more = f"{absent[0].reason}, nor are {len(absent) - 1} more frames of this turn"
        absent = [absent[0].model_copy(update={"reason": more})]
    sayings.lines += [line for line in own.lines if line.code != "path_missing"] + absent
    return frames


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
