"""Upgrades and downgrades, one version at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from interlingua.argument_checks import check_several
from interlingua.errors import MigrationError
from interlingua.json_types import is_object
from interlingua.loss import Loss, LossLog
from interlingua.migrate.bundles import definitions
from interlingua.migrate.checks import accepts, adapter, check, violation
from interlingua.migrate.conversion import ConversionReport, conversion
from interlingua.migrate.downgrade_scope import Conversation
from interlingua.migrate.members import downgrade_message, upgrade_message
from interlingua.migrate.origin import Origin
from interlingua.migrate.pairing import answered_calls
from interlingua.migrate.roles import with_plain_role
from interlingua.migrate.table import step_plan
from interlingua.migrate.undeclared import keep_undeclared
from interlingua.migrate.versions import detect_versions, known_version, stated_version
from interlingua.pointers import pointer
from interlingua_types import CURRENT
from interlingua_types.unions import OPEN, SILENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Fold: TypeAlias = Callable[[list[dict[str, Any]], list[str], LossLog], list[tuple[dict[str, Any], Origin]]]

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upgraded:
    """Documents of the current version. `losses` is empty: an upgrade keeps everything.

    Example:
        >>> il.upgrade([{"role": "user", "content": "Hi"}], version=1).losses
        ()
    """

    documents: list[Json] = field(repr=False)  # content
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Downgraded:
    """Documents of an older version, and the losses; paths lead into the given list.

    Example:
        >>> done = il.downgrade([il.dump_message(il.messages.mode_change("plan", "act"))], 1)
        >>> len(done.documents), [(loss.severity, loss.path) for loss in done.losses]
        (0, [('lost', '/0/data/control')])
    """

    documents: list[Json] = field(repr=False)  # content
    losses: tuple[Loss, ...] = ()


def upgrade(documents: Iterable[Json], version: int | None = None) -> Upgraded:
    """Return the messages of one conversation in the current version.

    One old message may become several. A call that has a result among the documents is `approved`, any other `pending`.
    Documents of the current version are returned as they are; documents of a newer version or an unknown type are kept
    whole. `version` is the version of all documents; without it each one's version is read or detected.

    Args:
        documents: The stored documents, in order: plain JSON.
        version: The version of the documents, if they do not state it themselves.

    Raises:
        MigrationError: a document is not what its version says; the path begins with its index.
        UnknownVersionError: there is no such version.

    Example:
        >>> il.upgrade([{"role": "user", "content": "Hi"}], version=1).documents[0]["data"]
        {'role': 'user', 'content': 'Hi'}
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
        fresh += [upgraded is not None and found in SILENT] * len(made)
    approve_answered(produced, fresh)
    return Upgraded(produced)


def downgrade(documents: Iterable[Json], to: int = 1) -> Downgraded:
    """Return the messages of one conversation in an older version, with the losses.

    Several messages may fold into one. A document of a version older than `to` is upgraded to it.

    Args:
        documents: The stored documents, in order: plain JSON.
        to: The older version, such as 2.

    Raises:
        MigrationError: a document is not what its version says; the path begins with its index.
        UnknownVersionError: there is no such version.

    Example:
        >>> stored = [il.dump_message(il.messages.user("Hi"))]
        >>> il.downgrade(stored, 1).documents
        [{'role': 'user', 'content': 'Hi'}]
    """
    target = known_version(to)
    if target == CURRENT:
        return Downgraded(upgrade(documents).documents)
    listed = _listed(documents)
    log = LossLog()
    items: list[_Item] = []
    for index, found in enumerate(detect_versions(listed, None)):
        try:
            items += [
                _Item(version, one, Origin(pointer(index)))
                for version, one in _at_version(listed[index], found, target)
            ]
        except MigrationError as error:
            raise _at(index, error) from None
    downgraded = _downgraded_items(items, CURRENT, target, log)
    for index, one in enumerate(downgraded):
        check(one, target, pointer(index))
    return Downgraded(downgraded, log.losses())


def upgraded_document(document: Json, found: int | MigrationError, *, is_look: bool) -> list[Json] | None:
    """Return an older document upgraded to the current version, or None if it is not older.

    An older document is validated; the result is not, nor is a document that is not older. `is_look`: the version
    `found` was detected rather than stated by the caller.

    Raises:
        MigrationError: the document is not what its version says.
    """
    version, document = _checked(_readable(document, found), found, is_look=is_look)
    return None if version >= CURRENT else upgrade_to(document, version, CURRENT)


