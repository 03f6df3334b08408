"""This room's row in the table of quirks."""

from __future__ import annotations

from typing import Final

from interlingua.dialects._chat_completions.vendor import Vendor
from interlingua.dialects.vllm.decode_part import decode_part
from interlingua.dialects.vllm.decode_setting import READERS
from interlingua.dialects.vllm.encode_part import encode_part
from interlingua.dialects.vllm.encode_setting import WRITERS
from interlingua.dialects.vllm.tables import (
    DIALECT,
    FINISH_REASONS,
    FINISH_WORDS,
    IGNORED,
    SETTING_NAMES,
    SETTINGS,
    USAGE_DETAILS,
)

VENDOR: Final = Vendor(
    dialect=DIALECT,
    settings=SETTINGS,
    setting_names=SETTING_NAMES,
    ignored=IGNORED,
    end_user="user",
    reasoning="reasoning",
    details=False,
    accent_reasons={},
    stop_words=True,
    limited=False,
    closes=False,
    custom=False,
    refusals=False,
    spoken=False,
    files=False,
    tool_media=True,
    tool_names=True,
    cache_marks=False,
    finish_reasons=FINISH_REASONS,
    finish_words=FINISH_WORDS,
    usage_details=USAGE_DETAILS,
    readers=READERS,
    writers=WRITERS,
    decode_part=decode_part,
    encode_part=encode_part,
)
