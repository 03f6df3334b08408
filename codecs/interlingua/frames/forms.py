"""The types of frames and stream formats."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from interlingua.spi.descriptor import StreamForm as Form

__all__ = ["DONE", "Form", "Frame"]

Frame: TypeAlias = dict[str, Any] | str

DONE: Final = "[DONE]"
