"""Every variant that the official SDKs declare, put into a body: what becomes of it in the canonical value.

`INVENTORY.json` lies beside the corpus, outside the repository: dialect, category, name of the variant, and for each
its SDK type and its fields. A category without a place here is one of streams, or of headers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from interlingua.errors import DecodeError
from support import corpus
from support.canonical import difference, objects, same
from support.instances import instances, sdk_type
from support.rooms import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from support.rooms import Kind

    Place = tuple[Kind, Callable[[str, Any], dict[str, Any]]]

Fate = Literal["mapped", "opaque", "extra", "unknown"]
# Not part of a body: what goes into headers. Its fields are also declared among those of the request.
_NO_BODY: Final = frozenset({"header-only"})
# Instances of what the SDK leaves free.
_BY_HAND: Final[Mapping[tuple[str, str], tuple[Any, ...]]] = {
    ("tool_choice", "allowed_tools"): (
        {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "f"}}]},
        },
    )
}
# Nothing stands here: what a body is without the variant.
_NOTHING: Final = object()


def place() -> Path | None:
    """Return where the inventory lies, or None where there is none."""
    root = corpus.root()
    path = None if root is None else root.parent / "reference" / "wire" / "INVENTORY.json"
    return path if path is not None and path.is_file() else None


@cache
def inventory() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the inventory.

    Raises:
        CorpusNotFoundError: there is no inventory beside the corpus.
    """
    path = place()
    if path is None:
        message = "There is no reference/wire/INVENTORY.json beside the corpus."
        raise corpus.CorpusNotFoundError(message)
    loaded: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def words(dialect: str) -> dict[str, frozenset[str]]:
    """Return the known words of each member that takes words from a list, wherever it stands."""
    found: dict[str, set[str]] = {}
    for variants in inventory()[dialect].values():
        for variant in variants.values():
            for name, declared in variant["fields"].items():
                found.setdefault(name, set()).update(part for part in declared["type"].split('"')[1::2])
    return {name: frozenset(known) for name, known in found.items() if known}


@dataclass(frozen=True)
class Variant:
    """A variant of the wire: instances of it, and what puts one of them, or nothing, into a body."""

    dialect: str
    category: str
    name: str
    kind: Kind
    made: tuple[Any, ...]
    put: Callable[[str, Any], dict[str, Any]]

    @property
    def label(self) -> str:
        """The name under which the variant is committed."""
        return f"{self.category}/{self.name.partition(' (')[0]}"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """A body for each instance."""
        return [self.put(self.name, one) for one in self.made]


def variants(dialect: str) -> Iterator[Variant]:
    """Yield every variant of a dialect that can stand in a request or a response."""
    for category, named in inventory()[dialect].items():
        place = _PLACES[dialect].get(category)
        if place is None:
            continue
        for name, variant in named.items():
            if name not in _NO_BODY:
                kind: Kind = "response" if name.startswith("output:") else place[0]
                yield Variant(dialect, category, name, kind, tuple(_made(category, name, variant)), place[1])


def _made(category: str, name: str, variant: Mapping[str, Any]) -> list[Any]:
    """Return instances of a variant; one that is a word has no type of its own."""
    try:
        made = list(instances(sdk_type(variant["sdk_type"])))
    except LookupError:
        word = name.rpartition("=")[2].removeprefix("beta:")
        if category == "request":  # members that the SDK does not declare any more
            return [{member: number for number, member in enumerate(variant["fields"], 1)}]
        return [word]
    return [*made, *_BY_HAND.get((category, name), ())]


def fate(variant: Variant) -> Fate:
    """Return what becomes of a variant: `unknown` if one instance is not carried, else the best of their fates."""
    fates = {_fate(variant, made) for made in variant.made}
    order: tuple[Fate, ...] = ("unknown", "mapped", "opaque", "extra")
    return next(one for one in order if one in fates)


def _fate(variant: Variant, made: Any) -> Fate:
    body = variant.put(variant.name, made)
    try:
        canonical = decode(variant.dialect, variant.kind, body)
    except DecodeError:
        return "unknown"
    encoded, losses = encode(variant.dialect, variant.kind, canonical)
    if losses or difference(body, encoded):
        return "unknown"
    if any(same(inner, made) for data in _opaque(canonical) for _, inner in objects(data)):
        return "opaque"
    plain = decode(variant.dialect, variant.kind, variant.put(variant.name, _NOTHING))
    return "mapped" if difference(_outside(plain), _outside(canonical)) else "extra"


