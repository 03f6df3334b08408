"""Results of MCP tools: what runs tools reads them, too, and so the code stands there."""

from __future__ import annotations

from interlingua.tools.mcp_results import tool_result_from_mcp, tool_result_to_mcp

__all__ = ["tool_result_from_mcp", "tool_result_to_mcp"]
