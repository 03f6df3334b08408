"""Gemini's finish reasons, which routers also pass on to clients of Chat Completions.

Source: docs/wire/gemini.md.
"""

from __future__ import annotations

from typing import Final

FILTERED: Final = (
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR",
)  # fmt: skip
"""The provider's filter stopped the answer."""
FAILED: Final = (
    "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
)  # fmt: skip
"""The answer failed."""
