"""This room's row in the table of quirks."""

from __future__ import annotations

from typing import Final

from interlingua.rooms._chat_completions.vendor import Vendor
from interlingua.rooms._shared.schema_adaptation import ANY_SCHEMA
from interlingua.rooms.vllm.decode_extensions import READERS, decode_part
from interlingua.rooms.vllm.encode_extensions import WRITERS, encode_part
from interlingua.rooms.vllm.tables import (
    DEFAULTS,
    DIALECT,
    FINISH_REASONS,
    FINISH_WORDS,
    IGNORED,
    PICTURES,
    SETTING_NAMES,
    SETTINGS,
    USAGE_DETAILS,
)

VENDOR: Final = Vendor(
    dialect=DIALECT,
    settings=SETTINGS,
    setting_names=SETTING_NAMES,
    ignored=IGNORED,
    defaults=DEFAULTS,
    end_user="user",
    pictures=False,
    picture_types=PICTURES,
    reasoning="reasoning",
    shown="reasoning",
    details=False,
    vendor_reasons={},
    stop_words=True,
    limited=False,
    word_names=False,
    ends_failures=True,
    closes=False,
    function_schemas=ANY_SCHEMA,
    form_schemas=ANY_SCHEMA,
    custom=False,
    refusals=False,
    spoken=False,
    files=False,
    tool_media=True,
    tool_names=True,
    cache_marks=False,
    searches=False,
    finish_reasons=FINISH_REASONS,
    finish_words=FINISH_WORDS,
    usage_details=USAGE_DETAILS,
    readers=READERS,
    writers=WRITERS,
    decode_part=decode_part,
    encode_part=encode_part,
)
