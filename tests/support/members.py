"""Canonical objects member by member: whether an encoder writes, reports or forgets each.

Each object of the schema that a request or a response can hold is in a few places of small documents. There every
member is added, or changed if it is required. A member that changes neither the body nor a loss that names it has been
forgotten.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NotRequired, get_args, get_origin, get_type_hints

from interlingua_types import CURRENT
from interlingua_types.current import shapes
from support.canonical import edited, lookup, pointer, same, written
from support.silence import is_idle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from interlingua.loss import Loss
    from support.canonical import Tokens
    from support.rooms import Kind

    Encode = Callable[[str, Kind, Any], tuple[dict[str, Any], Sequence[Loss]]]

# Members that identify the object: another word would be another document.
TAGS: Final = frozenset({"type", "role", "mode", "kind", "dialect"})
# Objects in which these are not tags.
_NOT_TAGS: Final = frozenset({"ReasoningSettings.mode", "ToolCall.kind", "NamedToolChoice.kind", "CacheMark.mode"})
# A part has exactly one of these.
_SOURCES: Final = ("url", "data", "file_id", "text", "content")
_SOURCED: Final = frozenset({"ImagePart", "AudioPart", "FilePart"})

PNG: Final = "iVBORw0KGgoAAAANSUhEUg=="
WAV: Final = "UklGRiQAAABXQVZFZm10IA=="
SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {"at": {"type": "string"}}}
# Strict mode changes nothing in it.
CLOSED: Final[dict[str, Any]] = {**SCHEMA, "required": ["at"], "additionalProperties": False}
TEXT: Final[dict[str, Any]] = {"type": "text", "text": "Hello"}
SERVER_CALL: Final[dict[str, Any]] = {
    "type": "server_call", "language": "python", "code": "print(6 * 7)"
}  # fmt: skip
SERVER_RESULT: Final[dict[str, Any]] = {"type": "server_result", "content": "42"}
CALL: Final[dict[str, Any]] = {"id": "call_1", "name": "look", "arguments": '{"at":"home"}'}
TOOL: Final[dict[str, Any]] = {"type": "function", "name": "look"}
USER: Final[dict[str, Any]] = {"role": "user", "content": "Hello"}
CALLING: Final[dict[str, Any]] = {"role": "assistant", "tool_calls": [CALL]}
RESULT: Final[dict[str, Any]] = {"role": "tool", "call_id": "call_1", "content": "Nothing."}
ANSWER: Final[dict[str, Any]] = {"role": "assistant", "content": "Good day."}

# A value of each member, by its name, or by object and name; none is a default.
SAMPLES: Final[Mapping[str, Any]] = {
    "schema_version": CURRENT,
    "model": "a-model",
    "messages": [USER],
    "ChatResponse.messages": [{"role": "assistant", "content": "Another answer."}],
    "Alternative.messages": [{"role": "assistant", "content": "Another answer."}],
    "tools": [TOOL],
    "tool_choice": {"mode": "required"},
    "parallel_tool_calls": False,
    "max_tokens": 4321,
    "temperature": 0.25,
    "top_p": 0.75,
    "top_k": 7,
    "stop": ["END", "STOP"],
    "seed": 11,
    "n": 2,
    "frequency_penalty": 0.5,
    "presence_penalty": 0.125,
    "logprobs": True,
    "top_logprobs": 3,
    "logit_bias": {"50256": -100},
    "stream": True,
    "metadata": {"label": "blue"},
    "user": "user-1",
    "reasoning": {"effort": "high"},
    "AssistantChatMessage.reasoning": "I think.",
    "response_format": {"type": "json_schema", "name": "form", "schema": SCHEMA},
    "verbosity": "low",
    "prompt_cache_key": "key-1",
    "prompt_cache_retention": "24h",
    "min_p": 0.125,
    "repetition_penalty": 1.25,
    "stream_usage": False,
    "stream_obfuscation": True,
    "safety_identifier": "person-1",
    "store": True,
    "service_tier": "flex",
    "moderation": {"model": "some-model"},
    "modalities": ["text", "video"],
    "cache": {"ttl": "5m"},
    "id": "id-1",
    "created": 1700000000,
    "finish_reason": "length",
    "finish_reason_raw": "a_word",
    "stop_sequence": "END",
    "usage": {"input_tokens": 17, "output_tokens": 19},
    "alternatives": [{"messages": [ANSWER]}],
    "content": "Another text.",
    "FilePart.content": [TEXT],
    "name": "another-name",
    "refusal": "No.",
    "tool_calls": [CALL],
    "call_id": "call_1",
    "is_error": True,
    "language": "bash",
    "code": "print(7)",
    "error_output": "NameError",
    "exit_code": 3,
    "error_code": "execution_time_exceeded",
    "data": PNG,
    "AudioPart.data": WAV,
    "OpaqueChatMessage.data": {"another": 1},
    "OpaquePart.data": {"another": 1},
    "OpaqueTool.data": {"another": 1},
    "arguments": '{"at":"work"}',
    "kind": "custom",
    "text": "Another text.",
    "citations": [{"kind": "url", "url": "https://example.org/a", "title": "A"}],
    "format": "image/png",
    "AudioPart.format": "audio/wav",
    "FilePart.format": "application/pdf",
    "ImagePart.format": "image/jpeg",
    "file_id": "file-1",
    "url": "https://example.org/b.png",
    "detail": "high",
    "transcript": "Good day.",
    "expires_at": 1700000001,
    "title": "A title",
    "context": "A context",
    "start_index": 1,
    "end_index": 4,
    "cited_text": "ello",
    "ttl": "5m",
    "CacheMark.mode": "explicit",
    "description": "Looks.",
    "grammar": {"syntax": "regex", "definition": "[a-z]+"},
    "syntax": "regex",
    "definition": "[0-9]+",
    "parameters": SCHEMA,
    "strict": True,
    "names": ["look"],
    "allowed_domains": ["example.org"],
    "blocked_domains": ["example.com"],
    "max_uses": 3,
    "context_size": "low",
    "user_location": {"city": "Lisbon"},
    "city": "Lisbon",
    "region": "Alentejo",
    "country": "PT",
    "timezone": "Europe/Lisbon",
    "required": True,
    "effort": "high",
    "ReasoningSettings.mode": "disabled",
    "budget_tokens": 2048,
    "display": "summarized",
    "schema": SCHEMA,
    **{name: 100 + at for at, name in enumerate(get_type_hints(shapes.Usage))},
}


@dataclass(frozen=True)
class Place:
    """The place of an object: the kind of document, and the path."""

    kind: Kind
    document: dict[str, Any]
    path: Tokens


def _asked(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), **more}


def _said(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "i", "model": "m", "messages": [message], **more}


def _in_content(*parts: dict[str, Any], speakers: str = "user tool assistant answer") -> list[Place]:
    """Return the places of parts in message content, for the given speakers."""
    found: list[Place] = []
    for part in parts:
        messages = {
            "system": ([{"role": "system", "content": [part]}, USER], 0),
            "user": ([{"role": "user", "content": [part]}], 0),
            "assistant": ([USER, {"role": "assistant", "content": [part]}, USER], 1),
            "tool": ([USER, CALLING, {**RESULT, "content": [part]}], 2),
        }
        found += [
            Place("request", _asked(*said), ("messages", at, "content", 0))
            for speaker, (said, at) in messages.items()
            if speaker in speakers.split()
        ]
        if "answer" in speakers:
            found.append(
                Place("response", _said({"role": "assistant", "content": [part]}), ("messages", 0, "content", 0))
            )
    return found


def _within(places: Iterable[Place], *steps: str | int, value: Any) -> list[Place]:
    """Return the places inside objects: `value`, in a list if a step is a number."""
    held = [value] if len(steps) > 1 else value
    return [
        Place(
            place.kind,
            edited(place.document, place.path, {**lookup(place.document, place.path), str(steps[0]): held}),
            (*place.path, *steps),
        )
        for place in places
    ]


_REQUEST: Final = Place("request", _asked(USER), ())
_RESPONSE: Final = Place("response", _said(ANSWER), ())
_CALLS: Final = (
    Place("request", _asked(USER, CALLING, RESULT), ("messages", 1, "tool_calls", 0)),
    Place("response", _said(CALLING), ("messages", 0, "tool_calls", 0)),
)
_RESULT: Final = Place("request", _asked(USER, CALLING, RESULT), ("messages", 2))
_TOOLED: Final = Place("request", _asked(USER, tools=[TOOL, {**TOOL, "name": "see"}]), ())
_CITING: Final = _in_content(TEXT, speakers="user assistant answer")

_SEARCH: Final = Place("request", _asked(USER, tools=[{"type": "web_search"}]), ("tools", 0))
_FREE: Final = Place("request", _asked(USER, tools=[{"type": "custom", "name": "write"}]), ("tools", 0))
_GROUP: Final = Place(
    "request",
    _asked(USER, tools=[{"type": "namespace", "name": "files", "tools": [{**TOOL, "name": "see"}]}]),
    ("tools", 0),
)
_FORMS: Final[tuple[dict[str, Any], ...]] = ({"schema": {}}, {"name": "form", "schema": CLOSED})

PLACES: Final[Mapping[str, Sequence[Place]]] = {
    "ChatRequest": (_REQUEST, _TOOLED),
    "ChatResponse": (_RESPONSE,),
    "Alternative": _within([_RESPONSE], "alternatives", 0, value={"messages": [USER]}),
    **{
        name: [
            Place("request", _asked({"role": role, "content": "Be brief."}, USER), ("messages", 0)),
            Place("request", _asked(USER, ANSWER, {"role": role, "content": "Be brief."}), ("messages", 2)),
        ]
        for name, role in (("SystemChatMessage", "system"), ("DeveloperChatMessage", "developer"))
    },
    "UserChatMessage": (Place("request", _asked(USER), ("messages", 0)),),
    "AssistantChatMessage": (
        Place("request", _asked(USER, ANSWER, USER), ("messages", 1)),
        Place("response", _said(ANSWER), ("messages", 0)),
    ),
    "ToolChatMessage": (_RESULT,),
    "OpaqueChatMessage": (
        Place("request", _asked(USER, {"role": "opaque", "dialect": "elsewhere", "data": {"one": 1}}), ("messages", 1)),
    ),
    "WebSearchTool": (_SEARCH,),
    "UserLocation": _within([_SEARCH], "user_location", value={}),
    "CodeExecutionTool": (Place("request", _asked(USER, tools=[{"type": "code_execution"}]), ("tools", 0)),),
    "CustomTool": (_FREE,),
    "Grammar": _within([_FREE], "grammar", value={"syntax": "lark", "definition": "start: NAME"}),
    "NamespaceTool": (_GROUP,),
    "ToolCall": _CALLS,
    "TextPart": _in_content(TEXT, speakers="system user tool assistant answer"),
    "ImagePart": _in_content(
        {"type": "image", "url": "https://example.org/a.png"}, {"type": "image", "format": "image/png", "data": PNG}
    ),
    "AudioPart": _in_content({"type": "audio", "format": "audio/wav", "data": WAV}),
    "FilePart": _in_content(
        {"type": "file", "format": "application/pdf", "data": "JVBERi0xLjQK"},
        {"type": "file", "file_id": "file-2"},
        {"type": "file", "text": "A text."},
        {"type": "file", "content": [{"type": "text", "text": "A text."}]},
    ),
    "ServerCallPart": _in_content(SERVER_CALL, speakers="assistant answer"),
    "ServerResultPart": _in_content(SERVER_RESULT, speakers="assistant answer"),
    "OpaquePart": _in_content({"type": "opaque", "dialect": "elsewhere", "data": {"one": 1}}),
    "Citation": [
        place
        for kind in ("url", "file", "document")
        for place in _within(_CITING, "citations", 0, value={"kind": kind})
    ],
    "CacheMark": [
        *_within([_REQUEST, _RESULT, *_CALLS[:1]], "cache", value={}),
        *_within(_in_content(TEXT, speakers="user tool assistant"), "cache", value={}),
        Place("request", _asked(USER, tools=[{**TOOL, "cache": {}}]), ("tools", 0, "cache")),
    ],
    "ToolDefinition": [
        Place("request", _asked(USER, tools=[tool]), ("tools", 0)) for tool in (TOOL, {**TOOL, "parameters": CLOSED})
    ],
    "OpaqueTool": (
        Place(
            "request",
            _asked(USER, tools=[TOOL, {"type": "opaque", "dialect": "elsewhere", "data": {"one": 1}}]),
            ("tools", 1),
        ),
    ),
    **{
        name: _within([_TOOLED], "tool_choice", value=choice)
        for name, choice in (
            ("AutoToolChoice", {"mode": "auto"}),
            ("NoneToolChoice", {"mode": "none"}),
            ("RequiredToolChoice", {"mode": "required"}),
            ("NamedToolChoice", {"mode": "named", "name": "look"}),
            ("SubsetToolChoice", {"mode": "subset", "names": ["look", "see"]}),
        )
    },
    "ReasoningSettings": _within([_REQUEST], "reasoning", value={}),
    "ResponseFormat": [
        place
        for form in _FORMS
        for place in _within([_REQUEST], "response_format", value={"type": "json_schema", **form})
    ],
    "Usage": _within([_RESPONSE], "usage", value={}),
}


def reachable() -> set[str]:
    """Return the names of the objects that a request or a response can hold, except those of a single dialect."""
    found: set[str] = set()
    waiting: list[Any] = [shapes.ChatRequest, shapes.ChatResponse]
    while waiting:
        hint = waiting.pop()
        if inspect.isclass(hint) and hasattr(hint, "__required_keys__"):
            if hint.__name__ not in found and hint is not shapes.Extra:
                found.add(hint.__name__)
                waiting += members_of(hint.__name__).values()
        else:
            waiting += get_args(hint)
    return found


def members_of(name: str) -> dict[str, Any]:
    """Return the members of an object, each with its type."""
    hints = get_type_hints(getattr(shapes, name), include_extras=True)
    return {member: get_args(hint)[0] if get_origin(hint) is NotRequired else hint for member, hint in hints.items()}


@dataclass(frozen=True)
class Case:
    """A member at a place: the document without it, or with its first value, and the document with it."""

    name: str
    place: Place
    path: Tokens
    document: dict[str, Any]


def cases(dialect: str) -> Iterator[Case]:
    """Yield a case for each member at each place."""
    for name, places in PLACES.items():
        for place in places:
            before: dict[str, Any] = lookup(place.document, place.path)
            for member in members_of(name):
                if member in TAGS and f"{name}.{member}" not in _NOT_TAGS:
                    continue
                after = _with(before, name, member, dialect)
                document = edited(place.document, place.path, after)
                if not same(before, after) and not is_idle((*place.path, member), document, dialect):
                    yield Case(f"{place.kind} {name}.{member}", place, (*place.path, member), document)


def _with(value: dict[str, Any], name: str, member: str, dialect: str) -> dict[str, Any]:
    """Return an object with a member; a part has one source, which may be the member."""
    is_source = name in _SOURCED and member in _SOURCES
    kept = {key: said for key, said in value.items() if not (is_source and key in _SOURCES)}
    return {**kept, member: sample(name, member, dialect)}


def forgotten(dialect: str, encode: Encode) -> set[str]:
    """Return kind, object and member of each member that an encoder neither writes nor reports in some place."""
    bodies: dict[str, dict[str, Any]] = {}
    found: set[str] = set()
    for case in cases(dialect):
        before = written(case.place.document)
        if before not in bodies:
            bodies[before] = encode(dialect, case.place.kind, case.place.document)[0]
        body, losses = encode(dialect, case.place.kind, case.document)
        if same(body, bodies[before]) and not any(_covers(loss, case.path) for loss in losses):
            found.add(case.name)
    return found


def _covers(loss: Loss, path: Tokens) -> bool:
    """Return whether a loss is at a member, inside it, or at an object around it."""
    where = pointer(path)
    if loss.severity == "filled":
        return False
    whole = loss.severity == "lost" and loss.path != "" and where.startswith(f"{loss.path}/")
    return whole or loss.path == where or loss.path.startswith(f"{where}/")


def sample(name: str, member: str, dialect: str) -> Any:
    """Return a value of a member; provider state is that of a dialect other than this one."""
    if member == "extra":
        return {"ollama" if dialect == "claude" else "claude": {"fields": {"x_new": 1}}}
    specific = f"{name}.{member}"
    return SAMPLES[specific] if specific in SAMPLES else SAMPLES[member]
