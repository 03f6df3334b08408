"""Parts of `nox -s differential`: runs the same inputs through the code of two checkouts, and compares the results."""
