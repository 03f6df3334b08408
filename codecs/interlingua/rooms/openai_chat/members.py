"""The members of a request. Source: docs/wire/openai_chat.md, sections 1 and 9."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.rooms._chat_completions.members import KNOWN
from interlingua.spi.members import Members

# Members of other servers whose names are so similar to others that they look misspelt.
_OF_OTHER_SERVERS: Final = frozenset({"models"})
MEMBERS: Final = Members(MappingProxyType({**KNOWN, "": KNOWN[""] | _OF_OTHER_SERVERS}), refuses_others=True)
