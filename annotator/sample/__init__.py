"""The bundled sample: six small dialogues, drawn, encoded and written by code, in the benchmark's real formats.

The journey: `script` reads the text of the dialogues from `resources/sample`; `street`, `kitchen` and `packing` draw
what their clips show at any instant, `market`, `office` and `health` their pictures, all with the tools of `canvas` and
`people`; `clips` encodes the scenes with a burnt frame `counter`, `tones` makes a signal for each spoken question;
`records`, `judging`, `attributing` and `labelling` shape the data, the models' answers, the judge's scores, why they
are low, and an earlier rater's labels; `build` writes the folder. What comes out is an ordinary data folder: it is
imported like any other.

Nothing is downloaded, no model is run and nobody is shown: every person, model, judge and rater in it is invented.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from annotator.cancel import CancelToken

Progress = Callable[[int, int], None]
"""Called with (steps done, steps in all) from the thread that builds."""


@dataclass(frozen=True)
class SampleFolder:
    """Where the sample's parts are.

    Attributes:
        root: the folder; also the root its media paths are relative to.
        datasets: the two dataset files, video first.
        answers: the models' Phase 1 files.
        judgements: the judge's turn and session files; `attributions`: why their scores are low.
        labels: label lines of an earlier rater.
        media: all clips, images and sounds.
    """

    root: Path
    datasets: tuple[Path, ...]
    answers: tuple[Path, ...]
    judgements: tuple[Path, ...]
    attributions: tuple[Path, ...]
    labels: Path
    media: tuple[Path, ...]


def build_sample(into: Path, token: CancelToken | None = None, progress: Progress | None = None) -> SampleFolder:
    """Write the sample into the folder `into`; a whole sample that is already there is left as it is.

    Takes some seconds the first time. What is half written after a fault or a cancel is written anew by the next call.

    Raises:
        WorldError: the folder cannot be written, or the disk is full.
        Cancelled: the token said so.
    """
    from annotator.sample.build import build  # numpy, Pillow and PyAV are for those who build, not for a start

    return build(into, token, progress)
