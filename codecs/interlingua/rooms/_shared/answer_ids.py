"""Ids that an answer of another dialect has not, and that the target demands: made of what the answer says of itself.

They come from the answer's own id and from a place in it, so that those of two answers of a conversation differ, and
those of a stream are those of its whole answer. Source: docs/laws.md, law 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_DIGEST_LENGTH: Final = 12


class AnswerIds:
    """The ids of one answer; `facts` are those of the response or of its start: id, model and time.

    `which` is the number of the answer, where a response has several.
    """

    __slots__ = ("_called", "_facts", "_mark", "_which")

    def __init__(self, facts: Mapping[str, Any], which: int = 0) -> None:
        self._facts = facts
        self._which = f"{which}_" if which else ""
        self._mark = ""
        self._called = 0

    def response(self, prefix: str) -> str:
        """Return an id for the response itself."""
        return prefix + self._digest()

    def item(self, prefix: str, place: int) -> str:
        """Return an id for what stands at a place of the output."""
        return f"{prefix}_{self._digest()}_{place}"

    def next_call(self) -> int:
        """Count a call of the answer, whether it has an id or not, and return its number from 0."""
        self._called += 1
        return self._called - 1

    def call(self, number: int) -> str:
        """Return an id for a call of the answer, by its number."""
        return f"call_{self._digest()}_{self._which}{number}"

    def _digest(self) -> str:
        if not self._mark:
            import hashlib  # noqa: PLC0415  # most answers have all ids

            facts = self._facts
            told = facts.get("id") or f"{facts.get('model', '')}\n{facts.get('created', '')}"
            digest = hashlib.sha256(str(told).encode("utf-8", "surrogatepass"))
            self._mark = digest.hexdigest()[:_DIGEST_LENGTH]
        return self._mark
