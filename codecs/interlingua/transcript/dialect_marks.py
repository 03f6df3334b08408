"""Which dialect a stored row is written in, where only one dialect writes such rows.

A row that sealed version 1 or 2 accepts is of that version, and is looked at no further. Excepted are rows that version
2 accepts only because it is open, and of which it could read nothing: a `tool_use` block would be a part that it does
not know, and `tool_call_id` beside parts a member that it does not know. The call would be no call any more, and the
result would have lost it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.migrate.kinds import is_list, is_object, is_text
from interlingua.migrate.roles import plain_role
from interlingua.migrate.versions import stated_version

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["dialect_of", "marked_dialect"]

Json: TypeAlias = dict[str, Any]

_CLAUDE: Final = "claude"
_GEMINI: Final = "gemini"
_OLLAMA: Final = "ollama"
_CHAT: Final = "openai_chat"
_RESPONSES: Final = "openai_responses"

# Parts of an unknown type are opaque to version 2; these say of which dialect they are.
_BLOCKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tool_use": _CLAUDE,
        "tool_result": _CLAUDE,
        "server_tool_use": _CLAUDE,
        "thinking": _CLAUDE,
        "redacted_thinking": _CLAUDE,
        "document": _CLAUDE,
        "image_url": _CHAT,
        "input_audio": _CHAT,
        "refusal": _CHAT,
        "input_text": _RESPONSES,
        "input_image": _RESPONSES,
        "input_file": _RESPONSES,
        "output_text": _RESPONSES,
    }
)
# Version 2 knows the type, but not this member, and without one of its own sources it cannot read the part.
_HOLDERS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"image": ("source", _CLAUDE), "file": ("file", _CHAT)}
)
_SOURCES: Final = frozenset({"url", "data", "file_id"})
# With one of these a message with blocks may be of version 2 after all.
_OF_VERSION_2: Final = frozenset({"call_id", "extra", "reasoning"})
_ITEMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "function_call": ("call_id", "name"),
        "function_call_output": ("call_id",),
        "custom_tool_call": ("call_id", "name"),
        "custom_tool_call_output": ("call_id",),
    }
)
# Items of Responses whose name says it all.
_OTHER_ITEMS: Final = frozenset(
    {
        "apply_patch_call",
        "apply_patch_call_output",
        "code_interpreter_call",
        "computer_call",
        "computer_call_output",
        "file_search_call",
        "image_generation_call",
        "item_reference",
        "local_shell_call",
        "local_shell_call_output",
        "mcp_approval_request",
        "mcp_approval_response",
        "mcp_call",
        "mcp_list_tools",
        "shell_call",
        "shell_call_output",
        "tool_search_call",
        "tool_search_output",
        "web_search_call",
    }
)
_SPEAKERS_OF_GEMINI: Final = frozenset({"user", "model", "function"})


def dialect_of(document: Any, dialect: str | None) -> str | None:
    """Return the dialect that a document is to be read in, or None where it is of a version.

    A document that states its version is of that, and so is one whose calls or result no dialect writes so. Else
    `dialect` is the one that the caller knows; without it the document is looked at.
    """
    if not is_object(document) or stated_version(document) is not None:
        return None
    if dialect is None:
        return marked_dialect(document)
    return None if _is_of_version(document) else dialect


def marked_dialect(document: Json) -> str | None:
    """Return the dialect that alone writes such a row, or None: of a version, of several dialects, or of none."""
    role = document.get("role")
    if not is_text(role):
        return None if role is not None else _of_item(document)
    role = plain_role(role)
    content = document.get("content")
    if is_list(content):
        marked = _of_parts(content) if _OF_VERSION_2.isdisjoint(document) else None
        if marked is not None:
            return marked
    elif content is None and role in _SPEAKERS_OF_GEMINI and is_list(document.get("parts")):
        return _GEMINI
    elif content is None and role == "user" and is_list(document.get("images")):
        return _OLLAMA
    if role == "assistant":
        return _of_calls(document)
    if role == "tool":
        return _of_result(document)
    return _CHAT if role == "function" and is_text(document.get("name")) else None


def _is_of_version(document: Json) -> bool:
    """Tell whether calls have a name and arguments of their own, or a result its `call_id`, as in version 1 and 2."""
    role = plain_role(document.get("role"))
    if role == "tool":
        return is_text(document.get("call_id"))
    calls = document.get("tool_calls")
    return (
        role == "assistant"
        and is_list(calls)
        and bool(calls)
        and all(is_object(call) and "arguments" in call and is_text(call.get("name")) for call in calls)
    )


def _of_item(document: Json) -> str | None:
    """Return the dialect of a row without a role: an item of Responses, or a content of Gemini."""
    kind = document.get("type")
    if kind is None:
        return _GEMINI if is_list(document.get("parts")) else None
    if not is_text(kind) or "data" in document:
        return None
    if kind in _OTHER_ITEMS:
        return _RESPONSES
    if kind == "reasoning":
        return _RESPONSES if is_list(document.get("summary")) else None
    wanted = _ITEMS.get(kind)
    return _RESPONSES if wanted and all(is_text(document.get(name)) for name in wanted) else None


def _of_parts(content: list[Any]) -> str | None:
    """Return the one dialect that the parts speak of, if there is one."""
    found: set[str] = set()
    for part in content:
        if is_object(part):
            kind = part.get("type")
            if is_text(kind):
                if kind in _BLOCKS:
                    found.add(_BLOCKS[kind])
                elif kind in _HOLDERS and _SOURCES.isdisjoint(part) and is_object(part.get(_HOLDERS[kind][0])):
                    found.add(_HOLDERS[kind][1])
    return found.pop() if len(found) == 1 else None


def _of_calls(document: Json) -> str | None:
    """Return the one dialect that nests its calls as this assistant does, if there is one."""
    calls = document.get("tool_calls")
    if not calls:
        return _CHAT if _is_named(document.get("function_call")) else None
    found = {_of_call(call) for call in calls if is_object(call)} if is_list(calls) else set[str | None]()
    return found.pop() if len(found) == 1 else None


def _of_call(call: Json) -> str | None:
    """Return the dialect of a call that has its name and arguments inside; None for a call of version 1 or 2."""
    if "name" in call:
        return None
    if _is_named(call.get("function")):
        return _OLLAMA if is_object(call["function"].get("arguments")) else _CHAT
    return _CHAT if call.get("type") == "custom" and _is_named(call.get("custom")) else None


def _is_named(value: Any) -> bool:
    return is_object(value) and is_text(value.get("name"))


def _of_result(document: Json) -> str | None:
    """Return the dialect of a result that names its call, or its tool, in a way that no version reads."""
    if "call_id" in document:
        return None
    if is_text(document.get("tool_call_id")):
        return _CHAT if is_list(document.get("content")) else None
    return _OLLAMA if is_text(document.get("tool_name")) else None
