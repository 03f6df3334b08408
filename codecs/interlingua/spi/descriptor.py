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
    """What the rest of the library must know about a dialect.

    `dialect`: the name that callers use, which is also its member of `extra`. `title`: the name for people.
    `messages`: the member of a request that lists its messages.
    `api_versions`: the versions that `api_version=` accepts, newest first; empty if there is only one.
    `wire`: how it streams.
    `media`: what a user message may hold besides text; None if unknown.
    `pictures_of_user`: whether only user messages can hold pictures: those of the assistant are moved to one.
    `demands`: what it requires of a conversation.
    `model_member`: the member of a request body that names the model, if there is one.
    `names_model`: whether its responses have a member for the name of the model.
    `signed_state`: the member of `extra.<dialect>` that may sign the text of reasoning, which must then not be edited.
    `hides_reasoning`: whether that member may also be reasoning without readable text.
    `placed_state`: the member of `extra.<dialect>` that is a list of state, each with its place in the message as `at`.
    `opaque_calls`: whether `extra.<dialect>.opaque_calls` may hold calls of a type that only the dialect knows.
    `remembers_calls`: whether its server remembers calls, so that a request need not repeat them.
    `tools`: the kinds of tools that it accepts besides its own; other kinds are sent to it as functions.
    `call_group`: the member of `extra.<dialect>` of a call that names the namespace of its tool.
    `chooses_served`: whether a tool choice may name a tool that the provider runs: web search, code execution.
    `fetch_tool`: the tool with which its provider fetches URLs; it replaces that of another dialect.
    `names_servers`: whether its requests may name MCP servers that its provider connects to itself; its room then has
    `servers_of` and `without_servers`. Built-in rooms only.
    `takes_servers`: whether it accepts such servers as tools; its room then has `tool_of_server`. Built-in rooms only.
    `wraps_results`: whether its clients put the text of a tool result into an object; its room then has
    `with_results_unwrapped`, which takes it out for other dialects. Built-in rooms only.
    `client_tools`: whether its room has `function_of_client_tool`, which returns the function that replaces a provider
    tool run by the client, and the members of the tool that a function does not have.
    `call_tool`: the member of `extra.<dialect>` of a call that names such a tool, if these tools are called by separate
    items. Its room then has `message_of_client_item`, which is given such an item and the types of the offered tools;
    `tools_of_item`, which returns the tools that an item adds; and `whole_item`, which returns the item that a stream
    frame completes. It writes a call with that member as an item again. It may have `is_of_client_call`, which returns
    whether a frame only begins such an item.
    `call_spellings`: where a tool may be declared in an older form, by the word of its `spelling.tool`: the word of
    `spelling.call` of its calls, which is also the finish reason for them.
    `usage_on_request`: whether a stream reports its usage only if the request asks for it.
    `reasoning_member`: the usual member for reasoning in its responses, if clients also read others.
    `carries_state`: whether its messages have a place for signatures of other providers, which its clients send back.
    `seals_state`: whether that place is the one for its own provider's signatures; its room then has
    `with_carried_state` and `CarriedInStream` for responses, `with_own_state` and `without_carried_state` for requests.
    Built-in rooms only.
    `thinks_if_asked`: whether its clients get reasoning only if they request thinking.
    `state_on_request`: whether a response has encrypted state only if the request asks for it; its room asks if
    `extra.<dialect>.spelling.state` of a request is "carried".
    `request_id_header`: the header, in lower case, in which its server names a request; empty if there is none.
    `rate_limit_headers`: the names of its rate limit headers, with `{fact}` (limit, remaining) and `{scope}` (requests,
    tokens) in their places; empty if there are none.
    `held_by_server`: the members of a request that refer to state on the provider's server (an earlier response, a
    stored prompt), each with the status and the error body of a server without that state.
    `held_items`: the types of messages that refer to such state, each with the prefix of the ids that no other dialect
    would read anyway, and with status and error.
    `marks`: how its stored rows are detected. Only those of built-in dialects are used: installing a package must not
    change how stored rows are read. Rows of other dialects are read if the caller names the dialect.
    `aside`: the prefix of an instruction text that its clients write for their provider's billing.
    `told_parts`: the parts of messages that no other dialect has, and that become text there: the type of each, and the
    member that holds the text.
    `splits_texts`: whether its streams may split a text where a signature begins; other dialects get one text.
    `tells_opaque`: whether its room has `texts_of_opaque`, which is given the data of opaque parts and messages of a
    conversation, in order, and returns the text of each for other dialects, or None.
    `spoken_answers`: whether an answer can have audio; other dialects get its transcript.
    `end_words`: where `extra.<dialect>` of a response says in words why it was refused or blocked, which becomes a
    refusal in other dialects: the steps to each place.
    `enforces_schemas`: whether it enforces the schema of a response format that is not `strict`.
    `strict_schemas`: whether it enforces only `strict` schemas, which must be as OpenAI accepts them.
    `tool_examples`: the member of a function with examples of its input; other dialects get them in its description.
    `unfinished`: the words in `status` of a response on which the provider still works, without anyone waiting for it.
    `fails_silently`: whether it has no finish reason for a failed response, so that a text reports it to its clients.
    `explains_failures`: whether a failed response has the reason in the `message` of its member `error`.
    `in_pieces`: whether its clients store a streamed response as one message per chunk.
    `newer_members`: the members of the canonical form that its room writes, or reports as lost itself, among those that
    version 3 of the schema does not have, such as `TextPart.language`; all others of them are reported for it.
    `also_called`: other names for it, which errors mention to callers who use one of them.

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
    unfinished: tuple[str, ...] = ()
    tool_examples: str = ""
    explains_failures: bool = False
    splits_texts: bool = False
    tells_opaque: bool = False
    spoken_answers: bool = False
    newer_members: frozenset[str] = frozenset()
