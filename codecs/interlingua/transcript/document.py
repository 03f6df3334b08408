"""Reads and writes a transcript as one JSON document, by the schema in `shared/transcript.json`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from interlingua import model
from interlingua.errors import JsonDecodeError, MigrationError, TranscriptError
from interlingua.json_types import is_list, is_object
from interlingua.migrate.steps import current_frame
from interlingua.pointers import pointer
from interlingua.transcript.branch_tree import Lineage
from interlingua.transcript.dump import dump_message
from interlingua.transcript.load import load_messages, read_json
from interlingua.validation import validate
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlingua.model import AnyMessage

Json: TypeAlias = dict[str, Any]

_MAIN = "main"
_SHAPE = "TranscriptDocument"


@dataclass(frozen=True, slots=True)
class StoredTranscript:
    """The content of a document: the messages of all branches in order, and the origin of each branch."""

    id: str | None
    branch: str
    messages: tuple[AnyMessage, ...]
    branches: tuple[Lineage, ...]
    metadata: Json | None

    def places(self) -> dict[str, list[int]]:
        """Return the message indexes of each branch.

        Raises:
            MigrationError: the source of a branch does not precede it, or is too short.
        """
        found: dict[str, list[int]] = {}
        for index, branch in enumerate(self.branches):
            source = [] if branch.source is None else found.get(branch.source)
            if source is None or branch.shared > len(source) or branch.name in found:
                raise MigrationError(CURRENT, pointer("branches", index), "the branch does not fit those before it")
            found[branch.name] = [*source[: branch.shared], *branch.own]
        return found


def written_document(
    identifier: str, branch: str, messages: Iterable[AnyMessage], branches: Sequence[Lineage], metadata: Json
) -> Json:
    """Return the document of a transcript. A single branch with all messages is not described.

    Raises:
        EncodeError: a value inside cannot be written as JSON.
    """
    document: Json = {"schema_version": CURRENT, "id": identifier, "branch": branch}
    document["messages"] = [dump_message(message) for message in messages]
    if len(branches) > 1:
        document["branches"] = [_written(one) for one in branches]
    if metadata:
        document["metadata"] = metadata
    return document


def read_document(document: Json | str | bytes) -> StoredTranscript:
    """Return the content of a document.

    Raises:
        JsonDecodeError: text or bytes are not JSON.
        MigrationError: it is not a transcript; the path leads into the document.
    """
    plain = read_json(document)
    if not is_object(plain) or not is_list(plain.get("messages")):
        raise MigrationError(CURRENT, "", "a transcript must be an object with a list of messages")
    frame = _frame(current_frame({**plain, "messages": []}, _SHAPE))
    messages = _messages(plain["messages"])
    branch = frame.branch or _MAIN
    described = frame.branches
    if described is None:
        branches: tuple[Lineage, ...] = (Lineage(branch, None, 0, tuple(range(len(messages)))),)
    else:
        branches = tuple(Lineage(one.name, one.source, one.shared or 0, one.own) for one in described)
    return StoredTranscript(frame.id, branch, messages, branches, frame.metadata)


def check_ids(messages: Iterable[AnyMessage]) -> None:
    """Check that ids are unique.

    Raises:
        TranscriptError: an id occurs twice.
    """
    seen: set[str | None] = set()
    for message in messages:
        if not isinstance(message, model.UnknownMessage):
            if message.id in seen:
                raise TranscriptError("duplicate_id", message.id or "")
            seen.add(message.id)


def _written(branch: Lineage) -> Json:
    written: Json = {"name": branch.name}
    if branch.source is not None:
        written |= {"source": branch.source, "shared": branch.shared}
    written["own"] = list(branch.own)
    return written


def _frame(plain: Json) -> model.TranscriptDocument:
    """Return the content of a document beside its messages."""
    try:
        return _frames().validate_python(plain)
    except ValidationError:
        pass
    # Raised outside the handler: the cause would show the document.
    found = validate(plain, CURRENT, "transcript")
    path, reason = (found[0].path, found[0].detail) if found else ("", "not a transcript of this version")
    raise MigrationError(CURRENT, path, reason)


def _messages(documents: list[Any]) -> tuple[AnyMessage, ...]:
    """Return the messages: exactly one for each document, since branches refer to them by index."""
    try:
        loaded = load_messages(documents)
    except (MigrationError, JsonDecodeError) as error:
        raise _at(0, error) from None
    if loaded.skipped:
        first = loaded.skipped[0]
        raise MigrationError(CURRENT, pointer("messages", first.index), first.reason)
    if len(loaded.messages) != len(documents):
        raise MigrationError(CURRENT, "/messages", "a message of an older version would become several")
    return loaded.messages


def _at(index: int, error: MigrationError | JsonDecodeError) -> MigrationError:
    path = pointer("messages", index)
    if isinstance(error, MigrationError):
        return MigrationError(error.version, path + error.path, error.reason)
    return MigrationError(CURRENT, path, error.reason)


@cache
def _frames() -> TypeAdapter[model.TranscriptDocument]:
    return TypeAdapter(model.TranscriptDocument)
