"""Share Claude's thinking signatures between Messages and Bedrock Converse: each accepts those of the other.

Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking, "Thinking encryption": values of
`signature` are compatible across platforms.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._shared.sealed_state import BEDROCK, sealed
from interlingua.spi.extra import NOTHING, own_extra, with_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.loss import LossLog

_BLOCKS: Final = "thinking_blocks"
_MARK: Final = "cache_control"
_FORMS: Final = frozenset({("thinking", "signature", "thinking"), ("redacted_thinking", "data")})
_OF_MESSAGE: Final = (_BLOCKS,)
_OF_EVENT: Final = ("signature", "data")


class SharedSignatures(NamedTuple):
    """A pair of dialects that serve Claude's models: signatures of `other` are valid in `dialect`, too.

    `redacted` converts redacted thinking of `other`. It raises ValueError if that is impossible.
    """

    other: str
    dialect: str
    redacted: Callable[[str], str]


def _as_bytes(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")


def _as_text(data: str) -> str:
    return base64.b64decode(data, validate=True).decode("ascii")


def _text_by_claude(data: str) -> str | None:
    """Return redacted thinking of Bedrock as Claude has it; None for that of other models (Grok): it is not text."""
    try:
        return _as_text(data)
    except ValueError:
        return None


def is_redacted_by_claude(data: str) -> bool:
    """Tell whether redacted thinking of Bedrock is Claude's."""
    return bool(_text_by_claude(data))


def _as_text_or_sealed(data: str) -> str:
    text = _text_by_claude(data)
    return sealed(BEDROCK, [{"type": "redacted_thinking", "data": data}]) if text is None else text


# Bedrock has redacted thinking as base64 of the text.
FROM_CLAUDE: Final = SharedSignatures("claude", "bedrock_converse", _as_bytes)
FROM_BEDROCK: Final = SharedSignatures("bedrock_converse", "claude", _as_text)
# The same for clients that send it back: data of other models (Grok) is not text, and is sealed.
CARRIED_FROM_BEDROCK: Final = SharedSignatures("bedrock_converse", "claude", _as_text_or_sealed)


def with_signatures(value: Any, alike: SharedSignatures) -> Any:
    """Return a message or an event with the other dialect's signed thinking as the dialect's own.

    The value is unchanged if nothing is signed, or if the dialect cannot hold it: a block of the other's with unknown
    members, or without its text.
    """
    other, dialect, redacted = alike
    extra = value.get("extra", NOTHING)
    bag, own = extra.get(other), extra.get(dialect, NOTHING)
    names = _OF_MESSAGE if "role" in value else _OF_EVENT
    if type(bag) is not dict or any(name in own for name in names):
        return value
    signed = {name: bag[name] for name in names if name in bag}
    if not signed or not _is_whole(signed.get(_BLOCKS, ()), value.get("reasoning", ())):
        return value
    try:
        signed = {name: _rewritten(name, held, redacted) for name, held in signed.items()}
    except ValueError:
        return value  # redacted thinking that is not text
    left = {name: held for name, held in bag.items() if name not in signed}
    return with_extras(value, {other: left, dialect: {**own, **signed}})


def messages_with_signatures(messages: Sequence[Any], alike: SharedSignatures) -> list[Any]:
    """Return messages with the other dialect's signed thinking as the dialect's own."""
    return [message_with_signatures(message, alike) if "extra" in message else message for message in messages]


def message_with_signatures(message: Any, alike: SharedSignatures) -> Any:
    """Return one of such messages, which has `extra`."""
    return with_signatures(with_gateway_blocks(message), alike)


def without_blank_signatures(message: Any, index: int, dialect: str, log: LossLog) -> Any:
    """Return a message without its signatures if a thought has none, as of another maker, or in an answer that was cut.

    The other signatures go, too, since signatures and thoughts are matched by position; that is reported as lost.
    """
    bag = message["extra"].get(dialect, NOTHING)
    blocks: list[dict[str, Any]] = bag.get(_BLOCKS, [])
    if all(block.get("signature") or block["type"] != "thinking" for block in blocks):
        return message
    if any(block.get("signature") or block.get("data") for block in blocks):
        log.lost(
            "provider_state", f"/messages/{index}/extra/{dialect}/{_BLOCKS}", "one of the thinking blocks is not signed"
        )
    return with_extras(message, {dialect: {**bag, _BLOCKS: []}})


