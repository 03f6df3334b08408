"""Law 4: every value of a canonical document is in the target's output, or a loss covers it.

There are two checks. `unreported_values` searches the encoded body for each value, anywhere, with the documented
conversions: joined texts, parsed arguments, data URLs, media types, sums of tokens. It cannot see where a value went;
law 3 does. `values_without_effect` changes one value after another and encodes again: a value that the body does not
depend on is not in it.
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

# Members whose word decides about the shape and has another name in each dialect; law 3 compares them.
_WORDS: Final = frozenset({"role", "type", "kind", "dialect", "finish_reason", "schema_version"})
_MODES: Final = frozenset({"tool_choice", "reasoning", "cache"})
# Written once for several values, or converted: the name of a speaker, a word with another name, parsed text.
_SAID_ONCE: Final = frozenset(
    {"arguments", "detail", "display", "effort", "format", "language", "modalities", "name", "service_tier"}
)
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  # only the text before the offset is compared, and it is Z's
# A shorter text inside a loss can be a coincidence.
_TELLING: Final = 12
_AUDIO_WORDS: Final = {"audio/wav": "wav", "audio/mpeg": "mp3"}
# Words for media types other than their subtype.
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
# Words that a dialect writes as another word, or as a switch.
_SAID_OTHERWISE: Final[Mapping[tuple[str | int, str], tuple[Any, ...]]] = {
    ("effort", "none"): ("disabled", False, 0),
    ("display", "omitted"): (False,),
    ("display", "summarized"): ("auto", True),
    ("service_tier", "default"): ("standard", "standard_only"),
    ("service_tier", "auto"): ("unspecified",),
}
# Members whose words Gemini writes in capitals, some after the name of their list.
_SHOUTED: Final = frozenset({"detail", "effort", "language", "modalities"})
# Media types that follow only from the first bytes of base64 data.
_TOLD_BY_DATA: Final[Mapping[str, tuple[str, ...]]] = {
    "image/png": ("iVBORw0KGgo",),
    "image/jpeg": ("/9j/",),
    "image/gif": ("R0lGOD",),
    "image/bmp": ("Qk",),
    "image/webp": ("UklGR",),
    "audio/wav": ("UklGR",),
    "audio/mpeg": ("SUQz", "//"),
}
# Media types that follow from the extension of a URL.
_TOLD_BY_ENDING: Final[Mapping[str, tuple[str, ...]]] = {"video/mp4": (".mp4",), "video/webm": (".webm",)}


def covered(path: Tokens, losses: Iterable[Loss]) -> bool:
    """Return whether a loss is at a path or above it."""
    text = pointer(path)
    return any(text == loss.path or text.startswith(loss.path + "/") for loss in losses if loss.severity != "filled")


def accountable(canonical: Mapping[str, Any]) -> Iterator[tuple[Tokens, Any]]:
    """Yield every leaf that must be written or be a loss: all but notes on spelling, and values without meaning."""
    usage = canonical.get("usage", {})
    total = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    for path, leaf in leaves(canonical):
        if (path == ("usage", "total_tokens") and leaf == total) or (path[-1] == "detail" and leaf == "auto"):
            continue  # the others imply it, and every picture has it
        if not is_empty_value(leaf, is_count=path[0] == "usage") and not (
            "spelling" in path and "extra" in path and path.index("spelling") == path.index("extra") + 2
        ):
            yield path, leaf


def unreported_values(
    canonical: Mapping[str, Any], body: Mapping[str, Any], losses: Sequence[Loss], dialect: str = ""
) -> list[str]:
    """Return the paths of values that are not in the body of a dialect, not its default behaviour, and not a loss."""
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
    """Return whether a value belongs to a source, which Gemini writes once for everything that cites it."""
    return dialect == "gemini" and "citations" in path


def _is_in_changed_name(path: Tokens, losses: Iterable[Loss]) -> bool:
    """Return whether a value is the name of a group, and a loss says that its tool's name was combined with it."""
    if path[-3:-2] != ("extra",) or path[-1] != "namespace":
        return False
    name = pointer((*path[:-3], "name"))
    return any(loss.path == name and "tool of a namespace" in loss.detail for loss in losses)


