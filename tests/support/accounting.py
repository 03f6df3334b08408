"""Law 4: every value of a canonical document is in the target's output, or a loss covers it.

Two judges. `unaccounted` looks for each value in the encoded body, as a value somewhere, through the documented tables:
joined texts, parsed arguments, data URLs, media types, sums of tokens. It cannot see where a value went; law 3 does.
`unheard` changes one value after another and encodes again: a value that the body does not depend on is not in it.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import is_empty_value
from support.canonical import (
    another,
    canonical_leaves,
    edited,
    leaves,
    lookup,
    objects,
    pointer,
    resolves,
    same,
    tokens,
    written,
)
from support.signed_alike import forms
from support.silence import is_idle, is_unsaid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from interlingua.loss import Loss
    from support.canonical import Tokens

    Encoding = tuple[dict[str, Any], Sequence[Loss]]

# Members whose word decides over a shape and has another name in each dialect; law 3 compares them.
_WORDS: Final = frozenset({"role", "type", "kind", "dialect", "finish_reason", "schema_version"})
_MODES: Final = frozenset({"tool_choice", "reasoning", "cache"})
# Said once for several, or in other words: the name of a speaker, a word that has another, text that is parsed.
_SAID_ONCE: Final = frozenset(
    {"arguments", "detail", "display", "effort", "format", "language", "modalities", "name", "service_tier"}
)
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  # only the text before the offset is compared, and it is Z's
# A shorter text inside a loss can be chance.
_TELLING: Final = 12
_AUDIO_WORDS: Final = {"audio/wav": "wav", "audio/mpeg": "mp3"}
# Words for media types that are not their second half.
_FORMAT_WORDS: Final = {
    "text/plain": "txt",
    "text/markdown": "md",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "video/quicktime": "mov",
    "video/x-matroska": "mkv",
    "video/3gpp": "three_gp",
}
# Words that a dialect says as another word, or as a switch.
_SAID_OTHERWISE: Final[Mapping[tuple[str | int, str], tuple[Any, ...]]] = {
    ("effort", "none"): ("disabled", False, 0),
    ("display", "omitted"): (False,),
    ("display", "summarized"): ("auto", True),
    ("service_tier", "default"): ("standard", "standard_only"),
    ("service_tier", "auto"): ("unspecified",),
}
# Members whose words Gemini writes in capitals, some behind the name of their list.
_SHOUTED: Final = frozenset({"detail", "effort", "language", "modalities"})
# Media types that nothing but the first bytes of base64 data tells.
_TOLD_BY_DATA: Final[Mapping[str, tuple[str, ...]]] = {
    "image/png": ("iVBORw0KGgo",),
    "image/jpeg": ("/9j/",),
    "image/gif": ("R0lGOD",),
    "image/bmp": ("Qk",),
    "image/webp": ("UklGR",),
    "audio/wav": ("UklGR",),
    "audio/mpeg": ("SUQz", "//"),
}
# Media types that the ending of an address tells.
_TOLD_BY_ENDING: Final[Mapping[str, tuple[str, ...]]] = {"video/mp4": (".mp4",), "video/webm": (".webm",)}


def covered(path: Tokens, losses: Iterable[Loss]) -> bool:
    """Tell whether a loss stands at a path or above it."""
    text = pointer(path)
    return any(text == loss.path or text.startswith(loss.path + "/") for loss in losses if loss.severity != "filled")


def accountable(canonical: Mapping[str, Any]) -> Iterator[tuple[Tokens, Any]]:
    """Yield every leaf that must come along or be a loss: all but notes on spelling, and what says nothing."""
    usage = canonical.get("usage", {})
    total = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    for path, leaf in leaves(canonical):
        if (path == ("usage", "total_tokens") and leaf == total) or (path[-1] == "detail" and leaf == "auto"):
            continue  # the others tell it, and every picture has it
        if not is_empty_value(leaf, is_count=path[0] == "usage") and not (
            "spelling" in path and "extra" in path and path.index("spelling") == path.index("extra") + 2
        ):
            yield path, leaf


def unaccounted(
    canonical: Mapping[str, Any], body: Mapping[str, Any], losses: Sequence[Loss], dialect: str = ""
) -> list[str]:
    """Return the paths of values that are neither in the body of a dialect, nor what it does anyway, nor a loss."""
    told = _Told(body)
    texts: Counter[str] = Counter()
    missing = []
    for path, leaf in accountable(canonical):
        if covered(path, losses) or not _tellable(path) or _is_in_changed_name(path, losses):
            continue
        if _is_source(path, dialect) and path[-1] in {"start_index", "end_index"}:
            continue  # it counts bytes; law 3 reads them back
        if dialect and "messages" in canonical and is_unsaid(path, canonical, dialect):
            continue
        if not told.holds(path, leaf):
            missing.append(pointer(path))
        elif isinstance(leaf, str) and leaf and _SAID_ONCE.isdisjoint(path[-2:]) and not _is_source(path, dialect):
            texts[leaf] += 1
            told_so = forms(leaf) if "thinking_blocks" in path else (leaf,)
            if max(map(told.count, told_so)) < texts[leaf]:
                missing.append(pointer(path))
    return missing


def _is_source(path: Tokens, dialect: str) -> bool:
    """Tell whether a value is of a source, which Gemini names once for all that rests on it."""
    return dialect == "gemini" and "citations" in path


def _is_in_changed_name(path: Tokens, losses: Iterable[Loss]) -> bool:
    """Tell whether a value is the name of a group, of which and of the tool's own a loss says that one was made."""
    if path[-3:-2] != ("extra",) or path[-1] != "namespace":
        return False
    name = pointer((*path[:-3], "name"))
    return any(loss.path == name and "tool of a namespace" in loss.detail for loss in losses)