def with_blank_signatures(message: Any, dialect: str) -> Any:
    """Return a message in which each thought has a signature, empty if it was unsigned.

    Hosts that serve other models through Claude's API take thoughts back in this form.
    """
    reasoning: Any = message.get("reasoning") or ()
    texts = [reasoning] if type(reasoning) is str else [one["text"] for one in reasoning if one["type"] == "text"]
    bag = own_extra(message, dialect)
    blocks: Sequence[Mapping[str, Any]] = bag.get(_BLOCKS, ())
    missing = len(texts) - sum(block["type"] == "thinking" for block in blocks)
    if missing <= 0:
        return message
    unsigned = [{"type": "thinking", "signature": ""} for _ in range(missing)]
    return with_extras(message, {dialect: {**bag, _BLOCKS: [*blocks, *unsigned]}})


def answer_with_gateway_blocks(response: Any) -> Any:
    """Return an answer with `thinking_blocks` from a gateway's Chat Completions moved to where Claude's belong."""
    messages = [with_gateway_blocks(message) if "extra" in message else message for message in response["messages"]]
    return {**response, "messages": messages}


def with_gateway_blocks(message: Any) -> Any:
    """Return a message with the `thinking_blocks` of a gateway's Chat Completions moved to where Claude's belong.

    Gateways put Claude's blocks beside the content, and clients send them back. The message is unchanged if it holds
    other thoughts, or none.
    """
    for owner, bag in message["extra"].items():
        fields = bag.get("fields", NOTHING) if type(bag) is dict else NOTHING
        blocks = fields.get(_BLOCKS) if type(fields) is dict else None
        if type(blocks) is list and blocks and all(map(_is_block, blocks)) and "claude" not in message["extra"]:
            texts = [block["thinking"] for block in blocks if block["type"] == "thinking"]
            if _joined(message.get("reasoning", ())) not in {"", "".join(texts)}:
                return message
            kept = [{name: held for name, held in _said(block).items() if name != "thinking"} for block in blocks]
            left = {name: held for name, held in fields.items() if name != _BLOCKS}
            left |= next(({_MARK: block[_MARK]} for block in blocks if block.get(_MARK)), NOTHING)  # reported as lost
            thoughts = {"reasoning": [{"type": "text", "text": text} for text in texts]} if texts else {}
            bags: Any = {owner: {**bag, "fields": left}, "claude": {_BLOCKS: kept}}
            return with_extras({**message, **thoughts}, bags)
    return message


def _is_block(block: Any) -> bool:
    """Tell whether a value is a signed or a redacted thinking block of Claude's, and nothing else."""
    said: dict[str, Any] = _said(block) if type(block) is dict else {}
    if not said or any(type(held) is not str for held in said.values()):
        return False
    return (said.get("type"), *sorted(said.keys() - {"type"})) in _FORMS


def _said(block: dict[str, Any]) -> dict[str, Any]:
    """Return a thinking block without nulls and cache marks, which gateways add and Claude refuses there."""
    return {name: held for name, held in block.items() if held is not None and name != _MARK}


def _joined(reasoning: Any) -> str:
    return reasoning if type(reasoning) is str else "".join(str(part.get("text", "")) for part in reasoning)


def _rewritten(name: str, held: Any, redacted: Callable[[str], str]) -> Any:
    """Return signed state in another dialect's form; only redacted thinking differs."""
    if name == _BLOCKS:
        return [{key: _rewritten(key, one, redacted) for key, one in block.items()} for block in held]
    return redacted(held) if name == "data" and type(held) is str else held


def _is_whole(blocks: Sequence[Mapping[str, Any]], reasoning: str | Sequence[Any]) -> bool:
    """Tell whether each block is signed and matches one text, and no text is left over."""
    texts = 1 if type(reasoning) is str else len(reasoning)
    thoughts = sum(block["type"] == "thinking" for block in blocks)
    are_signed = all(("signature" in block or "data" in block) and "fields" not in block for block in blocks)
    return are_signed and (not blocks or thoughts == texts)
