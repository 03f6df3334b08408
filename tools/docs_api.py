"""Generates the reference of the Python API: one page per topic, which Sphinx fills from the docstrings.

The public names are those of the facade and of its modules (`__all__`). The page of a name follows from the module that
defines it, so a new name gets a place automatically. The pages are generated at each build, into docs/reference/python,
and are not under version control.
"""

from __future__ import annotations

import enum
import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, cast, get_args, get_origin

from pydantic import BaseModel

import docs_values
import interlingua
import interlingua_types.current as schema
from interlingua import registry

FOLDER: Final = "reference/python"
PACKAGE: Final = "interlingua"
FACADE: Final[list[str]] = getattr(interlingua, "__all__")  # noqa: B009  # with a type, which pyright cannot see
SCHEMA: Final = schema.__all__
"""The names of the schema classes, and of their unions and words."""


@dataclass(frozen=True)
class Topic:
    """A page of the reference: its file, title, introduction, and the modules whose names it contains."""

    slug: str
    title: str
    introduction: str
    modules: tuple[str, ...]


TOPICS: Final = (
    Topic(
        "translate",
        "Translate",
        "Convert bodies from one dialect to another, or to the models of the canonical form and back.",
        (
            "interlingua.codec",
            "interlingua.translation",
            "interlingua.loss",
            "interlingua.normal",
            "interlingua.exchange",
            "interlingua.detection",
            "interlingua.registry",
        ),
    ),
    Topic(
        "streams",
        "Streams",
        "Convert frames of one dialect to those of another, to events, and to whole responses.",
        ("interlingua.stream_codec", "interlingua.streaming", "interlingua.frames", "interlingua.events"),
    ),
    Topic(
        "errors-of-providers",
        "Errors of providers",
        "Convert error responses of one provider to those of another.",
        ("interlingua.error_codec", "interlingua.error_translation"),
    ),
    Topic(
        "judge",
        "Check, repair, validate",
        "Find what a provider would refuse, repair requests, and validate documents with the schema.",
        (
            "interlingua.request_checks",
            "interlingua.violation",
            "interlingua.validation",
            "interlingua.chat.repair",
            "interlingua.chat.repair_log",
        ),
    ),
    Topic(
        "chat",
        "Chat",
        "Create messages as models get them, and histories that enforce an order.",
        ("interlingua.chat",),
    ),
    Topic(
        "transcript",
        "Transcript",
        "The record of a conversation: create, load, dump and upgrade its messages.",
        ("interlingua.transcript", "interlingua.migrate", "interlingua.messages", "interlingua.items"),
    ),
    Topic("sessions", "Sessions", "Store, import and export transcripts.", ("interlingua.sessions",)),
    Topic("tools", "Tools", "Define, approve and run tools.", ("interlingua.tools",)),
    Topic(
        "resolve",
        "Files, pictures, resources",
        "Load what a message refers to before a model gets it.",
        ("interlingua.resolve",),
    ),
    Topic(
        "context", "Context", "Select the messages that fit into a model's context window.", ("interlingua.context",)
    ),
    Topic("exceptions", "Exceptions", "All exceptions of the library.", ("interlingua.errors",)),
    Topic(
        "schema",
        "Classes of the schema",
        "The models of the current version, generated from its schema. All are frozen Pydantic models; "
        "`InterlinguaModel` describes what they have in common. The pages of the format describe the JSON.",
        ("interlingua_types",),
    ),
    Topic("spi", "For your own dialects", "The building blocks of a dialect.", ("interlingua.spi",)),
    Topic("more", "More", "All other names of the facade.", ("interlingua",)),
)


