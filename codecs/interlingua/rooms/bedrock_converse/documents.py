"""Documents: their unique names, texts sent as bytes, and the text that Bedrock requires beside a document.

Source: docs/wire/bedrock_converse.md, section 6.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.extra import own_extra

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from interlingua.rooms._shared.writing import Target

MAX_NAME: Final = 200
_ROOM: Final = 8  # for the number after a name
_REFUSED_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9()\[\]-]+")  # with the spaces around them, replaced by one space
_LETTERS_OF_NAMES: Final = "the name of a document may only have letters, digits, single spaces, hyphens and brackets"
_ALIKE: Final = "two documents of a conversation may not have the same name"


def name_document(out: dict[str, Any], part: Any, path: str, to: Target) -> str:
    """Give a document a unique name of accepted characters; return the member that the name was taken from."""
    member = "title" if "title" in part and "name" not in part else "name"
    if member not in part:
        out["name"] = _unique_name("document" + "-".join(re.findall(r"(?<=/)\d+", path)), to)
        to.log.filled(f"{path}/name", "each document needs a name")
        return member
    said = (_REFUSED_IN_NAMES.sub(" ", part[member]).strip() or "document")[:MAX_NAME]
    out["name"] = _unique_name(said, to)
    detail = _LETTERS_OF_NAMES if out["name"] == said else _ALIKE
    if out["name"] == part[member]:
        if member == "title":
            to.log.changed("part", f"{path}/title", "the title is sent as the name")
    elif member == "title":
        to.log.lost("name", f"{path}/title", detail)
        to.log.filled(f"{path}/name", "each document needs a name")
    else:
        to.log.changed("name", f"{path}/name", detail)
    return member


def loses_its_title(part: Any) -> bool:
    """Tell whether a document of texts has a source and a title: a document block has only a name.

    Search results are such documents; their own block is only accepted by Claude's models.
    """
    is_of_texts = part["type"] == "file" and ("text" in part or "content" in part)
    return is_of_texts and "title" in part and "name" in part and not own_extra(part, DIALECT)


SENT_AS_BYTES: Final = "a text document is sent as the bytes of a file"


def as_bytes(texts: Sequence[str], path: str, to: Target) -> dict[str, str]:
    """Return a document of texts as bytes: its text form is accepted only with citations."""
    to.log.changed("part", path, SENT_AS_BYTES)
    return {"bytes": base64.b64encode("\n\n".join(texts).encode()).decode()}


def add_text_to_documents(turns: list[dict[str, Any]], to: Target) -> None:
    """Add a text to turns that have documents and no text: Converse refuses such turns."""
    if to.home:
        return
    for at, turn in enumerate(turns):
        if lacks_text(turn):
            blocks: list[Any] = turn["content"]
            last = max(place for place, block in enumerate(blocks) if "document" in block) + 1
            turns[at] = {**turn, "content": [*blocks[:last], {"text": DOCUMENT_HINT}, *blocks[last:]]}
            to.log.changed("message", "/messages", SAID_BESIDE)


DOCUMENT_HINT: Final = "(See the document.)"
"""The text added to documents without any."""

SAID_BESIDE: Final = "a document needs a text beside it: one was added"


def lacks_text(turn: Mapping[str, Any]) -> bool:
    """Return whether a turn has documents and no text."""
    blocks: Any = turn.get("content")
    if type(blocks) is not list:
        return False
    held: list[Any] = [block for block in blocks if type(block) is dict]
    return any("document" in block for block in held) and not any(_TEXTS.intersection(block) for block in held)


_TEXTS: Final = frozenset({"text", "guardContent", "citationsContent"})


def is_refused_in_results(block: Mapping[str, Any], taken: Collection[str]) -> bool:
    """Return whether a tool result cannot hold a block; `taken` are the kinds it accepts, "text" meaning text files."""
    document: Any = block.get("document")
    if type(document) is dict:
        return "document" not in taken and not ("text" in taken and document.get("format") in _TEXT_FORMATS)
    return "video" in block or ("image" in block and "image" not in taken)


_TEXT_FORMATS: Final = frozenset({"txt", "csv", "md", "html"})


def _unique_name(name: str, to: Target) -> str:
    """Return a name that no other document of the request has: the name itself, or with a number behind it."""
    taken = to.taken
    if taken is None:
        return name
    made, number = name, taken.get(name.casefold(), 1)
    while made.casefold() in taken:
        number += 1
        made = f"{name[: MAX_NAME - _ROOM]}-{number}"
    taken[name.casefold()] = number
    taken.setdefault(made.casefold(), 1)
    return made
