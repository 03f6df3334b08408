"""The closed lists of words that a loss is told in: its code, its severity, and whom it touches."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

__all__ = ["Concern", "LossCode", "Severity", "Strict"]

Severity = Literal["lost", "changed", "filled"]
"""How much of a value a loss takes: it is not there any more, is respelt, or was absent and demanded by the target.

Example:
    >>> from typing import get_args
    >>> get_args(il.Severity)
    ('lost', 'changed', 'filled')
"""
LossCode = Literal[
    "arguments",  # argument text or object that the target spells otherwise
    "cache",  # a cache mark without a place
    "citation",  # a citation, or its anchor, without a place
    "content",  # content that the target joins or spells otherwise
    "echo",  # what a response repeats of its request
    "empty_text",  # an empty text that the target refuses
    "extra",  # what only another dialect understands
    "finish_reason",  # a reason that the target has no word for
    "in_url",  # a member that the target carries in its address
    "local_id",  # an id of ours that the wire has no place for
    "member",  # a member that the target has no place for
    "message",  # a whole message that the target has no place for
    "migration",  # what an older schema version has no place for
    "name",  # a name or id that the target refuses as it is
    "part",  # a part that the target has no place for
    "provider_state",  # signatures, ids and the like, which only their maker understands
    "reasoning",  # reasoning that the target would refuse
    "refusal",  # a refusal that the target has no place for
    "required",  # a member that the target demands
    "role",  # a role that the target does not have
    "server_state",  # a reference to what the provider's server holds
    "setting",  # a setting whose value the target does not have
    "tool",  # a tool that the target has no place for
]
"""What kind of thing a loss is about; `interlingua explain CODE` says more.

Example:
    >>> from typing import get_args
    >>> "setting" in get_args(il.LossCode)
    True
"""
Concern = Literal["content", "contract", "tuning", "state", "bookkeeping"]
"""Whom a loss touches: what was said (`content`), what was asked for (`contract`), how the model works (`tuning`), what
only a provider reads (`state`), or ids and counts (`bookkeeping`).

Example:
    >>> from typing import get_args
    >>> get_args(il.Concern)
    ('content', 'contract', 'tuning', 'state', 'bookkeeping')
"""
Strict: TypeAlias = bool | Literal["all"] | Collection[Concern]
"""What may not be lost: nothing that somebody said or asked for (True), nothing at all, or what touches these.

Example:
    >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
    >>> il.translate_request(body, "openai_chat", "claude", strict={"content"}).body["messages"]
    [{'role': 'user', 'content': 'Hi'}]
"""
