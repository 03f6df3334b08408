"""Losses: `Loss`, its closed list of codes, the log that collects losses, and the `strict` policy.

Source: docs/laws.md, law 4. A loss never repeats content; its path leads into the canonical value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from interlingua.errors import LossError
from interlingua.loss_types import Concern, LossCode, Severity
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from interlingua.loss_consolidation import Note
    from interlingua.loss_types import Strict
    from interlingua.report import Report

__all__ = [
    "CODES",
    "FOREIGN",
    "Encoded",
    "EncodedError",
    "Loss",
    "LossCode",
    "LossLog",
    "Severity",
    "enforce",
    "is_empty_value",
    "report_of",
]

CODES: Final[frozenset[str]] = frozenset(get_args(LossCode))
FOREIGN: Final = "only its own dialect has this member"
"""The detail of losses in another dialect's `extra`, which is lost as a whole."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One value that did not arrive in the output as it was.

    `code` is one of `CODES`. `path` is a JSON Pointer into the canonical value. `detail` is a short explanation for
    people. `severity` is `lost` (not in the output), `changed` (in another form, beyond the documented value tables) or
    `filled` (required by the target and absent in the source; the path is that of the absent member). `concern` says
    what is affected: content, contract, tuning, state or bookkeeping; it follows from the code and the path.

    Example:
        >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
        >>> loss = il.translate_request(body, "openai_chat", "claude").losses[-1]
        >>> loss.severity, loss.code, loss.path, loss.concern
        ('filled', 'required', '/max_tokens', 'contract')
    """

    code: LossCode
    path: str
    detail: str
    severity: Severity
    concern: Concern = cast("Concern", None)  # noqa: RUF009  # `__post_init__` finds it

    def __post_init__(self) -> None:
        """Look up the concern if none is given."""
        given = cast("Concern | None", self.concern)
        if given is None:
            from interlingua.concerns import concern_of  # noqa: PLC0415  # most translations lose nothing

            object.__setattr__(self, "concern", concern_of(self.code, self.path, self.severity))


class LossLog:
    """Collects the losses of one call, in order. It stores notes only; `Loss` objects are built when they are read.

    Several notes about one value become one `Loss`, and a value that goes with its parent has none of its own.
    `is_answer`: the losses are those of a response. `asked` returns the digest of the request, or an empty string.

    Example:
        >>> log = il.spi.LossLog()
        >>> log.lost("setting", "/seed", "the dialect has no member for it")
        >>> [(loss.severity, loss.path) for loss in log.losses()]
        [('lost', '/seed')]
    """

    __slots__ = ("_built", "_is_answer", "_moves", "_noted", "asked", "optional", "own_names", "renamed")

    def __init__(
        self, own_names: frozenset[str] = frozenset(), *, is_answer: bool = False, asked: Callable[[], str] = str
    ) -> None:
        self.asked = asked
        self.own_names = own_names  # tool names that the reader of the output chose: they are never renamed
        self.renamed: dict[str, str] = {}  # name or id as written -> original
        # A tool's name -> its schema, if members of it may be absent and had to be required: null stands for that.
        self.optional: dict[str, dict[str, Any]] = {}
        self._is_answer = is_answer
        self._noted: list[tuple[LossCode, str | tuple[int, str], str, Severity]] = []
        # The number of the first note it applies to, the path of the list, and the original path of an item.
        self._moves: list[tuple[int, str, Callable[[str], str]]] = []
        self._built: tuple[int, tuple[Loss, ...]] = (0, ())

    def __eq__(self, other: object) -> bool:
        return self.losses() == other.losses() if isinstance(other, LossLog) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def lost(self, code: LossCode, path: str, detail: str) -> None:
        """Log that the value at `path` is not in the output."""
        self._noted.append((code, path, detail, "lost"))

    def changed(self, code: LossCode, path: str, detail: str) -> None:
        """Log that the value at `path` has another form in the output."""
        self._noted.append((code, path, detail, "changed"))

    def filled(self, path: str, detail: str) -> None:
        """Log that the output has a value at `path` that the input lacks."""
        self._noted.append(("required", path, detail, "filled"))

    def filled_in_message(self, index: int, member: str, detail: str) -> None:
        """Log as `filled` a member of a request's message; its path is built only when it is read."""
        self._noted.append(("required", (index, member), detail, "filled"))

    def note(self, code: LossCode, path: str, detail: str, severity: Severity) -> None:
        """Log a note of another log."""
        self._noted.append((code, path, detail, severity))

    def left_out(self, path: str, indexes: Iterable[int]) -> None:
        """Record that items were removed from a list before it is encoded.

        Notes from now on have indexes of the shortened list; `notes` and `losses` return those of the original one.
        """
        gaps = sorted(indexes)

        def stood(index: int) -> str:
            for gap in gaps:
                index += gap <= index
            return f"{path}/{index}"

        self._move_items(path, stood)

    def put_first(self, path: str) -> None:
        """Record that an item was prepended to a list, so that the indexes of notes from now on are one higher."""
        self._move_items(path, lambda index: f"{path}/{max(index - 1, 0)}")

    def moved(self, path: str, places: Sequence[str]) -> None:
        """Record the original paths of the items of a list that was assembled from several places."""
        self._move_items(path, lambda index: places[index])

    def remade(self, path: str, place: Callable[[str], str]) -> None:
        """Record that a value was made anew: `place` returns the original path of what follows `path` and a slash."""
        self._moves.append((len(self._noted), f"{path}/", place))

    def _move_items(self, path: str, stood: Callable[[int], str]) -> None:
        def place(rest: str) -> str:
            at, slash, inner = rest.partition("/")
            return f"{stood(int(at))}{slash}{inner}"

        self.remade(path, place)

    def notes(self) -> tuple[Note, ...]:
        """Return all notes so far."""
        from interlingua.loss_consolidation import Note  # noqa: PLC0415  # most translations lose nothing

        return tuple(
            Note(code, self._place(number, place), detail, severity)
            for number, (code, place, detail, severity) in enumerate(self._noted)
        )

    @property
    def has_notes(self) -> bool:
        """Whether there are any notes so far."""
        return bool(self._noted)

    def move(self, other: LossLog, path_of: Callable[[str], str]) -> None:
        """Append the notes so far to another log, each with its path mapped by `path_of`."""
        for number, (code, place, detail, severity) in enumerate(self._noted):
            other._noted.append((code, path_of(self._place(number, place)), detail, severity))

    def _place(self, number: int, place: str | tuple[int, str]) -> str:
        """Return the original path of a note, before items of its list were moved."""
        path = place if isinstance(place, str) else f"/messages/{place[0]}/{place[1]}"
        for since, holder, place_of in reversed(self._moves):
            if number >= since and path.startswith(holder):
                path = place_of(path.removeprefix(holder))
        return path

    def losses(self) -> tuple[Loss, ...]:
        """Return the losses so far: one for each value, no path twice."""
        count, built = self._built
        if count == len(self._noted):
            return built
        from interlingua.loss_consolidation import consolidate  # noqa: PLC0415  # most translations lose nothing

        notes = self.notes()
        built = tuple(Loss(*one) for one in consolidate(notes, FOREIGN, is_answer=self._is_answer)) if notes else ()
        self._built = (len(self._noted), built)
        return built


