"""The closed lists of loss codes, severities and concerns."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

__all__ = ["Concern", "LossCode", "Severity", "Strict"]

Severity = Literal["lost", "changed", "filled"]
"""What happened to a value: not in the output, in another form, or absent and required by the target.

Example:
    >>> from typing import get_args
    >>> get_args(il.Severity)
    ('lost', 'changed', 'filled')
"""
LossCode = Literal[
    "arguments",  # call arguments that the target writes in another form
    "cache",  # a cache mark that the target has no place for
    "citation",  # a citation, or its location, that the target has no place for
    "content",  # content that the target joins or writes in another form
    "echo",  # what a response repeats of its request
    "empty_text",  # an empty text that the target refuses
    "extra",  # what only another dialect understands
    "finish_reason",  # a finish reason that the target does not have
    "in_url",  # a member that the target carries in its URL
    "local_id",  # a canonical id that the target has no place for
    "member",  # a member that the target has no place for
    "message",  # a whole message that the target has no place for
    "migration",  # what an older schema version has no place for
    "name",  # a name or id that the target refuses as it is
    "part",  # a part that the target has no place for
    "provider_state",  # signatures, ids and the like that only their own provider understands
    "reasoning",  # reasoning that the target would refuse
    "refusal",  # a refusal that the target has no place for
    "required",  # a member that the target requires
    "role",  # a role that the target does not have
    "server_state",  # a reference to what the provider's server stores
    "setting",  # a setting whose value the target does not have
    "tool",  # a tool that the target has no place for
]
"""The kind of value that a loss is about; `interlingua explain CODE` explains each.

Example:
    >>> from typing import get_args
    >>> "setting" in get_args(il.LossCode)
    True
"""
Concern = Literal["content", "contract", "tuning", "state", "bookkeeping"]
"""What a loss affects: what was said (`content`), what was required (`contract`), how the model samples (`tuning`),
what only a provider reads (`state`), or ids and counts (`bookkeeping`).

Example:
    >>> from typing import get_args
    >>> get_args(il.Concern)
    ('content', 'contract', 'tuning', 'state', 'bookkeeping')
"""
Strict: TypeAlias = bool | Literal["all"] | Collection[Concern]
"""What must not be lost: anything that was said or asked for (True), anything at all ("all"), or the given concerns.

Example:
    >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
    >>> il.translate_request(body, "openai_chat", "claude", strict={"content"}).body["messages"]
    [{'role': 'user', 'content': 'Hi'}]
"""
