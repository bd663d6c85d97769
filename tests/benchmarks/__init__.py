"""Measurements: `python -m tests.benchmarks` runs them all, `… NAME` one of them, `--write` keeps the table."""
