"""Ask for JSON with an instruction, if the target has no setting for it or wants the word JSON in a message."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.schema_adaption import MAX_SCHEMA_DEPTH, is_deeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlingua.loss import LossLog

UNFOLLOWED: Final = "these models do not support a JSON schema: the instructions ask for it in words"
JSON_WISH: Final = "Answer with JSON alone."
_WISH: Final = "wish"  # the member of a fitted response format that holds the instruction
_JSON: Final = "json"


def says_json(texts: Iterable[str]) -> bool:
    """Tell whether one of the texts contains the word JSON."""
    return any(_JSON in text.lower() for text in texts)


def wish_for(form: Mapping[str, Any]) -> str:
    """Return the instruction to answer with JSON, and its schema; a schema that cannot be written is left out."""
    schema = form.get("schema")
    if schema is None or is_deeper(schema, MAX_SCHEMA_DEPTH):
        return JSON_WISH
    try:
        written = json.dumps(schema, ensure_ascii=False)
    except ValueError:  # a number with more digits than Python writes
        return JSON_WISH
    return f"{JSON_WISH[:-1]}, of this schema: {written}"


def in_words(form: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return a response format for models that do not support the given one: of another type, with an instruction."""
    return {"type": kind, _WISH: wish_for(form)}


def wish_of(form: Mapping[str, Any]) -> str | None:
    """Return the instruction that `in_words` set, or None."""
    return form.get(_WISH)


def ask_for_json(
    out: dict[str, Any],
    form: Mapping[str, Any],
    lacks_the_word: Callable[[dict[str, Any]], bool],
    ask: Callable[[dict[str, Any], str], None],
    log: LossLog,
) -> None:
    """Add the instruction for a response format without a setting, or the word JSON that OpenAI's JSON mode needs."""
    wish = wish_of(form)
    if wish is not None:
        ask(out, wish)
    elif form["type"] == "json_object" and lacks_the_word(out):
        ask(out, JSON_WISH)
        log.filled("/response_format/description", "JSON mode needs the word JSON in a message: a sentence was added")


def described(form: Mapping[str, Any]) -> Any:
    """Return the schema of a response format, with the format's description if the schema has none."""
    schema = form["schema"]
    if not form.get("description") or type(schema) is not dict or "description" in schema:
        return schema
    return {**schema, "description": form["description"]}


def is_described(form: Mapping[str, Any], schema: Any, log: LossLog) -> bool:
    """Tell whether a schema carries the description of its response format, and report that it does."""
    if not form.get("description") or type(schema) is not dict or schema.get("description") != form["description"]:
        return False
    log.changed("member", "/response_format/description", "the schema already has this description")
    if "description" not in form["schema"]:
        log.filled(
            "/response_format/schema/description", "the description of the response format is that of its schema"
        )
    return True


def joined(said: str | None, wish: str) -> str:
    """Return a text with the instruction appended."""
    return f"{said}\n\n{wish}" if said else wish
