"""An import-linter contract of ours: what a package may import, or must not, counted by direct imports.

The built-in forbidden contract follows chains of imports and wants every module to exist; ours looks at what a file
itself writes, so that `ui -> workspace -> store` is no breach and a room that is not built yet is no error.
"""

from __future__ import annotations

import sys
from typing import Any

import grimp
from importlinter import Contract, ContractCheck, fields, output


class OnlyKnowsContract(Contract):
    """Direct imports of `packages` (less `except_packages`) stay within `allowed`, or keep clear of `never`.

    `allowed` may hold the word `stdlib`. A package may always import itself.
    """

    type_name = "only_knows"

    packages = fields.ListField(subfield=fields.StringField())
    except_packages = fields.ListField(subfield=fields.StringField(), required=False)
    allowed = fields.ListField(subfield=fields.StringField(), required=False)
    never = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        breaches: list[dict[str, Any]] = []
        for importer in sorted(graph.modules):
            if not _within(importer, self._names("packages")) or _within(importer, self._names("except_packages")):
                continue
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                if not self._fine(imported):
                    breaches += graph.get_import_details(importer=importer, imported=imported)
        return ContractCheck(kept=not breaches, metadata={"breaches": breaches})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for breach in check.metadata["breaches"]:
            where = f"{breach['importer']}:{breach['line_number']}"
            output.print_error(f"{where} imports {breach['imported']}: {breach['line_contents']}")

    def _fine(self, imported: str) -> bool:
        if _within(imported, self._names("never")):
            return False
        allowed = self._names("allowed")
        if not allowed or _within(imported, allowed) or _within(imported, self._names("packages")):
            return True
        return "stdlib" in allowed and imported.partition(".")[0] in sys.stdlib_module_names

    def _names(self, field: str) -> list[str]:
        return list(getattr(self, field) or [])


def _within(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)
