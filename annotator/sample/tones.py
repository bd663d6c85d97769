"""A signal that stands for a spoken question. It is not speech and says nothing: the question's text is beside it.

One soft note for each sign or vowel of the question, its pitch from a five-note scale by the sign itself, a rest at
punctuation. Two questions therefore sound different, and the length of the signal follows the length of the question.
"""

from __future__ import annotations

import unicodedata
import wave
from pathlib import Path

import numpy as np
import numpy.typing as npt

SAMPLE_RATE = 16_000
_NOTE_SECONDS = 0.15
_REST_SECONDS = 0.24
_SCALE_HZ = (220.0, 247.5, 277.2, 330.0, 370.0, 440.0)


def _note(hertz: float) -> npt.NDArray[np.float64]:
    """One note with a soft start and end, between -1 and 1."""
    at = np.arange(round(SAMPLE_RATE * _NOTE_SECONDS)) / SAMPLE_RATE
    shape = np.sin(np.pi * at / _NOTE_SECONDS) ** 0.7
    tone = np.sin(2 * np.pi * hertz * at) + 0.3 * np.sin(4 * np.pi * hertz * at) + 0.1 * np.sin(6 * np.pi * hertz * at)
    return np.asarray(shape * tone / 1.4, dtype=np.float64)


def signal(question: str) -> npt.NDArray[np.int16]:
    """The signal of a question, int16 (samples,), mono at SAMPLE_RATE."""
    rest = np.zeros(round(SAMPLE_RATE * _REST_SECONDS))
    parts = [rest / 2]
    for sign in question:
        sounded = unicodedata.category(sign)[0] in "LN"
        parts.append(_note(_SCALE_HZ[ord(sign) % len(_SCALE_HZ)]) if sounded else rest)
    parts.append(rest / 2)
    return np.asarray(np.rint(np.concatenate(parts) * 9000), dtype=np.int16)


def write_signal(file: Path, question: str) -> None:
    """Write the signal of a question as 16-bit mono WAV."""
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(SAMPLE_RATE)
        out.writeframes(signal(question).astype("<i2").tobytes())
