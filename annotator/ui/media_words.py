"""The words of the media panel: what the transport bar shows, and the note above the picture."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.domain.items import Asset
from annotator.ui.i18n import tr
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_session import MediaSession
from annotator.ui.timeline_model import Scene, TurnMark
from annotator.ui.transport import TransportState
from annotator.workspace.views import ReviewView


@dataclass(frozen=True, slots=True)
class Note:
    """What is on the stage, in words; whether it is damaged, and why."""

    text: str = ""
    damaged: bool = False
    why: str = ""


def transport_state(
    session: MediaSession, scene: Scene | None, *, audio: bool, speaking: bool, playing: bool = False
) -> TransportState:
    """The transport bar's state for what is on the stage."""
    if scene is None:
        return TransportState()
    film, gate, video = session.film(), session.gate, scene.is_video
    return TransportState(
        kind="video" if video else "image",
        at=session.at if video else None,
        duration=film.duration if film is not None else None,
        index=session.index if video else session.stop,
        count=len(film.times) if film is not None else len(gate.strip.stops),
        playing=playing,
        audio=audio,
        speaking=speaking,
        peek=gate.turn is not None and gate.locked(),
        peeking=gate.peeking,
    )


def note(session: MediaSession, scene: Scene | None, picture: ShownPicture | None, *, waiting: bool) -> Note:
    """The line above the picture. `waiting`: nothing is shown yet and no sentence either."""
    stop = session.stop
    name = scene.names[stop] if scene is not None and stop is not None else ""
    if not name or scene is None or stop is None:
        return Note()
    turn, held = scene.current, session.gate.strip.stops[stop].turns
    if waiting:
        text = tr("media.loading", name=name)
    elif turn is None:
        text = tr("media.note_session", name=name)
    elif held and turn not in held:
        text = tr("media.note_other", turn=held[0] + 1, open=turn + 1, name=name)
    else:
        text = tr("media.note_image", turn=turn + 1, name=name)
    if picture is not None and not picture.native:
        text = tr("media.note_preview", note=text)
    elif picture is not None and not session.exact:
        text = tr("media.note_nearby", note=text)
    film = session.film()
    damaged = (picture is not None and picture.damaged) or (film is not None and film.damaged)
    why = (picture.why if picture is not None else "") or (film.why if film is not None else "")
    return Note(text, damaged, session.states.veil.cover(why))


def turn_marks(view: ReviewView) -> tuple[TurnMark, ...]:
    """What the strip shows of each turn of a review."""
    return tuple(TurnMark(view.sheet.scores(f"turn:{t.index}"), t.audio is not None) for t in view.turns)


def short_name(asset: Asset) -> str:
    """The last part of an asset's path."""
    text = asset.inside or asset.raw or ""
    return text.replace("\\", "/").rsplit("/", 1)[-1]
