"""Breaking the code on purpose, one place at a time, to see whether the tests that claim to prove something notice."""
