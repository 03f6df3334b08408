"""The names of documents, which Bedrock demands, of its own letters and no two alike.

Source: docs/wire/bedrock_converse.md, section 6.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from interlingua.rooms._shared.writing import Target

MAX_NAME: Final = 200
_ROOM: Final = 8  # for the number of a name
_REFUSED_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9 ()\[\]-]+| (?= )")
_LETTERS_OF_NAMES: Final = "the name of a document takes letters, digits, single spaces, hyphens and brackets"
_ALIKE: Final = "no two documents of a conversation have one name"


def name_document(out: dict[str, Any], part: Any, path: str, to: Target) -> str:
    """Give a document the name that is demanded, of the characters that are taken; return the member that said it."""
    member = "title" if "title" in part and "name" not in part else "name"
    if member not in part:
        out["name"] = _apart("document" + "-".join(re.findall(r"(?<=/)\d+", path)), to)
        to.log.filled(f"{path}/name", "each document needs a name")
        return member
    said = (_REFUSED_IN_NAMES.sub(" ", part[member]).strip() or "document")[:MAX_NAME]
    out["name"] = _apart(said, to)
    detail = _LETTERS_OF_NAMES if out["name"] == said else _ALIKE
    is_same = out["name"] == part[member]
    if member == "title" and not is_same:
        to.log.lost("name", f"{path}/title", detail)
        to.log.filled(f"{path}/name", "each document needs a name")
    elif member == "title" or not is_same:
        to.log.changed("name", f"{path}/{member}", detail)
    return member


def _apart(name: str, to: Target) -> str:
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
