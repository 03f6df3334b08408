"""What did not come along: `Loss`, its closed list of codes, the log that gathers losses, and the policy.

Source: docs/laws.md, law 4. A loss never repeats content; its path leads into the canonical value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from interlingua.errors import LossError
from interlingua.loss_words import Concern, LossCode, Severity
from interlingua.pointers import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from interlingua.loss_words import Strict
    from interlingua.report import Report
    from interlingua.settling import Note

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
    "report_of",
    "says_nothing",
]

CODES: Final[frozenset[str]] = frozenset(get_args(LossCode))
FOREIGN: Final = "only its own dialect has this member"
"""The detail of what stands in the bag of another dialect, which goes as a whole."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that did not come along.

    `code` is one of `CODES`. `path` is a JSON Pointer into the canonical value. `detail` is a short hint for people.
    `severity`: `lost` (not there any more), `changed` (respelt beyond the documented value tables) or `filled`
    (demanded by the target, absent in the source; the path is that of the absent member). `concern` says whom it
    touches: content, contract, tuning, state or bookkeeping; it follows from the code and the path.

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
        """Find the concern where none is given."""
        given = cast("Concern | None", self.concern)
        if given is None:
            from interlingua.concerns import concern_of  # noqa: PLC0415  # most translations lose nothing

            object.__setattr__(self, "concern", concern_of(self.code, self.path, self.severity))


class LossLog:
    """Collects the losses of one call, in order. It keeps only what they say: they are built when somebody looks.

    What goes with something else is no loss of its own: notes about one thing become one `Loss` (`losses`).
    `is_answer`: what is written is what a provider answered; `asked` returns the digest of what it was asked, or an
    empty text.

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
        self.own_names = own_names  # names that whoever reads the output has chosen: they are written as they are
        self.renamed: dict[str, str] = {}  # names and ids as they are written -> as they were
        # A tool's name -> the places of its members that may be absent and had to be required: null stands for that.
        self.optional: dict[str, tuple[str, ...]] = {}
        self._is_answer = is_answer
        self._noted: list[tuple[LossCode, str | tuple[int, str], str, Severity]] = []
        # Since which note, of which list, and the path that an item of it had.
        self._moves: list[tuple[int, str, Callable[[int], str]]] = []
        self._built: tuple[int, tuple[Loss, ...]] = (0, ())

    def __eq__(self, other: object) -> bool:
        return self.losses() == other.losses() if isinstance(other, LossLog) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it grows

    def lost(self, code: LossCode, path: str, detail: str) -> None:
        """Note that the value at `path` is not in the output."""
        self._noted.append((code, path, detail, "lost"))

    def changed(self, code: LossCode, path: str, detail: str) -> None:
        """Note that the value at `path` is respelt in the output."""
        self._noted.append((code, path, detail, "changed"))

    def filled(self, path: str, detail: str) -> None:
        """Note that the output holds a value at `path` that nobody gave."""
        self._noted.append(("required", path, detail, "filled"))

    def filled_in_message(self, index: int, member: str, detail: str) -> None:
        """Note as `filled` a member of a message of a request; its path is written when somebody looks at it."""
        self._noted.append(("required", (index, member), detail, "filled"))

    def note(self, code: LossCode, path: str, detail: str, severity: Severity) -> None:
        """Note what another log has noted."""
        self._noted.append((code, path, detail, severity))

    def left_out(self, path: str, indexes: Iterable[int]) -> None:
        """Take note that items of a list were left out before it is written.

        What is noted from now on counts without them; `notes` and `losses` count with them, as the value has them.
        """
        gaps = sorted(indexes)

        def stood(index: int) -> str:
            for gap in gaps:
                index += gap <= index
            return f"{path}/{index}"

        self._moves.append((len(self._noted), f"{path}/", stood))

    def put_first(self, path: str) -> None:
        """Take note that an item was put before a list, with which what is noted from now on counts."""
        self._moves.append((len(self._noted), f"{path}/", lambda index: f"{path}/{max(index - 1, 0)}"))

    def moved(self, path: str, places: Sequence[str]) -> None:
        """Take note of the paths that the items of a list have had, which were brought together there."""
        self._moves.append((len(self._noted), f"{path}/", lambda index: places[index]))

    def notes(self) -> tuple[Note, ...]:
        """Return what has been noted so far, value by value."""
        from interlingua.settling import Note  # noqa: PLC0415  # most translations lose nothing

        return tuple(
            Note(code, self._place(number, place), detail, severity)
            for number, (code, place, detail, severity) in enumerate(self._noted)
        )

    @property
    def has_notes(self) -> bool:
        """Whether anything has been noted so far."""
        return bool(self._noted)

    def move(self, other: LossLog, path_of: Callable[[str], str]) -> None:
        """Note in another log what has been noted so far, each at the path that is given for its own."""
        for number, (code, place, detail, severity) in enumerate(self._noted):
            other._noted.append((code, path_of(self._place(number, place)), detail, severity))

    def _place(self, number: int, place: str | tuple[int, str]) -> str:
        """Return the path of a note, as its list was before its items were moved."""
        path = place if isinstance(place, str) else f"/messages/{place[0]}/{place[1]}"
        for since, holder, stood in reversed(self._moves):
            if number >= since and path.startswith(holder):
                at, slash, inner = path.removeprefix(holder).partition("/")
                path = f"{stood(int(at))}{slash}{inner}"
        return path

    def losses(self) -> tuple[Loss, ...]:
        """Return what did not come along so far: one loss a thing, no path twice."""
        count, built = self._built
        if count == len(self._noted):
            return built
        from interlingua.settling import settled  # noqa: PLC0415  # most translations lose nothing

        notes = self.notes()
        built = tuple(Loss(*one) for one in settled(notes, FOREIGN, is_answer=self._is_answer)) if notes else ()
        self._built = (len(self._noted), built)
        return built


@dataclass(frozen=True, slots=True, repr=False)
class Encoded:
    """A wire body and what did not come along: `body` is plain JSON, `losses` is empty at home.

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
        """Return what did not come along, in the order of the encoding."""
        return self.log.losses()

    def report(self) -> Report:
        """Return the losses by kind, the weightiest first, with a count."""
        return report_of(self.losses)

    def copied(self) -> Encoded:
        """Return the same with a body of its own, which may be changed: what was given may share objects with this."""
        from interlingua_types._checks import copied_json  # noqa: PLC0415  # only those who ask for it need it

        return Encoded(copied_json(self.body), self.log)

    @property
    def renamed(self) -> Mapping[str, str]:
        """Return the names and ids that the dialect refuses: what is written for each -> what it was."""
        return MappingProxyType(self.log.renamed)

    def __repr__(self) -> str:
        """Return what kind of value it is: a body is content."""
        return f"Encoded(losses={len(self.losses)})"


