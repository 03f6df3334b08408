"""Attacks on the library, one per module: `attack(seed, count)` returns a line for each failure, without content."""
