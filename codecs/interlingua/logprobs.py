"""Translates token log probabilities, which each provider puts in a different place in the response.

They are kept in `extra.<dialect>` as they came, and moved from one dialect's place to another's.
Source: docs/wire/openai_chat.md, section 2; docs/wire/gemini.md, section 2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interlingua.model_shapes import ChatResponse

__all__ = ["logprobs_result", "taken", "with_logprobs"]

# Their places in `extra.<dialect>` of a response, a text part or an event.
_PLACES: Final[Sequence[tuple[str, ...]]] = (
    ("logprobs",),
    ("choice", "logprobs", "content"),
    ("fields", "logprobs"),
    ("candidate", "logprobsResult"),
    ("frame", "put", "logprobs"),
    ("frame", "in", "candidates", "in", "0", "put", "logprobsResult"),
)
_HOLDERS: Final = frozenset(place[0] for place in _PLACES)
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
_TOKEN: Final[Mapping[str, str]] = MappingProxyType({"token": "token", "logProbability": "logprob"})
_MEMBERS: Final = frozenset({
    *_TOKEN, *_TOKEN.values(), "bytes", "top_logprobs", "chosenCandidates", "topCandidates", "candidates"
})  # fmt: skip


def taken(
    extra: Mapping[str, Any], dialect: str, *, has_bytes: bool
) -> tuple[list[dict[str, Any]], dict[str, Any], tuple[str, str]] | None:
    """Return the tokens in another dialect's `extra` in the form of Chat Completions, the rest, and where they were.

    The place is a dialect and one of its members. Returns None if there are no tokens, or not of the expected shape.
    What the target has no place for stays in the rest, so that it is reported: token ids, sums, and, unless it
    `has_bytes`, bytes that are not those of the text.
    """
    for owner, held in extra.items():
        bag = None if owner == dialect else _object(held)
        if bag is None or _HOLDERS.isdisjoint(bag):
            continue
        for place in _PLACES:
            if place[0] not in bag:
                continue
            found: Any = bag
            for name in place:
                inside = _object(found)
                found = None if inside is None else inside.get(name)
            tokens = None if found is None else _tokens(found)
            if tokens:
                if _has_other_members(found) or not (has_bytes or all(map(_is_its_text, tokens))):
                    return tokens, {**extra}, (owner, place[0])
                left = _without(bag, place)
                others = {name: kept for name, kept in extra.items() if name != owner}
                return tokens, {**others, owner: left} if left else others, (owner, place[0])
    return None


def with_logprobs(response: ChatResponse, dialect: str, place: str) -> ChatResponse:
    """Return another dialect's response with the tokens moved to where `dialect` has them.

    `place` is where: `choice` in Chat Completions, `candidate` in Gemini, a list in the `fields` of the response, or a
    list in those of a `part`, the first text. If there is no such place, they stay where they are.
    """
    if not ("extra" in response or "alternatives" in response or any(map(_has_extra, response["messages"]))):
        return response  # nearly always
    out: Any = _answer_with_logprobs(response, dialect, place)
    if "alternatives" in response:
        alternatives = [_answer_with_logprobs(one, dialect, place) for one in response["alternatives"]]
        out = {**out, "alternatives": alternatives}
    return cast("ChatResponse", out)


def _has_extra(message: Any) -> bool:
    """Tell whether a part of a message has `extra`."""
    content = _list(message.get("content"))
    return content is not None and any("extra" in part for part in content)


def _answer_with_logprobs(answer: Any, dialect: str, place: str) -> Any:
    tokens: list[dict[str, Any]] = []
    has_bytes = place != "candidate"
    found = taken(answer["extra"], dialect, has_bytes=has_bytes) if "extra" in answer else None
    out: Any = answer
    if found is not None:
        tokens, extra, _ = found
        out = {**answer, "extra": extra}
    else:
        messages = [_message_without(message, dialect, tokens, has_bytes=has_bytes) for message in answer["messages"]]
        if tokens:
            out = {**answer, "messages": messages}
    if not tokens:
        return answer
    if place == "part":
        spoken = _with_tokens_of_text(out["messages"], dialect, tokens)
        return answer if spoken is None else {**out, "messages": spoken}
    if place == "choice":
        return _with_own(out, dialect, "choice", {"logprobs": {"content": tokens, "refusal": None}})
    if place == "candidate":
        return _with_own(out, dialect, "candidate", {"logprobsResult": logprobs_result(tokens)})
    return _with_own(out, dialect, "fields", {"logprobs": tokens})


def _with_own(value: Any, dialect: str, name: str, held: dict[str, Any]) -> Any:
    extra = value.get("extra", {})
    own = extra.get(dialect, {})
    return {**value, "extra": {**extra, dialect: {**own, name: {**own.get(name, {}), **held}}}}


def _message_without(message: Any, dialect: str, tokens: list[dict[str, Any]], *, has_bytes: bool) -> Any:
    """Return a message without the tokens of its texts, which are appended to `tokens`."""
    content = _list(message.get("content"))
    if content is None:
        return message
    parts: list[Any] = []
    for part in content:
        has_some = "extra" in part and part["type"] == "text"
        found = taken(part["extra"], dialect, has_bytes=has_bytes) if has_some else None
        if found is not None:
            tokens += found[0]
        parts.append(part if found is None else {**part, "extra": found[1]})
    return {**message, "content": parts}


def _with_tokens_of_text(messages: Sequence[Any], dialect: str, tokens: list[dict[str, Any]]) -> list[Any] | None:
    """Return the messages of an answer with the tokens on its first text; None if it has no text."""
    for at, message in enumerate(messages):
        content = message.get("content")
        parts = [{"type": "text", "text": content}] if type(content) is str else [*(_list(content) or ())]
        for index, part in enumerate(parts):
            if part["type"] == "text":
                parts = [*parts[:index], _with_own(part, dialect, "fields", {"logprobs": tokens}), *parts[index + 1 :]]
                return [*messages[:at], {**message, "content": parts}, *messages[at + 1 :]]
    return None


def logprobs_result(tokens: list[dict[str, Any]]) -> dict[str, Any]:
    """Return tokens as Gemini's `logprobsResult`."""
    steps = [{"candidates": [_said(one) for one in token["top_logprobs"]]} for token in tokens]
    return {"topCandidates": steps, "chosenCandidates": [_said(token) for token in tokens]}


