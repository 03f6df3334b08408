"""The tables of Ollama, one for both directions.

Source: docs/wire/ollama.md; https://github.com/ollama/ollama/blob/main/api/types.go
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.media_types import IMAGE
from interlingua.rooms._shared.schema_adaptation import Subset

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT: Final = "ollama"

# Request members that mean the same under both names: wire name -> (canonical name, accepted JSON types).
SETTINGS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "model": ("model", (str,)),
    "stream": ("stream", (bool,)),
    "logprobs": ("logprobs", (bool,)),
    "top_logprobs": ("top_logprobs", (int,)),
})  # fmt: skip
SETTING_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in SETTINGS.items()})
# The same for members of `options`.
OPTIONS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = MappingProxyType({
    "num_predict": ("max_tokens", (int,)),
    "temperature": ("temperature", (int, float)),
    "top_p": ("top_p", (int, float)),
    "top_k": ("top_k", (int,)),
    "min_p": ("min_p", (int, float)),
    "repeat_penalty": ("repetition_penalty", (int, float)),
    "seed": ("seed", (int,)),
    "presence_penalty": ("presence_penalty", (int, float)),
    "frequency_penalty": ("frequency_penalty", (int, float)),
})  # fmt: skip
OPTION_NAMES: Final[Mapping[str, str]] = MappingProxyType({name: wire for wire, (name, _) in OPTIONS.items()})
MAX_TOP_LOGPROBS: Final = 20

ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool"})

# `think`: with true, the model decides how much to think.
THINKING: Final[Mapping[bool, str]] = MappingProxyType({True: "adaptive", False: "disabled"})

FINISH_REASONS: Final[Mapping[str, str]] = MappingProxyType({"stop": "stop", "length": "length"})
# Canonical reason -> the word to write, and whether that is read back as the same reason. Calls end with `stop`.
FINISH_WORDS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType({
    "stop": ("stop", True),
    "length": ("length", True),
    "tool_calls": ("stop", True),
    **dict.fromkeys(("content_filter", "refusal", "pause", "error", "cancelled", "other"), ("stop", False)),
})  # fmt: skip

# Counts of a response: wire name -> canonical name in the usage.
USAGE: Final[Mapping[str, str]] = MappingProxyType({
    "prompt_eval_count": "input_tokens",
    "eval_count": "output_tokens",
})  # fmt: skip

# Image types that the server can decode. Source: docs/wire/ollama.md, section 7.
PICTURES: Final = frozenset(IMAGE[word] for word in ("png", "jpeg", "webp", "bmp"))

# Keywords that the server keeps of a tool's schema, and of each property; it silently drops all others.
PARAMETER_KEYWORDS: Final = frozenset({"type", "$defs", "items", "required", "properties"})
PROPERTY_KEYWORDS: Final = frozenset({"anyOf", "type", "items", "description", "enum", "properties", "required"})

# Keywords that are no constraints, so that dropping them is no loss.
SILENT_KEYWORDS: Final = frozenset({"$schema", "$id", "$comment", "title", "definitions", "description"})
# The subset that the server reads; other forms are rewritten.
TOOL_SCHEMAS: Final = Subset(root_object=True, merges_root=True, one_of=False, constants=False, tuples=False)

# Defaults of the server. Source: docs/wire/ollama.md, section 1.
DEFAULTS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType({
    "n": (1,), "modalities": (["text"],), "store": (False,), "service_tier": ("auto", "default", "on_demand"),
    "parallel_tool_calls": (True,), "stream_usage": (True,), "stream_obfuscation": (False,), "verbosity": ("medium",),
})  # fmt: skip
# Values for required members that the source lacks.
FILLS: Final[Mapping[str, Any]] = MappingProxyType({"model": "", "created": 0})
