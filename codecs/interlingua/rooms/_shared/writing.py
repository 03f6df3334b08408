"""Building blocks of all encoders: the target, matching of results and calls, arguments, texts, lost settings.

A setting without a place is no loss if it asks for the dialect's default.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from interlingua.loss import beyond, lost_members
from interlingua.spi.extra import own_spelling, report_foreign
from interlingua.tool_arguments import arguments_object, arguments_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interlingua.loss import LossCode, LossLog
    from interlingua.model_shapes import ChatMessage, ToolCall, ToolChatMessage
    from interlingua.rooms._shared.names import AnswerIds
    from interlingua.rooms._shared.server_calls import ServerCallTracker


@dataclass(slots=True, repr=False, eq=False)
class Target:
    """The context of one encoding: `home` if the value was decoded from the dialect that it is written in.

    `answer`: a response, not a request. `base` is the JSON Pointer of the object with `messages`, `version` the API
    version to write, empty for verbatim. `ids` generates missing ids of an answer abroad, `runs` tracks server tool
    calls. `carries`: whether the client of an answer from abroad sends back signed state. `taken` counts the names of
    documents written so far, if they must be unique. `marks` are the cache marks written so far, with their paths, if
    their number is limited. `fitted`: a request of a client of the same dialect, which is only fitted to its model.
    """

    dialect: str
    home: bool
    answer: bool
    log: LossLog
    base: str = ""
    version: str = ""
    ids: AnswerIds | None = None
    runs: ServerCallTracker | None = None
    carries: bool = False
    taken: dict[str, int] | None = None
    marks: list[tuple[dict[str, Any], str]] | None = None
    fitted: bool = False

    def message(self, index: int) -> str:
        """Return the path of a message."""
        return f"{self.base}/messages/{index}"

    def part(self, index: int, member: str, part: int) -> str:
        """Return the path of a part of a message."""
        return f"{self.base}/messages/{index}/{member}/{part}"

    def call(self, index: int, call: int) -> str:
        """Return the path of a tool call."""
        return f"{self.base}/messages/{index}/tool_calls/{call}"

    def made_call_id(self, index: int, call: int) -> str:
        """Return an id for a call that has none, from its answer, or from its position in a request."""
        return f"call_{index}_{call}" if self.ids is None else self.ids.call(self.ids.next_call())


class RequestedCall(NamedTuple):
    """A call that a result answers: its id, if need be made from its position, and the name of its tool."""

    id: str
    name: str


class Pairing:
    """Matches results with calls, message by message, in time linear in the length of the conversation.

    Calls are identified by their number: several may have the same id, of which a result answers the first open one.
    A result without an id answers a call of its name, else any; one without an id first, since others have results
    that name them.
    """

    def __init__(self) -> None:
        self._count = 0
        self._all: dict[str, RequestedCall] = {}
        # Open calls by what a result may know of them; ordered, so that the first one is found in constant time.
        self._open: dict[_Clue, OrderedDict[int, RequestedCall]] = {}
        self._clues: dict[int, tuple[_Clue, ...]] = {}
        self._turn_is_over = False  # another role has spoken since the last calls

    def follow(self, message: ChatMessage, index: int) -> RequestedCall | None:
        """Take the next message; return the call that it answers, or None."""
        if message["role"] == "tool":
            self._turn_is_over = True
            return self._answered(message)
        if message["role"] == "opaque":  # its meaning is unknown
            return None
        if message["role"] != "assistant":  # a result may still follow
            self._turn_is_over = True
        elif "tool_calls" in message:
            if self._turn_is_over:
                self._open.clear()
                self._turn_is_over = False
            for at, call in enumerate(message["tool_calls"]):
                self._ask(RequestedCall(call.get("id", f"call_{index}_{at}"), call["name"]), is_named="id" in call)
        return None

    def _ask(self, asked: RequestedCall, *, is_named: bool) -> None:
        self._all[asked.id] = asked
        clues: tuple[_Clue, ...] = (("id", asked.id), ("name", asked.name), _ANY)
        if not is_named:
            clues = (*clues, ("name_alone", asked.name), _ANY_ALONE)
        for clue in clues:
            self._open.setdefault(clue, OrderedDict())[self._count] = asked
        self._clues[self._count] = clues
        self._count += 1

    def _answered(self, message: ToolChatMessage) -> RequestedCall | None:
        identifier = message.get("call_id", message.get("id"))
        if identifier is not None:
            return self._closed(("id", identifier)) or self._all.get(identifier)
        name = message.get("name", "")
        # If all calls with that name are answered, it is the first open one.
        return (
            (self._closed(("name_alone", name)) or self._closed(("name", name)) if name else None)
            or self._closed(_ANY_ALONE)
            or self._closed(_ANY)
        )

    def _closed(self, clue: _Clue) -> RequestedCall | None:
        """Remove and return the first of some open calls; None if there is none."""
        some = self._open.get(clue)
        if not some:
            return None
        number, asked = next(iter(some.items()))
        for known in self._clues.pop(number):
            del self._open[known][number]
        return asked


_Clue: TypeAlias = "tuple[str, str]"  # what is known of a call, and its value
_ANY: Final[_Clue] = ("any", "")
_ANY_ALONE: Final[_Clue] = ("any_alone", "")


class ResultMatching:
    """The calls that results without a call id answer; computed on first use."""

    __slots__ = ("_asked", "_messages")

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self._messages = messages
        self._asked: list[RequestedCall | None] | None = None

    def by(self, index: int) -> RequestedCall | None:
        """Return the call that the result at `index` answers, or None if none is open."""
        if self._asked is None:
            pairing = Pairing()
            self._asked = [pairing.follow(message, place) for place, message in enumerate(self._messages)]
        return self._asked[index]


INSTRUCTIONS: Final = frozenset({"system", "developer"})
"""The roles of instructions."""


PLACEHOLDERS: Final[Mapping[str, str]] = MappingProxyType({
    "user": "(What the user sent here cannot be passed on.)",
    "tool": "(What the tool returned here cannot be passed on.)",
})  # fmt: skip
"""The text of a user message or tool result that loses all its parts: the model must neither miss it nor guess."""
EMPTY_RESULT: Final = "(The result is empty.)"
"""The text of a failed tool result without content, where the provider requires some."""


def is_emptied(message: ChatMessage, written: Any, index: int, to: Target) -> bool:
    """Tell whether an instruction lost all its parts, and report that, so that it is left out.

    A user message or a tool result is not left out: it gets a placeholder text.
    """
    if not says_nothing(written.get("content")) or "images" in written or not _has_more_than_text(message):
        return False
    if message["role"] in PLACEHOLDERS:
        written["content"] = text_for_emptied(message, index, to)
    elif message["role"] in INSTRUCTIONS:
        to.log.lost("message", to.message(index), "no part of the message can be sent there")
        return True
    return False


def text_for_emptied(message: ChatMessage, index: int, to: Target) -> str:
    """Return the placeholder text for a message that lost all its parts, empty if it is to be left out; report it."""
    content: Any = message.get("content")
    if message["role"] == "assistant" or type(content) is str or not content:
        return ""
    has_more = _has_more_than_text(message)
    if has_more and message["role"] in PLACEHOLDERS:
        return placeholder_text(message["role"], to.message(index), to.log)
    if has_more or message["role"] == "user":
        to.log.lost("message", to.message(index), "no part of the message can be sent there")
    return ""


def says_nothing(content: Any) -> bool:
    """Tell whether a content is an empty text, or only has empty texts."""
    return content == "" or (type(content) is list and all(part.get("text") == "" for part in content))


def filled_result(written: Any, message: ChatMessage, index: int, to: Target) -> Any:
    """Return the written content of a tool result, or a placeholder text if it lost all its parts; report that."""
    return written if to.home or not says_nothing(written) else text_for_emptied(message, index, to) or written


def text_of_empty_result(message: ChatMessage, index: int, to: Target) -> str:
    """Return the text of a tool result without content, for providers that require some if the call failed."""
    if not message.get("is_error"):
        return ""
    to.log.filled(f"{to.message(index)}/content", "the provider requires that a failed result has content")
    return EMPTY_RESULT


def placeholder_text(role: str, path: str, log: LossLog) -> str:
    """Return the placeholder text for a message that lost all its parts, and report it."""
    log.changed("message", path, "no part of the message can be sent there: a text that says so was put in its place")
    return PLACEHOLDERS[role]


def _has_more_than_text(message: ChatMessage) -> bool:
    content: Any = message.get("content")
    return type(content) is list and any(part["type"] != "text" for part in content)


def object_arguments(call: ToolCall, index: int, at: int, to: Target) -> dict[str, Any]:
    """Return the arguments of a call as an object; free text goes into the member `input`."""
    arguments = call["arguments"]
    if "kind" in call and call["kind"] == "custom":
        path = to.call(index, at)
        to.log.changed("arguments", f"{path}/arguments", "the text is sent as the argument input of a function")
        to.log.changed("arguments", f"{path}/kind", "it is sent as a call of a function")
        return {"input": arguments}
    if type(arguments) is not str:
        return arguments  # type: ignore[return-value]  # text or an object
    value, faithful = arguments_object(arguments)
    if not faithful:
        detail = "the arguments must be a JSON object, and this text is not exactly one"
        to.log.changed("arguments", f"{to.call(index, at)}/arguments", detail)
    return value


def write_arguments(out: dict[str, Any], name: str, arguments: Any, spelling: Mapping[str, Any]) -> None:
    """Write arguments as text, or as they came: an object, null, or absent."""
    form = spelling.get("arguments")
    if form == "object" and type(arguments) is dict:
        out[name] = arguments
    elif form == "null" and arguments == "":
        out[name] = None
    elif form != "absent" or arguments != "":
        out[name] = arguments_text(arguments)


def is_text_kept(call: Any, dialect: str, member: str) -> bool:
    """Tell whether the arguments of a call came as text, with the dialect's object member absent."""
    if type(call["arguments"]) is not str or "extra" not in call:
        return False
    return member in own_spelling(call, dialect).get("absent", ())


