"""Replace names and ids that a target refuses, and generate ids that it demands of an answer from abroad.

The same name always gets the same replacement, and two names never get the same. Source: docs/laws.md, law 7.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.tool_arguments import exact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog

BETWEEN: Final = "__"  # separates a namespace and its tool in one name
_REFUSED: Final = re.compile(r"[^A-Za-z0-9_-]")
_NAME_DIGEST: Final = 10
_SHORT: Final = 9
# The limit of `user` that the service enforces; its newer specification says 128.
_USER_LIMIT: Final = 64
_ANSWER_DIGEST: Final = 12
_is_short: Final = re.compile(r"[A-Za-z0-9]{9}").fullmatch


def name_predicate(limit: int, pattern: str) -> Callable[[str], bool]:
    """Return a predicate for names of at most `limit` characters that match a pattern.

    The pattern must allow every ASCII identifier: nearly all names are, and that is faster to check.
    """
    matches = re.compile(pattern).fullmatch

    def is_accepted(name: str) -> bool:
        return len(name) <= limit and ((name.isidentifier() and name.isascii()) or matches(name) is not None)

    return is_accepted


# Predicates for non-empty names of letters, digits, `_` and `-`, up to a length.
acceptable_40: Final = name_predicate(40, "[A-Za-z0-9_-]+")
acceptable_64: Final = name_predicate(64, "[A-Za-z0-9_-]+")
acceptable_128: Final = name_predicate(128, "[A-Za-z0-9_-]+")


def sanitized_name(name: str, limit: int) -> str:
    """Return an acceptable name: refused characters become `_`, and a digest of the whole name keeps it unique."""
    return f"{_REFUSED.sub('_', name)[: limit - _NAME_DIGEST - 1]}_{_digest(name, _NAME_DIGEST)}"


def safe_name(name: str, limit: int, path: str, log: LossLog) -> str:
    """Return the name, or an acceptable one with a `changed` loss. Names that the client chose itself stay."""
    if (len(name) <= limit and acceptable_128(name)) or name in log.own_names:
        return name
    log.changed("name", path, f"only letters, digits, _ and - are accepted, at most {limit}")
    made = sanitized_name(name, limit)
    log.renamed[made] = name
    return made


def lettered_name(name: str, limit: int, path: str, log: LossLog) -> str:
    """Like `safe_name`, but the name must also begin with a letter."""
    if name[:1].isalpha():
        return safe_name(name, limit, path, log)
    log.changed("name", path, "the name of a function must begin with a letter")
    made = sanitized_name(f"tool_{name}", limit)
    log.renamed[made] = name
    return made


def unique_name(wanted: str, taken: set[str]) -> str:
    """Return the wanted name, with a number appended if it is taken, and mark it as taken."""
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted}_{count}"
    taken.add(name)
    return name


acceptable_speaker: Final = re.compile(r"[^\s<|\\/>]{1,64}").fullmatch


def speaker_name(name: str, path: str, log: LossLog) -> str:
    """Return the name of a message's author, or one that OpenAI accepts with a `changed` loss."""
    if acceptable_speaker(name):
        return name
    log.changed("name", path, "a message name must have 1 to 64 characters, without white space and <|\\/>")
    return sanitized_name(name, _USER_LIMIT)


CALL_WITHOUT_ID: Final = "every call needs an id: one was generated"
NEED_SHORT_IDS: Final = "these models need call ids of nine letters and digits"


def short_id(identifier: str) -> str:
    """Return an id of nine letters and digits: the id itself, or one derived from it."""
    return identifier if _is_short(identifier) else _digest(identifier, _SHORT)


def short_user(identifier: str, log: LossLog) -> str:
    """Return the id of a user, or its digest if it is longer than OpenAI accepts."""
    if len(identifier) <= _USER_LIMIT:
        return identifier
    log.changed("setting", "/user", f"an id of more than {_USER_LIMIT} characters was replaced by a digest")
    return _digest(identifier, _USER_LIMIT)


def _digest(text: str, length: int) -> str:
    """Return the first hexadecimal digits of the SHA-256 digest of a text."""
    from hashlib import sha256  # noqa: PLC0415  # most names and ids are taken as they are

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


class AnswerIds:
    """Generates the ids in an answer from its own id and the position; `facts` is the response or its start event.

    So ids differ between the answers of a conversation, and are the same for a stream and its whole answer. Without an
    id of its own, the model, the time and the request (`asked`) stand for it. `which` is the index of the answer if a
    response has several.
    """

    __slots__ = ("_asked", "_called", "_facts", "_mark", "_which")

    def __init__(self, facts: Mapping[str, Any], asked: Callable[[], str], which: int = 0) -> None:
        self._facts = facts
        self._asked = asked
        self._which = f"{which}_" if which else ""
        self._mark = ""
        self._called = 0

    def response(self, prefix: str) -> str:
        """Return an id for the response itself."""
        return prefix + self._digest()

    def item(self, prefix: str, place: int) -> str:
        """Return an id for an output item at a position."""
        return f"{prefix}_{self._digest()}_{place}"

    def next_call(self) -> int:
        """Count a call of the answer, with or without an id, and return its index."""
        self._called += 1
        return self._called - 1

    @property
    def has_called(self) -> bool:
        """Whether a call was counted."""
        return self._called > 0

    def call(self, number: int) -> str:
        """Return an id for the call with an index."""
        return f"call_{self._digest()}_{self._which}{number}"

    def _digest(self) -> str:
        if not self._mark:
            self._mark = _digest(exact_text(self._facts.get("id") or self._distinguishing_facts()), _ANSWER_DIGEST)
        return self._mark

    def _distinguishing_facts(self) -> str:
        facts = self._facts
        # The bag of an unknown dialect may be any value.
        bags = [bag for bag in facts.get("extra", {}).values() if type(bag) is dict]
        fraction = "".join(bag["created_at"] for bag in bags if type(bag.get("created_at")) is str)
        return f"{facts.get('model', '')}\n{exact_text(facts.get('created', ''))}{fraction}{self._asked()}"
