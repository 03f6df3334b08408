"""A ready-made redactor for known values, credential patterns, and members with secret names."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from interlingua.argument_checks import string_tuple
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CREDENTIALS", "SECRET_NAMES", "Redactor"]

CREDENTIALS: Final = (
    r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)",
    r"\bsk-[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic and many who copy them
    r"\bAIza[A-Za-z0-9_-]{35}",  # Google
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",  # AWS
    r"\bgh[pousr]_[A-Za-z0-9]{36,}",
    r"\bgithub_pat_[A-Za-z0-9_]{22,}",
    r"\bglpat-[A-Za-z0-9_-]{20,}",
    r"\bhf_[A-Za-z0-9]{30,}",
    r"\bnpm_[A-Za-z0-9]{36}\b",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    # JSON web tokens. The lookahead finds the dots once for all words before the first, however many begin as a token.
    r"(?<![\w-])(?=[\w-]+\.[\w-]{8,}\.)(?:[\w-]*?-)?eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",
    r"(?i:\b(?:bearer|basic)) [A-Za-z0-9+/=._~-]{16,}",
    r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)",  # user and password in an address
)
r"""Patterns of credentials. No list is complete: redacting values that the program knows is more reliable.

Example:
    >>> redactor = il.sessions.Redactor(patterns=[*il.sessions.CREDENTIALS, r"pin-\d{4}"])
    >>> redactor("The code is pin-1234.", "content")
    'The code is [redacted].'
"""

SECRET_NAMES: Final = frozenset(
    {
        *("accesskey", "accesstoken", "apikey", "apitoken", "authorization", "authtoken", "clientsecret", "credential"),
        *("credentials", "passphrase", "passwd", "password", "privatekey", "refreshtoken", "secret", "secretkey"),
        *("sessiontoken", "token", "xapikey"),
    }
)
"""Names of members whose text is a secret, without case, dashes and underscores; also at the end of a longer name, such
as `DB_PASSWORD`, but for `token`, which a list of results may continue with (`next_page_token`).

Example:
    >>> "password" in il.sessions.SECRET_NAMES
    True
"""

_WHOLE: Final = frozenset({"token"})
# The beginning of a longer name: it ends with a separator, or where a capital letter begins the next word.
_PREFIX: Final = r"(?:[\w.-]*(?:[_.-]|[a-z0-9](?=[A-Z])))?"
_MIN_LENGTH: Final = 4
_PIECES: Final = re.compile(r"\\+|[^\\]", re.DOTALL)
_BACKSLASHES_PREFIX: Final = r"(?>\\"


class Redactor:
    """Replaces secrets in text; pass it to a store as `redact`.

    `values` are known secrets, found in plain, JSON-escaped and URL-encoded form. `patterns` are regular expressions,
    `names` the names of members whose text is always a secret, also where a longer name ends with one (`DB_PASSWORD`,
    `dbPassword`).

    Example:
        >>> redactor = il.sessions.Redactor(["hunter2"])
        >>> redactor("My password is hunter2.", "content"), redactor("swordfish", "password")
        ('My password is [redacted].', '[redacted]')
    """

    def __init__(
        self,
        values: Iterable[str] = (),
        *,
        patterns: Iterable[str] = CREDENTIALS,
        names: Iterable[str] = SECRET_NAMES,
        replacement: str = "[redacted]",
    ) -> None:
        """Make a redactor.

        Raises:
            ValueError: a value is shorter than four characters, which would match everywhere, or a value is not a
                string.
            re.error: a pattern is not a regular expression.
        """
        check_text(replacement, "replacement", may_be_empty=True)
        known = sorted(set(string_tuple(values, "values")), key=lambda value: (-len(value), value))
        expressions = [*map(_secret_pattern, known), *string_tuple(patterns, "patterns")]
        self._secrets: Final = re.compile("|".join(f"(?:{one})" for one in expressions) or r"(?!)", re.DOTALL)
        self._names: Final = frozenset(_normalized_name(name) for name in string_tuple(names, "names"))
        listed = _listed(self._names)
        self._longer: Final = re.compile(listed)
        self._members: Final = re.compile(rf'("{listed}"\s*:\s*)"(?:[^"\\]|\\.)+"')
        inner = rf'(\\"{listed}\\"\s*:\s*)\\"(?:[^"\\]|\\\\(?:\\\\|\\"|[^"\\]))+\\"'
        self._inner_members: Final = re.compile(inner)
        self._replacement: Final = replacement

    def __call__(self, text: str, name: str) -> str:
        """Return a text without secrets; `name` is the name of its member."""
        if text and (_normalized_name(name) in self._names or self._longer.fullmatch(name)):
            return self._replacement
        found = self._secrets.sub(lambda _match: self._replacement, text)
        if '"' not in found:
            return found
        # JSON inside a text, as arguments are often given, and JSON inside that, as the body of a request is.
        quoted = json.dumps(self._replacement)
        found = self._members.sub(lambda match: match[1] + quoted, found)
        return self._inner_members.sub(lambda match: match[1] + json.dumps(quoted)[1:-1], found)


def _listed(names: frozenset[str]) -> str:
    """Return an expression of the names of members, and of the longer names that end with one."""

    def either(some: frozenset[str]) -> str:
        spelt = "|".join("[-_]?".join(map(re.escape, name)) for name in sorted(some))
        return rf"(?i:{spelt})" if some else "(?!)"

    return rf"(?:{_PREFIX}{either(names - _WHOLE)}|{either(names & _WHOLE)})"


def _secret_pattern(value: str) -> str:
    """Return an expression of all ways in which a value is spelt: as it is, in an address, and by any writer of JSON.

    Go writes `&` as an escape, PHP the slash and all that is not ASCII, and JSON inside JSON doubles each backslash.

    Raises:
        ValueError: it is too short to be looked for.
    """
    if len(value) < _MIN_LENGTH:
        raise ValueError(
            f"a secret must have at least {_MIN_LENGTH} characters, since a shorter one would match everywhere"
        )
    pieces: list[str] = []
    for piece in _PIECES.findall(value):
        # Backslashes of the value take those of an escape behind them along. No piece is matched in two ways, so that
        # the time stays linear.
        min_backslashes = 0 if pieces and pieces[-1].startswith(_BACKSLASHES_PREFIX) else 1
        pieces.append(
            _backslashes_pattern(len(piece)) if piece[0] == "\\" else _character_pattern(piece, min_backslashes)
        )
    return "".join(pieces)


def _backslashes_pattern(length: int) -> str:
    return rf"{_BACKSLASHES_PREFIX}{{{length},{8 * length}}}|(?i:(?:\\{{1,8}}u005c|%5c){{{length}}}))"


def _character_pattern(character: str, min_backslashes: int) -> str:
    if character.isascii() and character.isalnum():
        return character
    first, *rest = _utf16_units(character)
    escape = f"u{first}" + "".join(rf"\\{{1,8}}u{unit}" for unit in rest)
    octets = "".join(f"%{octet:02x}" for octet in character.encode("utf-8", "surrogatepass"))
    short = json.dumps(character)[1:-1].lstrip("\\") if character < "\x80" else character
    escaped = rf"\\{{{min_backslashes},8}}(?:{re.escape(short)}|(?i:{escape}))"
    return rf"(?>{re.escape(character)}|{escaped}|(?i:{octets}))"


def _utf16_units(character: str) -> list[str]:
    """Return the units of a character as escapes of JSON number them."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return [units[at : at + 4] for at in range(0, len(units), 4)]


def _normalized_name(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
