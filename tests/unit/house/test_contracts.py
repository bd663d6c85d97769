"""Our own kind of import contract finds what it should find, and nothing else."""

import grimp
import pytest

from tests.helpers.contracts import OnlyKnowsContract

MODULES = ["annotator.ui.grid", "annotator.workspace.door", "annotator.store.tables", "annotator.stats.alpha"]


def graph(*imports: tuple[str, str]) -> grimp.ImportGraph:
    made = grimp.ImportGraph()
    for module in MODULES:
        made.add_module(module)
    for importer, imported in imports:
        made.add_import(importer=importer, imported=imported, line_number=3, line_contents=f"import {imported}")
    return made


def check(options: dict[str, object], *imports: tuple[str, str]) -> list[str]:
    contract = OnlyKnowsContract(
        "a sentence", session_options={"root_packages": ["annotator"]}, contract_options=options
    )
    found = contract.check(graph(*imports), verbose=False)
    breaches = [f"{b['importer']} -> {b['imported']}" for b in found.metadata["breaches"]]
    assert found.kept == (not breaches)
    return breaches


ONE_DOOR: dict[str, object] = {"packages": ["annotator.ui"], "never": ["annotator.store", "sqlite3"]}
STRANGER: dict[str, object] = {"packages": ["annotator.stats"], "allowed": ["numpy", "stdlib"]}


def test_going_through_the_door_is_no_breach() -> None:
    walk = [("annotator.ui.grid", "annotator.workspace.door"), ("annotator.workspace.door", "annotator.store.tables")]
    assert check(ONE_DOOR, *walk) == []


def test_going_around_it_is() -> None:
    assert check(ONE_DOOR, ("annotator.ui.grid", "annotator.store.tables")) == [
        "annotator.ui.grid -> annotator.store.tables"
    ]


@pytest.mark.parametrize(
    ("imported", "fine"),
    [
        ("numpy", True),
        ("math", True),
        ("collections", True),
        ("annotator.stats.alpha", True),
        ("pandas", False),
        ("annotator.workspace.door", False),
    ],
)
def test_a_stranger_knows_only_what_it_may(imported: str, fine: bool) -> None:
    made = [("annotator.stats.beta", imported)]
    assert check(STRANGER, *made) == ([] if fine else [f"annotator.stats.beta -> {imported}"])


def test_an_excepted_package_may() -> None:
    options: dict[str, object] = {
        "packages": ["annotator"],
        "except_packages": ["annotator.store"],
        "never": ["sqlite3"],
    }
    found = check(options, ("annotator.store.tables", "sqlite3"), ("annotator.workspace.door", "sqlite3"))
    assert found == ["annotator.workspace.door -> sqlite3"]
