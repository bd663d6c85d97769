"""The room's door: light to import, blind to Qt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def imported_by(statement: str) -> set[str]:
    script = f"{statement}\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    return set(done.stdout.split())


def test_the_package_imports_no_decoder() -> None:
    assert not imported_by("import annotator.media") & {"numpy", "cv2", "av", "pyvips", "PIL", "simplejpeg"}


def test_no_part_of_it_imports_qt() -> None:
    statement = "import annotator.media.service, annotator.media.probe, annotator.media.snapshot"
    loaded = imported_by(statement)
    assert "av" in loaded and not [name for name in loaded if name.startswith("PySide6")]
