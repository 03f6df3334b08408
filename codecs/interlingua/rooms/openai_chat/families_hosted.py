"""The model families that other hosts serve by Chat Completions: what each takes, refuses or demands.

Data only; these rows stand behind those of families.py, and what that says holds here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms.openai_chat.families_gateways import GATEWAYS, NOT_OF_OPENAI
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Served by other hosts: some of them know no role `developer` and no tools but functions, either.
_ELSEWHERE_HOSTED: Final[Mapping[str, Any]] = {
    "developer_role": "refuse_by_some_hosts",
    "custom_tools": "refuse_by_some_hosts",
    "web_search_options": "refuse_by_some_hosts",
    **NOT_OF_OPENAI,
}
# The same, and the limit of an answer has its older name.
_OLDER: Final[Mapping[str, Any]] = {**_ELSEWHERE_HOSTED, "max_completion_tokens_member": "unheard"}
# xAI refuses penalties whatever they say.
_NO_PENALTIES: Final[Mapping[str, Any]] = {"frequency_penalty": "refuse_even_0", "presence_penalty": "refuse_even_0"}
_MISTRAL: Final = r"(?:mi(?:ni)?stral|magistral|pixtral|codestral|devstral|voxtral|mixtral)"
_OTHER_WEIGHTS: Final = (
    r"(?<![a-z0-9])(?:nemotron|muse-|granite-|phi-?[0-9]|command-[ar]|jamba|nova-(?:[0-9]|lite|micro|pro|premier)|ernie"
    r"|hunyuan|hy[0-9]|step-?[0-9]|(?:doubao-)?seed-|longcat|ling-|ring-|olmo|lfm|exaone|solar-|trinity|hermes|palmyra)"
)
# An answer that says nothing is refused.
_SAYS_SOMETHING: Final[Mapping[str, Any]] = {"empty_answers": "refuse"}
_OF_MISTRAL: Final[Mapping[str, Any]] = {
    **_ELSEWHERE_HOSTED,
    **_SAYS_SOMETHING,
    "openai_settings": "accept",
    "logprobs": "refuse",
    "max_completion_tokens_member": "refuse",
    "call_ids": "nine_letters",
    "assistant_prefill": "prefix",
    "documents": "by_address",
    "instructions": "first",
    "seed_member": "random_seed",
    "message_names": "refuse",
    "stream_usage": "unasked",
    "takes_only": (
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "response_format",
        "max_tokens",
        "temperature",
        "top_p",
        "frequency_penalty",
        "presence_penalty",
        "stop",
        "seed",
        "n",
        "stream",
        "reasoning",
        "metadata",
        "prompt_cache_key",
    ),
}
_TEXT_ALONE: Final[Mapping[str, Any]] = {"image_input": "refuse_by_some_hosts"}
# Moonshot fixes how its models sample, by whether they think.
_FIXED_SAMPLING: Final[Mapping[str, Any]] = dict.fromkeys(
    ("temperature", "top_p", "frequency_penalty", "presence_penalty"), "refuse_by_some_hosts"
)
# The template of GLM passes over a result that is a list of parts.
_TEXT_CONTENTS: Final[Mapping[str, Any]] = {"contents": "text"}
# Z.ai lets the model choose a tool, or none.
_CHOOSES_ITSELF: Final[Mapping[str, Any]] = {"forced_tool_choice": "refuse_by_some_hosts"}
HOSTED: Final[tuple[Family, ...]] = (
    Family(
        "deepseek-v4",
        r"^deepseek-v4",
        "deepseek-v4-flash",
        {
            **_OLDER,
            "efforts": ("low", "medium", "high", "max"),
            "structured_output": False,
            "image_input": False,
            "audio_input": False,
            "thinks_unasked": True,
            "forced_tool_choice": "refuse_if_thinking",
            "thinking_switch": "thinking",
            "reasoning_in_calls": "require",
        },
        "recorded PX Ids PO Iaz",
    ),
    Family(
        "deepseek-chat, deepseek-reasoner, deepseek-r1/v3",
        r"^deepseek-(?:chat|reasoner|r1|v3)(?!.*:)",
        "deepseek-chat",
        {
            **_OLDER,
            "structured_output": False,
            "image_input": False,
            "reasoning_in_calls": "require",
        },
        "recorded PO PX",
    ),
    Family(
        "deepseek, through other hosts",
        r"deepseek",
        "deepseek-ai/DeepSeek-V4-Pro",
        {**_OLDER},
        "recorded PX",
    ),
    Family(
        "gpt-oss",
        r"gpt-oss",
        "gpt-oss:20b",
        {
            **_TEXT_ALONE,
            **NOT_OF_OPENAI,
            "custom_tools": "refuse_by_some_hosts",
            "efforts": ("low", "medium", "high"),
        },
        "recorded PX Ivo LL Igq",
    ),
    Family(
        "grok-4.6, 4.7",
        r"grok-4\.[67]",
        "grok-4.6",
        {"efforts": ("low", "medium", "high", "xhigh"), **_NO_PENALTIES, "stop": "refuse"},
        "PX VA Ixp Dxr",
    ),
    Family(
        "grok-4.5, 5, grok-build",
        r"grok-(?:4\.[5-9](?![0-9])|[5-9]|build-latest)",
        "grok-4.5",
        {"efforts": ("low", "medium", "high"), **_NO_PENALTIES, "stop": "refuse"},
        "PX VA Ixp Dxr",
    ),
    Family(
        "grok-4.20 (non-reasoning)",
        r"grok-4\.20[^/]*non-reasoning",
        "grok-4.20-0309-non-reasoning",
        {"efforts": (), **_NO_PENALTIES},
        "PX Ixe Ixp",
    ),
    Family(
        "grok-4.20, grok-code, grok-build",
        r"grok-(?:4\.20(?!-multi)|code|build)",
        "grok-4.20-0309-reasoning",
        {"efforts": (), "thinking": "unsaid", **_NO_PENALTIES, "stop": "refuse"},
        "recorded PX Ixe Ixp",
    ),
    Family(
        "grok (3, 2, and what does not reason)",
        r"grok-(?:[23](?!-mini)|[^/]*non-reasoning)",
        "grok-3",
        {"efforts": ("none", "low", "medium", "high"), **_NO_PENALTIES},
        "PX VA Ixp",
    ),
    Family(
        "grok (4.3, 4, 4-fast, 3-mini)",
        r"grok",
        "grok-4",
        {"efforts": ("none", "low", "medium", "high"), **_NO_PENALTIES, "stop": "refuse"},
        "PX VA Ixp",
    ),
    Family(
        "groq/compound",
        r"compound",
        "groq/compound",
        {
            **NOT_OF_OPENAI,
            "thinking": "none",
            "structured_output": False,
            "custom_tools": "refuse_by_some_hosts",
            "contents": "text",
            "image_input": "refuse_by_some_hosts",
            "audio_input": "refuse_by_some_hosts",
            "pdf_input": "refuse_by_some_hosts",
        },
        "recorded Igq Igr",
    ),
    Family(
        "mistral-small, mistral-medium, of Mistral itself",
        r"^mistral-(?:small|medium)[^/:]*-(?:latest|26\d{2})$",
        "mistral-small-latest",
        {**_OF_MISTRAL, "efforts": ("none", "high")},
        "recorded PX Ivm LI VA Imx Ilr Isa Wmc Iml Iea",
    ),
    Family(
        "mistral, ministral, magistral, pixtral, codestral, devstral, voxtral, mixtral, of Mistral itself",
        rf"^(?:labs-|open-)?{_MISTRAL}[^/:]*-(?:latest|\d{{4}})$",
        "mistral-large-latest",
        {**_OF_MISTRAL, "efforts": ()},
        "recorded PX Ivm LI VA Imx Ilr Isa Wmc Iml Iea",
    ),
    Family(
        "mistral, ministral, magistral, pixtral, codestral, devstral, voxtral, mixtral, through other hosts",
        _MISTRAL,
        "mistralai/mistral-large-2512",
        {
            **_ELSEWHERE_HOSTED,
            "logprobs": "refuse",
            "max_completion_tokens_member": "refuse",
            "call_ids": "nine_letters",
        },
        "recorded PX Ivm LI",
    ),
    Family(
        "kimi-k2.5, kimi-k2.6",
        r"^kimi-k2\.[56]",
        "kimi-k2.6",
        {
            **_ELSEWHERE_HOSTED,
            **_SAYS_SOMETHING,
            **_FIXED_SAMPLING,
            "thinking_switch": "thinking",
            "thinks_unasked": True,
            "forced_tool_choice": "refuse_if_thinking",
            "reasoning_in_calls": "require_words",
        },
        "PX PO Ikr Ikt Ikc Iea",
    ),
    Family(
        "kimi-k2.5, kimi-k2.6, through other hosts",
        r"kimi-k2\.[56]",
        "moonshotai/kimi-k2.6",
        {**_ELSEWHERE_HOSTED, **_SAYS_SOMETHING, "thinking_switch": "thinking"},
        "recorded PX PO Iea",
    ),
    Family(
        "kimi-k2.7",
        r"^kimi-k2\.7",
        "kimi-k2.7-code",
        {
            **_ELSEWHERE_HOSTED,
            **_SAYS_SOMETHING,
            **_FIXED_SAMPLING,
            "thinking": "unsaid",
            "forced_tool_choice": "refuse",
            "reasoning_in_calls": "require_words",
        },
        "PX Ikr Ikt Ikc Iea",
    ),
    Family(
        "kimi-k3",
        r"^kimi-k3",
        "kimi-k3",
        {
            **_ELSEWHERE_HOSTED,
            **_SAYS_SOMETHING,
            **_FIXED_SAMPLING,
            "efforts": ("low", "high", "max"),
            "forced_tool_choice": "any",
            "reasoning_in_calls": "require_words",
        },
        "PX PO Ikr Ikt Ikc Dk3 Iea",
    ),
    Family(
        "kimi-k3, through other hosts",
        r"kimi-k3",
        "moonshotai/kimi-k3",
        {**_ELSEWHERE_HOSTED, **_SAYS_SOMETHING, **_FIXED_SAMPLING},
        "PX PO Ikn Iea",
    ),
    Family(
        "kimi-for-coding",
        r"^kimi-for-coding",
        "kimi-for-coding",
        {**_ELSEWHERE_HOSTED, **_SAYS_SOMETHING, **_FIXED_SAMPLING, "efforts": ("minimal", "low", "medium", "high")},
        "Ikf Iea",
    ),
    Family(
        "kimi-k2-thinking",
        r"^kimi-k2-thinking",
        "kimi-k2-thinking",
        {**_ELSEWHERE_HOSTED, **_SAYS_SOMETHING, "reasoning_in_calls": "require_words"},
        "PX PO Ikr Iea",
    ),
    Family(
        "kimi",
        r"kimi",
        "moonshotai/kimi-k2-instruct",
        {**_ELSEWHERE_HOSTED, **_SAYS_SOMETHING},
        "PX PO Iea",
    ),
    Family(
        "glm-5.3",
        r"glm-5[.-]3",
        "glm-5.3",
        {
            **_OLDER,
            **_TEXT_CONTENTS,
            **_CHOOSES_ITSELF,
            "efforts": ("low", "high", "max"),
            "schema_references": "refuse",
        },
        "PX Izt Igt",
    ),
    Family(
        "glm, of Cerebras",
        r"^zai-glm",
        "zai-glm-4.7",
        {**_OLDER, **_TEXT_CONTENTS, **_TEXT_ALONE, "thinking": "unsaid"},
        "PX Icb Igt",
    ),
    Family(
        "glm-5.2, of Z.ai itself",
        r"^glm-5[.-]2",
        "glm-5.2",
        {
            **_OLDER,
            **_TEXT_CONTENTS,
            **_TEXT_ALONE,
            **_CHOOSES_ITSELF,
            "thinking_switch": "thinking",
            "efforts": ("minimal", "low", "medium", "high", "xhigh", "max"),
            "user_query": "require",
            "structured_output": False,
        },
        "recorded PX Izt Izq Ijs Igt",
    ),
    Family(
        "glm, that sees",
        r"glm-[0-9.]+v",
        "glm-4.6v",
        {**_OLDER, **_TEXT_CONTENTS, **_CHOOSES_ITSELF, "thinking_switch": "thinking"},
        "recorded PX Izt Igt",
    ),
    Family(
        "glm, of Z.ai itself",
        r"^glm",
        "glm-4.6",
        {
            **_OLDER,
            **_TEXT_CONTENTS,
            **_TEXT_ALONE,
            **_CHOOSES_ITSELF,
            "thinking_switch": "thinking",
            "user_query": "require",
            "structured_output": False,
        },
        "recorded PX Izt Izq Ijs Igt",
    ),
    Family(
        "glm, of Z.ai through a gateway",
        r"(?:^|/)z-ai/glm",
        "z-ai/glm-4.6",
        {**_OLDER, **_TEXT_CONTENTS, **_TEXT_ALONE, **_CHOOSES_ITSELF, "thinking_switch": "thinking"},
        "recorded PX Izt Igt",
    ),
    Family(
        "glm, through other hosts",
        r"glm",
        "zai-org/GLM-4.6",
        {**_OLDER, **_TEXT_CONTENTS, **_TEXT_ALONE, "thinking_switch": "thinking"},
        "recorded PX Ifw Inm Igt",
    ),
    Family(
        "qwen3-coder",
        r"qwen-?3-coder",
        "qwen3-coder",
        {**_OLDER, "thinking": "none"},
        "PX",
    ),
    Family(
        "qwen, of Cerebras",
        r"^qwen-3",
        "qwen-3.8-27b",
        {**_OLDER, "thinking": "unsaid", "schema_references": "refuse"},
        "PX Icb",
    ),
    Family(
        "qwen, of the sizes that Groq serves",
        r"^qwen/qwen3(?:-32b|\.[68]-27b)$",
        "qwen/qwen3.8-27b",
        {
            **_OLDER,
            "thinking": "off_alone",
            "forced_tool_choice": "refuse_if_thinking",
            "schema_references": "refuse",
        },
        "PX Igr",
    ),
    Family(
        "qwen, through other hosts",
        r"qwen/",
        "qwen/qwen3-235b",
        {**_OLDER, "forced_tool_choice": "refuse_if_thinking", "schema_references": "refuse"},
        "recorded PX Inm",
    ),
    Family(
        "qwen",
        r"(?:qwen|qwq)",
        "qwen3.8-max",
        {
            **_OLDER,
            "forced_tool_choice": "refuse_if_thinking",
            "thinking_switch": "enable_thinking",
            "schema_references": "refuse",
        },
        "recorded PX Inm",
    ),
    Family(
        "llama, that sees",
        r"llama-?(?:4|guard-4|3[.-]2-(?:11b|90b|vision))",
        "llama-4-scout",
        {**_OLDER, "thinking": "none"},
        "recorded Igr",
    ),
    Family(
        "llama",
        r"(?<!o)llama",
        "llama-3.3-70b",
        {**_OLDER, **_TEXT_ALONE, "thinking": "none"},
        "recorded Ics Igr",
    ),
    Family(
        "gemma",
        r"gemma",
        "gemma-3-27b-it",
        {**_OLDER},
        "Iot",
    ),
    Family(
        "mimo-v2.5-pro",
        r"mimo-v2\.5-pro",
        "mimo-v2.5-pro",
        {**_OLDER, "image_input": False, "reasoning_in_calls": "require"},
        "recorded Ixm",
    ),
    Family(
        "mimo",
        r"mimo",
        "mimo-v2.5",
        {**_OLDER, "reasoning_in_calls": "require"},
        "recorded Ixm",
    ),
    Family(
        "sonar (Perplexity)",
        r"sonar",
        "sonar-pro",
        {
            **_OLDER,
            "web_search_options": "accept",
            "instructions": "first",
            "roles": "alternate",
            "assistant_prefill": "refuse",
        },
        "recorded MG Ips",
    ),
    Family(
        "minimax-m2, of itself",
        r"^minimax-m2[^/]*$",
        "MiniMax-M2.5",
        {**_OLDER, "instructions": "first", "image_input": False},
        "Imm Imv LL",
    ),
    Family(
        "minimax, of itself",
        r"^minimax[^/]*$",
        "MiniMax-M3",
        {**_OLDER, "instructions": "first"},
        "Imm",
    ),
    Family(
        "minimax-m2, through other hosts",
        r"minimax-m2",
        "minimax/minimax-m2.5",
        {**_OLDER, "image_input": False},
        "PX Imv LL",
    ),
    Family(
        "minimax, through other hosts",
        r"minimax",
        "minimax/minimax-m3",
        {**_OLDER},
        "PX",
    ),
    Family(
        "weights of other makers",
        _OTHER_WEIGHTS,
        "nvidia/nemotron-3-super-120b-a12b",
        {**_OLDER},
        "recorded Iom Inm",
    ),
    *GATEWAYS,
)
