"""Requests to the Hub: one session, our time limits, our patience, stoppable at any moment between two packets.

huggingface_hub makes the session, the headers and the errors. Its own retries sleep where nobody can stop them and may
wait for an answer without end, so waiting is done here.
"""

from __future__ import annotations

import email.utils
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote, urljoin

from annotator.cancel import CancelToken
from annotator.hub import surroundings
from annotator.hub.troubles import Asked, status_of, told, unreadable

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")
TIMEOUT_S: Final = 10.0
"""Longest wait for a connection, or for the next packet."""
TRIES: Final = 6
"""So many tries without a byte of progress, then it is given up."""
PAUSE_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
MAX_PAUSE_S: Final = 120.0
TOLD_PAUSE_S: Final = 1.5
"""A longer pause is told of, that nobody takes it for a standstill."""
_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


def is_offline() -> bool:
    """Whether the person forbade requests, told without importing huggingface_hub."""
    chosen = os.environ.get("HF_HUB_OFFLINE") or os.environ.get("TRANSFORMERS_OFFLINE") or ""
    return chosen.strip().upper() in {"1", "ON", "YES", "TRUE"}


class Door:
    """The way to one repository."""

    def __init__(
        self, repo_id: str, revision: str, token: CancelToken, waits: Callable[[float], None] = lambda seconds: None
    ) -> None:
        """Read the person's own token, if there is one; it is kept in this object's headers only.

        `waits` is told how long a pause still takes, in seconds, while there is one.

        Raises:
            WorldError: the address of the Hub, the proxy or the token that the person set cannot be used.
        """
        surroundings.prepare()
        held = surroundings.token_held()
        surroundings.open_session()
        from huggingface_hub import constants
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        from annotator import __version__

        self.asked = Asked(repo_id, revision, signed_in=held is not None)
        self.token = token
        self.waits = waits
        self._endpoint = constants.ENDPOINT
        self._headers: dict[str, str] = build_hf_headers(
            token=held or False, library_name="rubric-annotator", library_version=__version__
        )
        # What is compressed on the way cannot be resumed at a byte.
        self._headers["accept-encoding"] = "identity"

    def api(self, *parts: str) -> str:
        """An address of the Hub's interface for this repository."""
        tail = "".join("/" + quote(part, safe="") for part in parts)
        return f"{self._endpoint}/api/datasets/{self.asked.repo_id}{tail}"

    def file(self, revision: str, path: str) -> str:
        """The address of a file."""
        from huggingface_hub import hf_hub_url

        return hf_hub_url(self.asked.repo_id, path, repo_type="dataset", revision=revision)

    def json(self, url: str, params: dict[str, str] | None = None) -> tuple[Any, str]:
        """The JSON at an address, and the address of its next page ("" for none).

        Raises:
            WorldError: the Hub refuses, or cannot be reached.
        """

        def ask() -> tuple[Any, str]:
            from huggingface_hub import get_session
            from huggingface_hub.utils import hf_raise_for_status  # type: ignore[attr-defined]

            response = get_session().get(url, params=params, headers=self._headers, timeout=TIMEOUT_S)
            hf_raise_for_status(response)
            return response.json(), self._following(str(response.url), response.links.get("next", {}).get("url", ""))

        return self.patiently(ask)

    def _following(self, asked: str, following: str) -> str:
        """The address of the next page, "" for none; a mirror passes on links that name the Hub itself.

        Raises:
            WorldError: it leads elsewhere: our token goes to the Hub and nowhere else, and half a list is no list.
        """
        from huggingface_hub.utils import fix_hf_endpoint_in_url  # type: ignore[attr-defined]

        if not following:
            return ""
        here = fix_hf_endpoint_in_url(urljoin(asked, following), self._endpoint)
        if not here.startswith(self._endpoint + "/"):
            raise unreadable(self.asked)
        return here

    @contextmanager
    def stream(self, url: str, start: int) -> Iterator[httpx2.Response]:
        """The answer for a file from a byte on; its body is read by the caller. Raises the library's own errors."""
        from huggingface_hub import get_session
        from huggingface_hub.utils import hf_raise_for_status  # type: ignore[attr-defined]

        headers = {**self._headers, "range": f"bytes={start}-"} if start else self._headers
        with get_session().stream("GET", url, headers=headers, timeout=TIMEOUT_S) as response:
            if response.status_code != 416:
                hf_raise_for_status(response)
            yield response

    def patiently(self, call: Callable[[], T], moved: Callable[[], int] = lambda: 0, path: str = "") -> T:
        """Try until it works or is hopeless; `moved` counts what came, and progress renews the patience.

        `path` is the file that is asked for, to be named.

        Raises:
            WorldError: in a sentence; Cancelled: between two tries.
        """
        import httpx2

        failed, before = 0, moved()
        while True:
            self.token.check()
            try:
                return call()
            except (httpx2.HTTPError, httpx2.InvalidURL, ConnectionError, ValueError) as error:
                failed = 1 if moved() > before else failed + 1
                before = moved()
                if not _may_pass(error) or failed >= TRIES:
                    raise told(error, self.asked, path) from error
                self._pause(_asked_pause(error), failed)

    def _pause(self, asked: float | None, failed: int) -> None:
        least = PAUSE_S[min(failed, len(PAUSE_S)) - 1]  # also where "0" or a date that is over is asked for
        wait = min(max(asked or 0.0, least), MAX_PAUSE_S)
        until, told_at = time.monotonic() + wait, wait + 1 if wait >= TOLD_PAUSE_S else float("-inf")
        while (left := until - time.monotonic()) > 0:
            self.token.check()
            if left <= told_at - 1:
                told_at = left
                self.waits(left)
            time.sleep(min(left, 0.05))


def _may_pass(error: Exception) -> bool:
    """Whether another try may do better."""
    import httpx2
    from huggingface_hub.errors import OfflineModeIsEnabled

    status = status_of(error)
    if status is not None:
        return status in _TRANSIENT
    if isinstance(
        error, OfflineModeIsEnabled | httpx2.UnsupportedProtocol | httpx2.TooManyRedirects | httpx2.InvalidURL
    ):
        return False
    # A ValueError is an answer that is no JSON: a captive portal, or an answer cut short.
    return True


def _asked_pause(error: Exception) -> float | None:
    """The pause that the answer asks for in seconds, None where it names none."""
    response = getattr(error, "response", None)
    if response is None:
        return None
    raw = response.headers.get("retry-after", "").strip()
    if raw.isascii() and raw.isdecimal():
        return float(raw)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(raw).timestamp() - time.time())
    except (ValueError, OverflowError):
        return _renewal(response)


def _renewal(response: httpx2.Response) -> float | None:
    """When the person's share of requests is renewed, where an answer says that it is used up."""
    from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined]

    info = parse_ratelimit_headers(response.headers) if response.status_code == 429 else None
    return float(info.reset_in_seconds) if info is not None else None
