"""What tells this room from the others of its family."""

from __future__ import annotations

from typing import Final

from interlingua.rooms._chat_completions.vendor import Vendor

DIALECT: Final = "openai_chat"
VENDOR: Final = Vendor(dialect=DIALECT)
