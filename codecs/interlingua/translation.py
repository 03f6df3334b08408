"""Translates bodies between dialects, wire to wire. Builds no models and imports none.

Rooms work on plain canonical JSON (docs/design.md, section 2); `interlingua.codec` runs the same code for models.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.argument_checks import check_exchange
from interlingua.billing_line import without_billing_line
from interlingua.carried_signatures import with_own_state
from interlingua.errors import DecodeError
from interlingua.json_types import is_object
from interlingua.loss import Encoded, LossLog, enforce
from interlingua.newer_members import lost_newer_members
from interlingua.profiles import AUTO, family_of_body, family_of_request
from interlingua.registry import check_api_version, known_descriptor, room
from interlingua.response_options import REASONING_CONTENT, ResponseOptions, with_response_options
from interlingua.rooms._shared.assistant_pictures import with_pictures_of_user
from interlingua.spi.descriptor import DECLINED
from interlingua.tool_arguments import UnwritableError
from interlingua.unique_call_ids import with_unique_call_ids
from interlingua.unsaid_settings import without_unsaid_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interlingua.carried_signatures import OwnState
    from interlingua.client_tools import RequestWithFunctions
    from interlingua.exchange import Exchange
    from interlingua.loss_types import Strict
    from interlingua.model_shapes import ChatRequest, ChatResponse
    from interlingua.registry import Dialect
    from interlingua.response_options import ReasoningMember
    from interlingua.restoration import OwnTool
    from interlingua.spi.descriptor import Descriptor
    from interlingua.spi.families import Family
    from interlingua.spi.room import Room

__all__ = [
    "decode_canonical_request",
    "decode_canonical_response",
    "encode_canonical_request",
    "encode_canonical_response",
    "translate_request",
    "translate_response",
]

_DEFAULT_OPTIONS: Final = ResponseOptions()
_KINDS: Final = frozenset({"function", "custom", "namespace"})
_NONE: Final[frozenset[str]] = frozenset()
_EXPLAINED: Final = DECLINED | {"error"}  # reasons that words beside an answer explain
_NAMING: Final = frozenset({"named", "subset"})  # modes of choices that name tools


def translate_request(  # noqa: PLR0913  # options, all but three keyword-only
    body: dict[str, Any],
    source: Dialect,
    target: Dialect,
    *,
    strict: Strict = False,
    model: str | None = None,
    defaults: Mapping[str, Any] | None = None,
    api_version: str | None = None,
    profile: str | None = AUTO,
    copy: bool = False,
) -> Encoded:
    """Return a request body translated to another dialect, together with its losses. Builds no model.

    The new body may share objects with `body`; with `copy` it does not, so that it may be changed. Options and errors
    are those of `decode_request` and `encode_request`.

    Args:
        body: The wire body: a JSON object as `json.loads` returns it.
        source: The dialect to translate from.
        target: The dialect to translate to.
        strict: What must not be lost: False (no check), True, "all", or a set of concerns.
        model: The model name to write; None keeps the request's.
        defaults: Values for canonical members that the request does not set.
        api_version: The API version to write for; None means verbatim at home and the newest abroad.
        profile: The model family to write for: "auto", a name, or None.
        copy: Whether to return a body that shares no objects with the input.

    Example:
        >>> body = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "Hi"}]}
        >>> encoded = il.translate_request(body, "openai_chat", "claude", model="claude-opus-5")
        >>> encoded.body["messages"]
        [{'role': 'user', 'content': 'Hi'}]
        >>> [(loss.severity, loss.path) for loss in encoded.losses]
        [('filled', '/max_tokens')]
    """
    canonical = decode_canonical_request(body, source)
    encoded = encode_canonical_request(canonical, target, strict, model, defaults, api_version, profile=profile)
    return encoded.copied() if copy else encoded


def translate_response(  # noqa: PLR0913  # options, all but three keyword-only
    body: dict[str, Any],
    source: Dialect,
    target: Dialect,
    *,
    strict: Strict = False,
    exchange: Exchange | None = None,
    input_tokens: int | None = None,
    reasoning_member: ReasoningMember = REASONING_CONTENT,
    carry_state: bool = False,
    copy: bool = False,
) -> Encoded:
    """Return a response body translated to another dialect, together with its losses. Builds no model.

    The new body may share objects with `body`; with `copy` it does not, so that it may be changed. Options and errors
    are those of `decode_response` and `encode_response`; `target` is the client's dialect.

    Args:
        body: The wire body: a JSON object as `json.loads` returns it.
        source: The dialect to translate from.
        target: The dialect to translate to.
        strict: What must not be lost: False (no check), True, "all", or a set of concerns.
        exchange: The exchange that this is the answer to; it restores the client's own tool and model names.
        input_tokens: The prompt's token count, used where the answer does not report it.
        reasoning_member: The Chat Completions member that shows another dialect's reasoning; None shows none.
        carry_state: Whether to give the client the provider's signatures, where it can keep them and send them back.
        copy: Whether to return a body that shares no objects with the input.

    Example:
        >>> message = {"role": "assistant", "content": "Hello"}
        >>> answer = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        >>> il.translate_response(answer, "openai_chat", "gemini").body["candidates"][0]["content"]
        {'role': 'model', 'parts': [{'text': 'Hello'}]}
    """
    canonical = decode_canonical_response(body, source)
    if source != target and (canonical.get("finish_reason", "error") == "error" or body.get("error")):
        from interlingua.error_translation import refuse_failed  # noqa: PLC0415  # few responses failed

        refuse_failed(body, source, canonical)
    encoded = encode_canonical_response(
        canonical,
        target,
        strict=strict,
        exchange=exchange,
        input_tokens=input_tokens,
        options=ResponseOptions(reasoning_member, carry_state),
    )
    return encoded.copied() if copy else encoded


def decode_canonical_request(body: Any, dialect: str) -> ChatRequest:
    """Return the canonical request of a wire body. Raises `DecodeError`."""
    try:
        return room(dialect).decode_request(body)
    except (RecursionError, TypeError, AttributeError) as error:
        from interlingua.json_limits import undecodable  # noqa: PLC0415  # needed only for errors

        raise undecodable(body, dialect, error) from None
    except DecodeError as error:
        from interlingua.detection import with_detected_kind  # noqa: PLC0415  # needed only for errors

        raise with_detected_kind(error, body, "request") from None


def decode_canonical_response(body: Any, dialect: str) -> ChatResponse:
    """Return the canonical response of a wire body. Raises `DecodeError`."""
    try:
        return room(dialect).decode_response(body)
    except (RecursionError, TypeError, AttributeError) as error:
        from interlingua.json_limits import undecodable  # noqa: PLC0415  # needed only for errors

        raise undecodable(body, dialect, error) from None
    except DecodeError as error:
        from interlingua.detection import with_detected_kind  # noqa: PLC0415  # needed only for errors
        from interlingua.error_translation import IS_ERROR, is_error_body  # noqa: PLC0415  # needed only for errors

        if not is_error_body(body, dialect):
            raise with_detected_kind(error, body, "response") from None
        reason = f"{error.reason}; {IS_ERROR}"
        raise DecodeError(
            dialect, error.path, reason, error.partial, looks_like="error", looks_like_dialect=dialect
        ) from None


def encode_canonical_response(
    canonical: ChatResponse,
    dialect: str,
    *,
    strict: Strict,
    exchange: Exchange | None = None,
    input_tokens: int | None = None,
    options: ResponseOptions = _DEFAULT_OPTIONS,
) -> Encoded:
    """Return the wire body of a valid canonical response; options as in `encode_response`."""
    check_exchange(exchange)
    speaker = room(dialect)
    restoration = None if exchange is None else exchange.restoration
    log = LossLog(is_answer=True)
    if restoration is not None:
        log = LossLog(restoration.own_names, is_answer=True, asked=restoration.asked)
    options = options.chosen(exchange)
    called = None
    lost_newer_members(log, "ChatResponse", canonical, speaker.DESCRIPTOR.newer_members)
    held, types = _contents(canonical["messages"])
    if "opaque" in held and any(
        message["role"] == "opaque" and message["dialect"] != dialect for message in canonical["messages"]
    ):
        from interlingua.client_tools import with_calls_of_client_tools  # noqa: PLC0415  # few answers have such calls

        called = LossLog(is_answer=True)
        canonical = with_calls_of_client_tools(canonical, dialect, called)
        held, types = _contents(canonical["messages"])
    if canonical.get("dialect") != dialect:
        canonical = _with_contents_fitted(canonical, held, types, dialect, log)
    if "opaque" in types or "alternatives" in canonical:
        canonical = _with_paragraph_breaks(canonical, dialect)
    if options != _DEFAULT_OPTIONS:
        canonical = with_response_options(canonical, dialect, options)
    if exchange is not None or input_tokens is not None:
        from interlingua.restoration import restored_response  # noqa: PLC0415  # not needed for a plain response

        canonical = restored_response(canonical, restoration, input_tokens)
    if called is not None:
        called.move(log, str)
    if canonical.get("dialect") != dialect:
        if "alternatives" in canonical and "dialect" in canonical:
            from interlingua.split_answers import with_calls_of_other_choice  # noqa: PLC0415  # few have alternatives

            canonical = with_calls_of_other_choice(canonical, dialect, log)
        canonical = with_unique_call_ids(canonical, log)
    try:
        body = speaker.encode_response(canonical, log)
    except (UnwritableError, RecursionError, OverflowError, TypeError, AttributeError) as error:
        from interlingua.json_limits import unencodable  # noqa: PLC0415  # needed only for errors

        raise unencodable(canonical, dialect, error) from None
    if strict is not False:
        enforce(log.losses(), strict=strict)
    return Encoded(body, log)


def encode_canonical_request(
    canonical: ChatRequest,
    dialect: str,
    strict: Strict,  # passed on from a keyword argument
    model: str | None,
    defaults: Mapping[str, Any] | None,
    api_version: str | None,
    *,
    profile: str | None = AUTO,
    tools: dict[str, OwnTool] | None = None,
) -> Encoded:
    """Return the wire body of a valid canonical request; options as in `translate_request`.

    `tools` receives the original tools of those that were lowered to functions, by function name.
    """
    speaker = room(dialect)
    if api_version is not None:
        check_api_version(dialect, api_version)
    if defaults or model is not None:
        canonical = completed(canonical, dialect, model, defaults or {})
    log = LossLog()
    family = fitted = None
    try:
        if canonical.get("dialect") != dialect:
            source = known_descriptor(canonical.get("dialect", ""))
            fitted = _with_messages_fitted(canonical, source, speaker.DESCRIPTOR, log)
            canonical = _with_settings_fitted(fitted.request, source, speaker.DESCRIPTOR, log)
            family = family_of_request(speaker, profile, canonical.get("model"), log, is_given=model is not None)
            canonical = _fitted_to_family(canonical, source, speaker, family, fitted, log)
        else:
            lost_newer_members(log, "ChatRequest", canonical, speaker.DESCRIPTOR.newer_members)
            if profile not in {AUTO, None}:
                family_of_body(speaker, profile, canonical)  # an unknown name is an error at home, too
        written = log if fitted is None else fitted.log
        if fitted is not None and (missing := _missing_tools(canonical, fitted.held, speaker, family)):
            body = _encode_lowered(canonical, missing, speaker, written, api_version, family, tools=tools)
        else:
            body = speaker.encode_request(canonical, written, api_version, family)
    except (UnwritableError, RecursionError, OverflowError, TypeError, AttributeError) as error:
        from interlingua.json_limits import unencodable  # noqa: PLC0415  # needed only for errors

        raise unencodable(canonical, dialect, error) from None
    log = log if fitted is None else fitted.relocated(log, tools)
    if strict is not False:
        enforce(log.losses(), strict=strict)
    return Encoded(body, log)


class _FittedMessages(NamedTuple):
    """A request with messages as another dialect can have them, and what is needed to report its losses.

    `log` has the paths of this request; `held` are the roles and members of its messages, `types` its types of parts.
    """

    request: ChatRequest
    log: LossLog
    held: set[str]
    types: set[str]
    signed: OwnState | None
    with_functions: RequestWithFunctions | None

    def relocated(self, log: LossLog, tools: dict[str, OwnTool] | None) -> LossLog:
        """Return a log of all losses whose paths lead into the original request, and add to `tools`."""
        if self.with_functions is not None:
            self.with_functions.relocate(self.log, log)
            if tools is not None:
                tools.update(self.with_functions.tools)
        return log if self.signed is None else self.signed.relocated(log)


def _with_messages_fitted(
    given: ChatRequest, source: Descriptor | None, target: Descriptor, log: LossLog
) -> _FittedMessages:
    """Return a request without what only its own dialect has in messages; what is changed is reported to the log."""
    held, types = _contents(given["messages"])
    signed = with_own_state(given, log) if "extra" in held else None
    canonical = given if signed is None else signed.request
    lost_newer_members(log, "ChatRequest", canonical, target.newer_members)
    if "tool" in held:
        canonical = _with_results_linked(canonical, target.dialect, log)
    with_functions = None
    if "opaque" in held or ("tools" in canonical and "opaque" in [tool["type"] for tool in canonical["tools"]]):
        from interlingua.client_tools import with_functions_for_client_tools  # noqa: PLC0415  # few requests have such tools

        with_functions = with_functions_for_client_tools(canonical, target.dialect, log)
    if with_functions is not None:
        canonical, log = with_functions.request, LossLog()
    if canonical is not given:
        held, types = _contents(canonical["messages"])
    if "audio" in types or "opaque" in held or "opaque" in types:
        canonical = _with_parts_as_text(canonical, types, target.dialect, log)
    if source is not None:
        canonical = without_billing_line(canonical, source.aside, log) if source.aside else canonical
        canonical = _with_fragments_joined(canonical, log) if source.in_pieces else canonical
    return _FittedMessages(canonical, log, held, types, signed, with_functions)


def _fitted_to_family(
    canonical: ChatRequest,
    source: Descriptor | None,
    speaker: Room,
    family: Family | None,
    fitted: _FittedMessages,
    log: LossLog,
) -> ChatRequest:
    """Return a request with the settings and images that the target has, and its source means, without saying so."""
    if canonical.get("stream") is True:
        canonical = _requesting_usage(canonical, source, speaker, family, log)
    if "response_format" in canonical:
        canonical = _with_strict_format(canonical, source, speaker.DESCRIPTOR, family, log)
    if "image" in fitted.types and speaker.DESCRIPTOR.pictures_of_user:
        facts: Mapping[str, Any] = {} if family is None else family.facts
        canonical = with_pictures_of_user(canonical, speaker.DESCRIPTOR.dialect, facts, fitted.log)
    return canonical


def completed(canonical: ChatRequest, dialect: str, model: str | None, defaults: Mapping[str, Any]) -> ChatRequest:
    """Return the request with absent members filled and the model replaced."""
    if not defaults and type(model) is str:
        return cast("ChatRequest", {**canonical, "model": model})
    from interlingua.canonical_input import completed_request  # noqa: PLC0415  # only callers' values are validated

    return cast("ChatRequest", completed_request(canonical, dialect, model, defaults))


def _contents(messages: Iterable[Any]) -> tuple[set[str], set[str]]:
    """Return all roles and member names of messages, and all types of their parts: steps are taken only for those."""
    held: set[str] = set()
    types: set[str] = set()
    for message in messages:
        held.update(message)
        held.add(message["role"])
        if type(message.get("content")) is list:
            types.update([part["type"] for part in message["content"]])
    return held, types


def _with_results_linked(canonical: ChatRequest, dialect: str, log: LossLog) -> ChatRequest:
    """Return a request whose results answer calls, without the objects around them; orphans become user text."""
    messages: list[Any] = canonical["messages"]
    for owner in dict.fromkeys(
        owner for message in messages if message["role"] == "tool" for owner in message.get("extra", _NONE)
    ):
        if owner != dialect and (known := known_descriptor(owner)) is not None and known.wraps_results:
            speaker: Any = room(owner)
            canonical = speaker.with_results_unwrapped(canonical, log)
    ids = {call.get("id") for message in messages if "tool_calls" in message for call in message["tool_calls"]}
    results = [message for message in messages if message["role"] == "tool"]
    if None in ids or "" in ids.union(result.get(name) for result in results for name in ("call_id", "name")):
        from interlingua.rooms._shared.unknown_result_ids import without_unknown_result_ids  # noqa: PLC0415  # few calls have none

        canonical = without_unknown_result_ids(canonical, log)
    if False in {"call_id" in message for message in canonical["messages"] if message["role"] == "tool"}:
        from interlingua.rooms._shared.calls_as_text import with_orphan_results_as_text  # noqa: PLC0415  # few have such results

        canonical = with_orphan_results_as_text(canonical, log)
    return canonical


def _with_parts_as_text(canonical: ChatRequest, types: set[str], dialect: str, log: LossLog) -> ChatRequest:
    """Return a request with texts in place of parts and messages that only their own dialect has."""
    if "audio" in types:
        from interlingua.rooms._shared.spoken_answers import with_transcripts_as_text  # noqa: PLC0415  # few have audio

        messages = with_transcripts_as_text([*canonical["messages"]], dialect, log)
        canonical = cast("ChatRequest", {**canonical, "messages": messages})
    from interlingua.opaque_as_text import with_opaque_as_text  # noqa: PLC0415  # few requests have such parts

    return with_opaque_as_text(canonical, dialect, log)


def _with_contents_fitted(
    canonical: ChatResponse, held: set[str], types: set[str], dialect: str, log: LossLog
) -> ChatResponse:
    """Return a response with its texts, calls and failure as another dialect can say them."""
    if "extra" in held and any(map(_has_blocks, canonical["messages"])):
        from interlingua.rooms._shared.claude_signatures import answer_with_gateway_blocks  # noqa: PLC0415  # few have it

        canonical = answer_with_gateway_blocks(canonical)
    if "tool" in held:
        from interlingua.rooms._shared.completed_calls import without_completed_calls  # noqa: PLC0415  # few answers hold results

        canonical = without_completed_calls(canonical, log)
    if ("audio" in types or "alternatives" in canonical) and not room(dialect).DESCRIPTOR.spoken_answers:
        from interlingua.rooms._shared.spoken_answers import answer_with_transcripts  # noqa: PLC0415  # few have audio

        canonical = cast("ChatResponse", answer_with_transcripts(canonical, dialect, log))
    if "alternatives" in canonical or canonical.get("finish_reason") in _EXPLAINED:
        canonical = _with_failure_text(canonical, dialect)
    return _with_texts_joined(canonical, log) if types or "tool" in held else canonical


def _with_failure_text(canonical: ChatResponse, dialect: str) -> ChatResponse:
    """Return a response with a text that says why it was refused or failed, if its own dialect says so elsewhere."""
    ends = {answer.get("finish_reason") for answer in _answers(canonical)}
    if ends.isdisjoint(_EXPLAINED):
        return canonical
    own = canonical.get("dialect", "")
    source = known_descriptor(own)
    ways = () if source is None else source.end_words
    target = room(dialect).DESCRIPTOR
    failed = "error" in ends and (target.fails_silently or target.explains_failures)
    if not (ways or failed):
        return canonical
    from interlingua.rooms._shared.finish_messages import with_failure_text, with_refusal_text  # noqa: PLC0415  # few end so

    said = with_failure_text(canonical, own, ways, target) if failed else canonical
    return cast("ChatResponse", with_refusal_text(said, own, ways))


def _with_paragraph_breaks(canonical: ChatResponse, dialect: str) -> ChatResponse:
    """Return a response with a blank line between texts where a part between them is lost."""
    answers = _answers(canonical)
    if not any("opaque" in _contents(answer["messages"])[1] for answer in answers):
        return canonical
    from interlingua.rooms._shared.paragraph_breaks import with_paragraph_breaks  # noqa: PLC0415  # few messages have such parts

    apart: list[Any] = [
        {**answer, "messages": with_paragraph_breaks(answer["messages"], dialect)} for answer in answers
    ]
    return cast("ChatResponse", {**apart[0], **({"alternatives": apart[1:]} if apart[1:] else {})})


def _with_texts_joined(canonical: ChatResponse, log: LossLog) -> ChatResponse:
    """Return a response for another dialect with each text as one part, and its citations attached to it."""
    messages: list[Any] = canonical["messages"]
    if not any(type(message.get("content")) is list and len(message["content"]) > 1 for message in messages):
        return canonical
    from interlingua.rooms._shared.texts_joined import is_said_apart, with_texts_joined  # noqa: PLC0415  # few answers

    if not any(map(is_said_apart, messages)):
        return canonical
    return cast("ChatResponse", {**canonical, "messages": with_texts_joined(messages, log)})


def _answers(canonical: Any) -> list[Any]:
    """Return a response, and its alternatives."""
    return [canonical, *canonical.get("alternatives", ())]


def _has_blocks(message: Any) -> bool:
    """Tell whether a message has `thinking_blocks`, in which gateways pass on Claude's blocks in Chat Completions."""
    bags: Any = message["extra"].values() if "extra" in message else ()
    for bag in bags:
        fields = bag.get("fields") if is_object(bag) else None
        if is_object(fields) and "thinking_blocks" in fields:
            return True
    return False


