"""Strategies for stored documents of version 1 and 2 that those versions accept, including unusual ones.

Both versions are open: names with a meaning in a later version, names of our own bookkeeping and arbitrary names are
all drawn as unknown members, with any JSON value.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

Json: TypeAlias = dict[str, Any]
Documents: TypeAlias = st.SearchStrategy[Json]

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=3)
IDS = st.sampled_from(["c1", "c2", "c3", "m1"])
STRANGERS: Final = (
    *(
        "annotations",
        "cache",
        "call_id",
        "citations",
        "created_at",
        "data",
        "detail",
        "extra",
        "fields",
        "format",
        "id",
    ),
    *("interlingua_v2", "joins", "kind", "metadata", "name", "reasoning", "refusal", "schema_version", "text"),
    *("timestamp", "tool_call_id", "tool_calls", "transcript", "type", "unknown", "url"),
)


def members(required: dict[str, st.SearchStrategy[Any]], optional: dict[str, st.SearchStrategy[Any]]) -> Documents:
    """Return objects with the known members and up to three that the version does not know."""
    names = st.sampled_from(STRANGERS) | TEXTS
    known = required.keys() | optional.keys()
    strange = st.dictionaries(names.filter(lambda name: name not in known), strange_values(), max_size=3).filter(
        lambda found: not states_version(found.get("schema_version"))
    )
    return st.builds(_joined, st.fixed_dictionaries(required, optional=optional), strange)


def _joined(first: Json, second: Json) -> Json:
    return {**first, **second}


def strange_values() -> st.SearchStrategy[Any]:
    """Return any JSON value, and objects that look like the values that a migration sets aside."""
    aside = st.dictionaries(
        st.sampled_from(["name", "id", "extra", "unknown", "call_id", "content"]), VALUES, max_size=2
    )
    return VALUES | aside | st.fixed_dictionaries({"unknown": aside})


def states_version(value: Any) -> bool:
    """Return whether a document with this `schema_version` states its version."""
    return not isinstance(value, bool) and isinstance(value, (int, float)) and value == int(value) and value >= 1


def v1_messages() -> Documents:
    """Return messages of version 1."""
    call = members({"id": IDS, "name": st.sampled_from(["f", "g.h"]), "arguments": OBJECTS}, {})
    content = {"content": TEXTS | st.none()}
    return st.one_of(
        members({"role": st.just("system"), "content": TEXTS}, {}),
        members({"role": st.just("user"), "content": TEXTS}, {}),
        members({"role": st.just("assistant")}, {**content, "tool_calls": st.lists(call, max_size=2) | st.none()}),
        members({"role": st.just("tool"), "tool_call_id": IDS}, content),
    )


def v2_messages() -> Documents:
    """Return messages of version 2."""
    some = {"id": TEXTS | IDS, "name": TEXTS, "extra": v2_extras()}
    content = TEXTS | st.lists(v2_parts(), max_size=3)
    call = members(
        {"name": st.sampled_from(["f", "g.h"]), "arguments": TEXTS | st.just('{"a":1}')},
        {"id": IDS | st.none(), "call_id": IDS | st.none()},
    )
    calls = {"tool_calls": st.lists(call, max_size=2) | st.none()}
    said = {name: content | st.none() for name in ("content", "reasoning", "refusal")}
    instructions = st.sampled_from(["system", "developer", "user"])
    return st.one_of(
        instructions.flatmap(lambda role: members({"role": st.just(role), "content": content}, some)),
        members({"role": st.just("assistant")}, {**some, **said, **calls}),
        members({"role": st.just("tool")}, {**some, "content": content | st.none(), "call_id": IDS | TEXTS}),
    )


def v2_parts() -> Documents:
    """Return parts of version 2: with any number of sources, and formats as words or media types."""
    formats = st.sampled_from(["wav", "PNG", "pdf", "image/png", "audio/wav", "odd", ""])
    sources = dict.fromkeys(("url", "data", "file_id"), TEXTS)
    kinds = st.sampled_from(["image", "audio", "file"])
    files = kinds.flatmap(lambda kind: members({"type": st.just(kind)}, {**sources, "name": TEXTS, "format": formats}))
    return members({"type": st.just("text"), "text": TEXTS}, {}) | files


def v2_extras() -> Documents:
    """Return provider data of version 2, in the form of version 3 and in others."""
    block = st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["thinking", "redacted_thinking", "other"]),
            "signature": TEXTS | st.none(),
            "data": TEXTS,
            "thinking": TEXTS,
            "fields": VALUES,
        },
    )
    placed = st.fixed_dictionaries({"at": st.sampled_from(["/content", "/tool_calls/0"]), "signature": TEXTS})
    signatures = st.lists(TEXTS | placed, max_size=2) | st.lists(VALUES, max_size=2)
    bag = st.dictionaries(st.sampled_from(["fields", "spelling", "id", "x"]), VALUES, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "claude": members({}, {"thinking_blocks": st.lists(block, max_size=2)}),
            "gemini": members({}, {"thought_signatures": signatures}),
            "openai_chat": bag | VALUES,
            "openai_responses": bag,
            "acme": VALUES,
            "unknown": VALUES,
            "interlingua_v2": bag | VALUES,
        },
    )
