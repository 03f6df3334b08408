"""Chat Completions of OpenAI to canonical: streams."""

from __future__ import annotations

from functools import partial
from typing import Final

from interlingua.rooms._chat_completions.stream_decoder import StreamDecoder, assemble_stream
from interlingua.rooms.openai_chat.tables import VENDOR

__all__ = ["assemble_stream", "decode_stream"]

decode_stream: Final = partial(StreamDecoder, VENDOR)
