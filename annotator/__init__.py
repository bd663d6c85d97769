"""Rubric Annotator: human audit of multimodal benchmarks, offline. ARCHITECTURE.md is the map of this package."""

__version__ = "0.1.0"
