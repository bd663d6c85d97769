"""Opening containers of video and sound: what cannot be opened becomes a sentence."""

from __future__ import annotations

import os

import av
import av.container
from av.stream import Disposition
from av.video.stream import VideoStream

from annotator.errors import WorldError
from annotator.media.sniff import is_text, name_of, read_head, sniff


def open_container(path: str | os.PathLike[str]) -> av.container.InputContainer:
    """Open a file for reading frames; a sentence for what is no video, incomplete or has no picture."""
    where = os.fspath(path)
    head = read_head(path)
    if sniff(head) == "markup":
        raise WorldError(
            f"{name_of(path)} is a web page, not a video: the download went wrong, get it again.",
            code="media_not_media",
            path=where,
        )
    container = open_by_av(where)
    if container is None:
        raise WorldError(_cannot_open(path, head), code="media_damaged", path=where)
    if not pictures_of(container):
        what = "holds sound only, no picture" if container.streams.audio else "holds no picture"
        container.close()
        raise WorldError(f"{name_of(path)} {what}: a video is needed here.", code="media_no_picture", path=where)
    # A codec this build has no decoder for leaves the stream without one.
    context: object = pictures_of(container)[0].codec_context
    if context is None:
        container.close()
        raise WorldError(
            f"{name_of(path)} is damaged or in a codec unknown here: get it again or convert it to H.264.",
            code="media_undecodable",
            path=where,
        )
    return container


def pictures_of(container: av.container.InputContainer) -> list[VideoStream]:
    """The streams with moving pictures: the cover of a piece of music is a stream of pictures too, and not meant."""
    return [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]


def open_by_av(path: str) -> av.container.InputContainer | None:
    """A container of any kind, or None where the library cannot make sense of the file.

    The protocol is named, so that a colon or a percent sign in the name means nothing. A name that is not valid text
    cannot be handed over; an open file can. Texts inside the file that are not valid are no reason to fail.
    """
    try:
        return av.open("file:" + os.path.abspath(path), mode="r", metadata_errors="replace")
    except UnicodeEncodeError:
        pass
    except (av.FFmpegError, OSError, ValueError):
        return None
    handle = open(path, "rb")
    try:
        return av.open(handle, mode="r", metadata_errors="replace")
    except (av.FFmpegError, OSError, ValueError):
        handle.close()
        return None


def _cannot_open(path: str | os.PathLike[str], head: bytes) -> str:
    if head[4:8] == b"ftyp":
        return f"{name_of(path)} has no index: an incomplete download, get the file again."
    if is_text(head):
        return f"{name_of(path)} is text, not a picture, clip or sound: name a media file."
    return f"{name_of(path)} is damaged or no video of any known kind: get the file again."
