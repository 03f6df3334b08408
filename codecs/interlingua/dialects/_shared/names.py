"""Names and ids that a target refuses, made acceptable: the same name always the same way, two names never alike."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from interlingua.loss import LossLog

_REFUSED: Final = re.compile(r"[^A-Za-z0-9_-]")
_DIGEST_LENGTH: Final = 10

# Whether a name of letters, digits, `_` and `-` is short enough and not empty: a match or None.
acceptable_40: Final = re.compile(r"[A-Za-z0-9_-]{1,40}").fullmatch
acceptable_64: Final = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
acceptable_128: Final = re.compile(r"[A-Za-z0-9_-]{1,128}").fullmatch


def made_acceptable(name: str, limit: int) -> str:
    """Return a name that is accepted: refused characters become `_`, and a digest of the whole name keeps it unique."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
    return f"{_REFUSED.sub('_', name)[: limit - _DIGEST_LENGTH - 1]}_{digest}"


def safe_name(name: str, limit: int, path: str, log: LossLog) -> str:
    """Return the name, or one that is accepted and a `changed` loss."""
    if len(name) <= limit and acceptable_128(name):
        return name
    log.changed("name", path, f"only letters, digits, _ and -, at most {limit}, are accepted")
    made = made_acceptable(name, limit)
    log.renamed[made] = name
    return made
