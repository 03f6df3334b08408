"""Law 3 for changed values: a value arrives as a table of the dialect says, or by one of a few rules.

A `changed` loss does not permit any other value: the nearest effort is one certain effort, and a refused name becomes
one certain allowed name. A path without a rule here fails.
"""

from __future__ import annotations

import hashlib
import importlib
import mimetypes
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared import claude_thinking
from interlingua.rooms._shared.thinking import BUDGETS, DEFAULT_EFFORT, effort_of, nearest
from support.adapted_schemas import is_adapted
from support.canonical import same
from support.given_names import GIVEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Dialects whose names and words are in the tables of their family.
_FAMILY: Final[Mapping[str, str]] = {"openai_chat": "_chat_completions"}
# Older words for media types.
_MEDIA_ALIASES: Final[Mapping[str, str]] = {
    "audio/mp3": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
}
# Media types, and the beginning of their data in base64.
_FIRST_BYTES: Final[Mapping[str, tuple[str, ...]]] = {
    "image/png": ("iVBORw0KGgo",),
    "image/jpeg": ("/9j/",),
    "image/gif": ("R0lGOD",),
    "image/webp": ("UklGR",),
    "audio/wav": ("UklGR",),
    "audio/mpeg": ("SUQz", "//"),
}


_USER_LIMIT: Final = 64


@dataclass(frozen=True)
class Changed:
    """A changed value: the original, the object around it, the new value, its path and its response.

    `schema` is the schema of the tool with the new value. `thinking` holds the thinking settings of the result.
    """

    original: Any
    around: Any
    found: Any
    dialect: str
    messages: Sequence[Mapping[str, Any]]
    schema: Any = None
    thinking: Any = None


def arrives(code: str, place: str, changed: Changed) -> bool:
    """Return whether a new value is the documented one for the code and the path (`*` for each index)."""
    place = re.sub(r"^/alternatives/\*", "", re.sub(r"(?s)/(parameters|schema)/.*", r"/\1/*", place))
    rule = _RULES.get((code, re.sub(r"^/messages/\*/content/\*(/content/\*)+", "/messages/*/content/*", place)))
    return rule is not None and rule(changed)


def _tables(dialect: str) -> Any:
    return importlib.import_module(f"interlingua.rooms.{_FAMILY.get(dialect, dialect)}.tables")


def _reason(changed: Changed) -> bool:
    """Accept the word of the table, read back; a response that ends normally and has calls may end with calls."""
    called = any(message.get("tool_calls") for message in changed.messages)
    declined = any("refusal" in message for message in changed.messages)
    tables = _tables(changed.dialect)
    if changed.dialect == "openai_responses":  # the status is `completed`, and the output implies the rest
        if changed.original in {"refusal", "content_filter"} and (called or not declined):
            return bool(changed.found == tables.INCOMPLETE_REASONS["content_filter"])
        return bool(changed.found == ("tool_calls" if called else "refusal" if declined else "stop"))
    refusals = (said.get("refusal") for said in changed.around.get("messages", ()) if isinstance(said, dict))
    was_declined = any(map(_has_words, refusals))
    says_so = changed.dialect in {"openai_chat", "vllm"}  # a declined response may end normally
    original = "refusal" if was_declined and changed.original == "stop" and not says_so else changed.original
    word = tables.FINISH_WORDS["stop" if says_so and declined and original == "refusal" else original][0]
    reason = tables.FINISH_REASONS.get(word, word)
    if changed.dialect == "claude" and original == "tool_calls" and not called and not declined:
        reason = "stop"  # clients would wait for the call
    if reason in {"stop", "tool_calls"} and (called or changed.dialect not in {"claude", "bedrock_converse"}):
        reason = "tool_calls" if called else "stop"
    return bool(changed.found == reason)


def _has_words(refusal: Any) -> bool:
    """Return whether a refusal, or one of its parts, is text; any other one is lost."""
    parts = [{"text": refusal}] if isinstance(refusal, str) else refusal if isinstance(refusal, list) else []
    return any(isinstance(part, dict) and part.get("text") for part in parts)


