"""Put tool results directly behind the turn of their calls, and make call ids unique, as the target demands.

Some providers match results by id wherever they stand, and accept one id for several calls; others refuse both. No
calls or results are invented: one without a counterpart stays where it is.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from interlingua.rooms._shared.writing import ResultMatching
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interlingua.model_shapes import ChatMessage
    from interlingua.rooms._shared.writing import Target

# A message, and its index in the conversation, which the paths of losses use.
Placed: TypeAlias = "tuple[int, Any]"

_TWO_TEXTS: Final = "\n\n"
REPEATED: Final = "another result of the call says the same: it is sent once"


def in_target_order(
    messages: Sequence[ChatMessage],
    distinct: Literal["turn", "conversation", "nowhere"],
    to: Target,
    *,
    by_call: bool = False,
) -> Iterable[Placed]:
    """Return the messages with their indexes, in the order that the target demands.

    `distinct` is the scope within which call ids must be unique. `by_call`: the results of a turn must be in the order
    of its calls, because the target does not read ids. Moved and renamed items are reported as changed.
    """
    if _is_in_order(messages, distinct, by_call=by_call):
        return enumerate(messages)
    return _Arrangement(messages, distinct, to, by_call=by_call).made()


def with_distinct_call_ids(
    messages: list[ChatMessage], distinct: Literal["turn", "conversation"], to: Target
) -> list[ChatMessage]:
    """Return the messages in their given order, with call ids that are unique within a turn or the conversation.

    Results get the new ids of their calls; renamed ids are reported as changed. An id with fewer results than calls
    stays: one result may answer two calls.
    """
    seen: set[str] = set()
    for message in messages:
        if message["role"] != "assistant":
            if distinct == "turn":
                seen.clear()
            continue
        for call in message.get("tool_calls", ()):
            if "id" in call:
                if call["id"] in seen:
                    return _Arrangement(messages, distinct, to, by_call=False, answered_alone=True).renamed()
                seen.add(call["id"])
    return messages


def with_calls_last(placed: Iterable[Placed], dialect: str) -> list[Placed]:
    """Return the messages with the calls of each turn after its texts, as Claude requires.

    Clients of Responses and of Gemini may write the texts of an answer after its calls. A thought that the target's
    provider signed stays where it is, and so do the calls before it.
    """
    messages = [*placed]
    has_calls = False
    for _, message in messages:
        if message["role"] != "assistant":
            has_calls = has_calls and message["role"] == "opaque"
        elif has_calls and (message.get("content") or message.get("refusal")):
            return _calls_moved_back(messages, dialect)
        else:
            has_calls = has_calls or "tool_calls" in message
    return messages


def _calls_moved_back(messages: list[Placed], dialect: str) -> list[Placed]:
    out: list[Placed] = []
    calls: list[Placed] = []
    for index, message in messages:
        role = message["role"]
        is_signed = bool(message.get("extra", NOTHING).get(dialect, NOTHING).get("thinking_blocks"))
        if is_signed or (message["dialect"] == dialect if role == "opaque" else role != "assistant"):
            out += calls
            calls = []
        if role == "assistant" and "tool_calls" in message:
            calls.append((index, {"role": "assistant", "tool_calls": message["tool_calls"]}))
            if rest := {name: value for name, value in message.items() if name not in {"role", "tool_calls"}}:
                out.append((index, {"role": role, **rest}))
        else:
            out.append((index, message))
    return out + calls


def with_unnamed_results_joined(messages: list[ChatMessage], to: Target) -> tuple[list[ChatMessage], frozenset[int]]:
    """Return the messages with results that name no call, and answer none, joined to the results before them.

    Also returns the indexes of the joined results, which are to be left out.
    """
    if all(one["role"] != "tool" or "call_id" in one or "id" in one for one in messages):
        return messages, frozenset()
    return _Arrangement(messages, "nowhere", to, by_call=False).with_unnamed_joined()


def repeated_results(messages: Sequence[Any]) -> frozenset[int]:
    """Return the indexes of results that repeat an earlier result of the same call.

    Gemini CLI writes each result twice when it resumes a conversation.
    """
    named = [message["call_id"] for message in messages if message["role"] == "tool" and "call_id" in message]
    if len(named) == len({*named}):
        return frozenset()
    calls = Counter(call.get("id") for message in messages for call in message.get("tool_calls", ()))
    said: dict[str, list[Any]] = {}
    repeated: set[int] = set()
    for index, message in enumerate(messages):
        if message["role"] != "tool" or "call_id" not in message:
            continue
        before, told = said.setdefault(message["call_id"], []), (message.get("content"), message.get("is_error"))
        if len(before) >= calls[message["call_id"]] and told in before:
            repeated.add(index)
        else:
            before.append(told)
    return frozenset(repeated)


def _is_in_order(messages: Sequence[Any], distinct: str, *, by_call: bool) -> bool:
    """Tell whether each turn with calls is followed by exactly its results.

    Nearly all conversations are in order, so this check is all that they cost.
    """
    asked: dict[str, int] = {}  # open calls of the last turn: id -> position
    latest = -1  # position of the call that was answered last
    seen: set[str] = set()  # ids that are taken
    unnamed = 0  # results without an id
    answering = False
    for index, message in enumerate(messages):
        role = message["role"]
        if role == "tool":
            answering = True
            identifier = message["call_id"] if "call_id" in message else message.get("id")
            if identifier is None:
                unnamed += 1
            elif identifier in asked and not (by_call and asked[identifier] < latest):
                latest = asked.pop(identifier)
            else:
                return False
            continue
        if role == "opaque":  # those of another dialect are dropped
            continue
        if (answering or role != "assistant") and len(asked) != unnamed:
            return False
        if answering:
            asked.clear()
            answering, unnamed, latest = False, 0, -1
            if distinct == "turn":
                seen.clear()
        if "tool_calls" in message and not _register_calls(message["tool_calls"], index, asked, seen):
            return False
    return len(asked) == unnamed


def _register_calls(calls: Sequence[Any], index: int, asked: dict[str, int], seen: set[str]) -> bool:
    """Register the calls of a message; tell whether each id is new."""
    for at, call in enumerate(calls):
        identifier = call["id"] if "id" in call else f"call_{index}_{at}"  # noqa: SIM401  # most have one
        if identifier in seen:
            return False
        asked[identifier] = len(asked)
        seen.add(identifier)
    return True


class _Call:
    """A call: its position, its id as it came and as it is written, and its result."""

    __slots__ = ("at", "came", "given", "index", "result", "turn", "written")

    def __init__(self, index: int, at: int, given: str | None, turn: int) -> None:
        self.index, self.at, self.given, self.turn = index, at, given, turn
        self.came = self.written = f"call_{index}_{at}" if given is None else given
        self.result: int | None = None


class _Arrangement:
    """One conversation that is being put in order."""

    def __init__(
        self, messages: Sequence[ChatMessage], distinct: str, to: Target, *, by_call: bool, answered_alone: bool = False
    ) -> None:
        self._messages: list[Any] = list(messages)
        self._to = to
        self._ends: list[int] = []  # index of the last message of each assistant turn
        self._calls: list[_Call] = []
        self._open: dict[str, list[deque[_Call]]] = {}  # id -> calls without a result, by turn
        self._last: dict[str, _Call] = {}  # id -> the call that was answered last
        self._behind: dict[int, list[int]] = {}  # turn -> its results
        self._repeats: Counter[str] = Counter()  # id -> number of ids derived from it
        self._renamed: set[int] = set()  # messages in which a call was renamed
        self._merged: dict[int, list[int]] = {}  # result -> further results of the same call
        self._latest: int | None = None  # the result that was answered last in the turn
        self._read()
        if by_call:
            self._order()
        if distinct != "nowhere":
            self._rename(distinct, answered_alone=answered_alone)

    def made(self) -> list[Placed]:
        """Return the messages in order."""
        results = {index for some in self._behind.values() for index in some}
        results.update(index for some in self._merged.values() for index in some)
        turns = {end: turn for turn, end in enumerate(self._ends)}
        out: list[Placed] = []
        furthest = -1
        for index, message in enumerate(self._messages):
            if index in results:
                continue
            if index < furthest and message["role"] != "opaque":
                self._to.log.changed(
                    "message", self._to.message(index), "tool results must directly follow their calls: they were moved"
                )
            out.append((index, message))
            for result in self._behind.get(turns.get(index, -1), ()):
                out.append((result, self._whole(result)))
                furthest = max(furthest, result)
        return out

    def with_unnamed_joined(self) -> tuple[list[ChatMessage], frozenset[int]]:
        """Return the messages in their given order with unnamed results joined, and the indexes of these."""
        named = {"call_id", "id"}
        joined = {one for some in self._merged.values() for one in some if named.isdisjoint(self._messages[one])}
        self._merged = {first: [one for one in some if one in joined] for first, some in self._merged.items()}
        return [self._whole(at) if at in self._merged else one for at, one in enumerate(self._messages)], frozenset(
            joined
        )

    def renamed(self) -> list[ChatMessage]:
        """Return the messages in their given order."""
        return self._messages

    def _read(self) -> None:
        """Find the assistant turns, and the call that each result answers."""
        answered = ResultMatching(self._messages)
        surplus = Counter(message.get("call_id", message.get("id")) for message in self._tools())
        surplus.subtract(call["id"] for one in self._messages for call in one.get("tool_calls", ()) if "id" in call)
        runs_on = False
        for index, message in enumerate(self._messages):
            role = message["role"]
            if role == "assistant":
                if runs_on:
                    self._ends[-1] = index
                else:
                    self._ends.append(index)
                runs_on = True
                self._ask(message, index, surplus)
                self._latest = None
            elif role == "tool":
                self._answer(message, index, answered)
                runs_on = False
            elif role != "opaque" or message["dialect"] == self._to.dialect:
                runs_on = False

    def _tools(self) -> Iterable[Any]:
        return (message for message in self._messages if message["role"] == "tool")

    def _ask(self, message: Any, index: int, surplus: Counter[str | None]) -> None:
        """Register the calls of a message. If every call of an id has a result, they are answered in order.

        If results are missing, they are taken to be those of earlier turns: a result answers a call of the last turn.
        """
        turn = len(self._ends) - 1
        for at, one in enumerate(message.get("tool_calls", ())):
            call = _Call(index, at, one.get("id"), turn)
            self._calls.append(call)
            waiting = self._open.setdefault(call.came, [])
            if waiting and waiting[-1] and (waiting[-1][0].turn == turn or surplus[call.came] == 0):
                waiting[-1].append(call)
            else:
                waiting.append(deque([call]))

    def _answer(self, message: Any, index: int, answered: ResultMatching) -> None:
        identifier: str | None = message.get("call_id", message.get("id"))
        if identifier is None:
            asked = answered.by(index)
            identifier = None if asked is None else asked.id
        if identifier is None:  # Strands writes each part of a result as a message of its own for Ollama
            if self._latest is not None:
                self._merged.setdefault(self._latest, []).append(index)
            return
        waiting = self._open.get(identifier, [])
        while waiting and not waiting[-1]:
            waiting.pop()
        if waiting:
            call = waiting[-1].popleft()
            call.result = self._latest = index
            self._last[identifier] = call
            self._behind.setdefault(call.turn, []).append(index)
        elif identifier in self._last and "call_id" in message:
            first = self._last[identifier].result
            if first is not None:
                self._merged.setdefault(first, []).append(index)

    def _order(self) -> None:
        """Sort the results of each turn by their calls."""
        places = {call.result: place for place, call in enumerate(self._calls)}
        for turn, results in self._behind.items():
            ordered = sorted(results, key=places.__getitem__)
            for result, before in zip(ordered, results, strict=True):
                if result != before:
                    told = "tool results must be in the order of their calls: they were moved"
                    self._to.log.changed("message", self._to.message(result), told)
            self._behind[turn] = ordered

    def _rename(self, distinct: str, *, answered_alone: bool) -> None:
        """Give each call with a repeated id a new one, and its result the same.

        `answered_alone`: except for ids of which a call has no result of its own.
        """
        kept = {call.came for call in self._calls if call.result is None} if answered_alone else ()
        taken = {call.came for call in self._calls}
        seen: set[str] = set()
        turn = -1
        for call in self._calls:
            if distinct == "turn" and call.turn != turn:
                seen.clear()
                turn = call.turn
            if call.came in seen and call.came not in kept:
                self._give(call, self._free(call.came, taken))
            seen.add(call.came)

    def _free(self, identifier: str, taken: set[str]) -> str:
        """Return an unused id, and mark it as taken."""
        free = identifier
        while free in taken:
            self._repeats[identifier] += 1
            free = f"{identifier}_{self._repeats[identifier] + 1}"
        taken.add(free)
        return free

    def _give(self, call: _Call, identifier: str) -> None:
        message = self._messages[call.index]
        if call.index not in self._renamed:  # copied once, however many of its calls are renamed
            self._renamed.add(call.index)
            message = self._messages[call.index] = {**message, "tool_calls": list(message["tool_calls"])}
        message["tool_calls"][call.at] = {**message["tool_calls"][call.at], "id": identifier}
        self._note(f"{self._to.call(call.index, call.at)}/id", is_given=call.given is not None)
        if call.result is None:
            return
        result = self._messages[call.result]
        member = "call_id" if "call_id" in result or "id" not in result else "id"
        self._note(f"{self._to.message(call.result)}/{member}", is_given=member in result)
        self._messages[call.result] = {**result, member: identifier}

    def _note(self, path: str, *, is_given: bool) -> None:
        if is_given:
            self._to.log.changed("name", path, "two calls had the same id: one was renamed")
        else:
            self._to.log.filled(path, "calls and results are matched by ids: an id was generated")

    def _whole(self, result: int) -> Any:
        """Return a result joined with the further results of its call."""
        message = self._messages[result]
        said = [message.get("content")]
        for index in self._merged.get(result, ()):
            path, more = self._to.message(index), self._messages[index].get("content")
            if more in said:
                self._to.log.changed("message", path, REPEATED)
                continue
            self._to.log.changed("message", path, "a call has only one result: several were joined")
            message = _with_content(message, more)
            said.append(more)
        return message


def _with_content(message: Any, more: Any) -> Any:
    """Return a message with more content appended."""
    said = message.get("content")
    if not more or not said:
        return {**message, "content": said or more} if said or more else message
    if type(said) is str and type(more) is str:
        return {**message, "content": f"{said}{_TWO_TEXTS}{more}"}
    parts = [[{"type": "text", "text": one}] if type(one) is str else one for one in (said, more)]
    return {**message, "content": [*parts[0], *parts[1]]}
