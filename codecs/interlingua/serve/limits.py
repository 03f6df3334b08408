"""How much, and how long: what one client may ask of the server, and the server of a provider."""

from __future__ import annotations

from dataclasses import dataclass

from interlingua.strict_json import MAX_BYTES

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes in bytes, times in seconds.

    `body`: the largest request, the largest whole answer and the largest frame. `request`: how long a client may take
    to send its request. `connect`: how long it may take to reach the provider. `silence`: how long the provider may say
    nothing. `ping`: after how long a stream that says nothing gets a ping.
    """

    body: int = MAX_BYTES
    request: float = 60.0
    connect: float = 10.0
    silence: float = 600.0
    ping: float = 10.0

    def timeout(self) -> dict[str, float]:
        """Return the times as the transport of httpx takes them."""
        return {"connect": self.connect, "read": self.silence, "write": self.silence, "pool": self.connect}
