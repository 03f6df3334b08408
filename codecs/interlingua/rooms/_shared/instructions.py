"""Merge leading instructions into one, for models that read only the first one, or have a single role for them.

This works on encoded messages; the canonical ones that they were made from give the paths of losses. Source:
docs/families.md, the values of `instructions`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.json_instruction import joined
from interlingua.rooms._shared.writing import INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.loss import LossLog

# Value of the fact -> the role of the leading instruction, and that of later ones.
_ROLES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"of_the_system": ("system", "system"), "first": ("system", "user"), "of_the_user": ("user", "user")}
)


def with_one_instruction(
    messages: list[dict[str, Any]], given: list[Any], taken: str, log: LossLog
) -> list[dict[str, Any]]:
    """Return messages with one leading instruction, as `taken` says; changes are reported to the log."""
    lead, late = _ROLES[taken]
    first = leading_instructions(messages)
    top = [{**messages[0], "role": lead, "content": joined_contents(messages[:first])}] if first else []
    rest = [{**one, "role": late} if one.get("role") in INSTRUCTIONS else one for one in messages[first:]]
    leading = leading_instructions(given)
    if leading > 1 and "content" in given[0]:
        log.changed("content", "/messages/0/content", "the instructions after it were joined to the first one")
    for index, message in enumerate(given):
        if message["role"] in INSTRUCTIONS:
            role = lead if index < leading else late
            if message["role"] != role:
                detail = f"these models accept one instruction, at the top, of the role {lead}"
                log.changed("role", f"/messages/{index}/role", detail)
            elif 0 < index < leading and "content" in message:
                log.changed("content", f"/messages/{index}/content", "it was joined to the system prompt at the top")
    return [*top, *rest]


def with_instruction(messages: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
    """Return messages with a text added to the leading instruction, or as a new one."""
    first = messages[0] if messages else {}
    text = first.get("content")
    if first.get("role") in INSTRUCTIONS and type(text) is str and (text or first.keys() == {"role", "content"}):
        return [{**first, "content": joined(text, said)}, *messages[1:]]
    return [{"role": "system", "content": said}, *messages]


def leading_instructions(messages: Sequence[Any]) -> int:
    """Return the number of leading messages that are instructions."""
    return next((at for at, one in enumerate(messages) if one.get("role") not in INSTRUCTIONS), len(messages))


def joined_contents(messages: list[dict[str, Any]]) -> Any:
    """Return the contents of messages as one: a joined text, or a list of all parts."""
    contents = [message.get("content") for message in messages]
    if all(content is None or type(content) is str for content in contents):
        return "\n\n".join(content for content in contents if content)
    parts: list[Any] = []
    for content in contents:
        parts += [{"type": "text", "text": content}] if type(content) is str else content or ()
    return parts
