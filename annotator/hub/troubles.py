"""What can go wrong with the Hub, each in one sentence that says what to do."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotator.errors import WorldError

_SIGN_IN: Final = 'sign in with "hf auth login", or set HF_TOKEN'
_WHY: Final = {
    "ConnectError": "it cannot be reached",
    "ConnectTimeout": "it does not answer",
    "ReadTimeout": "nothing came for a while",
    "ProxyError": "the proxy refuses",
    "TooManyRedirects": "it is sent in a circle",
}
NO_FILE: Final = "no_file"
_AGAIN: Final = "what came so far is kept, and the next try goes on from there"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for, to be named in sentences."""

    repo_id: str
    revision: str
    signed_in: bool = False


def told(error: Exception, asked: Asked, path: str = "") -> WorldError:
    """The sentence for an answer of the Hub, or for none; `path` is the file that was asked for, "" for none.

    Only what we know goes into it, never a header or a token.
    """
    from huggingface_hub import errors

    repo, sign = asked.repo_id, f"; {_SIGN_IN}" if not asked.signed_in else ""
    if isinstance(error, errors.OfflineModeIsEnabled):
        return offline(asked)
    if isinstance(error, errors.GatedRepoError):
        why = "your account has no access yet" if asked.signed_in else "that needs an account with access"
        return WorldError(
            f"{repo} is gated, and {why}: accept its terms on its page on the Hub{sign}, then try again.", code="gated"
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return WorldError(
            f'{repo} has no revision "{asked.revision}": name one of its branches, tags or commits.', code="no_revision"
        )
    if isinstance(error, errors.RepositoryNotFoundError):
        return WorldError(
            f"There is no dataset {repo} on the Hub, or no access to it: check its name"
            f"{'; a private one needs a token: ' + _SIGN_IN if not asked.signed_in else ' and your account'}.",
            code="no_repo",
        )
    status = status_of(error)
    if path and (isinstance(error, errors.EntryNotFoundError) or status in (404, 410)):
        return WorldError(
            f"The Hub lists {path} in {repo} and then does not have it: try again later, or fetch without it.",
            code=NO_FILE,
        )
    if status is not None:
        return _by_status(status, asked, path)
    if isinstance(error, ValueError) and not isinstance(error, OSError):
        return unreadable(asked)
    why = _WHY.get(type(error).__name__, "it was cut")
    return WorldError(f"The connection to the Hub failed ({why}): {_AGAIN}.", code="connection")


def unreadable(asked: Asked) -> WorldError:
    """An answer that is not the Hub's: its own trouble, or somebody's page in its place."""
    return WorldError(
        f"The Hub's answer about {asked.repo_id} cannot be read: look whether the network wants you to sign in, and "
        "try again later.",
        code="answer",
    )


def _by_status(status: int, asked: Asked, path: str) -> WorldError:
    repo = f"{path} in {asked.repo_id}" if path else asked.repo_id
    if status == 401:
        if asked.signed_in:
            return WorldError(
                f"The Hub does not accept your token for {repo}: {_SIGN_IN}, then try again.", code="token"
            )
        return WorldError(f"The Hub wants a token for {repo}: {_SIGN_IN}, then try again.", code="token")
    if status == 403:
        why = "your token may not read it" if asked.signed_in else _SIGN_IN
        return WorldError(f"The Hub refuses access to {repo}: {why}.", code="forbidden")
    if status == 404:
        return WorldError(
            f'There is no dataset {repo} on the Hub, or no revision "{asked.revision}" of it: check both.',
            code="no_repo",
        )
    if status == 429:
        return WorldError(f"The Hub asks for a pause (429): wait some minutes; {_AGAIN}.", code="busy")
    if status >= 500:
        return WorldError(f"The Hub is not available now ({status}): try again later; {_AGAIN}.", code="unavailable")
    return WorldError(f"The Hub answered {status} for {repo}: check its name and the revision.", code="refused")


def status_of(error: Exception) -> int | None:
    """The status of an answer that is an error, None where there was no answer."""
    response: Any = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    return status if isinstance(status, int) else None


def offline(asked: Asked) -> WorldError:
    """Nothing may be asked, and not everything is here."""
    return WorldError(
        f"HF_HUB_OFFLINE is set, and {asked.repo_id} at {asked.revision} is not complete here: unset it to fetch.",
        code="offline",
    )


def of_disk(error: OSError, place: object) -> WorldError:
    """The disk refused."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return WorldError(f"The disk of {place} is full: free some space; {_AGAIN}.", code="disk_full", path=str(place))
    return WorldError(
        f"{error.filename or place} cannot be written ({error.strerror or error}): choose another data folder.",
        code="no_write", path=str(place),
    )  # fmt: skip


def in_the_way(place: Path, archive: str) -> WorldError:
    """Something that is not ours lies where an archive is to be unpacked."""
    return WorldError(
        f"{place} is in the way of what {archive} holds: move it away, or choose another data folder.",
        code="in_the_way", path=str(place),
    )  # fmt: skip


def size(count: float) -> str:
    """Bytes for people, in units of a thousand."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
