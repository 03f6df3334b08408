"""Re-exports the conversion of MCP tool results, which is in `interlingua.tools`."""

from __future__ import annotations

from interlingua.tools.mcp_results import tool_result_from_mcp, tool_result_to_mcp

__all__ = ["tool_result_from_mcp", "tool_result_to_mcp"]
