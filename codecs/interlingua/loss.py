"""What did not come along: `Loss`, its closed list of codes, and the policy.

Source: docs/laws.md, law 4. A loss never repeats content; its path leads into the canonical value.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from interlingua.errors import LossError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["CODES", "Encoded", "EncodedError", "Loss", "LossCode", "LossLog", "Severity", "enforce", "pointer"]

Severity = Literal["lost", "changed", "filled"]
LossCode = Literal[
    "arguments",  # argument text or object that the target spells otherwise
    "cache",  # a cache mark without a place
    "citation",  # a citation, or its anchor, without a place
    "content",  # content that the target joins or spells otherwise
    "echo",  # what a response repeats of its request
    "empty_text",  # an empty text that the target refuses
    "extra",  # what only another dialect understands
    "finish_reason",  # a reason that the target has no word for
    "in_url",  # a member that the target carries in its address
    "local_id",  # an id of ours that the wire has no place for
    "member",  # a member that the target has no place for
    "message",  # a whole message that the target has no place for
    "migration",  # what an older schema version has no place for
    "name",  # a name or id that the target refuses as it is
    "part",  # a part that the target has no place for
    "provider_state",  # signatures, ids and the like, which only their maker understands
    "reasoning",  # reasoning that the target would refuse
    "refusal",  # a refusal that the target has no place for
    "required",  # a member that the target demands
    "role",  # a role that the target does not have
    "server_state",  # a reference to what the provider's server holds
    "setting",  # a setting whose value the target does not have
    "tool",  # a tool that the target has no place for
]
CODES: Final[frozenset[str]] = frozenset(get_args(LossCode))


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that did not come along.

    `code` is one of `CODES`. `path` is a JSON Pointer into the canonical value. `detail` is a short hint for people.
    `severity`: `lost` (not there any more), `changed` (respelt beyond the documented value tables) or `filled`
    (demanded by the target, absent in the source; the path is that of the absent member).
    """

    code: LossCode
    path: str
    detail: str
    severity: Severity


class LossLog:
    """Collects the losses of one call, in order. A loss of the same path and severity is noted once.

    It keeps only what they say: they are built when somebody looks at them.
    """

    __slots__ = ("_built", "_noted", "own_names", "renamed")

    def __init__(self, own_names: frozenset[str] = frozenset()) -> None:
        self.own_names = own_names  # names that whoever reads the output has chosen: they are written as they are
        self.renamed: dict[str, str] = {}  # names and ids as they are written -> as they were
        self._noted: list[tuple[LossCode, str | tuple[int, str], str, Severity]] = []
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

    def losses(self) -> tuple[Loss, ...]:
        """Return what has been noted so far."""
        count, built = self._built
        if count == len(self._noted):
            return built
        losses: dict[tuple[str, Severity], Loss] = {}
        for code, place, detail, severity in self._noted:
            path = place if isinstance(place, str) else f"/messages/{place[0]}/{place[1]}"
            if (path, severity) not in losses:
                losses[path, severity] = Loss(code, path, detail, severity)
        built = tuple(losses.values())
        self._built = (len(self._noted), built)
        return built


@dataclass(frozen=True, slots=True, repr=False)
class Encoded:
    """A wire body and what did not come along: `body` is plain JSON, `losses` is empty at home."""

    body: dict[str, Any]
    log: LossLog

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return what did not come along, in the order of the encoding."""
        return self.log.losses()

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
    """

    status: int
    headers: Mapping[str, str]
    body: Any
    log: LossLog

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Return what did not come along."""
        return self.log.losses()

    def __repr__(self) -> str:
        """Return what kind of value it is: a body may quote content."""
        return f"EncodedError(status={self.status}, losses={len(self.losses)})"


def enforce(losses: Sequence[Loss], *, strict: bool) -> tuple[Loss, ...]:
    """Return the losses, or raise `LossError` where `strict` and something is `lost`."""
    if strict and any(loss.severity == "lost" for loss in losses):
        raise LossError(losses)
    return tuple(losses)


def pointer(*tokens: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) of the tokens, escaped."""
    path = ""
    for token in tokens:
        step = str(token)
        path += "/" + (step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step)
    return path


def lost_members(
    log: LossLog, value: Sequence[str] | Mapping[str, Any], path: str, code: LossCode, detail: str
) -> None:
    """Note each named member below `path` as lost: a message that is dropped whole is one loss a field.

    The names come in an order: a set has another one in each process.
    """
    for name in value:
        log.lost(code, path + pointer(name), detail)


def beyond(value: Mapping[str, Any], known: Collection[str]) -> list[str]:
    """Return the names of the members that are not among the known ones, in their order."""
    return [name for name in value if name not in known]
