"""Repairs requests whose conversation the provider would refuse because messages were lost, duplicated or reordered.

Source: docs/repair.md; docs/pain.md, HIS-1 to HIS-5. A request that the provider accepts is returned unchanged, as
decided by `check_request` on its encoding. Each repair is reported with its path. No content is invented: inserted text
only says that something is missing. No text is altered, except for lone surrogates, which no body can hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from interlingua.argument_checks import check_mapping
from interlingua.chat.repair_calls import repair_results
from interlingua.chat.repair_draft import Draft
from interlingua.chat.repair_items import drop_item_ids, drop_unpaired_items, drop_unpaired_server_results
from interlingua.chat.repair_log import RepairLog
from interlingua.chat.repair_names import rename
from interlingua.chat.repair_order import insert_user_turn, join_answers, place_instructions
from interlingua.chat.repair_reasoning import disable_reasoning, drop_foreign, drop_orphan_reasoning, drop_unsigned
from interlingua.chat.repair_texts import (
    drop_empty_lists,
    drop_empty_messages,
    drop_empty_texts,
    fill_failed_results,
    repair_lone_surrogates,
    trim_end,
)
from interlingua.errors import EncodeError
from interlingua.registry import room
from interlingua.request_checks import check_request
from interlingua.translation import encode_canonical_request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interlingua import model_shapes
    from interlingua.chat.repair_log import Repair
    from interlingua.model import ChatRequest
    from interlingua.registry import Dialect

__all__ = ["Repaired", "repair_plain_request", "repair_request"]

# The order matters: dropping may leave a message empty, an empty message may separate a call from its result, and
# inserted messages use names after renaming.
_PASSES: Final[tuple[Callable[[Draft], None], ...]] = (
    repair_lone_surrogates,
    drop_unsigned,
    drop_foreign,
    drop_unpaired_server_results,
    drop_empty_texts,
    drop_empty_lists,
    fill_failed_results,
    drop_empty_messages,
    drop_item_ids,
    drop_unpaired_items,
    drop_orphan_reasoning,
    rename,
    repair_results,
    drop_empty_texts,  # an empty last answer is allowed, until a result follows it
    drop_empty_messages,
    join_answers,
    place_instructions,
    insert_user_turn,
    trim_end,
    disable_reasoning,
)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repaired request and the repairs. Without repairs, `request` equals the input.

    Example:
        >>> request = il.ChatRequest(messages=(il.chat.create_user("Hi"),))
        >>> il.repair_request(request, "claude").request == request
        True
    """

    request: ChatRequest
    repairs: tuple[Repair, ...] = ()


def repair_request(request: ChatRequest | Mapping[str, Any], dialect: Dialect) -> Repaired:
    """Return a request whose conversation a dialect accepts, and the repairs that were made.

    `request` is a model or plain canonical JSON, and is not modified. Takes time linear in the conversation, and is
    idempotent. docs/repair.md lists what is repaired and how; invalid settings, schemas and media are not touched: use
    `check_request` to find them.

    A request whose encoding passes `check_request` is returned unchanged. After a repair, the conversation passes
    `check_request`, except for cases named in docs/repair.md.

    Raises `EncodeError` for a request that is not canonical, `UnknownDialectError` for an unknown dialect.

    Args:
        request: The request.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> request = il.ChatRequest(messages=(il.chat.create_user("Hi"), il.chat.create_tool_result("call_1", "31")))
        >>> [one.code for one in il.repair_request(request, "claude").repairs]
        ['orphan_result']
    """
    from interlingua.canonical_input import plain_request  # noqa: PLC0415  # plain requests are repaired without the models
    from interlingua.model import ChatRequest  # noqa: PLC0415  # as above

    room(dialect)
    as_plain = plain_request(request, dialect)
    repaired_request, repairs = repair_plain_request(as_plain, dialect)
    if not repairs and isinstance(request, ChatRequest):
        return Repaired(request)
    return Repaired(ChatRequest.model_validate(repaired_request), repairs)


def repair_plain_request(request: dict[str, Any], dialect: Dialect) -> tuple[dict[str, Any], tuple[Repair, ...]]:
    """Return a plain canonical request, repaired, and the repairs. The request is not validated.

    Args:
        request: A canonical request as plain JSON.
        dialect: The wire format: one of `il.dialects()`.

    Example:
        >>> result = {"role": "tool", "call_id": "call_1", "content": "31"}
        >>> request = {"messages": [{"role": "user", "content": "Hi"}, result]}
        >>> mended, repairs = il.chat.repair_plain_request(request, "claude")
        >>> len(mended["messages"]), [one.code for one in repairs]
        (1, ['orphan_result'])
    """
    check_mapping(request, "request")
    if _is_taken(request, dialect):
        return request, ()
    log = RepairLog()
    draft = Draft.of(request, dialect, log)
    for repair_pass in _PASSES:
        repair_pass(draft)
    return draft.finished(), log.repairs()


def _is_taken(request: dict[str, Any], dialect: Dialect) -> bool:
    """Tell whether a dialect accepts a request as it is; abroad, as the encoder writes it."""
    try:
        encoded = encode_canonical_request(
            cast("model_shapes.ChatRequest", request), dialect, False, None, None, None, profile=None
        )
    except EncodeError:
        return False
    return not check_request(encoded.body, dialect, profile=None)
