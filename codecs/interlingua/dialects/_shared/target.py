"""What an encoder must know beside the value: whose form it writes, whether the value is at home, where losses go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlingua.loss import LossLog


@dataclass(slots=True)
class Target:
    """One encoding: `home` when the value was decoded from the very dialect it is written in.

    `answer` tells a response from a request. `base` is the JSON Pointer of what holds `messages`,
    `version` the API version that is written, empty for verbatim.
    """

    dialect: str
    home: bool
    answer: bool
    log: LossLog
    base: str = ""
    version: str = ""

    def message(self, index: int) -> str:
        """Return the path of a message."""
        return f"{self.base}/messages/{index}"

    def part(self, index: int, member: str, part: int) -> str:
        """Return the path of a part of a message."""
        return f"{self.base}/messages/{index}/{member}/{part}"

    def call(self, index: int, call: int) -> str:
        """Return the path of a tool call."""
        return f"{self.base}/messages/{index}/tool_calls/{call}"
