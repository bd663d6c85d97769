"""What is installed, pinned and declared agree, and the lock tells nothing about the machine it was made on."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
LOCKS = ("requirements-build.lock", "requirements.lock")
LOCK = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in LOCKS)
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    built = [*project["build-system"]["requires"], *project["dependency-groups"]["build"]]
    return [
        Requirement(line) for line in [*project["project"]["dependencies"], *extras["test"], *extras["dev"], *built]
    ]


def entries() -> list[str]:
    """The lock's requirements, one text for each with its continuation lines joined."""
    lines = [line for line in LOCK.splitlines() if line and not line.lstrip().startswith("#")]
    return "\n".join(lines).replace("\\\n", " ").splitlines()


@pytest.mark.parametrize("name", ["opencv-python", "opencv-contrib-python"])
def test_only_the_headless_opencv_is_installed(name: str) -> None:
    assert metadata.version("opencv-python-headless")
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.version(name)
    assert canonicalize_name(name) not in {canonicalize_name(found) for found, _ in PIN.findall(LOCK)}


def test_every_declared_package_is_pinned_within_its_bounds() -> None:
    pins: dict[str, list[str]] = {}
    for name, version in PIN.findall(LOCK):
        pins.setdefault(canonicalize_name(name), []).append(version)
    for requirement in declared():
        found = pins.get(canonicalize_name(requirement.name), [])
        assert found, f"{requirement.name} is declared in pyproject.toml and missing in requirements.lock"
        assert all(version in requirement.specifier for version in found), f"{requirement} is pinned as {found}"


def test_every_pin_is_exact_and_has_hashes() -> None:
    pinned = entries()
    assert len(pinned) >= 40
    for entry in pinned:
        assert PIN.match(entry), entry[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry[:80]


def test_the_lock_names_no_address_and_no_path() -> None:
    suspicious = re.compile(r"://|file:|index-url|find-links|trusted-host| @ |(^|\s)[./~]*/\w", re.MULTILINE)
    assert not [line for line in LOCK.splitlines() if suspicious.search(line)]


def test_what_is_installed_satisfies_what_is_declared() -> None:
    for requirement in declared():
        assert metadata.version(requirement.name) in requirement.specifier, str(requirement)


def test_the_two_locks_agree() -> None:
    pins = [dict(PIN.findall((ROOT / name).read_text(encoding="utf-8"))) for name in LOCKS]
    shared = pins[0].keys() & pins[1].keys()
    assert "cffi" in shared
    assert {name: pins[0][name] for name in shared} == {name: pins[1][name] for name in shared}
