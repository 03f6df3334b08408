"""Law 3: what comes back from another dialect is what went in, outside the losses.

The losses' paths lead into the canonical value, and the normal form merges messages; so the losses are taken out of
the value before it is normalised. `lost` members are removed. `changed` words and numbers become a mark that another
one may answer; `changed` content becomes a mark that asks for all its texts, in order, and all its pictures and
files. `filled` members become a mark that may be answered or not. Renamed tools and ids must be renamed alike
everywhere, and no two of them to one; results must answer the calls that they answered.
"""

from __future__ import annotations

import base64
import itertools
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from interlingua.loss import Loss
from interlingua.normal import normal_form
from interlingua.rooms._shared import assistant_pictures
from interlingua.rooms._shared.media import ATTACHED, ATTACHMENT
from support.answers import pairs
from support.canonical import edited, frozen, leaves, lookup, resolves, same, tokens
from support.changed_values import Changed, arrives
from support.given_names import GIVEN, with_unique_call_ids
from support.lowered import as_lowered, with_bedrock_documents, without_called_tools, without_end_mark, without_question
from support.pieces import with_joined_messages
from support.said_otherwise import said_otherwise
from support.silence import SAID_BY_SILENCE, SAID_ELSEWHERE, SHOWS_THINKING, without_done_anyway
from support.told_parts import as_told, with_results_told, with_sources_beside
from support.unsaid import (
    with_pictures_last,
    with_references_described,
    with_repeats_lost,
    with_tools_gathered,
    without_empty_words,
    without_new_raw,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# What becomes of a role, and whether only instructions stand before it.
Roles: TypeAlias = "Mapping[tuple[str, bool], str]"
_INSTRUCTIONS: Final = frozenset({"system", "developer"})
# Dialects that take no conversation of instructions alone: the last one is the user's there.
_ALONE: Final = "a request of only instructions is refused: the last one is sent as a user message"
_ASKED: Final = frozenset({"bedrock_converse", "claude", "gemini"})
_GONE: Final = object()
_OF_ANSWERS: Final = frozenset({"alternatives", "created", "finish_reason", "id", "usage"})
_OPEN, _CLOSE = "\U000f0000", "\U000f0001"
# What asks for a call, and for JSON, in words.
_WISH: Final = re.compile(
    r"((\n\n)?(Answer with a call of (one of the tools|the tool [^\n]*)\.|Answer without a call of a tool\."
    r"|Answer with JSON alone(\.|, of this schema: .*)|Answer with one of these texts alone:\n.*))+$",
    re.DOTALL,
)
_IN_SCHEMA: Final = re.compile(r"^/(tools/\d+/parameters|response_format/schema)/")
_MARK: Final = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_ATTACHMENT: Final = re.compile(re.escape(ATTACHMENT).replace(r"\{\}", "(.*)"))
# Dialects that have documents of text.
_DOCUMENTED: Final = frozenset({"bedrock_converse", "claude"})
# Where the names of tools and the ids of calls stand.
_NAMED: Final = re.compile(r"/(tools|tool_calls)/\d+/(name|id)$|/call_id$|^/tool_choice/(name|names/\d+)$")
# What makes an object what it is: without it, all the rest of it must be a loss, too. The first that it has counts.
_TAGS: Final = ("role", "mode", "arguments", "type", "kind")
# Members that say nothing where they have no words.
_WORDY: Final = frozenset({"reasoning", "refusal"})
# Codes of content that the target joins or spells otherwise; the others are words and numbers.
_REGROUPED: Final = frozenset({"content", "part"})
# Lists and objects that say nothing when they are empty.
_SAYS_BY_HOLDING: Final = frozenset(
    {"alternatives", "logit_bias", "metadata", "modalities", "moderation", "reasoning", "stop", "tools", "usage"}
)
# Objects that say something even when they are empty.
_SAYS_BY_BEING: Final = re.compile(r"/cache$|^/alternatives/\d+$")


@dataclass(frozen=True)
class _Mark:
    """What stands where a loss was: the value of before, why, where it stood, and the object around it."""

    original: Any
    code: str
    optional: bool = False
    silent: bool = False
    path: str = ""
    around: Any = None


@dataclass
class _Comparison:
    marks: list[_Mark] = field(default_factory=list[_Mark])
    renamed: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    found: list[str] = field(default_factory=list[str])
    dialect: str = ""
    after: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def mark(self, mark: _Mark) -> str:
        self.marks.append(mark)
        return f"{_OPEN}{len(self.marks) - 1}{_CLOSE}"

    def silent(self, value: Any) -> bool:
        """Tell whether a value is a mark of what the target says by saying nothing."""
        mark = self.single(value)
        return mark is not None and mark.silent

    def single(self, value: Any) -> _Mark | None:
        """Return the mark, where a value is one and nothing else."""
        match = _MARK.fullmatch(value) if isinstance(value, str) else None
        return self.marks[int(match.group(1))] if match else None


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], losses: Iterable[Loss], roles: Roles, dialect: str
) -> list[str]:
    """Return where a canonical value that went through another dialect differs outside its losses, never how.

    `roles` says which role the other dialect gives to one that it does not have, where that one leads and elsewhere.
    """
    is_asked = "response_format" in before or before.get("tool_choice", {"mode": "auto"})["mode"] != "auto"
    before, told = with_references_described(*with_pictures_last(before, with_repeats_lost(before, losses)))
    before, after, told = without_end_mark(before, _detached(_with_pictures_back(after)), told)
    before, told = said_otherwise(before, after, told, dialect)
    before, told = _with_off_said(*with_joined_messages(before, told))
    if before.get("tool_choice", {}).get("mode") == "none":  # nothing is called, be it at once or not
        before = {name: said for name, said in before.items() if name != "parallel_tool_calls"}
        after = {name: said for name, said in after.items() if name != "parallel_tool_calls"}
    if _OF_ANSWERS & before.keys():
        before, told = with_sources_beside(before, told)
        after = without_new_raw(before, after, told)
    before, told = with_results_told(*as_told(before, told))
    before, after, told = with_bedrock_documents(before, after, told)
    after, told = without_question(before, after, told)
    before, noted = with_unique_call_ids(*as_lowered(before, after, told))
    after, noted = without_called_tools(after, noted)
    if is_asked:
        after = without_wish(after, before.get("tool_choice", {}).get("name", ""))
    before = without_empty_words(before)
    noted = [one for loss in noted for one in _by_count(loss, before, after)]
    # Content that was only joined or regrouped is often the same in normal form: then nothing is masked at all. And a
    # message that lost all its content may be gone, or say nothing.
    sharp = [loss for loss in noted if loss.severity != "changed" or loss.code not in _REGROUPED]
    found: list[str] = []
    for considered, keep in itertools.product((sharp, noted), (True, False)):
        comparison = _Comparison(dialect=dialect, after=after)
        expected = _without_losses(before, considered, roles, comparison)
        if not comparison.found:
            _compare(_said(expected, comparison, keep=keep), _said(after, comparison, keep=keep), "", comparison)
        found = comparison.found
        if not found:
            break
    kept = _swept_value(_without_lost(before, noted), _Comparison())
    if not found and pairs(kept["messages"]) != pairs(after["messages"]):
        found.append("/messages: results answer other calls")
    return found


