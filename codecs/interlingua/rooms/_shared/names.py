"""Names and ids that a target refuses, made acceptable: the same name always the same way, two names never alike."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.loss import LossLog

_REFUSED: Final = re.compile(r"[^A-Za-z0-9_-]")
_DIGEST_LENGTH: Final = 10


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
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
    return f"{_REFUSED.sub('_', name)[: limit - _DIGEST_LENGTH - 1]}_{digest}"


def safe_name(name: str, limit: int, path: str, log: LossLog) -> str:
    """Return the name, or one that is accepted and a `changed` loss. A name that the reader has chosen stays."""
    if (len(name) <= limit and acceptable_128(name)) or name in log.own_names:
        return name
    log.changed("name", path, f"only letters, digits, _ and -, at most {limit}, are accepted")
    made = made_acceptable(name, limit)
    log.renamed[made] = name
    return made
