"""Tests, in rooms that mirror the package: unit/<room>, ui, e2e, benchmarks; data/ holds the cases."""
