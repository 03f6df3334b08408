"""Breaks the code on purpose, with one committed edit per requirement, to check that its tests notice."""