def _tellable(path: Tokens) -> bool:
    name = path[-1] if path else ""
    if name == "at" and "thought_signatures" in path:
        return False  # where the signature stands tells it
    return name not in _WORDS and not (name == "mode" and len(path) > 1 and path[-2] in _MODES)


class _Told:
    """What a body says: its texts, numbers and objects."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        found = list(_said(body))
        self._texts = [leaf for leaf in found if isinstance(leaf, str)]
        self._values = {written(leaf) for leaf in found}
        used = body.get("usage") or body.get("usageMetadata") or {}
        counts = [leaf for _, leaf in leaves(used) if isinstance(leaf, int)]
        self._sums = {sum(some) for size in (2, 3) for some in itertools.combinations(counts, size)}
        self._objects = {written(inner) for _, inner in objects(list(_parsed(body)))}

    def holds(self, path: Tokens, leaf: Any) -> bool:
        """Tell whether the body says the value of a leaf."""
        if leaf in ({}, [], None) or isinstance(leaf, bool) or written(leaf) in self._values:
            return True
        if isinstance(leaf, str):
            return self._holds_text(path, leaf)
        if path == ("created",):
            return self._holds_moment(leaf)
        return path[0] == "usage" and leaf in self._sums

    def _holds_text(self, path: Tokens, leaf: str) -> bool:
        name = path[-2] if len(path) > 1 and path[-2] == "modalities" else path[-1]
        if (name, leaf) in _SAID_OTHERWISE:
            return any(written(word) in self._values for word in (leaf, *_SAID_OTHERWISE[name, leaf]))
        if name == "arguments":
            return self._holds_arguments(leaf)
        if name == "format" and any(
            text.startswith(_TOLD_BY_DATA.get(leaf, ())) or text.endswith(_TOLD_BY_ENDING.get(leaf, ()))
            for text in self._texts
        ):
            return True
        if name == "format" and _FORMAT_WORDS.get(leaf, leaf.partition("/")[2]) in self._texts:
            return True
        if name in _SHOUTED and any(leaf.upper() in text for text in self._texts):
            return True
        if name == "data" and "thinking_blocks" in path and any(form in self._texts for form in forms(leaf)):
            return True
        return any(leaf in text for text in self._texts) or _AUDIO_WORDS.get(leaf) in self._texts

    def _holds_moment(self, seconds: int) -> bool:
        """Tell whether the body says a moment as text (RFC 3339)."""
        try:
            moment = _EPOCH + timedelta(seconds=seconds)
        except OverflowError:
            return False
        return any(text.startswith(moment.isoformat()) for text in self._texts)

    def _holds_arguments(self, text: str) -> bool:
        try:
            arguments = json.loads(text) if text.strip() not in {"", "null"} else {}
        except ValueError:
            return False
        return written(arguments) in self._objects

    def count(self, text: str) -> int:
        """Return how often the body says a text."""
        return sum(one.count(text) for one in self._texts)


def _said(body: Any) -> Iterator[Any]:
    """Yield every scalar and every key, those inside argument text included."""
    for value in _parsed(body):
        for path, leaf in leaves(value):
            yield leaf
            if path and isinstance(path[-1], str):
                yield path[-1]


def _parsed(body: Any) -> Iterator[Any]:
    """Yield the body, and what its texts say where they are JSON."""
    yield body
    for _, leaf in leaves(body):
        if isinstance(leaf, str) and leaf[:1] in {"{", "["}:
            try:
                yield json.loads(leaf)
            except ValueError:
                continue


def unheard(canonical: Mapping[str, Any], encode: Callable[[Any], Encoding], paths: Iterable[Tokens]) -> list[str]:
    """Return which of the paths the encoded body does not depend on, though no loss covers them."""
    body, losses = encode(canonical)
    before = written(body)
    silent = []
    for path in paths:
        leaf = lookup(canonical, path)
        new = another(path, leaf)
        if covered(path, losses) or same(leaf, new):
            continue
        changed, now = encode(edited(canonical, path, new))
        if written(changed) == before and not covered(path, now):
            silent.append(pointer(path))
    return silent


def changeable(canonical: Mapping[str, Any], dialect: str = "") -> list[Tokens]:
    """Return the paths of the canonical leaves that have another value, which a dialect could say."""
    paths = [path for path, leaf in canonical_leaves(canonical) if not same(leaf, another(path, leaf))]
    return [path for path in paths if not is_idle(path, canonical, dialect)] if dialect else paths


def unfounded(canonical: Mapping[str, Any], losses: Iterable[Loss]) -> list[str]:
    """Return the paths of losses that lead nowhere: those of `filled` to an absent member, all others to a value."""
    wrong = []
    for loss in losses:
        path = tokens(loss.path)
        if loss.severity == "filled":
            if not path or resolves(canonical, path) or not _could_stand(canonical, path):
                wrong.append(loss.path)
        elif not resolves(canonical, path):
            wrong.append(loss.path)
    return wrong


def _could_stand(canonical: Mapping[str, Any], path: Sequence[str]) -> bool:
    """Tell whether a member could stand at a path: the nearest ancestor that is there is an object.

    A message could stand behind the others, too.
    """
    if list(path) == ["messages", str(len(canonical["messages"]))]:
        return True
    above = path[:-1]
    while not resolves(canonical, above):
        above = above[:-1]
    return isinstance(lookup(canonical, above), dict)


def told_tales(body: Mapping[str, Any], losses: Iterable[Loss]) -> list[str]:
    """Return the paths of losses whose detail repeats content: no names of members, no words of a spelling."""
    names = {name for _, held in objects(body) for name in held}
    telling = [
        leaf
        for path, leaf in leaves(body)
        if isinstance(leaf, str) and len(leaf) > _TELLING and leaf not in names and "spelling" not in path
    ]
    return [loss.path for loss in losses if any(text in loss.detail for text in telling)]