@dataclass(frozen=True, slots=True, repr=False)
class Encoded:
    """A wire body and its losses: `body` is plain JSON, `losses` is empty at home.

    Example:
        >>> body = {"messages": [{"role": "user", "content": "Hi"}], "seed": 7}
        >>> encoded = il.translate_request(body, "openai_chat", "claude", defaults={"max_tokens": 1000})
        >>> encoded.body["max_tokens"], [loss.path for loss in encoded.losses]
        (1000, ['/seed', '/model'])
    """

    body: dict[str, Any]
    log: LossLog

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return the losses, in the order of encoding."""
        return self.log.losses()

    def report(self) -> Report:
        """Return the losses grouped by kind, the most serious first, with counts."""
        return report_of(self.losses)

    def copied(self) -> Encoded:
        """Return the same with a deep copy of the body, which shares no objects with the input."""
        from interlingua_types._checks import copied_json  # noqa: PLC0415  # needed only on request

        return Encoded(copied_json(self.body), self.log)

    @property
    def renamed(self) -> Mapping[str, str]:
        """Return the names and ids that were changed because the dialect refuses them: as written -> original."""
        return MappingProxyType(self.log.renamed)

    def __repr__(self) -> str:
        """Return a summary without the body, which is content."""
        return f"Encoded(losses={len(self.losses)})"


@dataclass(frozen=True, slots=True, repr=False)
class EncodedError:
    """An HTTP error response, `status`, `headers` and `body`, and its losses.

    `body` is plain JSON, or text if the provider's body was text. `losses` is empty at home.

    Example:
        >>> body = {"error": {"message": "Slow down.", "type": "rate_limit_error"}}
        >>> told = il.translate_error(body, "openai_chat", "claude", status=429)
        >>> told.status, told.body["error"]["type"], told.losses
        (429, 'rate_limit_error', ())
    """

    status: int
    headers: Mapping[str, str]
    body: Any
    log: LossLog

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return the losses."""
        return self.log.losses()

    def report(self) -> Report:
        """Return the losses grouped by kind, the most serious first, with counts."""
        return report_of(self.losses)

    def copied(self) -> EncodedError:
        """Return the same with a deep copy of the body, which shares no objects with the input."""
        from interlingua_types._checks import copied_json  # noqa: PLC0415  # needed only on request

        return EncodedError(self.status, self.headers, copied_json(self.body), self.log)

    def __repr__(self) -> str:
        """Return a summary without the body, which may quote content."""
        return f"EncodedError(status={self.status}, losses={len(self.losses)})"


