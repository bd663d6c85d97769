"""The page of comparisons: several responses side by side, scored, ranked with ties, and said why."""