PARAGRAPH_BREAK: Final = "\n\n"
PLAIN_TEXT: Final = frozenset({"type", "text"})
_NAMED: Final = PLAIN_TEXT | {"extra"}


def plain_text(content: Any) -> str | None:
    """Return a content of plain texts as one text, else None."""
    if type(content) is str:
        return content
    if content is not None and all(part["type"] == "text" and len(part) == 2 for part in content):
        return "".join(part["text"] for part in content)
    return None


def with_parts(messages: list[Any], changed: Callable[[Any, str], Any]) -> list[Any]:
    """Return messages with each part of their contents changed by a function, which also gets the part's path."""
    return [
        {**message, "content": [changed(part, f"/messages/{at}/content/{place}") for place, part in enumerate(parts)]}
        if type(parts := message.get("content")) is list
        else message
        for at, message in enumerate(messages)
    ]


def content_with_text(content: Any, text: str) -> Any:
    """Return a content with a text appended, behind a blank line."""
    if not content:
        return text
    if type(content) is str:
        return f"{content}{PARAGRAPH_BREAK}{text}"
    return [*content, {"type": "text", "text": PARAGRAPH_BREAK + text}]


def is_lost(part: Any, dialect: str) -> bool:
    """Tell whether a part is opaque and of another dialect."""
    return bool(part["type"] == "opaque" and part["dialect"] != dialect)


