"""The code interpreter of Responses: `code_interpreter_call` items as server call and server result parts.

One item holds a call and its result. It is an assistant message of its own, or follows the reasoning before it. Items
of any other shape stay opaque. Source: docs/wire/openai_responses.md, section 1; docs/decisions/0010-server-tools.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import beyond, lost_members
from interlingua.rooms._shared.server_calls import CALL, RESULT
from interlingua.rooms.openai_responses.generated_images import (
    decode_generated_image,
    encode_generated_image,
    is_generated_image,
)
from interlingua.rooms.openai_responses.tables import CODE_INTERPRETER_CALL, DIALECT, IMAGE_GENERATION_CALL
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra
from interlingua.spi.reading import Unmapped, rest

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

_LANGUAGE: Final = "python"
_CONTAINER: Final = "container_id"
_STATE: Final = (_CONTAINER, "status")
_MEMBERS: Final = frozenset({"type", "id", "code", "outputs", *_STATE})
_CALL_MEMBERS: Final = frozenset({"type", "id", "language", "code", "extra"})
_RESULT_MEMBERS: Final = frozenset({"type", "call_id", "content", "is_error", "extra"})
# Output type -> the member that holds it.
_OUTPUTS: Final = {"logs": "logs", "image": "url"}
_OUTPUT_MEMBERS: Final = frozenset({"type", "text", "url", "extra"})
_APART: Final = "an item of the code interpreter can only hold its code, and outputs of text or images"


def decode_run(item: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Decode a code interpreter item, a call with its result if there is one, or a generated image.

    None for any other item.
    """
    return decode_generated_image(item) if item.get("type") == IMAGE_GENERATION_CALL else _decode_code(item)


def _decode_code(item: dict[str, Any]) -> list[dict[str, Any]] | None:
    code, outputs = item.get("code"), item.get("outputs")
    if item.get("type") != CODE_INTERPRETER_CALL or type(item.get("id")) is not str:
        return None
    if type(code) not in {str, type(None)} or type(outputs) not in {list, type(None)}:
        return None
    call: dict[str, Any] = {"type": CALL, "id": item["id"], "language": _LANGUAGE}
    left = Unmapped()
    if code is not None:
        call["code"] = code
    left.fields = rest(item, _MEMBERS)
    state = {name: item[name] for name in _STATE if name in item}
    if state:
        left.typed["item"] = state
    for name in ("code", "outputs"):
        if name in item and item[name] is None:
            left.null(name)
    left.attach(call, DIALECT)
    if outputs is None:
        return [call]
    content = [_decode_output(one) for one in outputs]
    if None in content:
        return None
    result: dict[str, Any] = {"type": RESULT, "call_id": item["id"]}
    if len(outputs) == 1 and outputs[0].keys() == {"type", "logs"}:
        result["content"] = outputs[0]["logs"]
    elif content:
        result["content"] = content
    if item.get("status") == "failed":
        result["is_error"] = True
    return [call, result]


def _decode_output(wire: Any) -> dict[str, Any] | None:
    kind = wire.get("type") if type(wire) is dict else None
    if type(kind) is not str or kind not in _OUTPUTS or type(wire.get(_OUTPUTS[kind])) is not str:
        return None
    said = wire[_OUTPUTS[kind]]
    part = {"type": "text", "text": said} if kind == "logs" else {"type": "image", "url": said}
    left = Unmapped()
    left.fields = rest(wire, frozenset({"type", _OUTPUTS[kind]}))
    left.attach(part, DIALECT)
    return part


def runs_of(content: Any, to: Target) -> list[list[tuple[int, Any]]]:
    """Return the runs of content that holds nothing else: each a call with its result, and their indexes.

    The code interpreter runs one language. Abroad, a run counts as this provider's if it names its container. A
    generated image is a run of its own.
    """
    runs: list[list[tuple[int, Any]]] = []
    for at, part in enumerate(content if type(content) is list else ()):
        if (part["type"] == CALL and _is_writable_call(part, to)) or is_generated_image(part, to):
            runs.append([(at, part)])
        elif part["type"] == RESULT and runs and len(runs[-1]) == 1 and _answers(part, runs[-1][0][1]):
            runs[-1].append((at, part))
        else:
            return []
    return runs


def _is_writable_call(call: Any, to: Target) -> bool:
    if call.get("language") != _LANGUAGE:
        return False
    return to.home or _CONTAINER in own_extra(call, DIALECT).get("item", NOTHING)


def _answers(result: Any, call: Any) -> bool:
    return call["type"] == CALL and bool(result.get("call_id", call.get("id")) == call.get("id"))


def encode_run(run: list[tuple[int, Any]], path: str, to: Target) -> dict[str, Any]:
    """Return the item of a call and its result, given with their indexes in the content."""
    at, call = run[0]
    if call["type"] != CALL:
        return encode_generated_image(call, f"{path}/{at}", to)
    out: dict[str, Any] = {"type": CODE_INTERPRETER_CALL}
    out |= {name: call[name] for name in ("id", "code") if name in call}
    lost_members(to.log, beyond(call, _CALL_MEMBERS), f"{path}/{at}", "part", _APART)
    for place, result in run[1:]:
        out["outputs"] = _encode_outputs(result.get("content", []), f"{path}/{place}/content", to)
        lost_members(to.log, beyond(result, _RESULT_MEMBERS), f"{path}/{place}", "part", _APART)
        merge_own_extra({}, result, DIALECT, f"{path}/{place}", to.log)
    out |= own_extra(call, DIALECT).get("item", NOTHING)
    merge_own_extra(out, call, DIALECT, f"{path}/{at}", to.log)
    return out


def _encode_outputs(content: Any, path: str, to: Target) -> list[dict[str, Any]]:
    if type(content) is str:
        return [{"type": "logs", "logs": content}]
    outputs: list[dict[str, Any]] = []
    for at, part in enumerate(content):
        if part["type"] == "text":
            outputs.append({"type": "logs", "logs": part["text"]})
        elif part["type"] == "image" and "url" in part:
            outputs.append({"type": "image", "url": part["url"]})
        else:
            lost_members(to.log, part, f"{path}/{at}", "part", _APART)
            continue
        lost_members(to.log, beyond(part, _OUTPUT_MEMBERS), f"{path}/{at}", "part", _APART)
        merge_own_extra(outputs[-1], part, DIALECT, f"{path}/{at}", to.log)
    return outputs
