"""Up and down through the versions, one neighbour after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from interlingua.errors import MigrationError
from interlingua.loss import Loss, LossLog, pointer
from interlingua.migrate.checks import accepts, adapter, check, violation
from interlingua.migrate.downgrade_scope import Conversation
from interlingua.migrate.members import downgrade_message, upgrade_message
from interlingua.migrate.origin import Origin
from interlingua.migrate.pairing import answered_calls
from interlingua.migrate.roles import with_plain_role
from interlingua.migrate.table import step_plan
from interlingua.migrate.undeclared import keep_undeclared
from interlingua.migrate.versions import detect_versions, known_version, stated_version
from interlingua_types import CURRENT

if TYPE_CHECKING:
    from collections.abc import Iterable

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upgraded:
    """Documents of the current version. `losses` is empty: an upgrade keeps everything."""

    documents: list[Json]
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Downgraded:
    """Documents of an older version, and what it has no place for; paths lead into the list that was given."""

    documents: list[Json]
    losses: tuple[Loss, ...] = ()


def upgrade(documents: Iterable[Json], *, version: int | None = None) -> Upgraded:
    """Return the messages of one conversation in the current version.

    One old message may become several. A call that has a result among the documents is `approved`, any other `pending`.
    Documents of the current version come back as they are; documents of a newer version, or of a type that nobody
    knows, are kept whole. `version` says which version all of them are of; without it each is asked, or looked at.

    Raises:
        MigrationError: a document is not what its version says; the path begins with its index.
        UnknownVersionError: there is no such version.
    """
    listed = _listed(documents)
    produced: list[Json] = []
    fresh: list[bool] = []
    for index, found in enumerate(detect_versions(listed, _known(version))):
        try:
            upgraded = upgraded_document(listed[index], found, is_look=version is None)
            for one in upgraded or ():
                check(one, CURRENT)
            made = [current_document(listed[index])] if upgraded is None else upgraded
        except MigrationError as error:
            raise _at(index, error) from None
        produced += made
        fresh += [upgraded is not None] * len(made)
    approve_answered(produced, fresh)
    return Upgraded(produced)


def downgrade(documents: Iterable[Json], to: int = 1) -> Downgraded:
    """Return the messages of one conversation in an older version, and what that has no place for.

    Several messages may fold into one. A document of a version older than `to` is brought up to it.

    Raises:
        MigrationError: a document is not what its version says; the path begins with its index.
        UnknownVersionError: there is no such version.
    """
    target = known_version(to)
    if target == CURRENT:
        return Downgraded(upgrade(documents).documents)
    listed = _listed(documents)
    log = LossLog()
    items: list[tuple[int, Json, Origin]] = []
    for index, found in enumerate(detect_versions(listed, None)):
        try:
            items += [
                (version, one, Origin(pointer(index))) for version, one in _at_version(listed[index], found, target)
            ]
        except MigrationError as error:
            raise _at(index, error) from None
    items = _folded(items, log)
    downgraded = [one for _, one, _ in items]
    if target == 1:
        conversation = Conversation(log)
        downgraded = [
            one if version == 1 else downgrade_message(one, origin, index, conversation)
            for index, (version, one, origin) in enumerate(items)
        ]
    for index, one in enumerate(downgraded):
        check(one, target, pointer(index))
    return Downgraded(downgraded, log.losses())


def upgraded_document(document: Json, found: int | MigrationError, *, is_look: bool) -> list[Json] | None:
    """Return what an older document becomes in the current version, or None where it is not older.

    An older document has been checked then; the result has not, and neither has one that is not older. `is_look` says
    that `found` is a look and no statement of the caller.

    Raises:
        MigrationError: the document is not what its version says.
    """
    document = _readable(document, found)
    version = _version_of(document, found, is_look=is_look)
    return None if version >= CURRENT else upgrade_to(document, version, CURRENT)


def current_document(document: Json) -> Json:
    """Return a document of the current version, or of a newer one, as it is; what it does not declare is kept.

    Raises:
        MigrationError: it is not what its version says.
    """
    if accepts(document, CURRENT):
        return document
    document = with_plain_role(document)
    if accepts(document, CURRENT):
        return document
    kept = keep_undeclared(document)
    if kept is None:
        raise violation(document, CURRENT)
    return kept


def upgrade_to(document: Json, version: int, target: int) -> list[Json]:
    """Return what a document becomes on the way up, step by step; it has been checked."""
    documents = [document]
    for older in range(version, target):
        step = step_plan(older, older + 1).split or upgrade_message
        documents = [made for one in documents for made in step(one)]
    return documents


def approve_answered(documents: list[Json], fresh: list[bool]) -> None:
    """Approve the calls that have a result, in the messages that have just been made."""
    for index, order in answered_calls(documents):
        if fresh[index]:
            requested = documents[index]["data"]["calls"][order]
            if requested["approval"] == {"status": "pending"}:
                requested["approval"] = {"status": "approved"}


def _readable(document: Json, found: int | MigrationError) -> Json:
    """Return a document whose role is written as its version writes it, whatever its case was."""
    return document if isinstance(found, MigrationError) else with_plain_role(document)


def _version_of(document: Json, found: int | MigrationError, *, is_look: bool) -> int:
    """Return the version of a document that has been checked against it.

    A look may be wrong, since version 1 and 2 are open: where the document is not of that version, but of the other
    one, it is of that.
    """
    if isinstance(found, MigrationError):
        raise found
    if found >= CURRENT:
        return found
    if accepts(document, found):
        return found
    other = 3 - found
    if is_look and stated_version(document) is None and accepts(document, other):
        return other
    raise violation(document, found)


def _at_version(document: Json, found: int | MigrationError, target: int) -> list[tuple[int, Json]]:
    """Return a document with its version, brought up to `target` where it is older."""
    document = _readable(document, found)
    version = _version_of(document, found, is_look=True)
    if version < target:
        return [(target, one) for one in upgrade_to(document, version, target)]
    if version < CURRENT:
        return [(version, document)]
    # Nulls that say nothing go here, so that no step has to look for them.
    read = adapter(CURRENT).validate_python(current_document(document))
    return [(CURRENT, adapter(CURRENT).dump_python(read, mode="json"))]


def _folded(items: list[tuple[int, Json, Origin]], log: LossLog) -> list[tuple[int, Json, Origin]]:
    """Return the items with each run of current messages folded into messages of version 2."""
    fold = step_plan(CURRENT - 1, CURRENT).fold
    folded: list[tuple[int, Json, Origin]] = []
    run: list[tuple[Json, str]] = []
    for version, document, origin in [*items, (0, {}, Origin(""))]:
        if version == CURRENT:
            run.append((document, origin.base))
            continue
        if run and fold is not None:
            messages, places = [one for one, _ in run], [place for _, place in run]
            folded += [(CURRENT - 1, one, source) for one, source in fold(messages, places, log)]
            run = []
        if version:
            folded.append((version, document, origin))
    return folded


def _listed(documents: Iterable[Json]) -> list[Json]:
    """Return the documents as a list; one document alone would be taken for a list of its members' names."""
    if isinstance(documents, (dict, str, bytes)):
        raise MigrationError(CURRENT, "", "a list of documents is wanted")
    return list(documents)


def _known(version: int | None) -> int | None:
    return None if version is None else known_version(version)


def _at(index: int, error: MigrationError) -> MigrationError:
    return MigrationError(error.version, pointer(index) + error.path, error.reason)
