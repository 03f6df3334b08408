"""Dialects whose models share signatures: the signed state of one is the other's too, and goes to no other dialect."""

from __future__ import annotations

import base64
import contextlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHARED_SIGNATURES: Final = frozenset({"claude", "bedrock_converse"})
_SIGNED: Final = frozenset({"thinking_blocks", "signature", "data"})


def is_signed_alike(source: str, target: str, member: str) -> bool:
    """Return whether a member of the source's `extra` is signed state that the target's models accept, too."""
    return source != target and {source, target} <= SHARED_SIGNATURES and member in _SIGNED


def forms(said: str) -> Iterator[str]:
    """Yield a text of signed state, and its form in the other dialect: Bedrock has redacted thinking in base64."""
    yield said
    yield base64.b64encode(said.encode()).decode()
    with contextlib.suppress(ValueError):
        yield base64.b64decode(said, validate=True).decode()


def signatures(messages: Sequence[Any]) -> list[Any]:
    """Return the signed thinking of such dialects in messages."""
    return [*_signatures(messages)]


def _signatures(messages: Sequence[Any]) -> Iterator[Any]:
    for message in messages:
        for owner in sorted(SHARED_SIGNATURES & message.get("extra", {}).keys()):
            for block in message["extra"][owner].get("thinking_blocks", ()):
                signed = {name: block[name] for name in ("signature", "data") if block.get(name)}
                if "data" in signed and owner == "claude":
                    signed["data"] = base64.b64encode(signed["data"].encode()).decode()
                if signed:
                    yield signed


# The provider state of such dialects for documents: the positions of citations, and which documents to cite.
_OF_DOCUMENTS: Final = frozenset({
    "citations", "document", "location", "searchResult", "document_index", "search_result_index",
    "start_page_number", "end_page_number", "start_block_index", "end_block_index",
})  # fmt: skip


def of_documents(messages: Sequence[Any]) -> list[Any]:
    """Return the provider state of such dialects for documents and citations in messages: numbers and flags."""
    parts = [part for message in messages if isinstance(message.get("content"), list) for part in message["content"]]
    held = [*parts, *(citation for part in parts for citation in part.get("citations", ()))]
    return [
        sorted(_numbers({name: said for name, said in fields.items() if name in _OF_DOCUMENTS}))
        for one in held
        for owner in sorted(SHARED_SIGNATURES & one.get("extra", {}).keys())
        if not _OF_DOCUMENTS.isdisjoint(fields := one["extra"][owner].get("fields", {}))
    ]


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, int):
        yield value
