"""Every variant that the official SDKs declare, put into a body: what its canonical value is.

`INVENTORY.json` is next to the corpus, outside the repository: dialect, category, name of the variant, and for each its
SDK type and its fields. A category without a place here is one of streams (`inventory_streams.py`), or of headers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from interlingua.errors import DecodeError
from interlingua.registry import dialects
from support import corpus
from support.canonical import difference, objects, same
from support.declared import Declared
from support.instances import instances, sdk_type
from support.places import CHAT_PLACES, CLAUDE_PLACES, NOTHING, Place
from support.places_gemini import GEMINI_MADE, GEMINI_PLACES
from support.places_ollama import OLLAMA_MADE, OLLAMA_PLACES, OLLAMA_TYPES
from support.places_responses import RESPONSES_MADE, RESPONSES_PLACES
from support.places_vllm import VLLM_ELSEWHERE, VLLM_MADE, VLLM_PLACES, VLLM_TYPES
from support.rooms import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from support.rooms import Kind


Fate = Literal["mapped", "opaque", "extra", "unknown"]
# Not part of a body: variants in headers. Their fields are also declared among those of the request.
_NO_BODY: Final = frozenset({"header-only"})
# Instances of types that the SDK leaves open.
_BY_HAND: Final[Mapping[tuple[str, str, str], tuple[Any, ...]]] = {
    ("openai_chat", "tool_choice", "allowed_tools"): (
        {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "f"}}]},
        },
    )
}
_PLACES: Final[Mapping[str, Mapping[str, Place]]] = {
    "openai_chat": CHAT_PLACES,
    "openai_responses": RESPONSES_PLACES,
    "claude": CLAUDE_PLACES,
    "gemini": GEMINI_PLACES,
    "ollama": OLLAMA_PLACES,
    "vllm": VLLM_PLACES,
}
# Types that only the source of a server declares, and variants that it only names.
_DECLARED: Final[Mapping[str, Mapping[str, Any]]] = {"ollama": OLLAMA_TYPES, "vllm": VLLM_TYPES}
_MADE: Final[Mapping[str, Mapping[str, tuple[Any, ...]]]] = {
    "openai_responses": RESPONSES_MADE,
    "gemini": GEMINI_MADE,
    "ollama": OLLAMA_MADE,
    "vllm": VLLM_MADE,
}
# Variants that another dialect's code reads.
_ELSEWHERE: Final[Mapping[str, frozenset[str]]] = {"vllm": VLLM_ELSEWHERE}


@cache
def inventory() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the inventory.

    Raises:
        CorpusNotFoundError: there is no inventory beside the corpus.
    """
    path = corpus.inventory()
    if path is None:
        message = "There is no reference/wire/INVENTORY.json beside the corpus."
        raise corpus.CorpusNotFoundError(message)
    loaded: dict[str, Mapping[str, Mapping[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    # Newer dialects have a file of their own, with formats that no dialect here reads.
    later = json.loads(path.with_name("INVENTORY_EXTRA.json").read_text(encoding="utf-8"))
    return loaded | {name: later[name] for name in dialects() if name in later}


def words(dialect: str) -> dict[str, frozenset[str]]:
    """Return the known words of each member that has a closed list of words, anywhere."""
    found: dict[str, set[str]] = {}
    for variants in inventory()[dialect].values():
        for variant in variants.values():
            for name, declared in variant["fields"].items():
                found.setdefault(name, set()).update(part for part in declared["type"].split('"')[1::2])
    return {name: frozenset(known) for name, known in found.items() if known}


@dataclass(frozen=True)
class Variant:
    """A variant of the wire format: instances of it, and a function that puts one of them, or nothing, into a body."""

    dialect: str
    category: str
    name: str
    kind: Kind
    made: tuple[Any, ...]
    put: Callable[[str, Any], dict[str, Any]]

    @property
    def label(self) -> str:
        """The name of the variant in the committed list."""
        return f"{self.category}/{self.name.partition(' (')[0]}"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """A body for each instance."""
        return [self.put(self.name, one) for one in self.made]


def variants(dialect: str) -> Iterator[Variant]:
    """Yield every variant of a dialect that can be in a request or a response."""
    for category, named in inventory()[dialect].items():
        place = _PLACES.get(dialect, {}).get(category)
        if place is None:
            continue
        for name, variant in named.items():
            if name not in _NO_BODY and name not in _ELSEWHERE.get(dialect, ()):
                kind: Kind = "response" if name.startswith("output:") else place[0]
                yield Variant(dialect, category, name, kind, tuple(made(dialect, category, name, variant)), place[1])


@cache
def _declared(dialect: str) -> Declared:
    return Declared(inventory()[dialect], _DECLARED.get(dialect, {}))


def _type(dialect: str, path: str) -> Any:
    """Return the type of a variant: of the SDK, or declared only by the server. Raises `LookupError`."""
    try:
        return sdk_type(path)
    except LookupError:
        if dialect not in _DECLARED:
            raise
        return _declared(dialect).type(path)


def made(dialect: str, category: str, name: str, variant: Mapping[str, Any]) -> list[Any]:
    """Return instances of a variant; a word has no type of its own."""
    if f"{category}/{name}" in _MADE.get(dialect, {}):
        return [*_MADE[dialect][f"{category}/{name}"]]
    try:
        found = list(instances(_type(dialect, variant["sdk_type"])))
    except LookupError:
        word = name.rpartition("=")[2].removeprefix("beta:")
        if category == "request":  # members that the SDK no longer declares
            return [{member: number for number, member in enumerate(variant["fields"], 1)}]
        return [word]
    return [*found, *_BY_HAND.get((dialect, category, name), ())]


def fate(variant: Variant) -> Fate:
    """Return how a variant is read: `unknown` if one instance is dropped, else the best result of all instances."""
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
    plain = decode(variant.dialect, variant.kind, variant.put(variant.name, NOTHING))
    return "mapped" if difference(outside(plain), outside(canonical)) else "extra"


def only_in_extra(variant: Variant) -> list[str]:
    """Return the members of a variant, and inside it, that are only in `extra`: they have no canonical member."""
    names: set[str] = set()
    for body in variant.bodies:
        for path, value in objects(decode(variant.dialect, variant.kind, body)):
            if path[-2:] == ("extra", variant.dialect):
                names.update(value.get("fields", ()))
    return sorted(names)


def _opaque(canonical: Any) -> list[Any]:
    """Return the content of the opaque messages, parts and tools of a canonical value."""
    tags = ("type", "role")
    return [
        value["data"]
        for _, value in objects(canonical)
        if "opaque" in [value.get(tag) for tag in tags] and "data" in value
    ]


def outside(value: Any) -> Any:
    """Return a canonical value without `extra`."""
    if isinstance(value, dict):
        return {key: outside(inner) for key, inner in value.items() if key != "extra"}
    return [outside(inner) for inner in value] if isinstance(value, list) else value