def public() -> dict[str, tuple[str, Any]]:
    """Return every public object by its documented name, with its page.

    A name of the facade is documented there, and not also under the module that defines it.
    """
    found: dict[str, tuple[str, Any]] = {}
    modules: dict[str, ModuleType] = {}
    for name in dict.fromkeys([*FACADE, *SCHEMA]):
        value = getattr(interlingua, name)
        if inspect.ismodule(value) and callable(value):  # the older package of the rooms, if it was imported
            value = registry.dialects
        if inspect.ismodule(value):
            modules[name] = value
        else:
            found[f"{PACKAGE}.{name}"] = (_page(_home(value, name)), value)
    for owner, module in modules.items():
        for name in module.__all__:
            value = getattr(module, name)
            if f"{PACKAGE}.{name}" not in found or found[f"{PACKAGE}.{name}"][1] is not value:
                found[f"{PACKAGE}.{owner}.{name}"] = (_page(f"{PACKAGE}.{owner}"), value)
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def pages() -> dict[str, str]:
    """Return the text of each page, by its name in the folder."""
    names = public()
    return {
        f"{topic.slug}.rst": "\n".join(_page_of(topic, {n: v for n, (page, v) in names.items() if page == topic.slug}))
        for topic in TOPICS
    }


def write(docs: Path) -> None:
    """Write the pages below a folder; those that are up to date are not touched."""
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")


def _home(value: object, name: str) -> str:
    """Return the module that defines a public object; string types of the schema have none."""
    if name in SCHEMA:
        return schema.__name__.partition(".")[0]
    if isinstance(value, type) or callable(value):
        return str(getattr(value, "__module__", PACKAGE))
    return PACKAGE


def _page(home: str) -> str:
    """Return the page for a module: that of the longest matching module name."""
    prefixes = {prefix: topic.slug for topic in TOPICS for prefix in topic.modules}
    found = [prefix for prefix in prefixes if f"{home}.".startswith(f"{prefix}.")]
    return prefixes[max(found, key=len, default=PACKAGE)]


def _page_of(topic: Topic, things: Mapping[str, Any]) -> Iterator[str]:
    yield topic.title
    yield "=" * len(topic.title)
    yield ""
    yield inline(topic.introduction)
    yield ""
    if topic.slug == "schema":
        yield from ("``InterlinguaModel``", "--------------------", "")
        yield from (".. autoclass:: interlingua_types._base.InterlinguaModel", "   :members:", "")
    for heading, chosen in _groups(things):
        yield heading
        yield "-" * len(heading)
        yield ""
        for name, value in chosen:
            yield from _entry(name, value)


def _groups(things: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[tuple[str, Any]]]]:
    groups: dict[str, list[tuple[str, Any]]] = {"Functions": [], "Classes": [], "Values": []}
    for name, value in things.items():
        kind = "Classes" if inspect.isclass(value) else "Functions" if _is_function(value) else "Values"
        groups[kind].append((name, value))
    yield from ((heading, chosen) for heading, chosen in groups.items() if chosen)


def has_docstring(value: object) -> bool:
    """Tell whether a value can have a docstring: whether it is a class or a function."""
    return inspect.isclass(value) or _is_function(value)


def _is_function(value: object) -> bool:
    return inspect.isroutine(value) or (callable(value) and hasattr(value, "__wrapped__"))


