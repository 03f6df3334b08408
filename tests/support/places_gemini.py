"""The place of each variant of gemini in a body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from google.genai import types

from support.instances import instances
from support.places import NOTHING
from support.wire_types import GeminiRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.places import Place

# Parts that only a model writes.
_ANSWERED: Final = frozenset({"functionCall", "executableCode", "codeExecutionResult", "toolCall", "toolResponse"})
_DATA: Final = {"inlineData": {"mimeType": "image/png", "data": "AA=="}}
_TEXT: Final = {"text": "Hello"}
# Modifiers of a text; all others modify data.
_OF_TEXT: Final = frozenset({"thought", "thoughtSignature", "partMetadata"})


def _members(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not NOTHING}


def _listed(value: Any) -> list[Any]:
    return [] if value is NOTHING else [value]


def _ask(*contents: dict[str, Any], **members: Any) -> dict[str, Any]:
    said = list(contents) or [{"role": "user", "parts": [_TEXT]}]
    return {"contents": said, **_members(**members)}


def _answer(*parts: Any, **members: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": list(parts) or [_TEXT]}
    return {"candidates": [{"content": content, **_members(**members)}]}


def _asked(name: str, made: Any) -> dict[str, Any]:
    if name.startswith("Generate"):
        return _ask() if made is NOTHING else made
    listed = made if made is NOTHING or not name.endswith("[]") else [made]
    return _ask(**{name.removesuffix("[]"): listed})


def _content(name: str, made: Any) -> dict[str, Any]:
    if name == "systemInstruction":
        return _ask(systemInstruction=made)
    return _ask(*([] if made is NOTHING else [{**made, "role": name}]))


def _part(name: str, made: Any) -> Any:
    return made if name == "text" or made is NOTHING else {name: made}


def _asked_part(name: str, made: Any) -> dict[str, Any]:
    role = "model" if name in _ANSWERED else "user"
    return _ask({"role": role, "parts": _listed(_part(name, made))})


def _modified(name: str, made: Any) -> dict[str, Any]:
    beside = _TEXT if name in _OF_TEXT else _DATA
    return _ask({"role": "model" if name in _OF_TEXT else "user", "parts": [{**beside, **_members(**{name: made})}]})


def _result(name: str, made: Any) -> dict[str, Any]:
    beside = {} if name in {"inlineData", "fileData"} else _DATA
    parts = [] if made is NOTHING else [{**beside, name: made}]
    answer = {"name": "f", "response": {"output": "done"}, **({"parts": parts} if parts else {})}
    return _ask({"role": "user", "parts": [{"functionResponse": answer}]})


def _cited(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _answer()
    if name == "groundingMetadata":
        return _answer(groundingMetadata=made)
    if name == "groundingSupport":
        return _answer(groundingMetadata={"groundingSupports": [made]})
    if name.startswith("groundingChunk."):
        return _answer(groundingMetadata={"groundingChunks": [{name.partition(".")[2]: made}]})
    member, _, inner = name.partition(".")
    return _answer(**{member: {"citations" if inner == "citation" else inner: [made]}})


def _tool(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _ask()
    return _ask(tools=[{name: [made] if name in {"functionDeclarations", "mcpServers"} else made}])


def _schema(_name: str, made: Any) -> dict[str, Any]:
    return _tool("functionDeclarations", {"name": "f", **_members(parameters=made)})


def _choice(name: str, made: Any) -> dict[str, Any]:
    config = _members(mode=made) if "=" in name else {} if made is NOTHING else made
    return _ask(toolConfig={"functionCallingConfig": config})


def _format(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _ask()
    if name.startswith("responseFormat"):
        return _ask(generationConfig={"responseFormat": [made]})
    return _ask(generationConfig={"responseMimeType": "application/json", name: made})


def _thinking(name: str, made: Any) -> dict[str, Any]:
    config = _members(thinkingLevel=made) if "=" in name else made
    return _ask(generationConfig=_members(thinkingConfig=config))


def _whole(name: str, made: Any) -> dict[str, Any]:
    if made is NOTHING:
        return _answer()
    named: dict[str, dict[str, Any]] = {"candidate": {"candidates": [made]}, "promptFeedback": {"promptFeedback": made}}
    return named[name] if name in named else dict(made)


def _ended(name: str, word: Any) -> dict[str, Any]:
    if name.startswith("promptFeedback."):
        return _answer() if word is NOTHING else {"promptFeedback": {"blockReason": word}}
    return _answer(finishReason=word)


def _used(_name: str, usage: Any) -> dict[str, Any]:
    return {**_answer(), **_members(usageMetadata=usage)}


GEMINI_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", _asked),
    "input_items": ("request", _content),
    "input_content_parts": ("request", _asked_part),
    "part_modifiers": ("request", _modified),
    "tool_result_content": ("request", _result),
    "output_items": ("response", lambda _name, made: _whole("candidate", made)),
    "output_content_parts": ("response", lambda name, made: _answer(*_listed(_part(name, made)))),
    "citations": ("response", _cited),
    "tools": ("request", _tool),
    "schema": ("request", _schema),
    "tool_choice": ("request", _choice),
    "response_format": ("request", _format),
    "reasoning_config": ("request", _thinking),
    "response": ("response", _whole),
    "finish_reasons": ("response", _ended),
    "usage": ("response", _used),
}
_MODIFIERS: Final = {declared.alias or name: declared.annotation for name, declared in types.Part.model_fields.items()}
# Variants that are words or members of a type, or that the inventory only names.
GEMINI_MADE: Final[Mapping[str, tuple[Any, ...]]] = {
    "request/GenerateContentRequest(REST body)": tuple(
        {**body, "serviceTier": "flex", "store": False, "continuationToken": "t"} for body in instances(GeminiRequest)
    ),
    "input_content_parts/text": (_TEXT,),
    "output_content_parts/text": (_TEXT,),
    # An empty object is not a response.
    "response/GenerateContentResponse": tuple(one for one in instances(types.GenerateContentResponse) if one),
    "response_format/responseMimeType": ("application/json", "text/plain", "text/x.enum"),
    "response_format/responseSchema": tuple(instances(types.Schema)),
    "response_format/responseJsonSchema": ({"type": "object", "properties": {"city": {"type": "string"}}},),
    **{
        f"part_modifiers/{name}": tuple(instances(_MODIFIERS[name]))
        for name in (
            "mediaResolution", "thought", "thoughtSignature", "videoMetadata", "partMetadata", "audioTranscription",
            "mediaProcessing", "speechMetadata", "documentMetadata", "spreadsheetMetadata", "audioMetadata",
        )
    },
}  # fmt: skip