def kept_aside(variant: Variant) -> list[str]:
    """Return the members of a variant, and of what it holds, that only `extra` holds: they have no canonical place."""
    names: set[str] = set()
    for body in variant.bodies:
        for path, value in objects(decode(variant.dialect, variant.kind, body)):
            if path[-2:] == ("extra", variant.dialect):
                names.update(value.get("fields", ()))
    return sorted(names)


def _opaque(canonical: Any) -> list[Any]:
    """Return what the opaque messages, parts and tools of a canonical value hold."""
    tags = ("type", "role")
    return [
        value["data"]
        for _, value in objects(canonical)
        if "opaque" in [value.get(tag) for tag in tags] and "data" in value
    ]


def _outside(value: Any) -> Any:
    """Return a canonical value without `extra`."""
    if isinstance(value, dict):
        return {key: _outside(inner) for key, inner in value.items() if key != "extra"}
    return [_outside(inner) for inner in value] if isinstance(value, list) else value


def _member(name: str, value: Any) -> dict[str, Any]:
    return {} if value is _NOTHING else {name: value}


def _chat(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    said = list(messages) or [{"role": "user", "content": "Hello"}]
    return {"model": "m", "messages": said, **{key: value for key, value in members.items() if value is not _NOTHING}}


def _chat_call(_name: str, call: Any) -> dict[str, Any]:
    calls = [] if call is _NOTHING else [call]
    return _chat({"role": "assistant", "content": "Well.", **({"tool_calls": calls} if calls else {})})


def _chat_part(name: str, part: Any) -> dict[str, Any]:
    role = "assistant" if name.startswith("assistant:") else "user"
    return _chat({"role": role, "content": [] if part is _NOTHING else [part]})


def _answer(**choice: Any) -> dict[str, Any]:
    message = choice.pop("message", {"role": "assistant", "content": "Hello"})
    choices = [{"index": 0, "message": message, **{key: one for key, one in choice.items() if one is not _NOTHING}}]
    return {"id": "i", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


def _answer_part(name: str, part: Any) -> dict[str, Any]:
    known = {"annotations[].url_citation": "annotations"}
    value = [part] if name in known and part is not _NOTHING else part
    return _answer(message={"role": "assistant", "content": "Hello", **_member(known.get(name, name), value)})


def _answer_usage(name: str, usage: Any) -> dict[str, Any]:
    if name == "usage":
        return {**_answer(), **_member("usage", usage)}
    inner = _member(name.removeprefix("usage."), usage)
    return {**_answer(), "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, **inner}}


def _answer_whole(name: str, made: Any) -> dict[str, Any]:
    if made is _NOTHING:
        return _answer()
    whole = made if name == "chat.completion" else {**_answer(), "choices": [{**made, "index": 0}]}
    return {**whole, "choices": [{**choice, "index": at} for at, choice in enumerate(whole["choices"])]}


def _tools(_name: str, tool: Any) -> dict[str, Any]:
    return _chat(tools=[] if tool is _NOTHING else [tool])


_CHAT_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", lambda _name, made: _chat() if made is _NOTHING else made),
    "input_items": ("request", lambda _name, made: _chat(*([] if made is _NOTHING else [made]))),
    "input_content_parts": ("request", _chat_part),
    "input_tool_calls": ("request", _chat_call),
    "tools": ("request", _tools),
    "tool_choice": ("request", lambda _name, made: _chat(tool_choice=made)),
    "custom_tool_format": (
        "request",
        lambda _name, made: (
            _tools("", {"type": "custom", "custom": {"name": "f", "format": made}})
            if made is not _NOTHING
            else _tools("", made)
        ),
    ),
    "response_format": ("request", lambda _name, made: _chat(response_format=made)),
    "reasoning_config": ("request", lambda _name, made: _chat(reasoning_effort=made)),
    "output_items": ("response", lambda _name, made: _answer(**_member("message", made))),
    "output_content_parts": ("response", _answer_part),
    "output_tool_calls": (
        "response",
        lambda _name, made: _answer(
            message={"role": "assistant", "content": None, **({} if made is _NOTHING else {"tool_calls": [made]})}
        ),
    ),
    "response": ("response", _answer_whole),
    "finish_reasons": ("response", lambda _name, made: _answer(finish_reason=made)),
    "usage": ("response", _answer_usage),
}


def _ask(**members: Any) -> dict[str, Any]:
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
    return {**asked, **{key: value for key, value in members.items() if value is not _NOTHING}}


def _said(role: str, block: Any) -> dict[str, Any]:
    return _ask(messages=[{"role": role, "content": [] if block is _NOTHING else [block]}])


def _asked_part(name: str, block: Any) -> dict[str, Any]:
    ours = {"text", "image", "document", "search_result", "tool_result", "container_upload"}
    system = {"beta:tool_addition", "beta:tool_removal"}
    return _said("user" if name in ours else "system" if name in system else "assistant", block)


def _around(outer: dict[str, Any], name: str) -> Callable[[str, Any], dict[str, Any]]:
    """Return what puts a variant into a member of a block; without it, the conversation is without the block."""

    def put(_name: str, made: Any) -> dict[str, Any]:
        return _said("user", _NOTHING if made is _NOTHING else {**outer, name: made})

    return put


def _replied(content: Any, **members: Any) -> dict[str, Any]:
    reply = {"id": "i", "type": "message", "role": "assistant", "model": "m", "content": content}
    given = {key: value for key, value in members.items() if value is not _NOTHING}
    return {**reply, "stop_reason": None, "stop_sequence": None, **given}


def _cited(name: str, citation: Any) -> dict[str, Any]:
    citations = [] if citation is _NOTHING else [citation]
    block = {"type": "text", "text": "Hello", **({"citations": citations} if citations else {})}
    return _replied([block]) if name.startswith("output:") else _said("assistant", block)


def _reasoning(name: str, settings: Any) -> dict[str, Any]:
    return _ask(**_member("thinking" if name.startswith("thinking") else "output_config", settings))


def _asked_whole(name: str, made: Any) -> dict[str, Any]:
    return _ask() if made is _NOTHING else {**_ask(), **made} if name.startswith("legacy") else made


_CLAUDE_PLACES: Final[Mapping[str, Place]] = {
    "request": ("request", _asked_whole),
    "input_items": ("request", lambda _name, made: _ask(messages=[] if made is _NOTHING else [made])),
    "input_content_parts": ("request", _asked_part),
    "tool_result_content": (
        "request",
        lambda _name, made: _said(
            "user", {"type": "tool_result", "tool_use_id": "t", "content": [] if made is _NOTHING else [made]}
        ),
    ),
    "image_sources": ("request", _around({"type": "image"}, "source")),
    "document_sources": ("request", _around({"type": "document"}, "source")),
    "tools": ("request", lambda _name, made: _ask(tools=[] if made is _NOTHING else [made])),
    "tool_choice": ("request", lambda _name, made: _ask(tool_choice=made)),
    "response_format": (
        "request",
        lambda _name, made: _ask(output_config={} if made is _NOTHING else {"format": made}),
    ),
    "reasoning_config": ("request", _reasoning),
    "context_management_edits": (
        "request",
        lambda _name, made: _ask(**({} if made is _NOTHING else {"context_management": {"edits": [made]}})),
    ),
    "tool_use_callers": (
        "request",
        lambda _name, made: _said(
            "assistant", {"type": "tool_use", "id": "t", "name": "f", "input": {}, **_member("caller", made)}
        ),
    ),
    "output_items": ("response", lambda _name, made: _replied([]) if made is _NOTHING else made),
    "output_content_parts": ("response", lambda _name, made: _replied([] if made is _NOTHING else [made])),
    "server_tool_result_content": (
        "response",
        lambda _name, made: _replied(
            [] if made is _NOTHING else [{"type": "web_search_tool_result", "tool_use_id": "t", "content": [made]}]
        ),
    ),
    "citations": ("request", _cited),
    "response": ("response", lambda _name, made: _replied([]) if made is _NOTHING else made),
    "finish_reasons": ("response", lambda _name, made: _replied([], stop_reason=made)),
    "usage": ("response", lambda _name, made: _replied([], usage=made)),
}
_PLACES: Final[Mapping[str, Mapping[str, Place]]] = {"openai_chat": _CHAT_PLACES, "claude": _CLAUDE_PLACES}