def _with_settings_fitted(
    canonical: ChatRequest, source: Descriptor | None, target: Descriptor, log: LossLog
) -> ChatRequest:
    """Return a request without a choice of lost tools and without empty settings, and with the target's own tools."""
    if "tool_choice" in canonical and canonical["tool_choice"]["mode"] in _NAMING:
        from interlingua.tool_choices import without_lost_choice  # noqa: PLC0415  # few choices name a tool

        canonical = without_lost_choice(canonical, target, log)
    if source is not None and source.tool_examples and any("extra" in tool for tool in canonical.get("tools", ())):
        from interlingua.tool_examples import with_examples_in_descriptions  # noqa: PLC0415  # few tools have examples

        canonical = with_examples_in_descriptions(canonical, source, log)
    canonical = without_unsaid_settings(canonical, log)
    return _with_server_tools(canonical, source, target, log)


def _with_server_tools(
    canonical: ChatRequest, source: Descriptor | None, target: Descriptor, log: LossLog
) -> ChatRequest:
    """Return a request with the target's own server tools in place of another provider's."""
    takes = source is not None and source.names_servers and target.takes_servers
    tools = canonical.get("tools", ()) if takes or target.fetch_tool is not None else ()
    if "opaque" not in [tool["type"] for tool in tools] and not (takes and "extra" in canonical):
        return canonical  # nearly always
    from interlingua.mcp_tools import with_served_tools  # noqa: PLC0415  # few requests have such tools

    return with_served_tools(canonical, source, target, log)