def _tellable(path: Tokens) -> bool:
    name = path[-1] if path else ""
    if name == "at" and "thought_signatures" in path:
        return False  # it is implied by the place of the signature
    return name not in _WORDS and not (name == "mode" and len(path) > 1 and path[-2] in _MODES)


class _Told:
    """The content of a body: its texts, numbers and objects."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        found = list(_said(body))
        self._texts = [leaf for leaf in found if isinstance(leaf, str)]
        self._values = {written(leaf) for leaf in found}
        used = body.get("usage") or body.get("usageMetadata") or {}
        counts = [leaf for _, leaf in leaves(used) if isinstance(leaf, int)]
        self._sums = {sum(some) for size in (2, 3) for some in itertools.combinations(counts, size)}
        self._objects = {written(inner) for _, inner in objects(list(_parsed(body)))}

    def holds(self, path: Tokens, leaf: Any) -> bool:
        """Return whether the body contains the value of a leaf."""
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
        """Return whether the body contains a time as text (RFC 3339)."""
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
        """Return how often the body contains a text."""
        return sum(one.count(text) for one in self._texts)


def _said(body: Any) -> Iterator[Any]:
    """Yield every scalar and every key, including those inside argument text."""
    for value in _parsed(body):
        for path, leaf in leaves(value):
            yield leaf
            if path and isinstance(path[-1], str):
                yield path[-1]


def _parsed(body: Any) -> Iterator[Any]:
    """Yield the body, and the content of its texts if they are JSON."""
    yield body
    for _, leaf in leaves(body):
        if isinstance(leaf, str) and leaf[:1] in {"{", "["}:
            try:
                yield json.loads(leaf)
            except ValueError:
                continue


def values_without_effect(
    canonical: Mapping[str, Any], encode: Callable[[Any], Encoding], paths: Iterable[Tokens]
) -> list[str]:
    """Return the paths that the encoded body does not depend on, though no loss covers them."""
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
    """Return the paths of the canonical leaves that can have another value in a dialect."""
    paths = [path for path, leaf in canonical_leaves(canonical) if not same(leaf, another(path, leaf))]
    return [path for path in paths if not is_idle(path, canonical, dialect)] if dialect else paths


def unresolved_losses(canonical: Mapping[str, Any], losses: Iterable[Loss]) -> list[str]:
    """Return the paths of losses that do not resolve: `filled` needs an absent or empty member, all others a value."""
    wrong = []
    for loss in losses:
        path = tokens(loss.path)
        if loss.severity == "filled":
            is_absent = not resolves(canonical, path) or lookup(canonical, path) in ([], {}, "")
            if not path or not is_absent or not _could_stand(canonical, path):
                wrong.append(loss.path)
        elif not resolves(canonical, path):
            wrong.append(loss.path)
    return wrong


def _could_stand(canonical: Mapping[str, Any], path: Sequence[str]) -> bool:
    """Return whether a member could be at a path: its nearest existing ancestor is an object.

    A message could also be appended to the others.
    """
    if list(path) == ["messages", str(len(canonical["messages"]))]:
        return True
    above = path[:-1]
    while not resolves(canonical, above):
        above = above[:-1]
    return isinstance(lookup(canonical, above), dict)


def losses_with_content(body: Mapping[str, Any], losses: Iterable[Loss]) -> list[str]:
    """Return the paths of losses whose detail repeats content: not member names, and not words of the spelling."""
    names = {name for _, held in objects(body) for name in held}
    telling = [
        leaf
        for path, leaf in leaves(body)
        if isinstance(leaf, str) and len(leaf) > _TELLING and leaf not in names and "spelling" not in path
    ]
    return [loss.path for loss in losses if any(text in loss.detail for text in telling)]
