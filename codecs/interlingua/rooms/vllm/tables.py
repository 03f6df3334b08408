"""What distinguishes this room from the others of its family: its tables.

Source: docs/wire/vllm.md; https://docs.vllm.ai/en/stable/serving/openai_compatible_server
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.media_types import IMAGE
from interlingua.rooms._chat_completions.tables import FINISH_REASONS as FAMILY_REASONS
from interlingua.rooms._chat_completions.tables import FINISH_WORDS as FAMILY_WORDS
from interlingua.rooms._chat_completions.tables import OF_OPENAI
from interlingua.rooms._chat_completions.tables import SETTINGS as FAMILY_SETTINGS
from interlingua.rooms._shared.media import OPENAI_PICTURES, is_video

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "vllm"

SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    **FAMILY_SETTINGS,
    "top_k": ("top_k", (int,)),
    "min_p": ("min_p", (int, float)),
    "repetition_penalty": ("repetition_penalty", (int, float)),
})  # fmt: skip
SETTING_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in SETTINGS.items()})
# Canonical settings that the server ignores.
IGNORED: Final = OF_OPENAI | {"cache", "safety_identifier", "modalities", "stream_obfuscation"}

# Defaults of the server. Source: docs/wire/vllm.md, section 1.
DEFAULTS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "modalities": (["text"],), "store": (False,), "service_tier": ("auto", "default", "on_demand"),
    "stream_obfuscation": (False,), "verbosity": ("medium",),
})  # fmt: skip

# `chat_template_kwargs.enable_thinking`: with true, the model decides how much to think.
THINKING: Final[Mapping[bool, str]] = MappingProxyType({True: "adaptive", False: "disabled"})
# The template arguments, and the two names of the thinking switch among them.
ARGUMENTS: Final = "chat_template_kwargs"
SWITCH, OTHER_SWITCH = "enable_thinking", "thinking"
# `include_reasoning` false: the model thinks and does not show it.
DISPLAY_OMITTED: Final = "omitted"
# The note in `spelling.absent` of a form that came as `guided_json` or `guided_choice`, the names before release 0.12.
OLDER_FORMAT: Final = "structured_outputs"

FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {word: FAMILY_REASONS[word] for word in ("stop", "length", "tool_calls")} | {"error": "error", "abort": "cancelled"}
)
FINISH_WORDS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType({
    **FAMILY_WORDS,
    "content_filter": ("stop", False),
    "refusal": ("stop", False),
    "error": ("error", True),
    "cancelled": ("abort", True),
})  # fmt: skip

USAGE_DETAILS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "prompt_tokens_details": MappingProxyType({
        "cached_tokens": "cache_read_tokens", "created_cache_tokens": "cache_write_tokens"
    }),
    "completion_tokens_details": MappingProxyType({"reasoning_tokens": "reasoning_tokens"}),
})  # fmt: skip

# Image types that the server can decode (Pillow): no HEIC and no SVG.
PICTURES: Final = OPENAI_PICTURES | frozenset(IMAGE[word] for word in ("bmp", "tiff", "avif"))
# Content parts that are text under another type.
TEXT_TYPES: Final = frozenset({"input_text", "output_text"})
# Members of media parts with a URL: wire name -> canonical part type.
MEDIA: Final[Mapping[str, str]] = MappingProxyType({"image_url": "image", "audio_url": "audio", "video_url": "file"})
# Audio types with a part of their own; all others are given as `audio_url`.
AUDIO_INPUT_TYPES: Final = frozenset({"audio/wav", "audio/mpeg"})


def address_form(part: Mapping[str, Any]) -> str | None:
    """Return the part type for audio or video by habit; None to leave it to the family."""
    if part["type"] == "audio":
        return "audio_url" if "url" in part else None
    return "video_url" if is_video(part) else None
