"""Why Gemini ended an answer, in its own words: those that routers pass on to clients of Chat Completions, too.

Source: docs/wire/gemini.md.
"""

from __future__ import annotations

from typing import Final

FILTERED: Final = (
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR",
)  # fmt: skip
"""A filter of the provider's stopped it."""
FAILED: Final = (
    "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
)  # fmt: skip
"""It failed."""