# The effort words of each dialect, in order, out of "minimal" to "max".
_EFFORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "claude": ("low", "medium", "high", "xhigh", "max"),
    "gemini": ("minimal", "low", "medium", "high", "xhigh"),
    "ollama": ("low", "medium", "high", "max"),
}


def _effort(changed: Changed) -> bool:
    """Accept the nearest effort; for an unknown word, the effort of the budget, or the default."""
    word = changed.original
    if word not in {"none", *BUDGETS}:
        budget = changed.around.get("budget_tokens", -1)
        word = DEFAULT_EFFORT if budget < 0 else effort_of(budget)
        return bool(changed.found == nearest(word, _EFFORTS.get(changed.dialect, (word,))))
    return bool(changed.found == nearest(word, _EFFORTS.get(changed.dialect, ())))


def _budget(changed: Changed) -> bool:
    """Accept the minimum for a smaller budget, and for a larger one a budget that leaves room for the answer."""
    return same(changed.found, max(1024, changed.original)) or 1024 <= changed.found < changed.original


def _display(changed: Changed) -> bool:
    tables = claude_thinking if changed.dialect == "claude" else _tables(changed.dialect)
    nearest = tables.NEAREST_DISPLAYS.get(changed.original)
    words = {shown: word for word, shown in tables.DISPLAYS.items()} if isinstance(nearest, bool) else {}
    return bool(changed.found == words.get(nearest, nearest))


def _tier(changed: Changed) -> bool:
    return bool(changed.found == _tables(changed.dialect).NEAREST_SERVICE_TIERS.get(changed.original))


def _of_gateway(changed: Changed) -> bool:
    """Accept that nothing is stored behind a gateway, whose models have its name in front of a slash."""
    return (changed.original, changed.found) == (True, False) and "/" in changed.around["model"]


def _nowhere(changed: Changed) -> bool:
    """Accept the safety identifier as the user's id, which is another member."""
    return changed.found is None


def _detail(changed: Changed) -> bool:
    return bool(changed.found == _tables(changed.dialect).NEAREST_DETAILS.get(changed.original))


_AMOUNTS: Final = frozenset({"budget_tokens", "effort"})


def _switch(changed: Changed) -> bool:
    """Accept enabled thinking without a budget as the model's default depth; Gemini has budgets.

    A budget of any size is the model's default depth there, too; next to a fixed budget, an unknown mode is fixed.
    """
    budget = changed.around.get("budget_tokens", 0)
    is_own = budget < 0 or (changed.original == "enabled" and changed.around.keys().isdisjoint(_AMOUNTS))
    if changed.original not in {"disabled", "enabled", "adaptive", "between_tools"} and budget > 0:
        return changed.found in {"enabled", "adaptive"}
    word = "enabled" if changed.dialect == "gemini" and not is_own else "adaptive"
    return bool(changed.original != "disabled" and changed.found == word)


def _json_alone(changed: Changed) -> bool:
    """Accept plain JSON mode if the target has no schema of its own for JSON."""
    return (changed.original, changed.found) == ("json_schema", "json_object") and "schema" not in changed.around


def _least_tokens(changed: Changed) -> bool:
    """Accept the minimum number of tokens for a smaller one, and the default for none, with room for thinking."""
    if changed.original < 1 and changed.dialect == "claude":
        return same(changed.found, _tables("claude").FILLS["max_tokens"] + _room_to_think(changed.thinking))
    return same(changed.found, max(changed.original, _tables(changed.dialect).MIN_OUTPUT_TOKENS))


def _room_to_think(thinking: Mapping[str, Any]) -> int:
    """Return the budget of enabled thinking, or of its effort."""
    if thinking.get("mode") not in {"enabled", "adaptive"}:
        return 0
    return int(thinking.get("budget_tokens", BUDGETS[thinking.get("effort", DEFAULT_EFFORT)]))


