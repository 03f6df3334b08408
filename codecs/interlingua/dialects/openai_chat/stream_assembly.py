"""The chunks of a stream of Chat Completions put together to a whole `chat.completion`."""

from __future__ import annotations

from interlingua.dialects._chat_completions.stream_assembly import assemble_stream

__all__ = ["assemble_stream"]