def texts_of(said: Any, path: str, code: LossCode, detail: str, log: LossLog) -> list[tuple[str, str]]:
    """Return the texts of a text or a list of parts, with their paths; everything else is reported as lost."""
    if type(said) is str:
        return [(path, said)]
    texts: list[tuple[str, str]] = []
    for at, part in enumerate(said):
        if part["type"] == "text":
            texts.append((f"{path}/{at}", text_of_part(part, f"{path}/{at}", code, detail, log)))
        else:
            lost_members(log, part, f"{path}/{at}", code, detail)
    return texts


def text_of_part(part: Any, path: str, code: LossCode, detail: str, log: LossLog) -> str:
    """Return the text of a text part; everything else of it is reported as lost."""
    if len(part) > len(PLAIN_TEXT):
        lost_members(log, beyond(part, _NAMED), path, code, detail)
        if "extra" in part:
            report_foreign(part, None, path, log)
    text: str = part["text"]
    return text


# Defaults of a dialect: setting -> values that need not be written.
Defaults: TypeAlias = "Mapping[str, tuple[Any, ...]]"
# Values without effect: a dialect that lacks the setting does the same.
_WITHOUT_EFFECT: Final[Defaults] = MappingProxyType({
    "frequency_penalty": (0,), "presence_penalty": (0,), "repetition_penalty": (1,), "min_p": (0,), "top_k": (0, -1),
})  # fmt: skip
# Settings that have a meaning even if empty.
_MARKS: Final = frozenset({"cache", "user", "safety_identifier"})
_NOTHING: Final[tuple[Any, ...]] = ("", [], {})


