"""Merge leading instructions into one, for models that read only the first one, or have a single role for them.

This works on encoded messages; the canonical ones that they were made from give the paths of losses. Source:
docs/families.md, the values of `instructions`. Below: ask for JSON with an instruction, if the target has no setting
for it or wants the word JSON in a message.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.schema_adaptation import MAX_SCHEMA_DEPTH, is_deeper
from interlingua.rooms._shared.writing import INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from interlingua.loss import LossLog

# Value of the fact -> the role of the leading instruction, and that of later ones.
_ROLES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"of_the_system": ("system", "system"), "first": ("system", "user"), "of_the_user": ("user", "user")}
)


def with_one_instruction(
    messages: list[dict[str, Any]], given: list[Any], taken: str, log: LossLog
) -> list[dict[str, Any]]:
    """Return messages with one leading instruction, as `taken` says; changes are reported to the log."""
    lead, late = _ROLES[taken]
    first = leading_instructions(messages)
    top = [{**messages[0], "role": lead, "content": joined_contents(messages[:first])}] if first else []
    rest = [{**one, "role": late} if one.get("role") in INSTRUCTIONS else one for one in messages[first:]]
    placed = [(index, message) for index, message in enumerate(given) if message["role"] != "opaque"]
    leading = leading_instructions([message for _, message in placed])
    if leading > 1 and "content" in placed[0][1]:
        path = f"/messages/{placed[0][0]}/content"
        log.changed("content", path, "the instructions after it were joined to the first one")
    for place, (index, message) in enumerate(placed):
        if message["role"] in INSTRUCTIONS:
            role = lead if place < leading else late
            if message["role"] != role:
                detail = f"these models accept one instruction, at the top, of the role {lead}"
                log.changed("role", f"/messages/{index}/role", detail)
            elif 0 < place < leading and "content" in message:
                log.changed("content", f"/messages/{index}/content", "it was joined to the system prompt at the top")
    return [*top, *rest]


def with_instruction(messages: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
    """Return messages with a text added to the last leading instruction, or as a new one."""
    at = leading_instructions(messages) - 1
    last = messages[at] if at >= 0 else {}
    text = last.get("content")
    if type(text) is str and (text or last.keys() == {"role", "content"}):
        return [*messages[:at], {**last, "content": joined(text, said)}, *messages[at + 1 :]]
    return [{"role": "system", "content": said}, *messages]


def leading_instructions(messages: Sequence[Any]) -> int:
    """Return the number of leading messages that are instructions."""
    return next((at for at, one in enumerate(messages) if one.get("role") not in INSTRUCTIONS), len(messages))


def joined_contents(messages: list[dict[str, Any]]) -> Any:
    """Return the contents of messages as one: a joined text, or a list of all parts."""
    contents = [message.get("content") for message in messages]
    if all(content is None or type(content) is str for content in contents):
        return "\n\n".join(content for content in contents if content)
    parts: list[Any] = []
    for content in contents:
        parts += [{"type": "text", "text": content}] if type(content) is str else content or ()
    return parts


UNFOLLOWED: Final = "these models do not support a JSON schema: the instructions ask for it in words"
JSON_INSTRUCTION: Final = "Answer with JSON alone."
CHOICE_INSTRUCTION: Final = "Answer with one of these texts alone:"
_NO_CHOICE: Final = "the target does not restrict the answer to given texts: the instructions ask for it in words"
_WISH: Final = "wish"  # the member of a fitted response format that holds the instruction
_JSON: Final = "json"


def texts_apart(contents: Iterable[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the texts of several instructions, each given as its text parts.

    Instructions of a single text are joined to one; else their parts follow each other, with a blank line between
    instructions.
    """
    said = [parts for parts in contents if parts]
    if said and all(len(parts) == 1 for parts in said):
        return [{**said[0][0], "text": "\n\n".join(parts[0]["text"] for parts in said)}]
    later = ([{**parts[0], "text": f"\n\n{parts[0]['text']}"}, *parts[1:]] for parts in said[1:])
    return [part for parts in (*said[:1], *later) for part in parts]


def mentions_json(texts: Iterable[str]) -> bool:
    """Tell whether one of the texts contains the word JSON."""
    return any(_JSON in text.lower() for text in texts)


def instruction_for(form: Mapping[str, Any]) -> str:
    """Return the instruction to answer with JSON, and its schema; a schema that cannot be written is left out."""
    schema = form.get("schema")
    if schema is None or is_deeper(schema, MAX_SCHEMA_DEPTH):
        return JSON_INSTRUCTION
    try:
        written = json.dumps(schema, ensure_ascii=False)
    except ValueError:  # a number with more digits than Python writes
        return JSON_INSTRUCTION
    return f"{JSON_INSTRUCTION[:-1]}, of this schema: {written}"


def ask_for_json_in_words(request: dict[str, Any], kind: str, reason: str, log: LossLog) -> None:
    """Replace a response format that models do not support by another type, with an instruction."""
    log.lost("setting", "/response_format", reason)
    request["response_format"] = {"type": kind, _WISH: instruction_for(request["response_format"])}


def choice_form(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the response format of an answer that is one of the texts in an enumeration, or None for other schemas."""
    form = {"type": "text", "schema": schema}
    return None if choices_of(form) is None else form


def choices_of(form: Mapping[str, Any]) -> list[str] | None:
    """Return the texts of which the answer must be one, or None if the response format does not list any."""
    schema = form.get("schema")
    if form.get("type") != "text" or type(schema) is not dict or schema.get("type") != "string":
        return None
    texts: Any = schema.get("enum")
    is_choice = type(texts) is list and texts and all(type(text) is str for text in texts)
    return texts if is_choice else None


def instruction_of(form: Mapping[str, Any]) -> str | None:
    """Return the instruction that `ask_for_json_in_words` set, or that asks for one of several texts, or None."""
    texts = choices_of(form) if "schema" in form else None
    return form.get(_WISH) if texts is None else "\n".join((CHOICE_INSTRUCTION, *texts))


def is_asked_in_words(form: Mapping[str, Any], log: LossLog) -> bool:
    """Tell whether only an instruction asks for a response format; a choice among texts is reported here."""
    if instruction_of(form) is None:
        return False
    if _WISH not in form:
        log.lost("setting", "/response_format", _NO_CHOICE)
    return True


def add_json_instruction(
    out: dict[str, Any],
    form: Mapping[str, Any],
    lacks_json_word: Callable[[dict[str, Any]], bool],
    ask: Callable[[dict[str, Any], str], None],
    log: LossLog,
) -> None:
    """Add the instruction for a response format without a setting, or the word JSON that OpenAI's JSON mode needs."""
    instruction = instruction_of(form)
    if instruction is not None:
        ask(out, instruction)
    elif form["type"] == "json_object" and lacks_json_word(out):
        ask(out, JSON_INSTRUCTION)
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


def joined(said: str | None, instruction: str) -> str:
    """Return a text with the instruction appended."""
    return f"{said}\n\n{instruction}" if said else instruction
