"""Canonical to Chat Completions of OpenAI: streams."""

from __future__ import annotations

from functools import partial
from typing import Final

from interlingua.rooms._chat_completions.stream_encoder import StreamEncoder
from interlingua.rooms.openai_chat.tables import VENDOR

encode_stream: Final = partial(StreamEncoder, VENDOR)
