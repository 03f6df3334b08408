"""What tells this room from the others of its family."""

from __future__ import annotations

from typing import Final

from interlingua.dialects._chat_completions.vendor import Vendor

DIALECT: Final = "openai_chat"
API_VERSIONS: Final[tuple[str, ...]] = ()
MESSAGES: Final = "messages"
VENDOR: Final = Vendor(dialect=DIALECT)