def current_document(document: Json) -> Json:
    """Return a document of the current or a newer version, with undeclared members kept.

    Raises:
        MigrationError: it is not valid in its version.
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


def current_frame(document: Any, shape: str) -> Any:
    """Return a document that is not a message, upgraded from the older closed version that it states.

    Any other document is returned as it is; an invalid one only gets the current version number, and is refused by its
    reader.
    """
    version = stated_version(document) if is_object(document) else None
    if version is None or version in OPEN or version >= CURRENT:
        return document
    for older in range(version, CURRENT):
        known = definitions(older)
        if not known.has(shape) or not known.fits(document, known.named(shape)):
            return {**document, "schema_version": CURRENT}
        document = conversion(older, older + 1).document(document, shape, "", ConversionReport())
    return document


def upgrade_to(document: Json, version: int, target: int) -> list[Json]:
    """Return a valid document upgraded step by step."""
    documents = [document]
    for older in range(version, target):
        documents = [made for one in documents for made in _upgraded_one_version(one, older)]
    return documents


def _upgraded_one_version(document: Json, older: int) -> list[Json]:
    """Return a document upgraded by one version."""
    split = step_plan(older, older + 1).split
    if split is not None:
        return split(document)
    if older in OPEN:
        return upgrade_message(document)
    return [conversion(older, older + 1).message(document, "", ConversionReport())]


def approve_answered(documents: list[Json], fresh: list[bool]) -> None:
    """Approve the calls that have a result, in newly made messages."""
    for index, order in answered_calls(documents):
        if fresh[index]:
            requested = documents[index]["data"]["calls"][order]
            if requested["approval"] == {"status": "pending"}:
                requested["approval"] = {"status": "approved"}


def _readable(document: Json, found: int | MigrationError) -> Json:
    """Return a document with its role in the case of its version."""
    return document if isinstance(found, MigrationError) else with_plain_role(document)


def _checked(document: Json, found: int | MigrationError, *, is_look: bool) -> tuple[int, Json]:
    """Return the version of a document, and the document as that version accepts it; the current one is not validated.

    A detected version may be wrong, since versions 1 and 2 are open: if the document is only valid in the other one,
    that is returned.
    """
    if isinstance(found, MigrationError):
        raise found
    if found >= CURRENT or accepts(document, found):
        return found, document
    if found not in OPEN:
        kept = keep_undeclared(document, found)
        if kept is not None:
            return found, kept
    elif is_look and stated_version(document) is None:
        for other in SILENT:
            if accepts(document, other):
                return other, document
    raise violation(document, found)


def _at_version(document: Json, found: int | MigrationError, target: int) -> list[tuple[int, Json]]:
    """Return a document with its version, upgraded to `target` if it is older."""
    version, document = _checked(_readable(document, found), found, is_look=True)
    if version < target:
        return [(target, one) for one in upgrade_to(document, version, target)]
    if version in OPEN:
        return [(version, document)]
    # Nulls that mean absent are removed here, so that no step has to handle them.
    document = current_document(document) if version >= CURRENT else document
    reader = adapter(min(version, CURRENT))
    message = reader.validate_python(document)
    try:
        return [(min(version, CURRENT), reader.dump_python(message, mode="json"))]
    except (ValueError, RecursionError):
        pass
    # Raised outside the handler: the cause would show the value.
    raise MigrationError(version, "", "half a surrogate pair in the name of a member, or nested too deeply")


class _Item(NamedTuple):
    """A document under downgrade: its version and the origin of its members."""

    version: int
    document: Json
    origin: Origin


def _downgraded_items(items: list[_Item], version: int, target: int, log: LossLog) -> list[Json]:
    """Return the documents of no version above `version` in the version `target`."""
    if version == target:
        return [item.document for item in items]
    plan = step_plan(version - 1, version)
    if plan.fold is not None:
        return _downgraded_items(_joined_messages(items, version, plan.fold, log), version - 1, target, log)
    if version - 1 in OPEN:
        conversation = Conversation(log)
        one_version_down = [
            item._replace(
                version=version - 1, document=downgrade_message(item.document, item.origin, index, conversation)
            )
            if item.version == version
            else item
            for index, item in enumerate(items)
        ]
        return _downgraded_items(one_version_down, version - 1, target, log)
    trail = ConversionReport()
    one_version_down = [
        item._replace(
            version=version - 1,
            document=conversion(version, version - 1).message(item.document, item.origin.base, trail),
        )
        if item.version == version
        else item
        for item in items
    ]
    _log_losses(trail.losses, log)
    # Losses of later steps have paths of the version below, which are mapped back to the source.
    below = LossLog()
    made = _downgraded_items(one_version_down, version - 1, target, below)
    _log_losses([replace(loss, path=trail.back(loss.path)) for loss in below.losses()], log)
    return made


def _log_losses(losses: Iterable[Loss], log: LossLog) -> None:
    for loss in losses:
        if loss.severity == "filled":
            log.filled(loss.path, loss.detail)
        elif loss.severity == "changed":
            log.changed(loss.code, loss.path, loss.detail)
        else:
            log.lost(loss.code, loss.path, loss.detail)


def _joined_messages(items: list[_Item], version: int, fold: Fold, log: LossLog) -> list[_Item]:
    """Return the items with each run of messages of a version folded into messages of the previous version."""
    folded: list[_Item] = []
    run: list[_Item] = []
    for item in [*items, None]:
        if item is not None and item.version == version:
            run.append(item)
            continue
        if run:
            made = fold([one.document for one in run], [one.origin.base for one in run], log)
            folded += [_Item(version - 1, document, origin) for document, origin in made]
            run = []
        if item is not None:
            folded.append(item)
    return folded


def _listed(documents: Iterable[Json]) -> list[Json]:
    """Return the documents as a list; a single document is refused, since iterating it would yield its member names."""
    if isinstance(documents, (dict, str, bytes)):
        raise MigrationError(CURRENT, "", "expected a list of documents")
    return list(check_several(documents, "documents"))


def _known(version: int | None) -> int | None:
    return None if version is None else known_version(version)


def _at(index: int, error: MigrationError) -> MigrationError:
    return MigrationError(error.version, pointer(index) + error.path, error.reason)
