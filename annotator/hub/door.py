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
from urllib.parse import quote

from annotator.cancel import CancelToken
from annotator.hub.troubles import Asked, status_of, told

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")
TIMEOUT_S: Final = 10.0
"""Longest wait for a connection, or for the next packet."""
TRIES: Final = 6
"""So many tries without a byte of progress, then it is given up."""
PAUSE_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
MAX_PAUSE_S: Final = 120.0
_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


def is_offline() -> bool:
    """Whether the person forbade requests, told without importing huggingface_hub."""
    chosen = os.environ.get("HF_HUB_OFFLINE") or os.environ.get("TRANSFORMERS_OFFLINE") or ""
    return chosen.strip().upper() in {"1", "ON", "YES", "TRUE"}


class Door:
    """The way to one repository."""

    def __init__(self, repo_id: str, revision: str, token: CancelToken) -> None:
        """Read the person's own token, if there is one; it is kept in this object's headers only."""
        # Before the import, where they are read: no facts about this machine are sent, no bar is drawn.
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        import huggingface_hub
        from huggingface_hub import constants
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        from annotator import __version__

        held = huggingface_hub.get_token()
        self.asked = Asked(repo_id, revision, signed_in=held is not None)
        self.token = token
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
            following = str(response.links.get("next", {}).get("url", ""))
            # Our token goes to the Hub and nowhere else.
            return response.json(), following if following.startswith(self._endpoint + "/") else ""

        return self.patiently(ask)

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

    def patiently(self, call: Callable[[], T], moved: Callable[[], int] = lambda: 0) -> T:
        """Try until it works or is hopeless; `moved` counts what came, and progress renews the patience.

        Raises:
            WorldError: in a sentence; Cancelled: between two tries.
        """
        import httpx2

        failed, before = 0, moved()
        while True:
            self.token.check()
            try:
                return call()
            except (httpx2.HTTPError, ConnectionError, ValueError) as error:
                failed = 1 if moved() > before else failed + 1
                before = moved()
                if not _may_pass(error) or failed >= TRIES:
                    raise told(error, self.asked) from error
                self._pause(_asked_pause(error), failed)

    def _pause(self, asked: float | None, failed: int) -> None:
        wait = PAUSE_S[min(failed, len(PAUSE_S)) - 1] if asked is None else min(asked, MAX_PAUSE_S)
        until = time.monotonic() + wait
        while (left := until - time.monotonic()) > 0:
            self.token.check()
            time.sleep(min(left, 0.05))


def _may_pass(error: Exception) -> bool:
    """Whether another try may do better."""
    import httpx2
    from huggingface_hub.errors import OfflineModeIsEnabled

    status = status_of(error)
    if status is not None:
        return status in _TRANSIENT
    if isinstance(error, OfflineModeIsEnabled | httpx2.UnsupportedProtocol | httpx2.TooManyRedirects):
        return False
    # A ValueError is an answer that is no JSON: a captive portal, or an answer cut short.
    return True


def _asked_pause(error: Exception) -> float | None:
    """The pause that the answer asks for in seconds, None where it names none."""
    response = getattr(error, "response", None)
    raw = response.headers.get("retry-after") if response is not None else None
    if raw is None:
        return None
    if raw.strip().isdecimal():
        return float(raw)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(raw).timestamp() - time.time())
    except ValueError:
        return None
