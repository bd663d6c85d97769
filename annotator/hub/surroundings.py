"""What a person set for huggingface_hub around this program: the Hub's address, a proxy, certificates, a token.

The library reads them at its import and when it makes its session, and what cannot be used ends there in errors of any
kind. They are looked at here first, so that each is a sentence.
"""

from __future__ import annotations

import logging
import os
from urllib.parse import urlsplit

from annotator.errors import WorldError


def prepare() -> None:
    """Look at the Hub's address, and set how the library behaves; before its import, where it reads both.

    Raises:
        WorldError: the address is none. It is not repeated, as it may hold a password.
    """
    # It would log every address, and some of those to which the Hub sends on open a private file to anybody.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    # No facts about this machine are sent, no bar is drawn.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    address = os.environ.get("HF_ENDPOINT")
    if address is not None and not address.strip():
        del os.environ["HF_ENDPOINT"]  # set to nothing is not set
    elif address is not None and not _is_address(address):
        raise WorldError(
            "HF_ENDPOINT is no address: set it to one that begins with https://, or unset it, and start again.",
            code="endpoint",
        )


def _is_address(text: str) -> bool:
    try:
        split = urlsplit(text)
        port = split.port
    except ValueError:
        return False
    sound = text.isascii() and text.isprintable() and " " not in text
    return sound and split.scheme in ("http", "https") and bool(split.hostname) and port != 0


def token_held() -> str | None:
    """The person's own token, None where there is none.

    Raises:
        WorldError: it cannot be read, or can be none.
    """
    from huggingface_hub import constants, get_token

    try:
        held = get_token()
    except (OSError, ValueError) as error:
        raise WorldError(
            f'The token in {constants.HF_TOKEN_PATH} cannot be read: sign in anew with "hf auth login", or set '
            "HF_TOKEN.",
            code="token", path=constants.HF_TOKEN_PATH,
        ) from error  # fmt: skip
    if held is not None and not (held.isascii() and held.isprintable() and " " not in held):
        raise WorldError(
            'Your token for the Hub holds characters that no token has: sign in anew with "hf auth login", or set '
            "HF_TOKEN.",
            code="token",
        )
    return held


def open_session() -> None:
    """Let the library make its session, which reads proxies and certificates.

    Raises:
        WorldError: one of them cannot be used. No address is repeated, as it may hold a password.
    """
    import httpx2
    from huggingface_hub import get_session

    try:
        get_session()
    except ImportError as error:
        raise WorldError(
            "ALL_PROXY or HTTPS_PROXY names a SOCKS proxy, which cannot be used here: set both to an HTTP proxy, or "
            "unset them, and start again.",
            code="proxy",
        ) from error
    except (httpx2.InvalidURL, ValueError) as error:
        raise WorldError(
            "The proxy that ALL_PROXY, HTTPS_PROXY or HTTP_PROXY names is no address: correct it or unset it, and "
            "start again.",
            code="proxy",
        ) from error
    except OSError as error:
        raise WorldError(
            "The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read: correct it or unset it, and "
            "start again.",
            code="certificates",
        ) from error
