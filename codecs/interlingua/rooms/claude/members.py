"""The known members of a request. Source: docs/wire/claude.md, section 1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from interlingua.rooms.claude.tables import SETTINGS
from interlingua.spi.members import Members

MEMBERS: Final = Members(
    MappingProxyType({
        "": frozenset({
            *SETTINGS, "cache_control", "container", "diagnostics", "inference_geo", "messages", "metadata",
            "output_config", "service_tier", "speed", "stop_sequences", "system", "thinking", "tool_choice", "tools",
        }),
        "messages/*": frozenset({"content", "role"}),
        "output_config": frozenset({"effort", "format"}),
        "thinking": frozenset({"budget_tokens", "display", "type"}),
        "tool_choice": frozenset({"disable_parallel_tool_use", "name", "type"}),
        "tools/*": frozenset({
            "cache_control", "defer_loading", "description", "input_schema", "name", "strict", "type"
        }),
    }),
    refuses_others=True,
)  # fmt: skip
