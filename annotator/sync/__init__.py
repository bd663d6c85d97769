"""How labels travel: bundles that a device writes once, and the shared folder they lie in.

Blind to the store: what travels comes in and goes out as values. The format is described in docs/sync.md.
"""

from annotator.sync.bundle import (
    BundleFault,
    Contents,
    DeviceSet,
    FaultKind,
    Header,
    Trailer,
    compose,
)
from annotator.sync.folder import Found, Hub
from annotator.sync.reading import Opened, open_bundle
from annotator.sync.skew import LIMIT_S, sentence_about, skew_of

__all__ = [
    "LIMIT_S",
    "BundleFault",
    "Contents",
    "DeviceSet",
    "FaultKind",
    "Found",
    "Header",
    "Hub",
    "Opened",
    "Trailer",
    "compose",
    "open_bundle",
    "sentence_about",
    "skew_of",
]
