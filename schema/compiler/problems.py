"""What can be wrong with the source, told with the file and the rule that it breaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SchemaProblem(Exception):  # noqa: N818 - a fact about a file, raised and reported
    """A source file, setting or tool is not as it must be. Compiling stops at the first one."""

    file: str
    rule: str
    detail: str

    def __str__(self) -> str:
        """Return one line: where, which rule, what to do."""
        return f"{self.file}: {self.rule}: {self.detail}"
