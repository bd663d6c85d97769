"""Memory follows the longest record, not the file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FILE_MB = 300
ALLOWED_MB = 200
_CHILD = """
import sys
from pathlib import Path

def peak():  # of this program alone: getrusage may tell what the parent held before exec
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])

bare = peak()
from annotator.store import create_store
from annotator.workspace.importing import import_source
store = create_store(Path(sys.argv[2]), rater="tester")
report = import_source(store, Path(sys.argv[1]))
store.close()
print(report.dialogues, report.turns, len(report.lines), (peak() - bare) // 1024)
"""


@pytest.mark.slow
def test_a_list_of_300_megabytes_stays_small(tmp_path: Path) -> None:
    text = "这是一段很长的回答。" * 1_500 + "The end. " * 500
    count = 0
    source = tmp_path / "video_final.json"
    with source.open("w", encoding="utf-8") as file:
        size = file.write("[")
        while size < FILE_MB * 1_000_000:
            entries = []
            for turn in range(4):
                entries.append({"speaker": "user", "timestamp": f"00:{turn:02d}", "text": f"question {count} {turn}"})
                answer = {
                    "speaker": "ai",
                    "timestamp": f"00:{turn:02d}",
                    "text": text,
                    "clip_path": f"clips/{count}.mp4",
                }
                entries.append(answer)
            record = {
                "_ai_unique_id_": f"d{count:06d}",
                "environment": "work_and_office_environment-desk",
                "stream_conversation": {"conversations": entries},
            }
            line = (",\n" if count else "") + json.dumps(record, ensure_ascii=False)
            file.write(line)
            size += len(line.encode("utf-8"))
            count += 1
        file.write("]")
    assert source.stat().st_size >= FILE_MB * 1_000_000
    command = [sys.executable, "-c", _CHILD, str(source), str(tmp_path / "workspace")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    dialogues, turns, lines, grown = map(int, done.stdout.split())
    assert (dialogues, turns, lines) == (count, 4 * count, 0)
    assert grown < ALLOWED_MB, f"the import took {grown} MB above the interpreter"
