"""Where a workspace lies: on a network share, on a medium that cannot be written, on a disk that is nearly full."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

LOW_BYTES: Final = 500 * 1024 * 1024
_MOUNTS: Final = Path("/proc/self/mounts")
_REMOTE: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "davfs", "ncpfs", "virtiofs"}
)
# File systems in user space that are disks after all.
_LOCAL_FUSE: Final = frozenset({"fuse.ntfs-3g", "fuse.exfat", "fuse.fuse-overlayfs", "fuse.overlayfs", "fuse.ext4"})


def on_network_share(path: Path, mounts: Path = _MOUNTS) -> bool:
    """Whether the folder lies on a network file system, where SQLite's shared memory is not safe."""
    if sys.platform == "win32":
        import ctypes

        remote = 4
        drive = os.path.splitdrive(os.path.realpath(path))[0]
        return drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == remote
    kind = filesystem(path, mounts)
    return kind in _REMOTE or (kind.startswith("fuse.") and kind not in _LOCAL_FUSE)


def filesystem(path: Path, mounts: Path = _MOUNTS) -> str:
    """The type of the file system that holds `path`, "" where it cannot be told."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    wanted = os.path.realpath(path)
    best, kind = -1, ""
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = _plain(fields[1])
        inside = wanted == point or wanted.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:  # a later mount on one point hides the earlier one
            best, kind = len(point), fields[2]
    return kind


def _plain(text: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, char)
    return text


def free_bytes(folder: Path) -> int:
    """The bytes that may still be written on the disk of `folder`."""
    return shutil.disk_usage(folder).free


def writable(folder: Path, file: Path) -> bool:
    """Whether the database and its neighbours can be written there."""
    if hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY:
        return False
    return os.access(folder, os.W_OK) and os.access(file, os.W_OK)


def space_warning(folder: Path, database_bytes: int) -> str:
    """A sentence where the disk is nearly full, else ""."""
    free = free_bytes(folder)
    # The write-ahead log and a backup need room beside the database.
    wanted = max(LOW_BYTES, 2 * database_bytes + 64 * 1024 * 1024)
    if free >= wanted:
        return ""
    return f"The disk that holds {folder} has only {free // (1024 * 1024)} MB left: free some space before you go on."
