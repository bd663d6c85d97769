"""A workspace that is only shown: it looks as it does to its rater, and nothing can be written through it."""

from __future__ import annotations

from dataclasses import replace

from annotator.workspace.views import ReviewView, WorkspaceInfo
from annotator.workspace.workspace import Workspace


class OnShow(Workspace):
    """A workspace opened for reading that says it could be written, so that a picture shows what a rater sees.

    The store below stays read-only: an attempt to write raises `ReadOnlyWorkspace`.
    """

    def info(self) -> WorkspaceInfo:
        """As of a workspace that can be written."""
        return replace(super().info(), read_only=False, why="")

    def review(self, item_id: str, responder: str) -> ReviewView:
        """As of a workspace that can be written."""
        return replace(super().review(item_id, responder), read_only=False)
