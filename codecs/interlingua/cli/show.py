"""`interlingua show`: display conversations in readable form."""

from __future__ import annotations

import io
import json
import re
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import interlingua as il
from interlingua.cli.contents import Content, contents
from interlingua.cli.options import LARGEST, AsJson, Dialect, Files, MaxBytes
from interlingua.cli.run import running
from interlingua.cli.speakers import AUTO, source_of_option
from interlingua.cli.writing import printable
from interlingua.json_types import is_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from interlingua.cli.run import Run

__all__ = ["show"]

# Characters that a terminal would interpret or hide; line ends and tabs of texts are allowed.
_UNSHOWN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_STYLES: Final[Mapping[str, str]] = MappingProxyType(
    {"system": "magenta", "developer": "magenta", "user": "green", "assistant": "cyan", "tool": "yellow"}
)
_MOST_DATA: Final = 60
"""How many characters of a data URL are shown, such as an image in base64."""


class _Line(NamedTuple):
    """A line, and its style on a terminal."""

    text: str
    style: str = ""


def show(files: Files, *, dialect: Dialect = AUTO, as_json: AsJson = False, max_bytes: MaxBytes = LARGEST) -> None:
    """Show requests, responses, streams, errors and stored messages in readable form.

    FILE holds one JSON document, one document per line (JSON Lines), or a recorded stream. The kind of each is
    detected. Content is shown. With --json each becomes one line of JSON: its kind, its dialect and its canonical
    value.
    """
    source_of_option(dialect)
    with running(files, max_bytes=max_bytes, as_json=as_json, options=("--from",)) as run:
        write = _to(run)
        before = ""
        for found in contents(run, dialect):
            if as_json:
                members = {"file": run.name, "body": found.line, "kind": found.kind, "dialect": found.dialect or None}
                run.write(found.line, {**members, "value": found.value})
                continue
            lines = run.attempt(found.line, lambda one: list(_lines(one)), found)
            place = run.name if found.kind == "message" else ""  # all messages of a file are one conversation
            if lines is not None and (not place or place != before):
                write(_Line(_title(run.name, found), "bold reverse"))
            before = place
            for line in lines or ():
                write(line)


def _to(run: Run) -> Callable[[_Line], None]:
    """Return a function that writes a line, in colours only on a terminal."""
    if not sys.stdout.isatty():
        return lambda line: run.write_text(line.text)
    from rich.console import Console  # noqa: PLC0415  # Rich is slow to import
    from rich.text import Text  # noqa: PLC0415  # as above

    console = Console(highlight=False)
    return lambda line: console.print(Text(line.text, line.style), soft_wrap=True)


def _title(name: str, found: Content) -> str:
    """Return the title of an item: its place, dialect, kind and model."""
    if found.kind == "message":
        return f"{name}: stored messages"
    model = found.value.get("model")
    named = f", {printable(model)}" if type(model) is str else ""
    return f"{name}:{found.line}: {found.dialect} {found.kind}{named}"


def _lines(found: Content) -> Iterator[_Line]:
    """Yield the lines of an item."""
    value = found.value
    if found.kind == "error":
        yield from _block("error", "red", [_value(value)])
        return
    if found.kind == "message":
        for message in value.get("messages", [value]):
            yield from _stored(message)
        return
    for tool in value.get("tools", ()):
        yield _Line(f"tool offered: {_inline(tool.get('name') or tool.get('type'))}", "dim")
    for message in value.get("messages", ()):
        yield from _chat(message)
    for number, answer in enumerate(value.get("alternatives", ()), 2):
        yield _Line(f"answer {number}", "bold")
        for message in answer.get("messages", ()):
            yield from _chat(message)
    if "finish_reason" in value:
        yield _Line(f"ended: {_inline(value['finish_reason'])}", "dim")
    if value.get("usage"):
        usage = value["usage"]
        yield _Line(f"tokens: {usage.get('input_tokens', '?')} in, {usage.get('output_tokens', '?')} out", "dim")


def _chat(message: Mapping[str, Any]) -> Iterator[_Line]:
    """Yield the lines of a message of a request or a response."""
    role = str(message.get("role", message.get("type", "?")))
    said: list[str] = []
    if "reasoning" in message:
        said += [f"(thinks) {text}" for text in _said(message["reasoning"])]
    said += _said(message.get("content"))
    if message.get("refusal"):
        said += [f"(refuses) {text}" for text in _said(message["refusal"])]
    said += [_call(call) for call in message.get("tool_calls") or ()]
    if not said and not {"content", "tool_calls"} & message.keys():
        said = [_value({name: member for name, member in message.items() if name not in {"role", "extra"}})]
    call = message.get("call_id")
    yield from _block(role, _STYLES.get(role, "blue"), said, f"answers {_inline(call)}" if call else "")


def _stored(message: Mapping[str, Any]) -> Iterator[_Line]:
    """Yield the lines of a stored message."""
    kind, data = str(message.get("type")), cast("dict[str, Any]", message.get("data") or {})
    if kind == "text":
        role = str(data.get("role"))
        yield from _block(role, _STYLES.get(role, "blue"), _said(data.get("content")))
    elif kind == "tool_request":
        said = [_call(one["call"]) for one in data["calls"]]
        yield from _block("assistant", _STYLES["assistant"], said)
    else:
        yield from _block(kind, "blue", [_value(data)])


def _block(title: str, style: str, said: list[str], note: str = "") -> Iterator[_Line]:
    """Yield a title, and below it the texts, indented."""
    yield _Line(_inline(title) + (f" ({note})" if note else ""), f"bold {style}".strip())
    for text in said:
        for line in _clean(text).split("\n"):
            yield _Line(f"  {line}".rstrip())


def _said(content: Any) -> list[str]:
    """Return the texts of a content, which is a text or parts."""
    if content is None:
        return []
    if type(content) is str:
        return [content]
    return [_part(part) for part in content] if is_list(content) else [_value(content)]


def _part(part: Any) -> str:
    """Return the text for a part."""
    if type(part) is not dict:
        return str(part)
    members = cast("dict[str, Any]", part)
    if type(members.get("text")) is str:
        return str(members["text"])
    told = {name: _short(one) for name, one in members.items() if name not in {"type", "extra"}}
    rest = " ".join(f"{name}={one}" for name, one in told.items())
    return f"[{members.get('type', 'part')} {rest}]".replace(" ]", "]")


def _call(call: Mapping[str, Any]) -> str:
    """Return the text for a call: its id, its tool and its arguments."""
    given = call.get("arguments", call.get("input", ""))
    text = given if type(given) is str else json.dumps(given, ensure_ascii=False)
    where = f" (as {call['id']})" if "id" in call else ""
    return f"calls {call.get('name', '?')} {text}{where}"


def _short(value: Any) -> str:
    text = value if type(value) is str else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_DATA else f"{text[:_MOST_DATA]}... ({len(text)} characters)"


def _value(value: Any) -> str:
    """Return the text for any JSON value, as `il.show` writes it."""
    out = io.StringIO()
    il.show(value, file=out)
    return out.getvalue().rstrip("\n")


def _clean(text: str) -> str:
    return _UNSHOWN.sub(lambda match: match[0].encode("unicode_escape").decode(), text.replace("\r\n", "\n"))


def _inline(value: Any) -> str:
    return printable(str(value))
