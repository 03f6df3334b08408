"""The rules of Ollama: what it refuses.

The abilities of models are only checked by family. Source: docs/wire/ollama.md, sections 1, 4 and 6 to 8.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.media_types import IMAGE
from interlingua.rooms._shared.family_fitting import requires_user_message
from interlingua.rooms._shared.media_sniffing import detected_media_type
from interlingua.rooms._shared.rule_helpers import (
    FLAG,
    INTEGER,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    family_rules,
    items_of,
    judged,
    missing,
    object_of,
    objects,
    out_of_range,
    wrong_item_types,
    wrong_message_types,
    wrong_types,
)
from interlingua.rooms.ollama.tables import DIALECT, OPTIONS, SETTINGS
from interlingua.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from interlingua.rooms._shared.rule_helpers import Limits, Object, Rule, Shapes
    from interlingua.spi.families import Family

_SHAPES: Final[Shapes] = MappingProxyType({
    **{wire: kinds for wire, (_, kinds) in SETTINGS.items()},
    "messages": LIST,
    "tools": LIST,
    "format": (str, dict),
    "think": (bool, str),
    "options": OBJECT,
    "keep_alive": (str, int, float),
    "truncate": FLAG,
    "shift": FLAG,
})  # fmt: skip
_MESSAGE_SHAPES: Final[Shapes] = MappingProxyType({
    **dict.fromkeys(("role", "content", "thinking", "tool_name", "tool_call_id"), TEXT),
    **dict.fromkeys(("images", "tool_calls"), LIST),
})  # fmt: skip
_OPTION_SHAPES: Final[Shapes] = MappingProxyType({
    **{wire: kinds for wire, (_, kinds) in OPTIONS.items()},
    **dict.fromkeys(("num_ctx", "num_keep", "repeat_last_n", "num_batch", "num_gpu", "main_gpu"), INTEGER),
    **dict.fromkeys(("num_thread", "draft_num_predict"), INTEGER),
    "typical_p": NUMBER,
    "use_mmap": FLAG,
    "stop": LIST,
})  # fmt: skip
_LIMITS: Final[Limits] = MappingProxyType({"top_logprobs": (0, 20)})
_EFFORTS: Final = frozenset({"low", "medium", "high", "max"})
_JSON: Final = "json"
_ADDRESSES: Final = ("data:", "http:", "https:")


def required_settings(body: Object) -> Iterator[Violation]:
    """A request says its model (section 1)."""
    return missing(body, ("model",), "")


def setting_types(body: Object) -> Iterator[Violation]:
    """Settings and options are of the JSON types that section 1 names ("option must be of type")."""
    yield from wrong_types(body, _SHAPES, "")
    options = object_of(body, "options")
    yield from wrong_types(options, _OPTION_SHAPES, "/options")
    yield from wrong_item_types(options.get("stop"), "/options/stop", str)


def limits(body: Object) -> Iterator[Violation]:
    """Numbers are within their limits (section 1.5, `top_logprobs`)."""
    return out_of_range(body, _LIMITS, "")


def efforts(body: Object) -> Iterator[Violation]:
    """Thinking is on, off, or of a known effort (section 1.5, `think`)."""
    if type(body.get("think")) is str and body["think"] not in _EFFORTS:
        yield Violation("setting", "/think", "think must be true, false, low, medium, high or max")


def forms(body: Object) -> Iterator[Violation]:
    """An answer is JSON, or of a schema (section 1.5, `format`)."""
    if type(body.get("format")) is str and body["format"] not in {"", _JSON}:
        yield Violation("setting", "/format", "format must be json or a schema")


def message_types(body: Object) -> Iterator[Violation]:
    """Content is text, never a list (section 1.1; ENC-4)."""
    return wrong_message_types(body, _MESSAGE_SHAPES)


def pictures(body: Object) -> Iterator[Violation]:
    """Pictures are plain base64 (section 1.2), and no GIF ("image: unknown format", section 7)."""
    for path, message in objects(body.get("messages"), "/messages"):
        for index, picture in enumerate(items_of(message.get("images"))):
            if type(picture) is not str:
                yield Violation("shape", f"{path}/images/{index}", "expected text")
            elif picture.startswith(_ADDRESSES):
                yield Violation("media_type", f"{path}/images/{index}", "images must be base64 data, not URLs")
            elif detected_media_type(picture) == IMAGE["gif"]:
                yield Violation("media_type", f"{path}/images/{index}", "the server cannot decode a GIF")


def arguments(body: Object) -> Iterator[Violation]:
    """A call has a function with a name, and arguments that are an object (section 1.3)."""
    for path, message in objects(body.get("messages"), "/messages"):
        yield from wrong_item_types(message.get("tool_calls"), f"{path}/tool_calls")
        for where, call in objects(message.get("tool_calls"), f"{path}/tool_calls"):
            yield from missing(call, ("function",), where)
            yield from wrong_types(call, {"id": TEXT, "function": OBJECT}, where)
            function = object_of(call, "function")
            if function:
                yield from missing(function, ("name",), f"{where}/function")
                said = function.get("arguments")
                if said is not None and type(said) is not dict:
                    yield Violation("arguments", f"{where}/function/arguments", "expected an object")


def tool_types(body: Object) -> Iterator[Violation]:
    """A tool is a function with a name and parameters (section 1.3)."""
    yield from wrong_item_types(body.get("tools"), "/tools")
    for path, tool in objects(body.get("tools"), "/tools"):
        yield from missing(tool, ("function",), path)
        yield from wrong_types(tool, {"type": TEXT, "function": OBJECT}, path)
        shapes: Shapes = {"name": TEXT, "description": TEXT, "parameters": OBJECT}
        yield from wrong_types(object_of(tool, "function"), shapes, f"{path}/function")


RULES: Final[tuple[Rule, ...]] = (
    required_settings, setting_types, limits, efforts, forms, message_types, pictures, arguments, tool_types,
)  # fmt: skip


def abilities(body: Object, *, facts: Mapping[str, Any]) -> Iterator[Violation]:
    """Thinking, tools and pictures, which not every model has."""
    think, kind = body.get("think"), facts.get("think")
    if kind == "refuse" and think is not None and think is not False:
        yield Violation("setting", "/think", "these models do not think")
    elif kind == "flag" and type(think) is str:
        yield Violation("setting", "/think", "think must be true or false for these models")
    if facts.get("tools") == "refuse" and body.get("tools"):
        yield Violation("tool", "/tools", "these models do not support tools")
    if facts.get("image_input") is False:
        for path, message in objects(body.get("messages"), "/messages"):
            if message.get("images"):
                yield Violation("part", f"{path}/images", "these models do not accept images")
    elif facts.get("audio_input") is False:
        for path, message in objects(body.get("messages"), "/messages"):
            for index, said in enumerate(items_of(message.get("images"))):
                if type(said) is str and (detected_media_type(said) or "").startswith("audio/"):
                    yield Violation("part", f"{path}/images/{index}", "these models do not accept audio")


# What a family of models refuses although others accept it (docs/families.md). The server decides by the model's
# capabilities; its name is only a hint.
FAMILY_RULES: Final[tuple[Callable[..., Iterator[Violation]], ...]] = (abilities, requires_user_message)


def check_request(body: Any, api_version: str | None = None, family: Family | None = None) -> list[Violation]:
    """Return what Ollama would refuse of the body of `POST /api/chat`. Raises `DecodeError` for no object."""
    del api_version  # the dialect has one version
    return judged(body, DIALECT, (*RULES, *family_rules(family, FAMILY_RULES)))
