"""Encode conversations for Claude: turns, tool calls and tool results.

Consecutive messages of one wire role are one turn (MAP-6.6), tool results stand in the user's turn (MAP-6.3), leading
instructions in `system` (MAP-6.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import lost_opaque
from interlingua.rooms._shared.claude_results import is_server_result
from interlingua.rooms._shared.claude_thinking import last_written, without_trailing_space
from interlingua.rooms._shared.instructions import texts_apart
from interlingua.rooms._shared.message_order import in_target_order, with_calls_last
from interlingua.rooms._shared.names import CALL_WITHOUT_ID, acceptable_64, acceptable_128, safe_name, sanitized_name
from interlingua.rooms._shared.refusals import with_refusal_as_text
from interlingua.rooms._shared.user_messages import with_last_instruction_as_user
from interlingua.rooms._shared.writing import (
    INSTRUCTIONS,
    ResultMatching,
    filled_result,
    is_text_kept,
    object_arguments,
    report_id,
    text_for_emptied,
    text_of_empty_result,
    texts_of,
)
from interlingua.rooms.claude.encode_part import encode_cache_mark, encode_parts, encode_texts, report_empty
from interlingua.rooms.claude.tables import DIALECT, ID_LIMIT, NAME_LIMIT, NEWEST
from interlingua.spi.extra import (
    NOTHING,
    merge_extra,
    merge_own_extra,
    own_extra,
    own_spelling,
    report_foreign,
    without_notes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interlingua.model_shapes import (
        AssistantChatMessage,
        ChatMessage,
        DeveloperChatMessage,
        SystemChatMessage,
        ToolCall,
        ToolChatMessage,
        UserChatMessage,
    )
    from interlingua.rooms._shared.message_order import Placed
    from interlingua.rooms._shared.writing import Target


def encode_conversation(out: dict[str, Any], messages: list[ChatMessage], to: Target, *, is_anew: bool = False) -> None:
    """Write leading instructions into `system`, and all other messages as turns.

    `is_anew`: the model does not continue a final assistant message, so its end need not be trimmed.
    """
    if not to.home:
        messages = with_last_instruction_as_user(without_notes(messages, DIALECT), DIALECT, to.log)
    first = 0
    for message in messages:
        if message["role"] in INSTRUCTIONS:
            if "extra" in message and _stays_inline(message):
                break
        elif to.home or message["role"] != "opaque" or message["dialect"] == DIALECT:
            break
        first += 1
    if first:
        _encode_system(out, messages[:first], to)
    turns = _Turns()
    answered = ResultMatching(messages)
    placed: Iterable[Placed] = enumerate(messages)
    if not to.home:
        placed = with_calls_last(in_target_order(messages, "conversation", to), DIALECT)
    for index, message in placed if to.home or is_anew else _with_trimmed_prefill([*placed], to):
        if index >= first:
            _add_message(turns, message, index, answered, to)
    made = turns.close()
    out["messages"] = made if to.home else _without_misplaced_instructions(made, turns.places, to)


def _stays_inline(message: Mapping[str, Any]) -> bool:
    """Return whether a leading instruction stays in `messages`: it came that way, or holds what `system` cannot.

    Claude refuses other instructions there; one may have moved to the front because the messages before it were
    dropped.
    """
    bag = own_extra(message, DIALECT)
    spelling = bag.get("spelling", NOTHING)
    if spelling.get("system") != "inline":
        return False
    return spelling.get("turn") == "new" or "fields" in bag or "content" not in message


def _without_misplaced_instructions(
    turns: list[dict[str, Any]], places: Sequence[int], to: Target
) -> list[dict[str, Any]]:
    """Return the turns with misplaced system turns as user turns.

    Claude accepts a system turn behind a user turn, or behind an assistant turn that ends with the result of a server
    tool, and before an assistant turn or last. Source:
    https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages.
    """
    if _SYSTEM not in [turn["role"] for turn in turns]:
        return turns
    follows = ["assistant"] * len(turns)  # the role of the next turn that is not a system turn
    for at in range(len(turns) - 2, -1, -1):
        behind = turns[at + 1]["role"]
        follows[at] = follows[at + 1] if behind == _SYSTEM else behind
    out: list[dict[str, Any]] = []
    before: dict[str, Any] = {"role": ""}
    blocks: list[Any] | None = None  # the last turn's blocks, once instructions were merged into it
    for at, turn in enumerate(turns):
        role = turn["role"]
        is_taken = follows[at] == "assistant" and (before["role"] == "user" or _ends_in_server_result(before))
        if role == _SYSTEM and not is_taken:
            path = f"{to.message(places[at])}/role"
            to.log.changed(
                "role", path, "an instruction is only accepted between a user message and an answer, or last"
            )
            role = "user"
        if out and role == out[-1]["role"] == "user":
            if blocks is None:
                blocks = [*as_blocks(out[-1]["content"])]
                out[-1] = {**out[-1], "content": blocks}
            blocks.extend(as_blocks(turn["content"]))
        else:
            out.append(turn if role == turn["role"] else {**turn, "role": role})
            blocks = None
        before = before if role == _SYSTEM else out[-1]
    return out


_SYSTEM: Final = "system"


def _ends_in_server_result(turn: Mapping[str, Any]) -> bool:
    blocks: Any = turn.get("content")
    last: Any = blocks[-1] if type(blocks) is list and blocks else NOTHING
    return turn["role"] == "assistant" and is_server_result(last.get("type"))


def _with_trimmed_prefill(messages: list[Placed], to: Target) -> list[Placed]:
    """Return the messages with trailing white space removed from a final assistant message: it is refused (ENC-2)."""
    place = last_written([message for _, message in messages], DIALECT)
    if place < 0 or messages[place][1]["role"] != "assistant":
        return messages
    index, last = messages[place]
    shorter: Any = without_trailing_space(last, to.message(index), to.log)
    return messages if shorter is last else [*messages[:place], (index, shorter), *messages[place + 1 :]]


def _encode_system(out: dict[str, Any], messages: list[ChatMessage], to: Target) -> None:
    """Write instructions into `system`: one text, or blocks where any instruction holds more than one text."""
    contents: list[Any] = []
    for index, message in enumerate(messages):
        if message["role"] == "opaque":
            lost_opaque(to.log, to.message(index), "message")
            continue
        content = message.get("content", "")
        if type(content) is not str:
            content = encode_texts(content, f"{to.message(index)}/content", to)
        elif content.isspace() and not to.home:
            report_empty(content, f"{to.message(index)}/content", to)
            content = ""
        _report_instruction_losses(message, index, to)
        if content or to.home:
            contents.append(content)
    if len(contents) == 1:
        out["system"] = contents[0]
    else:
        blocks = [_text_blocks(content) for content in contents if content]
        if any(len(block) > 2 for each in blocks for block in each):
            out["system"] = [block for each in blocks for block in each]
        else:
            texts = texts_apart(blocks)
            out["system"] = texts[0]["text"] if len(texts) == 1 else texts
    if len(contents) != 1 and not out["system"]:
        del out["system"]


def _report_instruction_losses(message: Any, index: int, to: Target) -> None:
    """Report what an instruction holds besides its text."""
    if message["role"] == "developer":
        to.log.changed("role", f"{to.message(index)}/role", "the target has only one role for instructions")
    report_message_losses(message, index, to)


def _add_message(turns: _Turns, message: Any, index: int, answered: ResultMatching, to: Target) -> None:
    """Encode a message and add it to the turns."""
    role = message["role"]
    if role == "opaque":
        _encode_opaque(turns, message, index, to)
    elif role == "tool":
        identifier = message.get("call_id")
        if identifier is None or not (to.home or acceptable_128(identifier)):
            identifier = _result_identifier(message, index, answered, to)
        turns.add(message, index, "user", [encode_result(message, index, identifier, to)])
    else:
        if role == "assistant":
            content = encode_answer(message, index, to)
        else:
            role, content = _encode_user_content(message, index, to)
        if not (content or to.home):
            content = text_for_emptied(message, index, to)
        if content or to.home:
            turns.add(message, index, role, content)


def _encode_opaque(turns: _Turns, message: Any, index: int, to: Target) -> None:
    """Write one of Claude's own messages verbatim; nothing is merged with it."""
    if message["dialect"] == DIALECT and type(message["data"]) is dict:
        turns.made.append(message["data"])
        turns.places.append(index)
        turns.last = ""
    else:
        lost_opaque(to.log, to.message(index), "message")


