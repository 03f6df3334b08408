"""Names and ids that a target refuses, made acceptable, and ids that it demands and an answer abroad has not.

The same name is always made the same way, two names never alike. Source: docs/laws.md, law 7.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from interlingua.arguments import written_out

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua.loss import LossLog

BETWEEN: Final = "__"  # a group of tools and its tool, where they have one name
_REFUSED: Final = re.compile(r"[^A-Za-z0-9_-]")
_NAME_DIGEST: Final = 10
_SHORT: Final = 9
# The older specification of `user`, which the service holds to; the newer one speaks of 128.
_USER_LIMIT: Final = 64
_ANSWER_DIGEST: Final = 12
_is_short: Final = re.compile(r"[A-Za-z0-9]{9}").fullmatch


def accepting(limit: int, pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a name is accepted: by a pattern that accepts every word of letters, digits and `_`.

    Nearly all names are such words, which is known sooner than by the pattern. None is longer than the limit.
    """
    matches = re.compile(pattern).fullmatch

    def is_accepted(name: str) -> bool:
        return len(name) <= limit and ((name.isidentifier() and name.isascii()) or matches(name) is not None)

    return is_accepted


# Whether a name of letters, digits, `_` and `-` is short enough and not empty.
acceptable_40: Final = accepting(40, "[A-Za-z0-9_-]+")
acceptable_64: Final = accepting(64, "[A-Za-z0-9_-]+")
acceptable_128: Final = accepting(128, "[A-Za-z0-9_-]+")


def made_acceptable(name: str, limit: int) -> str:
    """Return a name that is accepted: refused characters become `_`, and a digest of the whole name keeps it unique."""
    return f"{_REFUSED.sub('_', name)[: limit - _NAME_DIGEST - 1]}_{_digest(name, _NAME_DIGEST)}"


def safe_name(name: str, limit: int, path: str, log: LossLog) -> str:
    """Return the name, or one that is accepted and a `changed` loss. A name that the reader has chosen stays."""
    if (len(name) <= limit and acceptable_128(name)) or name in log.own_names:
        return name
    log.changed("name", path, f"only letters, digits, _ and - are accepted, at most {limit}")
    made = made_acceptable(name, limit)
    log.renamed[made] = name
    return made


def lettered_name(name: str, limit: int, path: str, log: LossLog) -> str:
    """Return the name, or one that begins with a letter and is accepted, and a `changed` loss; as `safe_name`."""
    if name[:1].isalpha():
        return safe_name(name, limit, path, log)
    log.changed("name", path, "the name of a function must begin with a letter")
    made = made_acceptable(f"tool_{name}", limit)
    log.renamed[made] = name
    return made


def untaken(wanted: str, taken: set[str]) -> str:
    """Return a name that is not taken, the wanted one or that with a number behind it, and take it."""
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted}_{count}"
    taken.add(name)
    return name


acceptable_speaker: Final = re.compile(r"[^\s<|\\/>]{1,64}").fullmatch


def speaker_name(name: str, path: str, log: LossLog) -> str:
    """Return the name of a speaker, or one that OpenAI accepts and a `changed` loss."""
    if acceptable_speaker(name):
        return name
    log.changed("name", path, "a message name must have 1 to 64 characters, without white space and <|\\/>")
    return made_acceptable(name, _USER_LIMIT)


NEED_SHORT_IDS: Final = "these models need call ids of nine letters and digits"


def short_id(identifier: str) -> str:
    """Return an id of nine letters and digits: the id itself, or always the same other one."""
    return identifier if _is_short(identifier) else _digest(identifier, _SHORT)


def short_user(identifier: str, log: LossLog) -> str:
    """Return the id of a user, or the digest of one that is longer than OpenAI takes: the same user stays the same."""
    if len(identifier) <= _USER_LIMIT:
        return identifier
    log.changed("setting", "/user", f"an id of more than {_USER_LIMIT} characters was replaced by a digest")
    return _digest(identifier, _USER_LIMIT)


def _digest(text: str, length: int) -> str:
    """Return the first hexadecimal digits of the digest of a text."""
    from hashlib import sha256  # noqa: PLC0415  # most names and ids are taken as they are

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


class AnswerIds:
    """The ids of one answer, made of its own id and of a place in it; `facts` are those of the response or its start.

    So the ids of two answers of a conversation differ, and those of a stream are those of its whole answer. Where an
    answer has no id, what is known of it stands for one: the model, the moment, and what was asked (`asked`).
    `which` is the number of the answer, where a response has several.
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
        """Return an id for what stands at a place of the output."""
        return f"{prefix}_{self._digest()}_{place}"

    def next_call(self) -> int:
        """Count a call of the answer, whether it has an id or not, and return its number from 0."""
        self._called += 1
        return self._called - 1

    @property
    def has_called(self) -> bool:
        """Whether a call was counted."""
        return self._called > 0

    def call(self, number: int) -> str:
        """Return an id for a call of the answer, by its number."""
        return f"call_{self._digest()}_{self._which}{number}"

    def _digest(self) -> str:
        if not self._mark:
            self._mark = _digest(written_out(self._facts.get("id") or self._told()), _ANSWER_DIGEST)
        return self._mark

    def _told(self) -> str:
        facts = self._facts
        # What an unknown dialect says is any value.
        bags = [bag for bag in facts.get("extra", {}).values() if type(bag) is dict]
        fraction = "".join(bag["created_at"] for bag in bags if type(bag.get("created_at")) is str)
        return f"{facts.get('model', '')}\n{written_out(facts.get('created', ''))}{fraction}{self._asked()}"