def _any_tool(changed: Changed) -> bool:
    """Accept a choice, or a requirement, of some tools as one of any tool.

    Gemini can list tools, but not an empty list: then no tool may be called.
    """
    original = changed.original
    names, is_required = original.get("names", []), bool(original.get("required"))
    if original["mode"] != "subset":
        return False
    if changed.dialect == "gemini":
        named = {"mode": "named", "name": names[0]} if is_required and len(names) == 1 else None
        return same(changed.found, named if names else {"mode": "none"})
    return same(changed.found, {"mode": "required" if is_required else "auto"})


def _object_schema(changed: Changed) -> bool:
    """Accept an object schema for one without a type; the schema of a strict tool may also be closed."""
    expected = {**changed.original, "type": "object"}
    closed = {**expected, "additionalProperties": False}
    if same(changed.found, expected) or (changed.around.get("strict") is True and same(changed.found, closed)):
        return True
    return is_adapted(changed.original, changed.found, changed.schema)


def _closed_schema(changed: Changed) -> bool:
    """Accept the schema that strict mode requires: all members are required, optional ones may be null."""
    original, found = changed.original, changed.found
    if isinstance(original, list):
        return isinstance(found, list) and all(name in found for name in original)
    if (
        isinstance(original, dict)
        and "type" in original
        and same(found, {**original, "type": [original["type"], "null"]})
    ):
        return True
    return is_adapted(original, found)


def _adapted_or_unchanged(changed: Changed) -> bool:
    return is_adapted(changed.original, changed.found, changed.schema) or _closed_schema(changed)


def _unchanged(changed: Changed) -> bool:
    return same(changed.original, changed.found)


def _media_type(changed: Changed) -> bool:
    """Accept another word for the type, or the type that the first bytes of the data imply."""
    if "video/*" in (changed.original, changed.found):  # a film, of which only one of the two says more
        return all(str(one).startswith("video/") for one in (changed.original, changed.found))
    if changed.found == _MEDIA_ALIASES.get(changed.original):
        return True
    data = changed.around.get("data")
    return isinstance(data, str) and data.startswith(_FIRST_BYTES.get(changed.found, "\0"))


def _kind_of_media(changed: Changed) -> bool:
    """Accept a file as a picture or audio if its media type says so, or else its name or its first bytes."""
    around = changed.around
    said = str(around.get("format"))  # a media type that was filled in does not count
    if "/" in said:
        return bool(changed.found == said.partition("/")[0])
    data = str(around.get("data"))
    names = (str(around[member]) for member in ("name", "url") if member in around)
    kinds = {str(mimetypes.guess_type(name)[0]) for name in names}
    kinds |= {kind for kind, first in _FIRST_BYTES.items() if data.startswith(first)}
    return changed.found in {kind.partition("/")[0] for kind in kinds}


def _with_thoughts(changed: Changed) -> bool:
    """Accept an output count that includes the reasoning tokens; for a negative count also these alone."""
    thoughts = changed.around.get("reasoning_tokens", 0)
    thoughts = thoughts if isinstance(thoughts, int) else 0  # a lost count is no addend
    kept_apart = changed.original < 0 and same(changed.found, thoughts)
    return kept_apart or same(changed.found, changed.original + thoughts)


def _counted(changed: Changed) -> bool:
    """Accept zero for a negative count, and the cached count for an input count below it."""
    counts = [changed.around.get(f"cache_{name}_tokens", 0) for name in ("read", "write")]
    cached = sum(count for count in counts if type(count) is int and count > 0)  # the changed ones are marks
    return changed.original < changed.found and changed.found in {0, cached}


def _no_moment(changed: Changed) -> bool:
    """Accept the default time for a time that no calendar has."""
    return same(changed.found, _tables(changed.dialect).FILLS["created"])


def _no_detail(changed: Changed) -> bool:
    """Accept the default for a word that the dialect does not have."""
    tables = _tables(changed.dialect)
    return changed.original not in tables.DETAILS and same(changed.found, tables.FILLS["detail"])


def _function(changed: Changed) -> bool:
    return (changed.original, changed.found) == ("custom", "function")