def _said(token: dict[str, Any]) -> dict[str, Any]:
    return {"token": token["token"], "logProbability": token["logprob"]}


def _tokens(found: object) -> list[dict[str, Any]] | None:
    """Return the tokens in a list, or in a Gemini result; None if one of them is not a token."""
    result = _object(found)
    if result is not None:
        return _tokens_of_result(result)
    tokens: list[dict[str, Any]] = []
    for one in _list(found) or ():
        token = _token(one)
        top = None if token is None else _top_alternatives(one.get("top_logprobs"))
        if token is None or top is None:
            return None
        tokens.append({**token, "top_logprobs": top})
    return tokens


def _has_other_members(found: object) -> bool:
    """Tell whether there are members beside the tokens, or in one of them, that other dialects do not have."""
    said = _object(found)
    if said is not None and not said.keys() <= _MEMBERS:
        return True
    inside = said.values() if said is not None else _list(found) or ()
    return any(map(_has_other_members, inside))


def _is_its_text(token: Mapping[str, Any]) -> bool:
    """Tell whether the bytes of a token, and of its alternatives, are those of their texts."""
    return token["bytes"] == _octets(token["token"]) and all(map(_is_its_text, token.get("top_logprobs", ())))


def _octets(text: str) -> list[int]:
    return list(text.encode("utf-8", "replace"))


def _tokens_of_result(result: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    steps = _list(result.get("topCandidates")) or ()
    tokens: list[dict[str, Any]] = []
    for at, one in enumerate(_list(result.get("chosenCandidates")) or ()):
        token = _token(_renamed(one))
        step = _object(steps[at]) if at < len(steps) else _NONE
        top = (
            None
            if step is None
            else _top_alternatives([_renamed(other) for other in _list(step.get("candidates")) or ()])
        )
        if token is None or top is None:
            return None
        tokens.append({**token, "top_logprobs": top})
    return tokens


def _top_alternatives(found: object) -> list[dict[str, Any]] | None:
    """Return the top alternatives of a token; None if one of them is not a token."""
    others = () if found is None else _list(found)
    tokens = [] if others is None else [token for token in map(_token, others) if token is not None]
    return None if others is None or len(tokens) != len(others) else tokens


def _renamed(one: object) -> object:
    said = _object(one)
    return None if said is None else {_TOKEN.get(name, name): value for name, value in said.items()}


def _token(one: object) -> dict[str, Any] | None:
    """Return a token with its bytes, by default those of its text.

    Servers that omit zero values leave out the log probability of a certain token, and an empty text.
    """
    said = _object(one) or _NONE
    token, logprob = said.get("token", ""), said.get("logprob", 0 if "token" in said else None)
    if type(token) is not str or type(logprob) not in {int, float}:
        return None
    octets = _list(said.get("bytes"))
    return {"token": token, "logprob": logprob, "bytes": _octets(token) if octets is None else octets}


def _without(bag: Mapping[str, Any], place: tuple[str, ...]) -> dict[str, Any]:
    """Return a value without the member at a place, and without objects that this leaves empty."""
    name, *inner = place
    left = _without(bag[name], tuple(inner)) if inner else {}
    out = {**bag, name: left}
    if all(value is None for value in left.values()):
        del out[name]
    return out


def _object(found: object) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", found) if type(found) is dict else None


def _list(found: object) -> Sequence[Any] | None:
    return cast("Sequence[Any]", found) if type(found) is list else None