def _with_off_said(before: Mapping[str, Any], losses: list[Loss]) -> tuple[Mapping[str, Any], list[Loss]]:
    """Return a request whose budget of 0 is said as all say it: thinking is off, whatever else stands there."""
    reasoning = before.get("reasoning", {})
    if reasoning.get("budget_tokens") != 0 or reasoning.get("mode") == "disabled":
        return before, losses
    rest = {name: said for name, said in reasoning.items() if name != "budget_tokens"}
    told = [loss for loss in losses if loss.path not in {"/reasoning/budget_tokens", "/reasoning/mode"}]
    return {**before, "reasoning": {**rest, "mode": "disabled"}}, told


def _with_pictures_back(after: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a value in which pictures of the assistant that a user message holds stand in its last message again."""
    messages: list[Any] = []
    for message in after["messages"]:
        content = message.get("content")
        texts = [part.get("text") for part in content] if isinstance(content, list) else []
        said = [at for at, one in enumerate(messages) if one["role"] == "assistant"]
        if message["role"] != "user" or assistant_pictures.ATTACHMENT not in texts or not said:
            messages.append(message)
            continue
        begin = texts.index(assistant_pictures.ATTACHMENT)
        end = next((at for at in range(begin + 1, len(texts)) if content[at]["type"] != "image"), len(texts))
        held = messages[said[-1]].get("content", [])
        parts = [{"type": "text", "text": held}] if isinstance(held, str) else held
        kept = [_without_pointer(part) for part in parts if part.get("text") != assistant_pictures.ATTACHED]
        messages[said[-1]] = {**messages[said[-1]], "content": [*kept, *content[begin + 1 : end]]}
        rest = [*content[:begin], *content[end:]]
        if rest:
            messages.append({**message, "content": rest})
    return {**after, "messages": messages}


def _without_pointer(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a text without the words in front of it that say where the pictures of the answer are."""
    words = f"{assistant_pictures.ATTACHED}\n\n"
    text = part.get("text")
    return {**part, "text": text.removeprefix(words)} if isinstance(text, str) and text.startswith(words) else part


def _detached(after: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a value in which pictures and files that were attached to a result stand in it again."""
    messages: list[Any] = []
    for message in after["messages"]:
        content = message.get("content")
        if message["role"] != "user" or not messages or messages[-1]["role"] != "tool" or not isinstance(content, list):
            messages.append(message)
            continue
        rest: list[Any] = []
        holder: dict[str, Any] | None = None
        for part in content:
            match = _ATTACHMENT.fullmatch(part["text"]) if part["type"] == "text" else None
            if match is not None and not any(one.get("call_id") == match.group(1) for one in messages):
                holder, match = None, None  # of no result that is there
            if match is not None:
                holder = _holder(messages, match.group(1))
            elif holder is not None:
                holder["content"].append(part)
            else:
                rest.append(part)
        if rest:
            messages.append({**message, "content": rest})
    return {**after, "messages": messages}


def _holder(messages: list[Any], identifier: str) -> dict[str, Any]:
    """Return a copy, put in its place, of the last result of a call; its content is a list that may grow.

    Of several, it is the first that says nothing but that something is attached to it.
    """
    results = [at for at, one in enumerate(messages) if one.get("call_id") == identifier]
    at = next((at for at in results if messages[at].get("content") == ATTACHED), results[-1])
    said = messages[at].get("content", [])
    parts = [{"type": "text", "text": said}] if isinstance(said, str) else list(said)
    messages[at] = {**messages[at], "content": [part for part in parts if part.get("text") != ATTACHED]}
    holder: dict[str, Any] = messages[at]
    return holder


def without_wish(value: Mapping[str, Any], tool: str = "") -> Mapping[str, Any]:
    """Return a request without the wishes that its instructions end in; an instruction of nothing else is none.

    `tool` is the name of the tool that is to be called, which may have lines.
    """
    messages: list[Any] = []
    for message in value["messages"]:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        if message["role"] not in _INSTRUCTIONS or not parts or not isinstance(parts[-1].get("text"), str):
            messages.append(message)
            continue
        text = parts[-1]["text"]
        wish = _WISH.search(text.replace(tool, tool.replace("\n", " ")) if tool else text)
        if wish is None:  # a message that says nothing else stays, too
            messages.append(message)
            continue
        kept = text[: wish.start()]
        if isinstance(content, list):
            rest: Any = [*parts[:-1], {**parts[-1], "text": kept}] if kept else parts[:-1]
        else:
            rest = kept
        if rest:
            messages.append({**message, "content": rest})
    return {**value, "messages": messages}


def is_wish(text: Any) -> bool:
    """Tell whether a text is nothing but a wish for JSON, or for a call."""
    return isinstance(text, str) and _WISH.fullmatch(text) is not None


def _by_count(loss: Loss, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[Loss]:
    """Yield a loss, or where it is of details of usage, one for each count that it names: all others are the same."""
    if loss.path != "/usage" or loss.severity == "filled":
        yield loss
        return
    listed = loss.detail.partition(": ")[2]
    names = set(re.split(", | and ", listed))
    there, was = after.get("usage", {}), before["usage"]
    for name in there.keys() - was.keys():
        yield Loss("required", f"/usage/{name}", loss.detail, "filled")
    # A long list ends in how many others there are: so many that differ may go unnamed, and no more. A count of nothing
    # says as much as none, and a sum that the others tell is none that could be lost.
    others = re.search(r" and (\d+) more$", listed)
    unnamed = [
        name
        for name in was
        if name not in names
        and name != "extra"
        and (was[name] or 0) != (there.get(name) or 0)
        and not _is_told(name, was)
    ]
    if others and len(unnamed) <= int(others.group(1)):
        names.update(unnamed)
    for name in was:
        if name in names:
            yield Loss("member", f"/usage/{name}", loss.detail, "changed" if there.get(name) else "lost")


def _is_told(name: str, usage: Mapping[str, Any]) -> bool:
    """Tell whether a count is the sum of two others."""
    total = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    return name == "total_tokens" and usage[name] == total


def _has_marked_addend(usage: Mapping[str, Any]) -> bool:
    """Tell whether there is a mark where a count stood of which the total is made."""
    return any(isinstance(usage.get(name), str) for name in ("input_tokens", "output_tokens"))


def _said(value: Mapping[str, Any], comparison: _Comparison, *, keep: bool) -> Any:
    """Return the normal form without the messages that say nothing, or no more."""
    answers = [
        {**one, "messages": _spoken(one.get("messages", ()), comparison, keep=keep)}
        for one in value.get("alternatives", ())
    ]
    spoken = _spoken(value["messages"], comparison, keep=keep)
    usage = value.get("usage", {})
    counts = {name: count for name, count in usage.items() if not isinstance(count, str)} if type(usage) is dict else {}
    normal = normal_form({**value, "messages": spoken, "alternatives": answers, "usage": counts})
    if counts != usage:
        told = (
            {name: count for name, count in usage.items() if count and name != "extra"}
            if type(usage) is dict
            else usage
        )
        normal["usage"] = told if type(told) is str else {**told, **normal.get("usage", {})}
        if type(usage) is dict and not usage.get("total_tokens"):
            normal["usage"]["total_tokens"] = comparison.mark(_Mark(None, "member", optional=True))
        elif type(usage) is dict and _has_marked_addend(usage) and _is_silent(str(usage["total_tokens"]), comparison):
            normal["usage"]["total_tokens"] = usage["total_tokens"]
    normal = {name: said for name, said in normal.items() if name not in _SAYS_BY_HOLDING or said not in ({}, [])}
    normal = without_done_anyway(normal, comparison.dialect, has_tools=bool(comparison.after.get("tools")))
    if isinstance(normal.get("tools"), list):
        normal["tools"] = with_tools_gathered(normal["tools"], comparison.dialect)
    choice = normal.get("tool_choice")
    if isinstance(choice, dict):
        defaults = (("kind", "function"), ("required", False))
        normal["tool_choice"] = {name: said for name, said in choice.items() if (name, said) not in defaults}
    # A documented pair of words for one thing: no effort is no thinking.
    if normal.get("reasoning", {}).get("effort") == "none":
        rest = {key: word for key, word in normal["reasoning"].items() if key != "effort"}
        normal["reasoning"] = {**rest, "mode": "disabled"}
    return normal


def _spoken(messages: Sequence[Mapping[str, Any]], comparison: _Comparison, *, keep: bool) -> list[Mapping[str, Any]]:
    """Return the messages that say something; without `keep`, without the contents that lost all they held."""
    spoken: list[Mapping[str, Any]] = []
    for message in map(_plainly, messages):
        says = {key: said for key, said in message.items() if not comparison.silent(said)}
        if not keep and _is_empty(says.get("content", ""), comparison):
            says.pop("content", None)
        if says.keys() - {"role", "extra"}:
            spoken.append(says if message["role"] != "opaque" else message)
    return spoken


def _is_empty(content: Any, comparison: _Comparison) -> bool:
    """Tell whether content says nothing, or no more."""
    if isinstance(content, list):
        return all(
            part.keys() - {"extra"} == {"type", "text"} and _is_empty(part["text"], comparison) for part in content
        )
    return content == "" or (isinstance(content, str) and _OPEN in content and _is_silent(content, comparison))


def _has_no_words(said: Any) -> bool:
    """Tell whether what was thought or declined is a text of nothing, or nothing but such texts."""
    parts = [{"text": said}] if isinstance(said, str) else said if isinstance(said, list) else [{}]
    return all(part.get("text") == "" and part.keys() <= {"type", "text", "extra"} for part in parts)


def _plainly(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message without what is documented to mean the same as nothing, or as another member."""
    plain = {
        name: said
        for name, said in message.items()
        if said != [] and (name, said) != ("is_error", False) and not (name in _WORDY and _has_no_words(said))
    }
    if isinstance(plain.get("content"), list):  # the detail that every picture has
        plain["content"] = [
            {name: _without_extra(said) for name, said in part.items() if (name, said) != ("detail", "auto")}
            for part in plain["content"]
        ]
    if message.get("role") == "tool" and "id" in plain:
        plain.setdefault("call_id", plain.pop("id"))
    if "tool_calls" in plain:
        plain["tool_calls"] = [
            {name: said for name, said in call.items() if (name, said) != ("kind", "function")}
            for call in plain["tool_calls"]
        ]
    return plain


def _without_extra(said: Any) -> Any:
    """Return what a part holds without what only other dialects understand of parts within it."""
    if not isinstance(said, list):
        return said
    return [
        {key: held for key, held in one.items() if key != "extra"} if isinstance(one, dict) else one for one in said
    ]


def _without_lost(before: Any, losses: Iterable[Loss]) -> Any:
    value = frozen(before)
    for loss in losses:
        path = tokens(loss.path)
        if loss.code == "empty_text":
            # A part that says nothing is no part; what else it held must be a loss of its own.
            path = (*path[:-1], "type") if path[-1] == "text" else path
            value = edited(value, tokens(loss.path), _GONE)
        if (loss.severity == "lost" or loss.code == "empty_text") and resolves(value, path):
            value = edited(value, path, _GONE)
    return value


def _without_losses(before: Any, losses: list[Loss], roles: Roles, comparison: _Comparison) -> Any:
    value = _without_lost(before, losses)
    for loss in losses:
        if loss.severity == "filled":
            _fill(value, tokens(loss.path), comparison.mark(_Mark(None, loss.code, optional=True)))
    # What stands within another goes first: a document in a document is no part of its own in what the outer becomes.
    for loss in sorted(losses, key=lambda loss: -len(tokens(loss.path))):
        path = tokens(loss.path)
        if loss.severity == "changed" and resolves(value, path) and lookup(value, path) is not _GONE:
            value = edited(value, path, _changed(value, path, loss, roles, comparison))
    for loss in losses:
        path = tokens(loss.path)
        if (loss.code, loss.severity) == ("refusal", "changed") and resolves(value, path[:-1]):
            value = edited(value, path[:-1], _said_at_last(lookup(value, path[:-1])))
    return _swept_value(value, comparison)


def _said_at_last(message: Any) -> Any:
    """Return a message that says its refusal behind its content."""
    if not isinstance(message, dict) or not isinstance(message.get("refusal"), str):
        return message
    content, refusal = message.get("content"), message["refusal"]
    rest = {name: said for name, said in message.items() if name != "refusal"}
    if not content or content is _GONE:
        return {**rest, "content": refusal}
    if isinstance(content, str):
        return {**rest, "content": f"{content}\n\n{refusal}"}
    return {**rest, "content": [*content, {"type": "text", "text": f"\n\n{refusal}"}]}


def _swept_value(value: Any, comparison: _Comparison) -> dict[str, Any]:
    swept = _swept(value, "", comparison)
    return {"messages": [], **(swept if isinstance(swept, dict) else {})}


def _changed(value: Any, path: Sequence[str], loss: Loss, roles: Roles, comparison: _Comparison) -> Any:
    original = lookup(value, path)
    if loss.code == "role":
        messages, at = lookup(value, path[:-2]), int(path[-2])
        before = [message["role"] for message in messages[:at] if isinstance(message, dict)]
        leads = all(role in _INSTRUCTIONS or role == "opaque" for role in before)  # nobody of this dialect speaks
        if loss.detail == _ALONE and comparison.dialect in _ASKED:
            return "user"
        if comparison.dialect == "claude" and not leads and _is_refused_in_the_middle(messages, at):
            return "user"
        if (original, leads) not in roles:
            comparison.found.append(f"{loss.path}: no such change of role is documented")
        return roles.get((original, leads), original)
    silence = SAID_BY_SILENCE.get(path[-1])
    silent = loss.code in SAID_ELSEWHERE or (silence is not None and silence(original, lookup(value, path[:-1])))
    silent = silent or (path[-1] == "display" and comparison.dialect in SHOWS_THINKING and original != "omitted")
    around = lookup(value, path[:-1])
    if path[0] == "reasoning" and len(path) > 1:  # what a member has become depends on what the others were
        around = {name: _original(said, comparison) for name, said in around.items()}
    unmarked = _unmarked(_kept(original), comparison)
    is_part = loss.code in _REGROUPED and isinstance(original, dict) and "type" in original
    if is_part and original["type"] == "file" and unmarked.get("content") == [] and not _heading(unmarked):
        return _GONE  # a document that lost all that it held
    mark = comparison.mark(_Mark(unmarked, loss.code, silent=silent, path=loss.path, around=around))
    return {"type": "text", "text": mark} if is_part else mark


def _is_refused_in_the_middle(messages: Sequence[Any], at: int) -> bool:
    """Tell whether Claude refuses an instruction there: it stands behind the user and before an answer, or last."""
    said = [one["role"] if isinstance(one, dict) else "" for one in messages]
    before = next((role for role in reversed(said[:at]) if role and role not in _INSTRUCTIONS), "")
    behind = next((role for role in said[at + 1 :] if role and role not in _INSTRUCTIONS), "assistant")
    return before not in {"user", "tool"} or behind != "assistant"


def _original(value: Any, comparison: _Comparison) -> Any:
    """Return what stood where a mark stands; any other value as it is."""
    mark = comparison.single(value)
    return value if mark is None else mark.original


def _fill(value: Any, path: Sequence[str], mark: str) -> None:
    """Put a mark where the target filled in; where the list around it is not there, nothing can be compared."""
    for token in path[:-1]:
        if isinstance(value, dict):
            value = value.setdefault(token, {})
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return
    if isinstance(value, dict):
        value.setdefault(path[-1], mark)


def _swept(value: Any, path: str, comparison: _Comparison) -> Any:
    """Return a value without what is lost, and without what held nothing else."""
    if isinstance(value, dict) and value:
        kept = {key: _swept(inner, f"{path}/{key}", comparison) for key, inner in value.items()}
        kept = {key: inner for key, inner in kept.items() if inner is not _GONE}
        rest = [key for key, inner in kept.items() if key != "extra" or not _only_spelling(inner)]
        tag = next((tag for tag in _TAGS if tag in value), None)
        if rest and tag is not None and value[tag] is _GONE and path != "/reasoning" and "/extra" not in path:
            comparison.found.append(f"{path}: dropped, but its {', '.join(rest)} is no loss")
            return _GONE
        if "role" in kept and "content" in value and value["content"] is not _GONE and "content" not in kept:
            kept["content"] = comparison.mark(_Mark("", "emptied", optional=True))
        stays = _SAYS_BY_BEING.search(path) and value.get("messages") is not _GONE
        return kept if rest or stays else _GONE
    if isinstance(value, list) and value:
        items = [_swept(inner, f"{path}/{at}", comparison) for at, inner in enumerate(value)]
        return [item for item in items if item is not _GONE] or _GONE
    return value


def _kept(value: Any) -> Any:
    """Return a value without what is lost in it."""
    if isinstance(value, dict):
        return {key: _kept(inner) for key, inner in value.items() if inner is not _GONE}
    return [_kept(inner) for inner in value if inner is not _GONE] if isinstance(value, list) else value


def _unmarked(content: Any, comparison: _Comparison) -> Any:
    """Return content in which a part that was changed, too, stands as the texts and the media that it held."""
    if isinstance(content, dict) and isinstance(content.get("content"), list):
        return {**content, "content": _unmarked(content["content"], comparison)}
    if not isinstance(content, list):
        return content
    parts: list[Any] = []
    for part in content:
        mark = comparison.single(part.get("text")) if isinstance(part, dict) else None
        if mark is None or not isinstance(mark.original, dict):
            parts.append(part)
        else:
            texts = _texts(mark.original, comparison.dialect)
            parts += [*({"type": "text", "text": text} for text in texts), *_media(mark.original)]
    return parts


def _only_spelling(extra: Any) -> bool:
    if not isinstance(extra, dict):
        return False
    return all(isinstance(bag, dict) and bag.keys() <= {"spelling"} for bag in extra.values())


def _compare(expected: Any, found: Any, path: str, comparison: _Comparison) -> None:
    """Note where a normal form with marks in it differs from another."""
    if isinstance(expected, str) and _OPEN in expected:
        _compare_marked(expected, found, path, comparison)
    elif isinstance(expected, dict) and isinstance(found, dict):
        _compare_objects(expected, found, path, comparison)
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            comparison.found.append(f"{path}: {len(expected)} entries became {len(found)}")
        else:
            for at, (one, two) in enumerate(zip(expected, found, strict=True)):
                _compare(one, two, f"{path}/{at}", comparison)
    elif not same(expected, found):
        comparison.found.append(f"{path}: another value")
    elif isinstance(expected, str) and _NAMED.search(path):
        _note_name(path, expected, found, comparison)


def _compare_objects(expected: dict[str, Any], found: dict[str, Any], path: str, comparison: _Comparison) -> None:
    """Compare member by member; a member that was changed may have moved to another name, or into its schema."""
    gone = expected.keys() - found.keys()
    new = found.keys() - expected.keys()
    for key in expected.keys() & found.keys():
        _compare(expected[key], found[key], f"{path}/{key}", comparison)
    for key in sorted(gone):
        mark = comparison.single(expected[key])
        moved = [name for name in new if mark is not None and same(found[name], mark.original)]
        told = found.get("schema", {}).get(key) if path == "/response_format" and key == "description" else None
        if moved:
            new = new - set(moved)
        elif mark is not None and told is not None and same(told, mark.original):
            pass
        elif mark is not None and mark.original is None and _IN_SCHEMA.search(f"{path}/"):
            pass  # a keyword of null, which limits nothing
        elif mark is not None and path == "" and key == "tool_choice":
            _compare_marked(expected[key], {"mode": "auto"}, path, comparison)  # which is what none says
        elif not _may_be_silent(expected[key], comparison):
            comparison.found.append(f"{path}/{key}: gone")
    # An empty text is no content.
    comparison.found.extend(f"{path}/{key}: new" for key in sorted(new) if key != "content" or found[key] != "")


def _may_be_silent(value: Any, comparison: _Comparison) -> bool:
    """Tell whether a value holds nothing but what the target may fill in, or says by saying nothing."""
    held = [leaf for _, leaf in leaves(value)]
    return bool(held) and all(isinstance(leaf, str) and _is_silent(leaf, comparison) for leaf in held)


def _is_silent(text: str, comparison: _Comparison) -> bool:
    """Tell whether a text is made of marks that may be silent; texts that were joined have a gap between them."""
    pieces = _MARK.split(text)
    marks = [comparison.marks[int(piece)] for piece in pieces[1::2]]
    empty = (mark.code in _REGROUPED and not "".join(_texts(mark.original)) for mark in marks)
    silent = (mark.optional or mark.silent or nothing for mark, nothing in zip(marks, empty, strict=True))
    return bool(marks) and not "".join(pieces[::2]).strip() and all(silent)


def _compare_marked(expected: str, found: Any, path: str, comparison: _Comparison) -> None:
    """Compare what stands where something was changed or filled in."""
    mark = comparison.single(expected)
    if mark is None or (
        mark.code in _REGROUPED | {"refusal", "reasoning"} and isinstance(mark.original, (str, list, dict))
    ):
        _compare_content(expected, found, path, comparison)
    elif mark.code == "emptied":
        if found not in ("", []):
            comparison.found.append(f"{path}: new content")
    elif mark.code == "arguments" and isinstance(mark.original, str):
        if not _holds_arguments(mark.original, found):
            comparison.found.append(f"{path}: other arguments")
    elif not mark.optional:
        if mark.code in {"name", GIVEN} and isinstance(mark.original, str) and _NAMED.search(path):
            _note_name(path, mark.original, found, comparison)
        _compare_changed(mark, found, path, comparison)


def _compare_changed(mark: _Mark, found: Any, path: str, comparison: _Comparison) -> None:
    """Compare what a changed value has become with what is documented of it."""
    answer = re.match(r"/alternatives/(\d+)/", mark.path)
    holder = comparison.after["alternatives"][int(answer.group(1))] if answer else comparison.after
    tool = re.match(r"/tools/(\d+)/parameters", path)
    tools = comparison.after.get("tools", ()) if tool else ()
    schema = tools[int(tool.group(1))].get("parameters") if tool and int(tool.group(1)) < len(tools) else None
    thinking = comparison.after.get("reasoning", {})
    changed = Changed(mark.original, mark.around, found, comparison.dialect, holder["messages"], schema, thinking)
    if not arrives(mark.code, re.sub(r"/\d+(?=/|$)", "/*", mark.path), changed):
        comparison.found.append(f"{path}: another value than is documented ({mark.code})")


def _compare_content(expected: str, found: Any, path: str, comparison: _Comparison) -> None:
    """Look for all texts in their order, all that they cite, and all parts that are no text."""
    texts: list[str] = []
    cited: list[Any] = []
    others: list[Any] = []
    for at, piece in enumerate(_MARK.split(expected)):
        if at % 2 == 0:
            texts.append(piece)
            continue
        original = comparison.marks[int(piece)].original
        texts.extend(_texts(original, comparison.dialect))
        cited.extend(_cited(original))
        others.extend(_media(original))
    # The gap beside a text that may be missing is no text.
    if not _made_of([text.strip() for text in texts if text.strip()], "".join(_texts(found))):
        comparison.found.append(f"{path}: other texts")
    _compare(cited, _cited(found), f"{path}/citations", comparison)
    _compare(others, _media(found), f"{path}/media", comparison)


def _texts(content: Any, target: str = "") -> list[str]:
    """Return the texts of content, of a part, or of what a part holds, for a target also what a document is called."""
    if isinstance(content, str):
        return [content]
    if isinstance(content, list):
        return [text for part in content for text in _texts(part, target)]
    if isinstance(content, dict) and content.get("type") == "file":
        said = [*_texts(content.get("text", content.get("content"))), *_decoded(content)]
        return [*(_heading(content) if target and not _is_document(content, target) else ()), *said]
    if isinstance(content, dict) and content.get("type") in {"server_call", "server_result"}:
        return [_fenced(content)]
    if isinstance(content, dict) and "type" in content:
        return _texts(content.get("text", content.get("content")))
    return []


def _is_document(document: dict[str, Any], target: str) -> bool:
    """Tell whether a document of text is one for the target, too: a document of Bedrock has one name."""
    return target in _DOCUMENTED and not (target == "bedrock_converse" and {"name", "title"} <= document.keys())


def _fenced(run: dict[str, Any]) -> str:
    """Return code that the provider ran, or what it wrote, as the text that it becomes."""
    if run["type"] == "server_call":
        word, lines = run.get("language", ""), [run.get("code", "")]
    else:
        word, lines = "output", ["".join(_texts(run.get("content"))), run.get("error_output", "")]
        lines = lines if any(lines) else [run.get("error_code", "")]
    said = "".join(one if one.endswith("\n") else f"{one}\n" for one in lines if one)
    ticks = "`" * max([2, *(len(found) for found in re.findall("`{3,}", said))]) + "`"
    return f"{ticks}{word}\n{said}{ticks}"


def _heading(document: dict[str, Any]) -> list[str]:
    """Return the lines that stand before the text of a document, which say what it is called."""
    if not isinstance(document.get("text", document.get("content")), (str, list)) and not _decoded(document):
        return []
    words = {"title": "Title", "name": "Source", "context": "Context"}
    return [f"{word}: {document[name]}" for name, word in words.items() if document.get(name)]


def _decoded(document: dict[str, Any]) -> list[str]:
    """Return the text that a file of text holds in base64."""
    if "data" not in document or not str(document.get("format", "")).startswith("text/"):
        return []
    return [base64.b64decode(document["data"]).decode()]


def _cited(content: Any) -> list[dict[str, Any]]:
    """Return the citations of the texts of content, without what only their dialect understands."""
    citations: list[dict[str, Any]] = []
    before = 0  # the anchors of a citation count from the beginning of its part
    for part in content if isinstance(content, list) else ():
        for citation in part.get("citations", ()):
            anchors = {name: citation.get(name) for name in ("start_index", "end_index")}
            moved = {name: at + before for name, at in anchors.items() if isinstance(at, int)}
            citations.append({**citation, **moved})
        before += len(part["text"]) if isinstance(part.get("text"), str) else 0
    return [{key: value for key, value in citation.items() if key != "extra"} for citation in citations]


def _media(content: Any) -> list[dict[str, Any]]:
    """Return the parts of content that are no text, or those inside a document, without what only one understands."""
    parts = content if isinstance(content, list) else content.get("content", ()) if isinstance(content, dict) else []
    if isinstance(content, dict) and content.get("type") in {"server_call", "server_result"}:
        return []  # what is told of a run is text
    return [
        {key: value for key, value in part.items() if key != "extra" and (key, value) != ("detail", "auto")}
        for part in parts
        if part.get("type", "text") != "text" and not (part["type"] == "file" and "text" in part)
    ]


def _made_of(wanted: Iterable[str], text: str) -> bool:
    """Tell whether a text is made of the wanted ones, in order, with nothing but white space between them."""
    for one in wanted:
        before, found, text = text.partition(one)
        if not found or before.strip():
            return False
    return not text.strip()


def _holds_arguments(original: str, found: Any) -> bool:
    """Tell whether arguments hold the text that they came from: parsed, the last of a repeated member, or whole."""
    try:
        if same(json.loads(original), found):
            return True
    except ValueError:
        pass
    return any(leaf == original for _, leaf in leaves(found))


def _note_name(path: str, before: str, after: Any, comparison: _Comparison) -> None:
    """Note what a name or an id became; the same one must become the same, two may not become one."""
    kind = "id" if path.endswith("id") else "name"
    if comparison.renamed.setdefault((kind, before), after) != after:
        comparison.found.append(f"{path}: renamed otherwise than elsewhere")
    if any(two == after and one != before for (which, one), two in comparison.renamed.items() if which == kind):
        comparison.found.append(f"{path}: two {kind}s became one")