class _Turns:
    """The turns written so far; `last` is the role with which the next message is merged.

    `blocks` are the last turn's blocks if they are a list of our own, which may grow; input is never changed.
    """

    __slots__ = ("_joined", "blocks", "last", "made", "places")

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []
        self.places: list[int] = []  # index of the first message of each turn
        self.last = ""
        self.blocks: list[Any] | None = None
        self._joined: list[Blocks] = []

    def add(self, message: ChatMessage, index: int, role: str, content: Any) -> None:
        """Merge a message's content into the last turn, or start the next turn with it."""
        is_apart = "extra" in message and own_spelling(message, DIALECT).get("turn") == "new"
        if role == self.last and role != "system" and not is_apart:
            self._extend(role, content)
        else:
            self.last, self.blocks = role, None if type(content) is str else content
            self.places.append(index)
            is_empty = role == "system" and "content" not in message  # it only sets the effort
            self.made.append({"role": role} if is_empty else {"role": role, "content": content})
        if "extra" in message:
            fields = own_extra(message, DIALECT).get("message" if message["role"] == "tool" else "fields", NOTHING)
            merge_extra(self.made[-1], fields)

    def _extend(self, role: str, content: Any) -> None:
        if self.blocks is None:
            self.blocks = as_blocks(self.made[-1]["content"])
            self.made[-1] = {**self.made[-1], "content": self.blocks}
        if role == "user":
            self.blocks.extend(as_blocks(content))
        else:
            if not self._joined or self._joined[-1].made is not self.blocks:
                self._joined.append(Blocks(self.blocks))
            self._joined[-1].add(as_blocks(content))

    def close(self) -> list[dict[str, Any]]:
        """Return the finished turns."""
        for joined in self._joined:
            joined.close()
        return self.made


