"""What gateways accept of any model, whatever the model's own provider accepts.

A name with a slash is that of a gateway, or of a host that names models by their makers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.openai_settings import GATEWAY
from interlingua.rooms.openai_chat.families_gateways import CLOSED_HOSTS, NEVER_NULL_HOSTS

if TYPE_CHECKING:
    from collections.abc import Mapping

# What models demand of functions here and not in Responses, which gateways use for these models.
_UNLIKE_RESPONSES: Final = ("only_in_responses", "only_if_effort_none", "only_if_effort_none_or_absent")


def is_open_gateway(model: str, facts: Mapping[str, Any]) -> bool:
    """Tell whether a model name is that of a gateway which may have web search, and read PDF files, for any model."""
    return GATEWAY in model and facts.get("open_gateway", True) and CLOSED_HOSTS.search(model) is None


def refuses_null_contents(model: str, facts: Mapping[str, Any]) -> bool:
    """Tell whether a `content` of null is refused, by the maker itself or by a host whatever the model."""
    if GATEWAY in model:
        return NEVER_NULL_HOSTS.search(model) is not None
    return facts.get("null_contents") == "refuse"


def verdict_on_functions(facts: Mapping[str, Any], model: str) -> str:
    """Return whether the models accept functions; gateways accept what Responses does, since they use it."""
    verdict: str = facts.get("function_tools", "accept")
    return "accept" if verdict in _UNLIKE_RESPONSES and GATEWAY in model else verdict
