"""The descriptor: everything that the rest of the library needs to know about a dialect, exported by its room.

Descriptors and their members are named tuples, because these classes are created five times as fast as dataclasses, and
import time matters.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from interlingua.spi.demands import Demands
from interlingua.spi.marks import Marks

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DECLINED", "Descriptor", "FetchTool", "Media", "StreamForm", "Wire"]

DECLINED: Final = frozenset({"refusal", "content_filter"})
"""The finish reasons of a declined answer, which `end_words` explain: clients must not run its calls."""

Media: TypeAlias = Literal["image", "audio", "file"]
ToolKind: TypeAlias = Literal["function", "custom", "namespace"]
StreamForm: TypeAlias = Literal["sse", "ndjson", "json_array"]
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_NOTHING: Final[Mapping[str, tuple[int, Mapping[str, Any]]]] = MappingProxyType({})
_NO_ITEMS: Final[Mapping[str, tuple[str, int, Mapping[str, Any]]]] = MappingProxyType({})


class Wire(NamedTuple):
    """A dialect's stream format, and whether each SSE event is named after the `type` of its data.

    Example:
        >>> il.spi.Wire("ndjson").is_named
        False
    """

    form: StreamForm = "sse"
    is_named: bool = False


class FetchTool(NamedTuple):
    """A tool with which the provider itself fetches URLs.

    `begins`: prefixes of the tool's type, or of its only member. `wire`: the tool to send in place of another dialect's
    fetch tool; empty if only some servers of this dialect have one. `takes`: the members that it may have.

    Example:
        >>> il.spi.FetchTool(("web_fetch_",), {"type": "web_fetch_1"}).takes
        frozenset()
    """

    begins: tuple[str, ...]
    wire: Mapping[str, Any] = _NONE
    takes: frozenset[str] = frozenset()


class Descriptor(NamedTuple):
    """What the rest of the house must know of a dialect.

    `dialect`: the name that callers use, which is also its member of `extra`. `title`: the name for people.
    `messages`: the member of a request that lists its messages.
    `api_versions`: the versions that `api_version=` takes, the newest first; empty where there is one only.
    `wire`: how it streams.
    `media`: what a message of a user may hold beside texts; None where that is not said.
    `pictures_of_user`: whether only messages of the user hold pictures: those of the assistant are sent in them.
    `demands`: what it demands of a conversation.
    `model_member`: the member of a request's body that names the model, where one does.
    `names_model`: whether its answers have a place for the name of the model.
    `signed_state`: the member of `extra.<dialect>` that may cover the words of a thought, so that nobody may edit them.
    `hides_reasoning`: whether that member may also be a thought of which no text can be read.
    `placed_state`: the member of `extra.<dialect>` that is a list of state, each with its place in the message as `at`.
    `opaque_calls`: whether `extra.<dialect>.opaque_calls` may hold calls of a type that only the dialect knows.
    `remembers_calls`: whether its server remembers calls that a request need not repeat.
    `tools`: which kinds of tools it takes beside its own: what is not among them is lowered to functions abroad.
    `call_group`: the member of `extra.<dialect>` of a call that names the group of its tool.
    `chooses_served`: whether a choice may name a tool that the provider runs: web search, code execution.
    `fetch_tool`: the tool with which its provider reads pages, which is offered where one of another dialect is.
    `names_servers`: whether its requests may name servers of MCP that its provider asks itself; its room then has
    `servers_of` and `without_servers`. Our own rooms alone.
    `takes_servers`: whether it takes those that others name as tools; its room has `tool_of_server` then. Likewise.
    `wraps_results`: whether its clients put the text of a result into an object; its room takes it out, for others, in
    `with_results_unwrapped`. Our own rooms alone.
    `client_tools`: whether its room has `function_of_client_tool`, which gives the function that stands for one of the
    provider's tools that the client runs, and the members of the tool that it cannot say.
    `call_tool`: the member of `extra.<dialect>` of a call that names such a tool, where these are called by items of
    their own; its room has `message_of_client_item` for them, which is given such an item and the types of the tools
    that are offered, `tools_of_item`, which gives the tools that an item brings, and `whole_item`, which gives the item
    that a frame of a stream tells whole; it writes a call with that member as an item again. It may have
    `is_of_client_call`, which tells whether a frame only begins such an item.
    `call_spellings`: where a tool may be declared in an older way, by the word of its `spelling.tool`: the word of
    `spelling.call` by which its clients look for its calls, which is the word for such an end of an answer, too.
    `usage_on_request`: whether a stream says what it cost only where the request asks.
    `reasoning_member`: the member in which its answers show reasoning by habit, where clients look in others, too.
    `carries_state`: whether its messages have a place for what other providers signed, which its clients send back.
    `seals_state`: whether that place is where its own provider's signatures stand; its room has `with_carried_state`
    and `CarriedInStream` for answers, `with_own_state` and `without_carried_state` for requests. Our own rooms alone.
    `thinks_if_asked`: whether its clients hear of thoughts only where they ask for thinking.
    `state_on_request`: whether an answer brings what its provider encrypts only where the request asks for it; its room
    asks where `extra.<dialect>.spelling.state` of a request is "carried".
    `request_id_header`: the header, in lower case, with which its server names a request; empty where it has none.
    `rate_limit_headers`: how the headers of its rate limits are named, with `{fact}` (limit, remaining) and `{scope}`
    (requests, tokens) in their places; empty where it has none.
    `held_by_server`: the members of a request that refer to what only a server of the provider holds (an earlier
    answer, a stored prompt), each with the status and the body of the error of a server that does not hold it.
    `held_items`: the types of messages that refer so, each with how the ids of those begin that nobody else would read
    anyhow, and with status and error.
    `marks`: what tells its stored rows from those of others. Only our own dialects' are looked at: to install a package
    must not change how stored rows are read. Rows of other dialects are read where the caller names it.
    `aside`: how a text of the instructions begins that its clients write for its provider's books; no model needs it.
    `told_parts`: the parts of messages that no other dialect has, and whose words others are told as text: the type of
    each, and the member that holds the words.
    `tells_opaque`: whether its room has `texts_of_opaque`, which is given the data of opaque parts and messages of a
    conversation, in order, and gives the text of each for other dialects, or None.
    `end_words`: where `extra.<dialect>` of an answer says in words why it was refused or blocked, which others are told
    as a refusal: the steps to each place.
    `enforces_schemas`: whether it holds an answer to the schema of a request that does not say `strict`.
    `strict_schemas`: whether it does so only where a request says `strict`, and takes such schemas as OpenAI does.
    `fails_silently`: whether it has no word for an answer that failed, whose text then tells it to its clients.
    `explains_failures`: whether an answer that failed says why in the `message` of its member `error`.
    `in_pieces`: whether its clients keep an answer that they heard in pieces as one message a piece.
    `also_called`: other words for it, to tell who writes one of them what the dialect is called here.

    Example:
        >>> il.spi.Descriptor("parley", "Parley", messages="lines").wire.form
        'sse'
    """

    dialect: str
    title: str
    messages: str = "messages"
    api_versions: tuple[str, ...] = ()
    wire: Wire = Wire()
    media: frozenset[Media] | None = None
    pictures_of_user: bool = False
    demands: Demands = Demands()
    model_member: str = "model"
    names_model: bool = True
    signed_state: str | None = None
    hides_reasoning: bool = False
    placed_state: str | None = None
    opaque_calls: bool = False
    remembers_calls: bool = False
    tools: frozenset[ToolKind] = frozenset({"function"})
    call_group: str | None = None
    chooses_served: bool = False
    client_tools: bool = False
    call_tool: str | None = None
    call_spellings: Mapping[str, str] = _NONE
    usage_on_request: bool = False
    reasoning_member: str = ""
    carries_state: bool = False
    seals_state: bool = False
    thinks_if_asked: bool = False
    state_on_request: bool = False
    request_id_header: str = ""
    rate_limit_headers: str = ""
    held_by_server: Mapping[str, tuple[int, Mapping[str, Any]]] = _NOTHING
    held_items: Mapping[str, tuple[str, int, Mapping[str, Any]]] = _NO_ITEMS
    marks: Marks = Marks()
    aside: str = ""
    told_parts: Mapping[str, str] = _NONE
    end_words: tuple[tuple[str, ...], ...] = ()
    in_pieces: bool = False
    also_called: tuple[str, ...] = ()
    fetch_tool: FetchTool | None = None
    names_servers: bool = False
    takes_servers: bool = False
    wraps_results: bool = False
    enforces_schemas: bool = False
    strict_schemas: bool = False
    fails_silently: bool = False
    explains_failures: bool = False
    tells_opaque: bool = False