def _encode_user_content(
    message: UserChatMessage | SystemChatMessage | DeveloperChatMessage, index: int, to: Target
) -> tuple[str, Any]:
    """Return the wire role and content of a user message or an instruction; a list is always a new one."""
    content: Any = message.get("content")
    if message["role"] != "user":
        _report_instruction_losses(message, index, to)
        content = encode_texts(message.get("content", ""), f"{to.message(index)}/content", to)
    elif type(content) is not str:
        content = encode_parts(message.get("content", []), f"{to.message(index)}/content", "user", to)
    if type(content) is str and not to.home and not content.strip():
        report_empty(content, f"{to.message(index)}/content", to)
        content = ""
    if message["role"] == "user":
        report_message_losses(message, index, to)
    elif to.version in {"", NEWEST}:
        return "system", content
    else:
        to.log.changed("role", f"{to.message(index)}/role", "this API version accepts instructions only at the top")
    return "user", content


def _result_identifier(message: Any, index: int, answered: ResultMatching, to: Target) -> str | None:
    """Return the id of the call that a result answers; without an id, results are matched by name, then by order."""
    identifier: str | None = message.get("call_id", message.get("id"))
    if to.home:
        return identifier
    path = f"{to.message(index)}/{'id' if 'call_id' not in message and identifier is not None else 'call_id'}"
    if identifier is None:
        to.log.filled(path, "each result needs the id of its call")
        asked = answered.by(index)
        identifier = f"call_{index}" if asked is None else asked.id
        return identifier if acceptable_128(identifier) else sanitized_name(identifier, ID_LIMIT)
    return safe_name(identifier, ID_LIMIT, path, to.log)


