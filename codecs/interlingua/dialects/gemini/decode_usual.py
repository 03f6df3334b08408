"""Gemini to canonical: the contents of a conversation, the usual ones each in one walk without anything in between.

Texts, calls and results make up nearly all of a long conversation, and are nearly all of what it costs to decode it.
What is of any other shape, or malformed, is left to `decode_message`, which gives the same for the usual ones: a walk
that ends before the last part has made nothing.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.dialects._shared.reading import Malformed
from interlingua.dialects.gemini.decode_message import decode_message
from interlingua.dialects.gemini.json_text import written
from interlingua.dialects.gemini.tables import DIALECT, MODEL, USER

if TYPE_CHECKING:
    from interlingua.model_shapes import ChatMessage

# Where the signature of the first call belongs, which is mostly the only one.
_FIRST: Final = "/tool_calls/0"


def decode_contents(wire: list[Any], messages: list[ChatMessage]) -> None:
    """Append the messages of contents: of usual ones in one walk each, of any other by `decode_message`."""
    last_role: str | None = None
    for index, content in enumerate(wire):
        if type(content) is dict and len(content) == 2:
            begun = len(messages)
            try:
                role, parts = content["role"], content["parts"]
                read = _read_answer if role == MODEL else _read_said if role == USER else None
                if read is not None and role != last_role and type(parts) is list and parts and read(parts, messages):
                    last_role = role
                    continue
            except KeyError:  # a usual part has them all
                pass
            del messages[begun:]
        try:
            last_role = decode_message(content, messages, last_role)
        except Malformed as malformed:
            raise malformed.under("contents", index) from None


def usual_instruction(wire: Any) -> Any:
    """Return the message of an instruction that is one text, as most are, or None."""
    if type(wire) is not dict or len(wire) != 1:
        return None
    parts = wire.get("parts")
    part = parts[0] if type(parts) is list and len(parts) == 1 else None
    if type(part) is not dict or len(part) != 1 or type(part.get("text")) is not str:
        return None
    return {"role": "system", "content": part["text"]}


def _read_answer(parts: list[Any], messages: list[Any]) -> bool:
    """Read a text, calls, or a text and the calls after it; tell whether that was all."""
    message: dict[str, Any] = {"role": "assistant"}
    calls: list[dict[str, Any]] = []
    signatures: list[dict[str, Any]] = []
    for part in parts:
        if type(part) is not dict:
            return False
        if "functionCall" not in part:
            if calls or len(message) != 1 or len(part) != 1 or type(part["text"]) is not str:
                return False
            message["content"] = part["text"]
            continue
        if len(part) != 1:
            signature = part["thoughtSignature"]
            if type(signature) is not str or len(part) != 2:
                return False
            at = f"/tool_calls/{len(calls)}" if calls else _FIRST
            signatures.append({"at": at, "signature": signature})
        call = part["functionCall"]
        if (
            type(call) is not dict
            or type(name := call["name"]) is not str
            or type(arguments := call["args"]) is not dict
        ):
            return False
        if len(call) == 3 and type(identifier := call["id"]) is str:
            calls.append({"id": identifier, "name": name, "arguments": arguments})
        elif len(call) == 2:
            calls.append({"name": name, "arguments": arguments})
        else:
            return False
    if calls:
        message["tool_calls"] = calls
    if signatures:
        message["extra"] = {DIALECT: {"thought_signatures": signatures}}
    messages.append(message)
    return True


def _read_said(parts: list[Any], messages: list[Any]) -> bool:
    """Read results of calls, and texts of which no two stand together; tell whether that was all."""
    after_text = False
    for part in parts:
        if type(part) is not dict or len(part) != 1:
            return False
        if "functionResponse" not in part:
            if after_text or type(text := part["text"]) is not str:
                return False
            messages.append({"role": "user", "content": text})
            after_text = True
            continue
        after_text = False
        result = part["functionResponse"]
        if type(result) is not dict:
            return False
        name, response = result["name"], result["response"]
        if type(name) is not str or type(response) is not dict:
            return False
        content = response["output"] if "output" in response and len(response) == 1 else None
        if type(content) is not str:
            if not _read_object(result, response, messages):
                return False
        elif len(result) == 3 and type(identifier := result["id"]) is str:
            messages.append({"role": "tool", "call_id": identifier, "content": content, "name": name})
        elif len(result) == 2:
            messages.append({"role": "tool", "content": content, "name": name})
        else:
            return False
    return True


def _read_object(result: dict[str, Any], response: dict[str, Any], messages: list[Any]) -> bool:
    """Read a result that is an object as a whole, which has a note on that; tell whether it is one."""
    if not response or (len(response) == 1 and ("output" in response or "error" in response)):
        return False
    text = written(response)
    if text is None:
        return False
    note = {DIALECT: {"spelling": {"response": "object"}}}
    if len(result) == 3 and type(result["id"]) is str:
        said = {"role": "tool", "call_id": result["id"], "content": text, "name": result["name"], "extra": note}
    elif len(result) == 2:
        said = {"role": "tool", "content": text, "name": result["name"], "extra": note}
    else:
        return False
    messages.append(said)
    return True
