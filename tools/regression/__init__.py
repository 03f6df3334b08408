"""The parts of `nox -s differential`: the same inputs through the code of two checkouts, and what differs."""