class Blocks:
    """The growing blocks of several merged assistant messages; `made` is a list of our own, complete after `close`."""

    __slots__ = ("_texts", "made")

    def __init__(self, made: list[Any]) -> None:
        self.made = made
        self._texts: list[str] = []  # pieces of the last block, joined once so that long turns stay linear

    def add(self, more: list[Any]) -> None:
        """Add the blocks of the next message; adjacent texts are joined with a blank line."""
        if self.made and more and _is_plain_text(self.made[-1]) and _is_plain_text(more[0]):
            self._texts = self._texts or [self.made[-1]["text"]]
            self._texts.append(more[0]["text"])
            more = more[1:]
        if more:
            self.close()
            self.made.extend(more)

    def close(self) -> None:
        """Write the joined text of the last block."""
        if self._texts:
            self.made[-1] = {"type": "text", "text": "\n\n".join(self._texts)}
            self._texts = []


def _is_plain_text(block: Any) -> bool:
    return len(block) == 2 and block.get("type") == "text"


def as_blocks(content: Any) -> list[Any]:
    """Return content as a list of blocks; empty text gives none."""
    return _text_blocks(content) if content or type(content) is not str else []


def _text_blocks(content: Any) -> list[Any]:
    """Return content as a list of blocks; empty text gives an empty text block."""
    return [{"type": "text", "text": content}] if type(content) is str else content


def encode_result(message: ToolChatMessage, index: int, identifier: str | None, to: Target) -> dict[str, Any]:
    """Encode a tool result as a `tool_result` block; `identifier` is the id of its call."""
    content = message.get("content")
    out: dict[str, Any] = {"type": "tool_result"}
    taken = 1
    if identifier is not None:
        out["tool_use_id"] = identifier
        taken = 2 if "call_id" in message else 1
    if content is not None:
        if type(content) is not str:
            content = filled_result(
                encode_parts(content, f"{to.message(index)}/content", "tool", to), message, index, to
            )
        out["content"] = content
        taken += 1
    if taken == len(message):
        return out
    path = to.message(index)
    if "is_error" in message:
        if not (content or to.home) and (text := text_of_empty_result(message, index, to)):
            out["content"] = text
        out["is_error"] = message["is_error"]
    if "name" in message:
        to.log.lost("member", f"{path}/name", "tool results name their call only by its id")
    encode_cache_mark(out, message, path, to)
    report_id(message, path, to.log)
    merge_own_extra(out, message, DIALECT, path, to.log)
    return out


def report_message_losses(message: Any, index: int, to: Target) -> None:
    """Report the members of a message that Claude does not have: refusal, name, id, and other dialects' `extra`."""
    if "refusal" in message:
        to.log.lost("refusal", f"{to.message(index)}/refusal", "a refusal has no text of its own there")
    if "name" in message:
        to.log.lost("member", f"{to.message(index)}/name", "Claude's messages have no name")
    report_id(message, to.message(index), to.log)
    if "extra" in message:
        report_foreign(message, DIALECT, to.message(index), to.log)


