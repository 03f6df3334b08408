"""Runs the command line: `python -m interlingua.cli` is `interlingua`."""

from interlingua.cli import main

if __name__ == "__main__":
    main()