def report_setting(name: str, value: Any, defaults: Defaults, log: LossLog, detail: str = "") -> None:
    """Report a setting without a place as lost, unless it is the dialect's default."""
    if name == "schema_version":
        log.changed("member", "/schema_version", "schema_version belongs to the canonical form and is not sent")
    elif not (
        value in defaults.get(name, ())
        or value in _WITHOUT_EFFECT.get(name, ())
        or (name not in _MARKS and value in _NOTHING)
    ):
        log.lost("setting", f"/{name}", detail or f"the target has no {name}")


def may_call(request: Mapping[str, Any]) -> bool:
    """Tell whether any tool may be called; if not, a limit of parallel calls is meaningless."""
    choice: Mapping[str, Any] | None = request.get("tool_choice")
    return bool(request.get("tools")) and (choice is None or choice["mode"] != "none")


def repeats_tool_name(tool: Mapping[str, Any], index: int, offered: set[str], to: Target) -> bool:
    """Tell whether a function repeats the name of an earlier one, if names must be unique.

    The first one stays; the others are lost.
    """
    if to.home or tool["type"] != "function":
        return False
    if tool["name"] in offered:
        lost_members(to.log, tool, f"/tools/{index}", "tool", "a tool of this name is offered already")
        return True
    offered.add(tool["name"])
    return False


def report_id(message: Any, path: str, log: LossLog) -> None:
    """Report the id of a message as left out; that of a tool result stands for a missing `call_id`."""
    if "id" in message and (message["role"] != "tool" or "call_id" in message):
        log.changed("local_id", f"{path}/id", "messages have no id there")


def lost_alternatives(response: Mapping[str, Any], log: LossLog) -> None:
    """Report the other answers of a response as lost, for dialects that have only one."""
    for index, answer in enumerate(response.get("alternatives", ())):
        detail = "the target has only one answer: the others were left out"
        lost_members(log, answer, f"/alternatives/{index}", "message", detail)


TOOLLESS: Final = "tool_choice needs tools"


def report_choice(choice: Mapping[str, Any] | None, log: LossLog, detail: str = TOOLLESS) -> None:
    """Report a tool choice without tools as lost, unless it is `auto` or `none`, which hold anyway."""
    if choice is not None and choice["mode"] not in {"auto", "none"}:
        log.lost("setting", "/tool_choice", detail)


def nearest_tier(tier: str, words: Mapping[str, str], nearest: Mapping[str, str], log: LossLog) -> str | None:
    """Return a dialect's word for a service tier, or the nearest one; None, and a loss, if there is none."""
    if tier in words:
        return words[tier]
    if tier in nearest:
        log.changed("setting", "/service_tier", "the target does not have this value: the nearest one is sent")
        return words[nearest[tier]]
    log.lost("setting", "/service_tier", "the target does not have this value")
    return None