def enforce(losses: Sequence[Loss], *, strict: Strict) -> tuple[Loss, ...]:
    """Return the losses, unless `strict` forbids one of them.

    Raises `LossError` if something is `lost` that `strict` does not allow to be, `UnknownConcernError` for an invalid
    `strict`.
    """
    from interlingua.concerns import concerns_of  # noqa: PLC0415  # needed only on request

    refused = concerns_of(strict)
    offending = [loss for loss in losses if loss.severity == "lost" and (refused is None or loss.concern in refused)]
    if offending:
        raise LossError(losses, offending)
    return tuple(losses)


def report_of(losses: Sequence[Loss]) -> Report:
    """Return the losses grouped by kind, the most serious first, with counts."""
    from interlingua.report import Report  # noqa: PLC0415  # needed only on request

    return Report.of(losses)


def is_empty_value(value: Any, *, is_count: bool = False) -> bool:
    """Tell whether a value means the same as its absence: null, "", [], {}, and what holds nothing else.

    With `is_count` 0 does, too. Stops at the first value that means something.
    """
    if type(value) is str:  # the usual case
        return not value
    if type(value) in _NUMBERS:
        return bool(is_count and value == 0)
    open_values = [value]
    for _ in range(_MANY):
        if not open_values:
            return True
        one = open_values.pop()
        if isinstance(one, dict):
            open_values.extend(cast("dict[str, Any]", one).values())
        elif isinstance(one, list):
            open_values.extend(cast("Any", one))
        elif one is not None and one != "" and not (is_count and type(one) in _NUMBERS and one == 0):
            return False
    return False


_NUMBERS: Final = (int, float)
_MANY: Final = 100_000  # values that are not looked through any further: an object may contain itself


def lost_members(
    log: LossLog, value: Sequence[str] | Mapping[str, Any], path: str, code: LossCode, detail: str
) -> None:
    """Log as lost the value at `path` if it is a mapping, or else each named member of it.

    The names must be ordered: the order of a set differs between processes.
    """
    if isinstance(value, Mapping):
        log.lost(code, path, detail)
        return
    for name in value:
        log.lost(code, path + pointer(name), detail)


def lost_opaque(log: LossLog, path: str, code: LossCode) -> None:
    """Log as lost an opaque part, message or tool, which only its own dialect understands."""
    log.lost(code, path, f"only its own dialect has this {code}")


def lost_other_role(log: LossLog, message: Any, path: str, role: str = "assistant") -> None:
    """Log as lost a response message that is not the assistant's; `role` is the target's name for that role."""
    if message["role"] == "opaque":
        lost_opaque(log, path, "message")
    else:
        log.lost("message", path, f"the role of an answer must be {role}")


def beyond(value: Mapping[str, Any], known: Collection[str]) -> list[str]:
    """Return the names of the members that are not in `known`, in order."""
    return [name for name in value if name not in known]
