"""The entry point: exit codes, and what becomes of errors.

0: done, warnings allowed. 1: the world's fault, told in one sentence. 2: wrong usage. 130: interrupted by the person.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from types import TracebackType

from annotator.cancel import Cancelled
from annotator.errors import WorldError, without_tokens

INTERRUPTED = 130
# What only the output says without a file's name: no space behind it, or a device that fails.
_OUTPUT_FAULTS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def main() -> None:
    """Run the command of the process's arguments and leave with its exit code."""
    sys.excepthook = _unexpected
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code.

    What is neither the world's fault nor wrong usage is ours, and passes through as it is.
    """
    from annotator.cli import say

    say.prepare_streams()
    logging.getLogger().addHandler(logging.NullHandler())  # what is told, `say` tells
    try:
        if not arguments:
            from annotator.cli.display import show_window

            return show_window(None)
        from annotator.cli.commands import app

        app(args=list(arguments), prog_name="annotator")
    except SystemExit as end:
        return _flushed(end.code if isinstance(end.code, int) else int(end.code is not None))
    except WorldError as error:
        say.complain(error.sentence)
        return _flushed(1)
    except Cancelled:
        return INTERRUPTED
    except KeyboardInterrupt:
        say.complain("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        return _flushed(1)
    except OSError as error:
        if error.filename is None:
            if error.errno not in _OUTPUT_FAULTS:
                raise
            say.complain(f"The output could not be written: {error.strerror}.")
            return _flushed(1)
        what = error.strerror or type(error).__name__
        say.complain(f"{os.fsdecode(error.filename)} cannot be used ({what}): check the path and its permissions.")
        return _flushed(1)
    return _flushed(0)


def _flushed(code: int) -> int:
    """Write out what is buffered; a reader that went away, or a full disk behind the output, is no crash."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered cannot be written: without this the interpreter tries again and complains.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            from annotator.cli import say

            say.complain(f"The output could not be written: {error.strerror}.")
        return code or 1
    return code


def _unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Our own mistake: a sentence with the place, the whole story on demand."""
    if os.environ.get("ANNOTATOR_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)
        return
    frames = traceback.extract_tb(trace)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    what = without_tokens(" ".join(f"{kind.__name__}: {error}".split()))[:300]
    print(
        f"Unexpected error ({what}{place}): this is a mistake of the program; set ANNOTATOR_TRACEBACK=1 and run the "
        "command again to see all of it.",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
