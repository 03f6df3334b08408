"""Tools: definitions from Python types and functions, approval, and execution of tool calls."""

from interlingua.call_ids import call_id_of
from interlingua.tools.approval import apply_policy, approve, deny, pending_calls, request
from interlingua.tools.arguments import check_arguments, read_arguments
from interlingua.tools.define import ArgumentReader, define
from interlingua.tools.executor import ToolExecutor
from interlingua.tools.identity import fill_call_ids
from interlingua.tools.limits import ExecutionLimits
from interlingua.tools.outcome import FAILURES, exception_text
from interlingua.tools.policies import AllowTools, ApprovalPolicy, AskAlways, DecideBy, DenyTools, FirstDecision
from interlingua.tools.tool import Tool

__all__ = [
    "FAILURES",
    "AllowTools",
    "ApprovalPolicy",
    "ArgumentReader",
    "AskAlways",
    "DecideBy",
    "DenyTools",
    "ExecutionLimits",
    "FirstDecision",
    "Tool",
    "ToolExecutor",
    "apply_policy",
    "approve",
    "call_id_of",
    "check_arguments",
    "define",
    "deny",
    "exception_text",
    "fill_call_ids",
    "pending_calls",
    "read_arguments",
    "request",
]