def _with_fragments_joined(canonical: ChatRequest, log: LossLog) -> ChatRequest:
    """Return a request in which answers that clients of its dialect store as fragments are joined."""
    if not any(one["role"] == other["role"] == "assistant" for one, other in pairwise(canonical["messages"])):
        return canonical
    from interlingua.answer_fragments import join_fragments  # noqa: PLC0415  # few requests have such answers

    return join_fragments(canonical, canonical.get("dialect", ""), log)


def _requesting_usage(
    canonical: ChatRequest, source: Descriptor | None, speaker: Room, family: Family | None, log: LossLog
) -> ChatRequest:
    """Return a request that asks for usage in its stream, if the source always sends it and the target does not."""
    if "stream_usage" in canonical or "dialect" not in canonical or (source is not None and source.usage_on_request):
        return canonical
    if not speaker.DESCRIPTOR.usage_on_request or (family is not None and "stream_usage" in family.facts):
        return canonical
    log.filled("/stream_usage", "a stream has usage only where the request asks for it")
    return {**canonical, "stream_usage": True}


def _with_strict_format(
    canonical: ChatRequest, source: Descriptor | None, target: Descriptor, family: Family | None, log: LossLog
) -> ChatRequest:
    """Return a request with a strict response format, if the source enforces any schema and the target strict ones."""
    if source is None or not (source.enforces_schemas and target.strict_schemas):
        return canonical
    from interlingua.rooms._shared.strict_schemas import with_strict_format  # noqa: PLC0415  # few requests have a schema

    return with_strict_format(canonical, {} if family is None else family.facts, log)


