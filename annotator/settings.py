"""What one person prefers on one machine: a small readable TOML file, never anything about labels.

The file is sparse (only what differs from the defaults is written) and lives in the user's configuration folder, or in
`ANNOTATOR_CONFIG_DIR` where that is set. A damaged file is set aside under another name and the defaults are used.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from annotator import resources

APP = "rubric-annotator"
ON_LINUX = sys.platform.startswith("linux")
FILE_NAME = "settings.toml"
RECENT_MAX = 12


@dataclass(frozen=True)
class Settings:
    """One person's preferences.

    Attributes:
        theme: `system`, `light` or `dark`.
        language: `system`, `en` or `zh_CN`.
        text_scale: per cent of the normal text size, 80-200.
        complete_key: the single rebindable key for complete-and-next ("" = none beside Ctrl+Enter).
        recent: workspaces, newest first, absolute paths.
        geometry: the window's geometry as Qt wrote it, base64.
    """

    theme: str = "system"
    language: str = "system"
    text_scale: int = 100
    complete_key: str = ""
    recent: tuple[str, ...] = field(default=())
    geometry: str = ""


def config_dir() -> Path:
    """The folder that holds the settings file (not made by this call)."""
    chosen = os.environ.get("ANNOTATOR_CONFIG_DIR")
    if chosen:
        return Path(chosen)
    if ON_LINUX:
        return xdg("XDG_CONFIG_HOME", ".config") / APP
    import platformdirs

    return Path(platformdirs.user_config_dir(APP, appauthor=False))


def log_dir() -> Path:
    """The folder of the log file (not made by this call)."""
    chosen = os.environ.get("ANNOTATOR_STATE_DIR")
    if chosen:
        return Path(chosen)
    if ON_LINUX:
        return xdg("XDG_STATE_HOME", ".local/state") / APP / "log"
    import platformdirs

    return Path(platformdirs.user_log_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """The folder of what can be made again at any time: previews, tiles (not made by this call)."""
    chosen = os.environ.get("ANNOTATOR_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if ON_LINUX:
        return xdg("XDG_CACHE_HOME", ".cache") / APP
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP, appauthor=False))


def xdg(variable: str, default: str) -> Path:
    """A base folder by the XDG rules: what platformdirs answers on Linux, without its import before the first paint."""
    named = os.environ.get(variable, "").strip()
    return Path(named) if named else Path("~", default).expanduser()


def load() -> Settings:
    """Read the settings; unknown or unfitting entries are ignored, a damaged file is set aside."""
    file = config_dir() / FILE_NAME
    try:
        raw = resources.read_toml(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError):
        try:
            os.replace(file, file.with_name(f"{FILE_NAME}.damaged-{int(time.time())}"))
        except OSError:
            return Settings()
        return Settings()
    return _from_raw(raw)


def _from_raw(raw: dict[str, object]) -> Settings:
    known: dict[str, object] = {}
    for item in fields(Settings):
        value = raw.get(item.name)
        default = getattr(Settings, item.name, ())
        if item.name == "recent":
            if isinstance(value, list):
                known["recent"] = tuple(str(v) for v in value)
        elif type(value) is type(default):
            known[item.name] = value
    settings = replace(Settings(), **known)  # type: ignore[arg-type]
    return replace(settings, text_scale=min(200, max(80, settings.text_scale)))


def save(settings: Settings) -> None:
    """Write what differs from the defaults, by way of a temporary file."""
    import json

    lines = ["# Preferences of Rubric Annotator on this machine."]
    defaults = asdict(Settings())
    for name, value in asdict(settings).items():
        if value != defaults[name]:
            encoded = json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
            lines.append(f"{name} = {encoded}")
    folder = config_dir()
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f"{FILE_NAME}.tmp"
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(temporary, folder / FILE_NAME)


def remember(workspace: Path) -> None:
    """Put a workspace at the head of the recent ones."""
    settings = load()
    entry = str(workspace.resolve())
    recent = (entry, *(r for r in settings.recent if r != entry))[:RECENT_MAX]
    save(replace(settings, recent=recent))
