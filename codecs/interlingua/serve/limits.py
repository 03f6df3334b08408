"""The server's size and time limits."""

from __future__ import annotations

from dataclasses import dataclass

from interlingua.strict_json import MAX_BYTES

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Size limits in bytes and time limits in seconds.

    `body`: the maximum size of a request, of a complete response and of a frame. `request`: the maximum time for a
    client to send its request. `connect`: the maximum time to connect to the provider. `silence`: how long the provider
    may send nothing. `ping`: after how much silence a stream gets a ping.
    """

    body: int = MAX_BYTES
    request: float = 60.0
    connect: float = 10.0
    silence: float = 600.0
    ping: float = 10.0

    def timeout(self) -> dict[str, float]:
        """Return the times in the form of httpx timeouts."""
        return {"connect": self.connect, "read": self.silence, "write": self.silence, "pool": self.connect}