def _entry(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield f".. autoclass:: {name}"
        yield "   :members:"
        if not issubclass(value, BaseModel):
            yield "   :inherited-members: Exception, str, int, dict, list, tuple, ModuleType"
        if issubclass(value, BaseModel | enum.Enum):
            yield "   :undoc-members:"
    elif _is_function(value):
        yield f".. autofunction:: {name}"
    else:
        yield f".. py:data:: {name}"
        yield ""
        yield from (f"   {line}" if line else "" for line in _value_text(name, value))
    yield ""


def _value_text(name: str, value: object) -> Iterator[str]:
    """Yield the description of a value, its possible strings or variants, and its example."""
    said, _, example = docs_values.documentation(name).partition("\nExample:\n")
    for line in said.splitlines():
        yield inline(line)
    yield ""
    yield inline(_meaning(value))
    if example:
        yield from ("", ".. rubric:: Example", "", *inspect.cleandoc(example).splitlines())


def _meaning(value: object) -> str:
    """Describe what a value contains."""
    if get_origin(value) is Literal:
        return f"One of the words {', '.join(f'`{word}`' for word in sorted(get_args(value)))}."
    arguments = get_args(value)
    if arguments:
        variants = [one.__name__ for one in get_args(arguments[0]) if isinstance(one, type)]
        return f"A union of {', '.join(f'`{name}`' for name in variants)}." if variants else "A type, for annotations."
    if isinstance(value, int | str):
        return f"`{value!r}`."
    if isinstance(value, frozenset):
        return f"All of {', '.join(f'`{word}`' for word in sorted(cast('frozenset[str]', value)))}."
    if isinstance(value, Mapping):
        return f"A table by {', '.join(f'`{key}`' for key in cast('Mapping[str, object]', value))}."
    return f"A value of type `{type(value).__name__}`."


# ---- Docstrings ------------------------------------------------------------------------------------------------------
# They are plain text with code in backquotes, as in Markdown; Sphinx reads reStructuredText.

_CODE: Final = re.compile(r"(``[^`]+``|`[^`]+`)")
_SPECIAL: Final = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")
_FENCE: Final = re.compile(r"^(\s*)```(\w*)\s*$")
_ITEM: Final = re.compile(r"`\w+`[^:`]*:")
_CITED: Final = re.compile(r"\bdocs/([\w/-]+)\.md\b")
_LINKS: Final[dict[str, str]] = {}


def inline(text: str) -> str:
    """Return a text with its code as reStructuredText, and public names as links to their entries."""
    return "".join(
        _linked(piece.strip("`")) if piece.startswith("`") else _CITED.sub(r":doc:`/\1`", _SPECIAL.sub(r"\\\1", piece))
        for piece in _CODE.split(text)
    )


def _linked(code: str) -> str:
    if not _LINKS:
        _LINKS.update({name.rpartition(".")[2]: name for name in reversed(public())})
        _LINKS.update({name: name for name in public()} | {name.partition(".")[2]: name for name in public()})
    target = _LINKS.get(code.removeprefix("il.").removesuffix("()"))
    return f":py:obj:`{code} <{target}>`" if target else f"``{code}``"


def mend_docstring(_app: object, _what: str, _name: str, value: object, _options: object, lines: list[str]) -> None:
    """Convert a docstring to reStructuredText; Sphinx calls this after it has parsed the sections."""
    if isinstance(value, type) and issubclass(value, BaseModel) and "\n".join(lines).strip() == BaseModel.__doc__:
        lines.clear()
    mended: list[str] = []
    inside = example = False
    for line in _with_lists(lines):
        fence = _FENCE.match(line)
        if fence:
            inside = not inside
            mended += ["", f"{fence[1]}.. code-block:: {fence[2] or 'text'}", ""] if inside else [""]
            continue
        example = line.lstrip().startswith(">>>") or (example and line.strip() != "")
        if inside:
            mended.append(f"   {line}")
        else:
            mended.append(line if example or line.lstrip().startswith((":", ".. ")) else inline(line))
    lines[:] = mended


def _with_lists(lines: Sequence[str]) -> Iterator[str]:
    """Turn lines that begin with a name in backquotes and a colon, with their continuation lines, into list items."""
    inside = False
    for line in lines:
        if _ITEM.match(line):
            yield from () if inside else ("",)
            inside = True
            yield f"- {line}"
        elif inside and line.startswith(" "):
            yield f"  {line.lstrip()}"
        else:
            yield from ("",) if inside and line else ()
            inside = False
            yield line


def mend_signature(
    _app: object, what: str, _name: str, value: object, _options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Omit the signature of a model, which would repeat its members, and of an enumeration."""
    if what == "class" and isinstance(value, type) and issubclass(value, BaseModel | enum.Enum):
        return "", None
    return signature, returned


def searches() -> dict[str, dict[str, str]]:
    """Return the search terms for each entry, and the page that should be listed first."""
    names = public()
    last = Counter(name.rpartition(".")[2].lower() for name in names)
    return {
        name: {
            "query": short if last[(short := name.rpartition(".")[2]).lower()] == 1 else name,
            "page": f"{FOLDER}/{page}",
        }
        for name, (page, _) in names.items()
    }


if __name__ == "__main__":
    print(json.dumps(searches()))
