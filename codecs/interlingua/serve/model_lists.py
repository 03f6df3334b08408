"""Model lists: the provider's list in the format of the client's dialect, with context sizes if known."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import interlingua as il
from interlingua.registry import descriptor
from interlingua.serve.provider_requests import provider_path, provider_response
from interlingua.serve.upstream import UpstreamError, parsed, text_or_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.serve.call import Call
    from interlingua.serve.route import Route

__all__ = ["list_models", "show_model", "show_version"]

_OLLAMA: Final = "0.13.0"
"""The Ollama version whose API is served here; clients check it."""


class Model(NamedTuple):
    """What is known about a model: name, display name, creation time, owner, and limits."""

    name: str
    title: str
    made: datetime
    owner: str
    context: int | None
    output: int | None

    @property
    def moment(self) -> str:
        """The creation time in RFC 3339 format."""
        return self.made.strftime("%Y-%m-%dT%H:%M:%SZ")


async def list_models(call: Call) -> None:
    """Respond with the list of models."""
    found = await _provider_json(call, call.route.provider.models + call.route.provider.all_models)
    if found is not None:
        listed = found.get("models", found.get("data"))
        models = [_model(one, call.route.backend) for one in _objects(listed)]
        await call.tell(_list(models, call.route))


async def show_model(call: Call) -> None:
    """Respond with the description of a model. Raises `RefusedCallError` if the request names none."""
    named: dict[str, Any] = call.body() if call.data else {}
    named = {"model": call.named or named.get("model") or named.get("name")}
    path = provider_path(call, "{model}", named) and provider_path(call, call.route.provider.model, named)
    found = await _provider_json(call, path, named if call.route.backend == "ollama" else None)
    if found is not None:
        model = _model({"id": named["model"], **found}, call.route.backend)
        await call.tell(_one(model, call.route))


async def show_version(call: Call) -> None:
    """Respond with a server version, which Ollama clients ask for."""
    await call.tell({"version": _OLLAMA})


async def _provider_json(call: Call, path: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """Return the provider's JSON response; None after sending its error to the client."""
    route = call.route
    try:
        async with provider_response(call, path, body) as reply:
            data = await call.up.read(reply)
            if reply.is_success:
                said = parsed(data)
                return cast("dict[str, Any]", said) if type(said) is dict else {}
            status, said = reply.status_code, text_or_json(data)
            await call.refuse(
                il.translate_error(
                    said, route.backend, route.speak, status=status, headers=reply.headers, now=time.time()
                )
            )
    except UpstreamError as error:
        await call.refuse(error.error)
    return None


def _objects(value: Any) -> list[dict[str, Any]]:
    items: list[Any] = cast("Any", value) if type(value) is list else []
    return [one for one in items if type(one) is dict]


def _model(found: Mapping[str, Any], backend: str) -> Model:
    """Return a provider's description of a model; providers use each other's members, too."""
    name = str(found.get("id") or found.get("model") or found.get("name") or "").removeprefix("models/")
    facts = found.get("model_info")
    sizes = _sizes(cast("dict[str, Any]", facts)) if type(facts) is dict else ()
    known = {**found, "context_length": sizes[0]} if sizes else found
    return Model(
        name,
        _first_text(found, "display_name", "displayName") or name,
        _moment(next((found[key] for key in ("created", "created_at", "modified_at") if key in found), None)),
        _first_text(found, "owned_by") or backend,
        _first_count(known, "max_input_tokens", "inputTokenLimit", "max_model_len", "context_length", "context_window"),
        _first_count(known, "max_tokens", "outputTokenLimit", "max_output_tokens"),
    )


def _sizes(facts: dict[str, Any]) -> list[Any]:
    """Return the context sizes in an Ollama description, whose member names begin with the model's family."""
    return [value for name, value in facts.items() if name.endswith(".context_length")]


def _first_text(found: Mapping[str, Any], *names: str) -> str:
    return next((found[name] for name in names if type(found.get(name)) is str), "")


def _first_count(found: Mapping[str, Any], *names: str) -> int | None:
    return next((found[name] for name in names if type(found.get(name)) is int), None)


def _moment(value: Any) -> datetime:
    """Return a creation time; the epoch if unknown."""
    try:
        if type(value) is str:
            return datetime.fromisoformat(value).astimezone(UTC)
        return datetime.fromtimestamp(value if type(value) in {int, float} else 0, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _list(models: list[Model], route: Route) -> dict[str, Any]:
    """Return the list of models in a dialect's format."""
    match route.speak:
        case "claude":
            ends = (models[0].name, models[-1].name) if models else (None, None)
            rows = [_one(one, route) for one in models]
            return {"data": rows, "has_more": False, "first_id": ends[0], "last_id": ends[1]}
        case "gemini":
            return {"models": [_one(one, route) for one in models]}
        case "ollama":
            return {"models": [_tag(one) for one in models]}
        case _:
            return {"object": "list", "data": [_one(one, route) for one in models]}


def _one(model: Model, route: Route) -> dict[str, Any]:
    """Return the description of a model in a dialect's format."""
    match route.speak:
        case "claude":
            limits = {"max_input_tokens": model.context, "max_tokens": model.output}
            made: dict[str, Any] = {"type": "model", "id": model.name, "display_name": model.title}
            return {**made, "created_at": model.moment, **limits}
        case "gemini":
            does = ["generateContent", "streamGenerateContent", "countTokens"]
            made = {"name": f"models/{model.name}", "displayName": model.title, "supportedGenerationMethods": does}
            return {**made, **_known_limits(inputTokenLimit=model.context, outputTokenLimit=model.output)}
        case "ollama":
            return _ollama_show(model, route)
        case "vllm":
            return {**_row(model), **_known_limits(max_model_len=model.context)}
        case _:
            return {**_row(model), **_known_limits(context_window=model.context, max_output_tokens=model.output)}


def _row(model: Model) -> dict[str, Any]:
    return {"id": model.name, "object": "model", "created": int(model.made.timestamp()), "owned_by": model.owner}


def _known_limits(**limits: int | None) -> dict[str, int]:
    return {name: limit for name, limit in limits.items() if limit is not None}


def _details(model: Model) -> dict[str, Any]:
    unknown = {"parent_model": "", "format": "", "parameter_size": "", "quantization_level": ""}
    return {**unknown, "family": model.owner, "families": [model.owner]}


def _tag(model: Model) -> dict[str, Any]:
    """Return a model as Ollama lists it, without size and digest, which are unknown."""
    named = {"name": model.name, "model": model.name, "modified_at": model.moment}
    return {**named, "size": 0, "digest": "", "details": _details(model)}


def _ollama_show(model: Model, route: Route) -> dict[str, Any]:
    """Return a model as Ollama shows it, with the capabilities that the provider's dialect can express."""
    takes_pictures = "image" in (descriptor(route.backend).media or ())
    abilities = ["completion", "tools", *(["vision"] if takes_pictures else [])]
    facts: dict[str, Any] = {"general.architecture": model.owner, "general.basename": model.name}
    if model.context is not None:
        facts[f"{model.owner}.context_length"] = model.context
    shown = {"modelfile": "", "parameters": "", "template": "", "details": _details(model), "model_info": facts}
    return {**shown, "capabilities": abilities, "modified_at": model.moment}