def encode_answer(message: AssistantChatMessage, index: int, to: Target) -> Any:
    """Encode an assistant message: a string if it holds only text, else a list of blocks in order."""
    if "refusal" in message and not to.home:
        message = with_refusal_as_text(message, to.message(index), to)
    content, calls, home = message.get("content"), message.get("tool_calls"), to.home
    members = 1 + (content is not None) + (calls is not None)
    blocks: list[Any] = []
    if len(message) != members and ("reasoning" in message or "extra" in message):
        bag = own_extra(message, DIALECT)
        if "reasoning" in message or "thinking_blocks" in bag:
            _encode_reasoning(blocks, message, bag, to.message(index), to)
    if type(content) is str:
        if content and (home or not content.isspace()):
            if calls is None and not blocks and (home or len(message) == members):
                report_message_losses(message, index, to)
                return content
            blocks.append({"type": "text", "text": content})
        elif home and calls is None and not blocks:
            report_message_losses(message, index, to)
            return content
        else:
            report_empty(content, f"{to.message(index)}/content", to)
    elif content is not None:
        blocks.extend(encode_parts(content, f"{to.message(index)}/content", "assistant", to))
    if calls is not None:
        for at, call in enumerate(calls):
            blocks.append(encode_call(call, index, at, to))
    if len(message) != members:
        report_message_losses(message, index, to)
    return blocks


def _encode_reasoning(
    blocks: list[Any], message: AssistantChatMessage, bag: Mapping[str, Any], path: str, to: Target
) -> None:
    """Write the thinking blocks that Claude signed; unsigned reasoning only in responses, where nothing checks it."""
    reasoning = message.get("reasoning", ())
    texts = texts_of(reasoning, f"{path}/reasoning", "reasoning", "a thinking block can only hold one text", to.log)
    taken = 0
    for at, kept in enumerate(bag.get("thinking_blocks", ())):
        out: dict[str, Any] = {"type": kept["type"]}
        if kept["type"] == "thinking":
            if taken == len(texts):
                detail = "the thinking that it belongs to is not sent"
                to.log.lost("provider_state", f"{path}/extra/{DIALECT}/thinking_blocks/{at}", detail)
                continue
            out["thinking"] = texts[taken][1]
            taken += 1
        out.update({name: kept[name] for name in ("signature", "data") if name in kept})
        merge_extra(out, kept.get("fields", NOTHING))
        blocks.append(out)
    for where, text in texts[taken:]:
        if to.answer and (text or to.home):  # empty reasoning is dropped
            blocks.append({"type": "thinking", "thinking": text, "signature": ""})
            to.log.filled(
                f"{path}/extra/{DIALECT}/thinking_blocks", "Claude refuses a thinking block without its signature"
            )
        elif text:
            to.log.lost("reasoning", where, "Claude refuses a thinking block without Claude's signature")


def encode_call(call: ToolCall, index: int, at: int, to: Target) -> dict[str, Any]:
    """Encode a tool call as a `tool_use` block."""
    name, home = call["name"], to.home
    identifier = call.get("id")
    if identifier is None or not (home or acceptable_128(identifier)):
        identifier = _call_identifier(call, index, at, to)
    elif to.ids is not None:
        to.ids.next_call()
    if not (home or acceptable_64(name)):
        name = safe_name(name, NAME_LIMIT, f"{to.call(index, at)}/name", to.log)
    out: dict[str, Any] = {"type": "tool_use", "id": identifier, "name": name}
    out["input"] = call["arguments"] if is_text_kept(call, DIALECT, "input") else object_arguments(call, index, at, to)
    if len(call) > (3 if "id" in call else 2):
        path = to.call(index, at)
        if "call_id" in call:
            to.log.lost("member", f"{path}/call_id", "a call has only one id there")
        encode_cache_mark(out, call, path, to)
        if home and "input" in own_spelling(call, DIALECT).get("null", ()) and not out["input"]:
            out["input"] = None
        merge_own_extra(out, call, DIALECT, path, to.log)
    return out


def _call_identifier(call: ToolCall, index: int, at: int, to: Target) -> str:
    """Return the id of a tool call: its own, made acceptable abroad, or one made from its position."""
    if "id" not in call:
        to.log.filled(f"{to.call(index, at)}/id", CALL_WITHOUT_ID)
        return to.made_call_id(index, at)
    if to.ids is not None:
        to.ids.next_call()
    return safe_name(call["id"], ID_LIMIT, f"{to.call(index, at)}/id", to.log)
