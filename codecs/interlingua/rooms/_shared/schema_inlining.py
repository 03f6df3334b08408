"""JSON Schemas without references, for models behind servers that follow none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.schema_adaption import DEFINITIONS, MAX_SCHEMA_DEPTH, resolved
from interlingua.rooms._shared.schemas import is_circular, places, schemas_in
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.loss import LossCode, LossLog

# More places than these are no schema that a model reads.
_MOST_PLACES: Final = 10_000


def inline_references(request: dict[str, Any], log: LossLog) -> None:
    """Put what the schemas of a request refer to in the place of each reference; note each schema in the log."""
    if "tools" in request:
        request["tools"] = [
            _with_inlined(tool, "parameters", f"/tools/{index}", "tool", log)
            for index, tool in enumerate(request["tools"])
        ]
    if "schema" in request.get("response_format", NOTHING):
        request["response_format"] = _with_inlined(
            request["response_format"], "schema", "/response_format", "setting", log
        )


def _with_inlined(one: Mapping[str, Any], name: str, path: str, code: LossCode, log: LossLog) -> Mapping[str, Any]:
    schema = one.get(name)
    if type(schema) is not dict or not any("$ref" in inner for _, inner in schemas_in(schema, "")):
        return one
    found = inlined(schema)
    if found is None:
        return one  # it refers to itself, or to nothing that is there: nobody can write it otherwise
    log.changed(code, f"{path}/{name}", "each $ref was replaced by the schema that it names")
    return {**one, name: found}


def inlined(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return a schema without references; None where that would never end, or one refers to nothing."""
    if is_circular(schema):
        return None
    holder: dict[str, Any] = {"": {name: value for name, value in schema.items() if name not in DEFINITIONS}}
    waiting: list[tuple[Any, Any, int]] = [(holder, "", 0)]
    for _ in range(_MOST_PLACES):
        if not waiting:
            return holder[""]  # type: ignore[no-any-return]  # a dict from the beginning
        owner, key, depth = waiting.pop()
        if type(owner[key]) is not dict:
            continue
        one: dict[str, Any] = {**owner[key]}
        if "$ref" in one:
            found = resolved(one, schema)
            if found is None:
                return None
            del one["$ref"]
            one = {**found, **one}
        owner[key] = one
        if depth < MAX_SCHEMA_DEPTH:
            waiting.extend((inner, place, depth + 1) for inner, place, _ in places(one))
    return None