_REFUSED_KINDS: Final = {"custom_tools": "custom", "namespace_tools": "namespace"}
"""Facts of a family that say that it does not accept a kind of tool, and that kind."""


def _missing_tools(canonical: ChatRequest, held: set[str], speaker: Room, family: Family | None) -> frozenset[str]:
    """Return the kinds of tools that dialect or family do not accept, if the request has one of them."""
    found: set[str] = {tool["type"] for tool in canonical["tools"]} if "tools" in canonical else set()
    if "tool_calls" in held:
        messages: list[Any] = [one for one in canonical["messages"] if one["role"] == "assistant"]
        calls: list[Any] = [call for message in messages for call in message.get("tool_calls", ())]
        members = set[str]().union(*calls)
        if "kind" in members:
            found.update(call["kind"] for call in calls if "kind" in call)
        if "extra" in members:  # it may name the namespace of its tool
            found.add("namespace")
    if "kind" in canonical.get("tool_choice", _NONE):
        found.add("custom")
    if not found:
        return _NONE
    facts = _NONE if family is None else family.facts
    missing = _KINDS - speaker.DESCRIPTOR.tools | {kind for fact, kind in _REFUSED_KINDS.items() if fact in facts}
    return _NONE if found.isdisjoint(missing) else missing


def _encode_lowered(
    canonical: ChatRequest,
    missing: frozenset[str],
    speaker: Room,
    log: LossLog,
    api_version: str | None,
    family: Family | None,
    *,
    tools: dict[str, OwnTool] | None,
) -> dict[str, Any]:
    """Return the wire body of a request, with functions in place of tools of the missing kinds."""
    from interlingua.tool_lowering import lower_tools  # noqa: PLC0415  # few requests have such tools

    plain = lower_tools(canonical, missing, log)
    written = LossLog()
    body = speaker.encode_request(plain.request, written, api_version, family)
    plain.relocate(written, log)
    if tools is not None:
        tools.update(plain.tools)
    return body
