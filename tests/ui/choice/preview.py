"""Pictures of the page of questions, blind and revealed, to be looked at.

Run: python -m tests.ui.choice.preview FOLDER [NAME-PART]
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRect

from annotator.app import make_application
from annotator.ui import i18n, theme
from tests.helpers.driver import spin
from tests.ui.choice.bench import Bench
from tests.ui.choice.invented import FakeQuestions

SIZES = ((1366, 768), (1600, 1000), (2560, 1440))


def main(into: Path, part: str = "") -> None:
    into.mkdir(parents=True, exist_ok=True)
    app = make_application([])
    with tempfile.TemporaryDirectory() as scratch:
        for size in SIZES:
            names = [f"{size[0]}-{lang}-{look}" for lang in ("zh_CN", "en") for look in ("light", "dark")]
            if not any(part in n for n in names):
                continue
            questions = FakeQuestions(Path(scratch), count=30, models=5, size=(3680, 2456))
            questions.other_says("question:0000000000000000", "wang", "wrong", "C")
            bench = Bench(questions, size)
            for state in ("blind", "revealed"):
                if state == "revealed":
                    bench.press("c")
                    bench.press("2")
                    bench.page.stage.boxed.emit(QRect(1200, 800, 877, 104), bench.page.stage.picture.full)
                    bench.settle()
                    bench.press("j")
                for lang in ("zh_CN", "en"):
                    for look in ("light", "dark"):
                        name = f"{size[0]}-{lang}-{look}"
                        if part not in name:
                            continue
                        i18n.set_language(lang)
                        theme.set_theme(app, look)
                        bench.settle()
                        spin(250)
                        bench.grab().save(str(into / f"{state}-{name}.png"))
            bench.shut()
            spin(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