def _renamed(changed: Changed) -> bool:
    """Accept a name or id of allowed characters, up to the length limit, with a digest at its end.

    A name that does not begin with a letter gets an underscore in front.
    """
    tables = _tables(changed.dialect)
    most = max(getattr(tables, name, 0) for name in ("NAME_LIMIT", "ID_LIMIT"))
    found = str(changed.found)
    kept = re.sub(r"[^a-zA-Z0-9_-]", "_", str(changed.original))
    stem = re.fullmatch(r"([a-zA-Z0-9_-]*)_[0-9a-f]{10}", found)
    return len(found) <= most and stem is not None and kept.startswith((stem.group(1), stem.group(1)[1:]))


def _given(changed: Changed) -> bool:
    """Accept a generated name, of a namespace and its tool or for a repeated id, as it is or made acceptable."""
    return bool(changed.found == changed.original) or _renamed(changed)


def _digest_of_user(changed: Changed) -> bool:
    """Accept the digest of an id that is too long for OpenAI."""
    said = str(changed.original)
    return len(said) > _USER_LIMIT and changed.found == hashlib.sha256(said.encode()).hexdigest()


def _document_name(changed: Changed) -> bool:
    """Accept a name of the characters that Bedrock allows, with single spaces for others, and a number if it is taken.

    A name without any allowed character becomes the default name of documents. OpenAI gets a name with the ending of
    its media type.
    """
    ending = str(changed.found).removeprefix(f"{changed.original}.")
    if changed.dialect.startswith("openai"):
        return bool(mimetypes.guess_type(f"a.{ending}")[0] == changed.around.get("format"))
    clean = " ".join(re.sub(r"[^A-Za-z0-9()\[\]-]+", " ", str(changed.original)).split())[:200] or "document"
    found = str(changed.found)
    numbered = re.fullmatch(r"(.*)-[0-9]+", found)
    return found == clean or (numbered is not None and numbered.group(1) == clean[:192])


_CALL: Final = "/messages/*/tool_calls/*"
_PART: Final = "/messages/*/content/*"
_RULES: Final[Mapping[tuple[str, str], Callable[[Changed], bool]]] = {
    ("finish_reason", "/finish_reason"): _reason,
    ("setting", "/reasoning/effort"): _effort,
    ("setting", "/reasoning/budget_tokens"): _budget,
    ("setting", "/reasoning/display"): _display,
    ("setting", "/reasoning/mode"): _switch,
    ("setting", "/response_format/type"): _json_alone,
    ("setting", "/service_tier"): _tier,
    ("setting", "/safety_identifier"): _nowhere,
    ("setting", "/store"): _of_gateway,
    ("setting", "/response_format/schema/*"): _closed_schema,
    ("setting", "/response_format/schema"): _closed_schema,
    ("setting", "/max_tokens"): _least_tokens,
    ("setting", "/tool_choice"): _any_tool,
    ("setting", "/user"): _digest_of_user,
    ("setting", f"{_PART}/detail"): _detail,
    ("tool", "/tools/*/parameters"): _object_schema,
    ("tool", "/tools/*/parameters/*"): _adapted_or_unchanged,
    ("member", f"{_PART}/format"): _media_type,
    ("member", f"{_PART}/type"): _kind_of_media,
    ("member", "/created"): _no_moment,
    ("member", f"{_PART}/detail"): _no_detail,
    ("member", "/usage/output_tokens"): lambda changed: _counted(changed) or _with_thoughts(changed),
    **{("member", f"/usage/{name}_tokens"): _counted for name in ("input", "total", "cache_read", "cache_write")},
    ("arguments", f"{_CALL}/kind"): _function,
    ("name", f"{_PART}/name"): _document_name,
    **{
        (code, place): rule
        for code, rule in (("name", _renamed), (GIVEN, _given))
        for place in (
            f"{_CALL}/id",
            f"{_CALL}/name",
            "/messages/*/call_id",
            "/messages/*/id",
            "/messages/*/name",
            "/response_format/name",
            "/tool_choice/name",
            "/tool_choice/names/*",
            "/tools/*/name",
            "/tools/*/tools/*/name",  # of a group, which keeps its tools where there are groups
        )
    },
}