@dataclass(frozen=True, slots=True, repr=False)
class EncodedError:
    """What a server answers to tell an error: `status`, `headers` and `body`, and what did not come along.

    `body` is plain JSON, or a text where the provider's was one. `losses` is empty at home.

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
        """Return what did not come along."""
        return self.log.losses()

    def report(self) -> Report:
        """Return the losses by kind, the weightiest first, with a count."""
        return report_of(self.losses)

    def copied(self) -> EncodedError:
        """Return the same with a body of its own, which may be changed: what was given may share objects with this."""
        from interlingua_types._checks import copied_json  # noqa: PLC0415  # only those who ask for it need it

        return EncodedError(self.status, self.headers, copied_json(self.body), self.log)

    def __repr__(self) -> str:
        """Return what kind of value it is: a body may quote content."""
        return f"EncodedError(status={self.status}, losses={len(self.losses)})"


def enforce(losses: Sequence[Loss], *, strict: Strict) -> tuple[Loss, ...]:
    """Return the losses.

    Raises `LossError` where something is `lost` that `strict` does not allow, `UnknownConcernError` for a `strict` that
    is none.
    """
    from interlingua.concerns import concerns_of  # noqa: PLC0415  # only those who ask for it need it

    refused = concerns_of(strict)
    offending = [loss for loss in losses if loss.severity == "lost" and (refused is None or loss.concern in refused)]
    if offending:
        raise LossError(losses, offending)
    return tuple(losses)


def report_of(losses: Sequence[Loss]) -> Report:
    """Return losses by kind, the weightiest first, with a count."""
    from interlingua.report import Report  # noqa: PLC0415  # only those who ask for it need it

    return Report.of(losses)


def says_nothing(value: Any, *, is_count: bool = False) -> bool:
    """Tell whether a value says as much as its absence: null, "", [], {}, and what holds nothing else.

    `is_count`: so does 0. It looks at nothing twice and stops at the first thing that says something.
    """
    if type(value) is str:  # nearly all are
        return not value
    if type(value) in _NUMBERS:
        return bool(is_count and value == 0)
    open_values = [value]
    while open_values:
        one = open_values.pop()
        if isinstance(one, dict):
            open_values.extend(cast("dict[str, Any]", one).values())
        elif isinstance(one, list):
            open_values.extend(cast("Any", one))
        elif one is not None and one != "" and not (is_count and type(one) in _NUMBERS and one == 0):
            return False
    return True


_NUMBERS: Final = (int, float)


def lost_members(
    log: LossLog, value: Sequence[str] | Mapping[str, Any], path: str, code: LossCode, detail: str
) -> None:
    """Note as lost the value at `path`, or each of its members that is named: what goes whole is one loss.

    The names come in an order: a set has another one in each process.
    """
    if isinstance(value, Mapping):
        log.lost(code, path, detail)
        return
    for name in value:
        log.lost(code, path + pointer(name), detail)


def lost_opaque(log: LossLog, path: str, code: LossCode) -> None:
    """Note as lost a part, a message or a tool that is kept verbatim, because only its own dialect reads it."""
    log.lost(code, path, f"only its own dialect has this {code}")


def lost_beside_answer(log: LossLog, message: Any, path: str, role: str = "assistant") -> None:
    """Note as lost a message of an answer that is not the assistant's; `role` is what the target calls that one."""
    if message["role"] == "opaque":
        lost_opaque(log, path, "message")
    else:
        log.lost("message", path, f"the role of an answer must be {role}")


def beyond(value: Mapping[str, Any], known: Collection[str]) -> list[str]:
    """Return the names of the members that are not among the known ones, in their order."""
    return [name for name in value if name not in known]
