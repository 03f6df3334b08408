"""Attacks on the library, one a module: `attack(seed, count)` returns a line for each failure, without content."""
