"""Shared by `upgrade` and `downgrade`: each input is one conversation, since results answer earlier calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from interlingua.cli.reading import listed
from interlingua.detection import detect, detection_text
from interlingua.errors import InterlinguaError, MigrationError
from interlingua.loss import Loss
from interlingua.migrate.versions import detect_versions
from interlingua.transcript.dialect_rows import find_dialects
from interlingua.transcript.load import load_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from interlingua.cli.reading import Document
    from interlingua.cli.run import Run

__all__ = ["Migrated", "SourceFormat", "Step", "migrate_inputs"]


class Migrated(Protocol):
    """The result of `il.upgrade` and `il.downgrade`."""

    @property
    def documents(self) -> list[dict[str, Any]]:
        """The documents in the other version."""
        ...

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses; a path begins with the index of the input document."""
        ...


Step: TypeAlias = "Callable[[list[Any]], Migrated]"


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """The format of the documents, as stated by the caller: their version, or their dialect."""

    version: int | None
    dialect: str | None


@dataclass(frozen=True, slots=True)
class _Item:
    """A document of the conversation: the line where it begins, and its JSON Pointer if the line is an array."""

    line: int
    prefix: str
    value: Any


def migrate_inputs(run: Run, step: Step, said: SourceFormat) -> None:
    """Migrate each input and write one document per line; what cannot be read is reported and left out."""
    for source in run.inputs():
        _migrate(run, list(_items(run.documents_of(source))), step, said)


def _migrate(run: Run, given: list[_Item], step: Step, said: SourceFormat) -> None:
    items = _without_dialects(run, given, said)
    migrated = _migrated(step, items)
    while migrated is None:
        # If the whole conversation fails, each document is tried alone, and those that fail are left out.
        kept = [item for item in items if run.attempt(item.line, partial(_alone, step), item) is not None]
        if len(kept) == len(items):
            run.attempt(items[0].line, step, [item.value for item in items])
            return
        items = kept
        migrated = _migrated(step, items)
    for line, losses in _by_line(items, migrated.losses).items():
        run.losses(line, losses)
    for document in migrated.documents:
        run.write(1, document)


def _by_line(items: list[_Item], losses: Iterable[Loss]) -> dict[int, list[Loss]]:
    """Return the losses by the line of their document, in the order of the lines."""
    found: dict[int, list[Loss]] = {item.line: [] for item in items}
    for loss in losses:
        index, _, rest = loss.path.removeprefix("/").partition("/")
        item = items[int(index)]
        path = item.prefix + (f"/{rest}" if rest else "")
        found[item.line].append(Loss(loss.code, path, loss.detail, loss.severity))
    return found


def _items(documents: Iterable[Document]) -> Iterator[_Item]:
    for document in documents:
        for prefix, value in listed(document.value):
            yield _Item(document.line, prefix, value)


def _without_dialects(run: Run, items: list[_Item], said: SourceFormat) -> list[_Item]:
    """Return the items with documents of the current version in place of those in a dialect.

    One item may become several. Documents of a schema version stay as they are; their errors are reported later.
    """
    plain = [item.value for item in items]
    dialects = find_dialects(plain, said.version, said.dialect)
    if not dialects:
        return items
    rows = load_rows(plain, detect_versions(plain, None), {}, is_look=True, dialects=dialects)
    kept: list[_Item] = []
    for index, item in enumerate(items):
        if index in rows.documents:
            kept += [_Item(item.line, item.prefix, document) for document in rows.documents[index]]
        elif index in dialects:
            run.unreadable(item.line, str(rows.failures[index]))
        else:
            kept.append(item)
    return kept


def _migrated(step: Step, items: Sequence[_Item]) -> Migrated | None:
    try:
        return step([item.value for item in items])
    except (InterlinguaError, RecursionError):
        return None


def _alone(step: Step, item: _Item) -> Migrated:
    """Return the result for a single document.

    Raises:
        MigrationError: it is not valid; the path leads into the line.
    """
    try:
        return step([item.value])
    except MigrationError as error:
        path = error.path.removeprefix("/0")
        looks = () if path else detect(item.value)  # an error in a member needs no such hint
        wanted = f"; expected a stored message, and it looks like {detection_text(looks[0])}" if looks else ""
        raise MigrationError(error.version, item.prefix + path, f"{error.reason}{wanted}") from None
