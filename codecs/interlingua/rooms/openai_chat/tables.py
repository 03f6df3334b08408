"""What distinguishes this room from the others of its family."""

from __future__ import annotations

from typing import Final

from interlingua.rate_limits import OPENAI
from interlingua.rooms._chat_completions.vendor import Vendor

DIALECT: Final = "openai_chat"
REQUEST_ID_HEADER: Final = "x-request-id"
RATE_LIMIT_HEADERS: Final = OPENAI
VENDOR: Final = Vendor(dialect=DIALECT)
# Most models have no web search.
NO_SEARCH: Final = VENDOR._replace(searches=False)
# Mistral's name for `seed`.
RANDOM_SEED: Final = "random_seed"
