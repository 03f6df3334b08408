"""What tells this room from the others of its family."""

from __future__ import annotations

from typing import Final

from interlingua.rate_limits import OPENAI
from interlingua.rooms._chat_completions.vendor import Vendor

DIALECT: Final = "openai_chat"
REQUEST_ID_HEADER: Final = "x-request-id"
RATE_LIMIT_HEADERS: Final = OPENAI
VENDOR: Final = Vendor(dialect=DIALECT)
# Most models do not search the web.
NO_SEARCH: Final = VENDOR._replace(searches=False)
# What `seed` is called at Mistral.
RANDOM_SEED: Final = "random_seed"
