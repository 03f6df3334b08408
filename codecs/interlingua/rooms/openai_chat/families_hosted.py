"""The model families that other hosts serve through Chat Completions: what each accepts, refuses or demands.

Data only; these rows stand behind those of families.py, and what that says holds here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.ollama_tags import tagged_families
from interlingua.rooms.openai_chat.families_gateways import GATEWAYS, NOT_OF_OPENAI
from interlingua.spi.families import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

# Only some gateways read PDF files for all models: makers and other hosts refuse the part.
_NO_FILES: Final[Mapping[str, Any]] = {"pdf_input": "refuse_by_some_hosts"}
_DEAF: Final[Mapping[str, Any]] = {"audio_input": False}
_TEXT_ALONE: Final[Mapping[str, Any]] = {"image_input": "refuse_by_some_hosts", **_DEAF}
# Other hosts: some of them do not know the role `developer`, or tools other than functions.
_ELSEWHERE_HOSTED: Final[Mapping[str, Any]] = {
    "developer_role": "refuse_by_some_hosts", "custom_tools": "refuse_by_some_hosts",
    "web_search_options": "refuse_by_some_hosts", **_NO_FILES, **NOT_OF_OPENAI,
}  # fmt: skip
# Groq refuses lists of parts in messages of the system, the assistant and tools; Moonshot, DeepSeek and others did.
# LM Studio refuses a tool choice that names a tool, and llama.cpp ignores it; both, and Text Generation Inference, need
# the parameters of a tool.
_OF_TEXTS: Final[Mapping[str, Any]] = {
    **_ELSEWHERE_HOSTED, "contents": "text", "named_tool_choice": "refuse_by_some_hosts",
    "tool_members": "require_by_some_hosts",
}  # fmt: skip
# The same, with the deprecated `max_tokens`.
_OLDER: Final[Mapping[str, Any]] = {**_OF_TEXTS, "max_completion_tokens_member": "unheard"}
# Groq refuses these settings with 400; for a count of answers, any but 1. It names models as gateways do.
_OF_GROQ: Final[Mapping[str, Any]] = {
    "open_gateway": False,
    **dict.fromkeys(("logprobs", "logit_bias", "n", "message_names"), "refuse_by_some_hosts"),
    "service_tiers": ("flex",),
}
# DeepSeek itself wants the reasoning before calls.
_OF_DEEPSEEK: Final[Mapping[str, Any]] = {
    **_OLDER, **_DEAF, "structured_output": False, "image_input": False, "reasoning_in_calls": "require",
    "repeated_tools": "refuse",
}  # fmt: skip
_DEEPSEEK_V4: Final[Mapping[str, Any]] = {
    **_OF_DEEPSEEK, "thinks_unasked": True, "forced_tool_choice": "refuse_if_thinking", "thinking_switch": "thinking",
}  # fmt: skip
# xAI refuses penalties of any value, only has web search in Responses, and has no custom tools. Of OpenAI's own
# settings it has one.
_OF_XAI: Final[Mapping[str, Any]] = {
    "frequency_penalty": "refuse_even_0", "presence_penalty": "refuse_even_0",
    "logit_bias": "refuse_by_some_hosts", "custom_tools": "refuse_by_some_hosts", "null_contents": "refuse",
    "web_search_options": "refuse_by_some_hosts", **NOT_OF_OPENAI, "prompt_cache_key": "accept", **_NO_FILES, **_DEAF,
}  # fmt: skip
# Since grok-4.20, log probabilities are silently left out.
_LATER_XAI: Final[Mapping[str, Any]] = {**_OF_XAI, "logprobs": "refuse_by_some_hosts"}
_MISTRAL: Final = r"(?:mi(?:ni)?stral|magistral|pixtral|codestral|devstral|voxtral|mixtral)"
_OTHER_WEIGHTS: Final = (
    r"(?<![a-z0-9])(?:nemotron|muse-|granite-|phi-?[0-9]|jamba|nova-(?:[0-9]|lite|micro|pro|premier)|ernie"
    r"|hunyuan|hy[0-9]|step-?[0-9r]|doubao-|ep-20[0-9]{6}|seed-|longcat|ling-|ring-|olmo|lfm|exaone|solar-|trinity"
    r"|hermes|palmyra|mai-|c4ai-|mercury-|codegeex)"
)
# Names in Mistral's own API: other hosts add the maker as a prefix, or a tag as a suffix.
_OWN_MISTRAL: Final = (
    rf"^(?:(?:labs|open)-{_MISTRAL}[^/:]*|{_MISTRAL}[^/:]*-(?:latest|\d{{4}})"
    rf"|{_MISTRAL}-(?:tiny|small|medium|large|saba)(?:-\d+(?:[-.]\d+)?)?)$"
)
# Empty assistant messages are refused.
_SAYS_SOMETHING: Final[Mapping[str, Any]] = {**_OF_TEXTS, "empty_answers": "refuse"}
_OF_MISTRAL: Final[Mapping[str, Any]] = {
    **_ELSEWHERE_HOSTED,
    "empty_answers": "refuse",
    "openai_settings": "accept",
    "pdf_input": True,
    "max_temperature": 1.5,
    "logprobs": "refuse",
    "max_completion_tokens_member": "refuse",
    "call_ids": "nine_letters",
    "tool_members": "require_schema",
    "assistant_prefill": "prefix",
    "documents": "by_address",
    "instructions": "first",
    "seed_member": "random_seed",
    "message_names": "refuse",
    "stream_usage": "unasked",
    "takes_only": (
        "model", "messages", "tools", "tool_choice", "parallel_tool_calls", "response_format", "max_tokens",
        "temperature", "top_p", "frequency_penalty", "presence_penalty", "stop", "seed", "n", "stream", "reasoning",
        "metadata", "prompt_cache_key",
    ),
}  # fmt: skip
# Models that see videos.
_VIDEOS: Final[Mapping[str, Any]] = {"video_input": "by_address"}
# Models of Mistral before those of 2026 (a recorded request of mistral-small-latest was accepted).
_OLDER_MISTRAL: Final[Mapping[str, Any]] = {**_OF_MISTRAL, "user_after_results": "refuse"}
# Moonshot fixes the sampling settings of its models.
_FIXED_SAMPLING: Final[Mapping[str, Any]] = dict.fromkeys(
    ("temperature", "top_p", "frequency_penalty", "presence_penalty"), "refuse_by_some_hosts"
)
# Moonshot itself: its schema validator ignores references beside other keywords, and checks how names begin.
_OF_MOONSHOT: Final[Mapping[str, Any]] = {
    **_SAYS_SOMETHING, **_DEAF, "tool_schemas": "of_moonshot", "schema_references": "refuse",
    "tool_names": "begin_with_a_letter", "named_tool_choice": "accept",
}  # fmt: skip
# Its newer models see videos, but fetch none.
_KIMI: Final[Mapping[str, Any]] = {**_OF_MOONSHOT, **_FIXED_SAMPLING, "video_input": "as_data"}
# The chat templates of its open models before K3 name a called function by the id of the call alone; Moonshot itself
# converts other ids.
_HOSTED_KIMI: Final[Mapping[str, Any]] = {**_SAYS_SOMETHING, "call_ids": "functions"}
# The chat template of GLM ignores a result that is a list of parts.
_GLM: Final[Mapping[str, Any]] = {**_OLDER, **_DEAF}
# Z.ai has no forced tool choice, and a maximum temperature of 1.
_OF_ZAI: Final[Mapping[str, Any]] = {**_GLM, "forced_tool_choice": "refuse_by_some_hosts", "max_temperature": 1}
# Z.ai itself takes the reasoning of earlier answers back, so that the model goes on with it behind a tool's result.
_OWN_OF_ZAI: Final[Mapping[str, Any]] = {**_OF_ZAI, "reasoning_in_calls": "accept"}
# Its text-only models need a user message, and have no structured output.
_BLIND_OF_ZAI: Final[Mapping[str, Any]] = {
    **_OWN_OF_ZAI, **_TEXT_ALONE, "thinking_switch": "thinking", "user_query": "require", "structured_output": False
}  # fmt: skip
# Thinking Qwen models have no forced tool choice, and do not follow schema references.
_QWEN: Final[Mapping[str, Any]] = {**_OLDER, "forced_tool_choice": "refuse_if_thinking", "schema_references": "refuse"}
# Of Alibaba itself, which answers no conversation without a user, and takes no `required`.
_OF_ALIBABA: Final[Mapping[str, Any]] = {
    **_QWEN, "thinking_switch": "enable_thinking", "user_query": "require", "named_tool_choice": "refuse_by_gateways"
}  # fmt: skip
# Xiaomi has three efforts and a separate switch; `none` is not an effort.
_SWITCHED: Final[Mapping[str, Any]] = {"thinking_switch": "thinking", "efforts": ("low", "medium", "high")}
# Cohere takes no word `strict`, and forces no tool of a name.
_OF_COHERE: Final[Mapping[str, Any]] = {**_DEAF, "strict_tools": "refuse", "forced_tool_choice": "any"}
# MiniMax tells thoughts within the answer, in tags, unless it is asked to split them off; then it takes them back so.
_OF_MINIMAX: Final[Mapping[str, Any]] = {
    "instructions": "first", "tool_members": "require_parameters", "named_tool_choice": "accept",
    "reasoning_split": "ask", "reasoning_in_calls": "accept_details", **_DEAF
}  # fmt: skip
# Perplexity has neither tools nor a seed, and checks the order of roles.
_OF_PERPLEXITY: Final[Mapping[str, Any]] = {
    **_OLDER, **_DEAF, "web_search_options": "accept", "search_members": "of_perplexity", "instructions": "first",
    "roles": "alternate", "assistant_prefill": "refuse", "function_tools": "refuse", "calls_in_history": "refuse",
    "json_mode": "refuse", "service_tiers": (), "seed": "refuse_by_some_hosts",
}  # fmt: skip
# Databricks refuses members that it does not know; its streams have their usage anyway.
_OF_DATABRICKS: Final[Mapping[str, Any]] = {
    **_OLDER, "calls_at_once": "one_with_text", "stream_usage": "unasked",
    "takes_only": (
        "model", "messages", "tools", "tool_choice", "response_format", "max_tokens", "temperature", "top_p", "stop",
        "n", "stream", "reasoning",
    ),
}  # fmt: skip
_QWEN_TEXT: Final = (
    r"(?:qwq|qwen(?:2(?:[.-]5)?|3)?(?:-(?:max|plus|turbo|flash|long|next|coder|math|mt)|-?[0-9.]+b)|qwen3\.[67]-max)"
)
HOSTED: Final[tuple[Family, ...]] = (
    *tagged_families({**_OLDER, "forced_tool_choice": "refuse_by_some_hosts"}),
    Family("gpt-oss of Databricks", r"^databricks-gpt-oss", "databricks-gpt-oss-120b",
        {**_OF_DATABRICKS, **_TEXT_ALONE, "efforts": ("low", "medium", "high")}, "Idb LL2 MD Ilt"),
    Family("other open weights of Databricks", r"^databricks-(?!claude|gpt|gemini|grok)",
        "databricks-meta-llama-3-3-70b-instruct", {**_OF_DATABRICKS, **_DEAF, "thinking": "unsaid"}, "Idb LL2 MD Ilt"),
    Family("gpt-oss, as Snowflake names it", r"^openai-gpt-oss", "openai-gpt-oss-120b",
        {**_OF_TEXTS, **_TEXT_ALONE, "efforts": ("low", "medium", "high")}, "Isn Ilt"),
    Family("open weights of Snowflake's own", r"^snowflake-", "snowflake-llama-3.3-70b",
        {**_OF_TEXTS, **_TEXT_ALONE, "thinking": "none"}, "Isn MD Ilt"),
    Family("doubao, seed, of Volcengine and BytePlus",
        r"^(?:(?:doubao|dola)-seed-|seed-)(?!oss|.*(?:thinking|character))", "doubao-seed-2-0-pro-260215",
        {**_ELSEWHERE_HOSTED, **_VIDEOS, "thinking_switch": "thinking", "thinks_unasked": True,
         "efforts": ("minimal", "low", "medium", "high")}, "Iar Sar MD"),
    Family("deepseek-flash (v4.1), deepseek-v4 that sees",
        r"^deepseek-(?:flash|v4[.-]1|v4[^/]*-vision|v[5-9])", "deepseek-flash",
        {**_DEEPSEEK_V4, "efforts": ("low", "high", "max"), "image_input": True, "pdf_input": True},
        "Ids41 Ids Iaz Idn Idi LL2 Ilt"),
    Family("deepseek-v4", r"^deepseek-v4", "deepseek-v4-flash",
        {**_DEEPSEEK_V4, "efforts": ("low", "medium", "high", "max")}, "recorded PX Ids PO Iaz Idn Ilt"),
    Family("deepseek-chat, deepseek-reasoner, deepseek-r1/v3",
        r"^deepseek-(?:chat|reasoner|r1|v3)(?!.*:)", "deepseek-chat",
        _OF_DEEPSEEK, "recorded PO PX Idn Ilt"),
    Family("deepseek, through other hosts", r"deepseek", "deepseek-ai/DeepSeek-V4-Pro",
        {**_OLDER, **_DEAF}, "recorded PX LL2 Ife Ilt"),
    Family("gpt-oss, as Groq and others name it", r"^(?:groq/)?openai/gpt-oss", "openai/gpt-oss-120b",
        {**_OLDER, **_TEXT_ALONE, **_OF_GROQ, "efforts": ("low", "medium", "high")},
        "recorded PX Ivo LL Igq Iws Igc Ilt"),
    Family("gpt-oss", r"gpt-oss", "gpt-oss-20b",
        {**_OLDER, **_TEXT_ALONE, "efforts": ("low", "medium", "high")}, "recorded PX Ivo LL Igq Iws Ito Ilt"),
    Family("grok-4.6, 4.7", r"grok-(?:4[.-][6-9](?![0-9])|[5-9])", "grok-4.6",
        {"efforts": ("low", "medium", "high", "xhigh"), **_LATER_XAI, "stop": "refuse"}, "PX VA Ixp Dxr Iws Dxc Ixc"),
    Family("grok-4.5, grok-build", r"grok-(?:4[.-]5(?![0-9])|build-latest)", "grok-4.5",
        {"efforts": ("low", "medium", "high"), **_LATER_XAI, "stop": "refuse"}, "PX VA Ixp Dxr Iws Dxc Ixc"),
    Family("grok-4.20-multi-agent", r"grok-4[.-]20-multi", "grok-4.20-multi-agent-0309", {"served": False}, "Ioc MD"),
    Family("grok-4.20 (non-reasoning)", r"grok-4[.-]20[^/]*non-reasoning", "grok-4.20-0309-non-reasoning",
        {"efforts": (), **_LATER_XAI}, "PX Ixe Ixp Iws Dxc Ixc"),
    Family("grok-4.20, grok-code, grok-build", r"grok-(?:4[.-]20|code|build)", "grok-4.20-0309-reasoning",
        {"efforts": (), "thinking": "unsaid", **_LATER_XAI, "stop": "refuse"}, "recorded PX Ixe Ixp Iws Dxc Ixc"),
    Family("grok-3, grok-2", r"grok-(?:3(?!-mini)|2(?!.*vision))", "grok-3",
        {"efforts": ("none", "low", "medium", "high"), **_OF_XAI, **_TEXT_ALONE}, "PX VA Ixp Iws Dxc Ixc"),
    Family("grok (2 that sees, and what does not reason)", r"grok-(?:2|[^/]*non-reasoning)",
        "grok-4-1-fast-non-reasoning",
        {"efforts": ("none", "low", "medium", "high"), **_OF_XAI}, "PX VA Ixp Iws Dxc Ixc"),
    Family("grok-3-mini", r"grok-3-mini", "grok-3-mini",
        {"efforts": ("none", "low", "high"), **_OF_XAI, **_TEXT_ALONE, "stop": "refuse"},
        "recorded PX Ixp Iws Dxc Ixc"),
    Family("grok (4.3, 4, 4-fast)", r"grok", "grok-4",
        {"efforts": ("none", "low", "medium", "high"), **_OF_XAI, "stop": "refuse"}, "PX VA Ixp Iws Dxc Ixc"),
    Family("groq/compound", r"compound", "groq/compound",
        {**NOT_OF_OPENAI, **_OF_GROQ, "thinking": "none", "structured_output": False, "contents": "text",
         **dict.fromkeys(("custom_tools", "web_search_options", "image_input", "audio_input", "pdf_input"),
             "refuse_by_some_hosts")},
        "recorded Igq Igr Igc"),
    Family("mistral-small, mistral-medium, magistral-small, of Mistral itself",
        r"^(?:mistral-(?:small|medium)[^/:]*-(?:latest|26\d{2})|mistral-medium-3[-.]5|magistral-small-latest"
        r"|mistral-(?:medium|large)-[4-9](?:[-.]\d+)?)$",
        "mistral-small-latest",
        {**_OF_MISTRAL, **_DEAF, "efforts": ("none", "high")},
        "recorded PX Ivm LI VA Imx Ilr Isa Wmc Iml Iea Imt"),
    Family("voxtral, of Mistral itself", r"^(?:mistral\.)?voxtral-[^/:]*-(?:latest|\d{4})$", "voxtral-small-latest",
        {**_OLDER_MISTRAL, "efforts": ()}, "recorded PX Ivm LI VA Imx Ilr Imur Isa Wmc Iml Iea Imt"),
    Family("codestral, mistral-tiny, mistral-saba, open-mistral, open-mixtral, of Mistral itself",
        r"^(?:open-mi[^/:]*|codestral-[^/:]*(?:latest|\d{4})|mistral-(?:tiny|saba)(?:-latest|-\d{4})?)$",
        "codestral-latest",
        {**_OLDER_MISTRAL, **_TEXT_ALONE, "efforts": ()}, "recorded PX Ivm LI VA Imx Ilr Imur Isa Wmc Iml Iea Imt LL2"),
    Family("mistral, ministral, magistral, pixtral, devstral, mixtral, of Mistral itself",
        _OWN_MISTRAL, "mistral-large-latest",
        {**_OLDER_MISTRAL, **_DEAF, "efforts": ()}, "recorded PX Ivm LI VA Imx Ilr Imur Isa Wmc Iml Iea Imt"),
    Family("mistral-large up to 3, ministral, pixtral, codestral, devstral, voxtral, mixtral, through other hosts",
        r"(?:mistral-(?:large(?!-[4-9](?![0-9]))|7b|nemo|saba|tiny)|ministral|pixtral|codestral|devstral|voxtral|mixtral)",
        "mistralai/mistral-large-2512",
        {**_OF_TEXTS, "logprobs": "refuse", "max_completion_tokens_member": "refuse", "thinking": "none",
         "call_ids": "nine_letters", "user_after_results": "refuse"}, "recorded PX Ivm LI Imur Ilc Ilt"),
    Family("mistral, magistral, through other hosts",
        _MISTRAL, "mistralai/mistral-medium-3.1",
        {**_OF_TEXTS, "logprobs": "refuse", "max_completion_tokens_member": "refuse",
         "call_ids": "nine_letters", "user_after_results": "refuse"}, "recorded PX Ivm LI Imur Ilt"),
    Family("kimi-k2.5, kimi-k2.6", r"^kimi-k2\.[56]", "kimi-k2.6",
        {**_KIMI, "thinking_switch": "thinking", "thinks_unasked": True,
         "forced_tool_choice": "refuse_if_thinking", "reasoning_in_calls": "require_words"},
        "PX PO Ikr Ikt Ikc Iea Ikj Dkv Ilt"),
    Family("kimi-k2.5, kimi-k2.6, through other hosts", r"kimi-k2[.p][56]", "moonshotai/kimi-k2.6",
        {**_HOSTED_KIMI, **_DEAF}, "recorded PX PO Iea LL2 Ilt Iki"),
    Family("kimi-k2.7", r"^kimi-k2\.7", "kimi-k2.7-code",
        {**_OF_MOONSHOT, **_FIXED_SAMPLING, "thinking": "unsaid", "forced_tool_choice": "refuse",
         "reasoning_in_calls": "require_words"}, "PX Ikr Ikt Ikc Iea Ikj Ilt"),
    Family("kimi-k3", r"^kimi-k[3-9]", "kimi-k3",
        {**_KIMI, "efforts": ("low", "high", "max"), "forced_tool_choice": "any",
         "reasoning_in_calls": "require_words"}, "PX PO Ikr Ikt Ikc Dk3 Iea Ikj Dkv Ilt"),
    Family("kimi-k3, through other hosts", r"kimi-k[3-9]", "moonshotai/kimi-k3",
        {**_SAYS_SOMETHING, **_DEAF, **_FIXED_SAMPLING}, "PX PO Ikn Iea LL2 Ilt"),
    Family("kimi-for-coding", r"^(?:kimi-for-coding|k2p[5-9]$)", "kimi-for-coding",
        {**_KIMI, "efforts": ("minimal", "low", "medium", "high")}, "Ikf Iea Ikj Dkv Ilt"),
    Family("kimi-k2-thinking", r"^kimi-k2-thinking", "kimi-k2-thinking",
        {**_OF_MOONSHOT, **_TEXT_ALONE, "reasoning_in_calls": "require_words"}, "PX PO Ikr Iea Ikj LL2 Ilt"),
    Family("moonshot-v1 that sees, kimi-latest, of Moonshot itself", r"^(?:moonshot-v1-.*vision|kimi-latest)",
        "moonshot-v1-8k-vision-preview", {**_OF_MOONSHOT, "thinking": "none"}, "PX PO Iea Ikj LL2 Ilt"),
    Family("moonshot-v1, kimi-k2 that does not think, of Moonshot itself",
        r"^(?:moonshot-v1|kimi-k2(?:-\d{4}|-turbo|$))", "moonshot-v1-128k",
        {**_OF_MOONSHOT, **_TEXT_ALONE, "thinking": "none"}, "PX PO Iea Ikj LL2 Ilt"),
    Family("kimi-k2 that does not think, as Groq names it", r"^(?:groq/)?moonshotai/kimi-k2-instruct",
        "moonshotai/kimi-k2-instruct-0905",
        {**_HOSTED_KIMI, **_TEXT_ALONE, **_OF_GROQ, "thinking": "none"}, "PX PO Iea LL2 Igc Ilt Iki"),
    Family("kimi-k2 that does not think, through other hosts",
        r"kimi-k2(?:-instruct|-\d{4}|-turbo|$|:)", "moonshotai/kimi-k2-turbo",
        {**_HOSTED_KIMI, **_TEXT_ALONE, "thinking": "none"}, "PX PO Iea LL2 Ilt Iki"),
    Family("kimi", r"kimi", "moonshotai/kimi-linear-48b-a3b-instruct", _HOSTED_KIMI, "PX PO Iea Ilt Iki"),
    Family("glm-5.3, of Z.ai itself", r"^glm-(?:5[.-][3-9](?![0-9])|[6-9])", "glm-5.3",
        {**_OWN_OF_ZAI, "efforts": ("low", "high", "max"), "schema_references": "refuse"}, "PX Izt Igt Izm Dzt Ilt"),
    Family("glm-5.3, through other hosts", r"(?<![a-z])glm-(?:5[.p-][3-9](?![0-9])|[6-9])", "zai-org/GLM-5.3",
        {**_OF_ZAI, "efforts": ("low", "high", "max"), "schema_references": "refuse"}, "PX Izt Igt Izm Ilt"),
    Family("glm, of Cerebras", r"^zai-glm", "zai-glm-4.7",
        {**_GLM, **_TEXT_ALONE, "thinking": "unsaid", "strict_tools": "all_or_none"}, "PX Icb Igt Icm Ilt"),
    Family("glm-5.2, of Z.ai itself", r"^glm-5[.-]2", "glm-5.2",
        {**_BLIND_OF_ZAI, "efforts": ("minimal", "low", "medium", "high", "xhigh", "max")},
        "recorded PX Izt Izq Ijs Igt Izm Dzt Ilt"),
    Family("glm, that sees, of Z.ai itself", r"^glm-[0-9.]+v", "glm-4.6v",
        {**_OWN_OF_ZAI, **_VIDEOS, "thinking_switch": "thinking"}, "recorded PX Izt Igt Izm Dzt Dzv Ilt"),
    Family("glm, that sees, through other hosts", r"glm-[0-9.p]+v", "zai-org/GLM-4.6V",
        {**_OF_ZAI, **_VIDEOS}, "recorded PX Izt Igt Izm Dzv Ilt"),
    Family("glm, of Z.ai itself", r"^glm", "glm-4.6", _BLIND_OF_ZAI, "recorded PX Izt Izq Ijs Igt Izm Dzt Ilt"),
    Family("glm, of Z.ai through a gateway", r"(?:^|/)z-ai/glm", "z-ai/glm-4.6",
        {**_OF_ZAI, **_TEXT_ALONE}, "recorded PX Izt Igt Izm Ilt"),
    Family("glm, through other hosts", r"glm", "zai-org/GLM-4.6",
        {**_GLM, **_TEXT_ALONE}, "recorded PX Ifw Inm Igt Ilt"),
    Family("qwen3-coder", r"qwen-?3-coder", "qwen3-coder",
        {**_OLDER, **_TEXT_ALONE, "thinking": "none"}, "PX Iqi Ilt"),
    Family("qwen-3, of Cerebras", r"^qwen-3-", "qwen-3-235b-a22b-instruct-2507",
        {**_OLDER, **_TEXT_ALONE, "thinking": "unsaid", "schema_references": "refuse", "strict_tools": "all_or_none"},
        "PX Icb Icm LL2 Ilt"),
    Family("qwen, of Cerebras", r"^qwen-3", "qwen-3.8-27b",
        {**_OLDER, **_DEAF, "thinking": "unsaid", "schema_references": "refuse", "strict_tools": "all_or_none"},
        "PX Icb Icm Ilt"),
    Family("qwen3-32b, of the size that Groq serves", r"^(?:groq/)?qwen/qwen3-32b$", "qwen/qwen3-32b",
        {**_QWEN, **_TEXT_ALONE, **_OF_GROQ, "thinking": "off_alone"}, "PX Igr LL2 Igc Ilt"),
    Family("qwen3.6, of the size that Groq serves", r"^(?:groq/)?qwen/qwen3\.6-27b$", "qwen/qwen3.6-27b",
        {**_QWEN, **_DEAF, **_OF_GROQ, "thinking": "off_alone"}, "PX Igr LL2 Igc Ilt"),
    Family("qwen3.8, of the size that Groq serves", r"^(?:groq/)?qwen/qwen3\.8-27b$", "qwen/qwen3.8-27b",
        {**_QWEN, **_DEAF, **_OF_GROQ, "efforts": ("none", "low", "medium", "high")}, "PX Igs38 LL2 Igc Ilt"),
    Family("qwen, of text alone", rf"^{_QWEN_TEXT}", "qwen3-max",
        {**_OF_ALIBABA, **_TEXT_ALONE}, "recorded PX Inm Iqi LL2 Iqu MD Ilt"),
    Family("qwen, of text alone, through other hosts", rf"[/.]{_QWEN_TEXT}", "qwen/qwen3-max",
        {**_QWEN, **_TEXT_ALONE, "user_query": "require"}, "recorded PX Inm Iqi LL2 Iqu MD Ilt"),
    Family("qwen, through other hosts", r"qwen(?:/|\.qwen)", "qwen/qwen3.5-397b-a17b", _QWEN, "recorded PX Inm Ilt"),
    Family("qwen3.8", r"qwen(?:3[.p][89]|[4-9](?![0-9]*b))", "qwen3.8-max",
        {**_OF_ALIBABA, "efforts": ("low", "medium", "high", "xhigh", "max"), "thinks_unasked": True, **_VIDEOS},
        "recorded PX Inm Iq38 Iqu Dqv Ilt"),
    Family("qwen", r"qwen|^qvq-", "qwen3.7-plus", {**_OF_ALIBABA, **_VIDEOS}, "recorded PX Inm Iqu Dqv Ilt"),
    Family("llama-4 of Groq", r"^(?:groq/)?meta-llama/llama-4-[a-z]+-17b-", "meta-llama/llama-4-scout-17b-16e-instruct",
        {**_OLDER, **_DEAF, **_OF_GROQ, "thinking": "none"}, "Igr Igc Ilt"),
    Family("llama of Groq", r"^(?:groq/)?llama-?[0-9.]+-[0-9]+b-(?:versatile|instant)", "llama-3.3-70b-versatile",
        {**_OLDER, **_TEXT_ALONE, **_OF_GROQ, "thinking": "none"}, "recorded Igr Igc Ilt"),
    Family("llama, that sees", r"llama-?(?:v?4|guard-4|v?3[.p-]2-(?:11b|90b|vision))", "llama-4-scout",
        {**_OLDER, **_DEAF, "thinking": "none"}, "recorded Igr Ilt"),
    Family("llama", r"(?<!o)llama", "llama-3.3-70b",
        {**_OLDER, **_TEXT_ALONE, "thinking": "none"}, "recorded Ics Igr Ilt"),
    Family("gemma-3, gemma-2", r"gemma-?(?:3(?!n)|2)", "gemma-3-27b-it", {**_OLDER, **_DEAF}, "Iot Ivs Ilt"),
    Family("gemma", r"gemma", "google/gemma-4-31b-it", _OLDER, "Iot Ilt"),
    Family("mimo-v2.5-pro, mimo-v2-pro, mimo-v2-flash", r"mimo-v2(?:(?:[.p]5)?-pro|-flash)", "mimo-v2.5-pro",
        {**_OLDER, **_DEAF, **_SWITCHED, "image_input": False, "reasoning_in_calls": "require"},
        "recorded Ixm Ixs MD Ilt"),
    Family("mimo", r"mimo", "mimo-v2.5",
        {**_OLDER, **_SWITCHED, "reasoning_in_calls": "require"}, "recorded Ixm Ixs Ilt"),
    Family("sonar that reasons (Perplexity)", r"sonar-(?:reasoning|deep)", "sonar-reasoning-pro",
        {**_OF_PERPLEXITY, "efforts": ("minimal", "low", "medium", "high")}, "recorded MG Ips Ipx Ife Dpx Ilt"),
    Family("sonar (Perplexity)", r"sonar", "sonar-pro",
        {**_OF_PERPLEXITY, "thinking": "none"}, "recorded MG Ips Ipx Ife Dpx Ilt"),
    Family("minimax-m2, of itself", r"^minimax-m2[^/]*$", "MiniMax-M2.5",
        {**_OLDER, **_OF_MINIMAX, "thinking": "unsaid", "image_input": False}, "Imm Imv LL Imp Imrs Dmm"),
    Family("minimax, of itself", r"^minimax-[^/]*$", "MiniMax-M3",
        {**_OLDER, **_OF_MINIMAX, "thinking_switch": "adaptive_thinking"}, "Imm Imp Imrs LL2 Dmm"),
    Family("minimax-m2, through other hosts", r"minimax-m2", "minimax/minimax-m2.5",
        {**_OLDER, **_DEAF, "image_input": False}, "PX Imv LL Ilt"),
    Family("minimax, through other hosts", r"minimax", "minimax/minimax-m3", {**_OLDER, **_DEAF}, "PX LL2 Ilt"),
    Family("command-a-plus of Cohere", r"command-a-plus", "command-a-plus-05-2026",
        {**_OLDER, **_OF_COHERE, "efforts": ("none", "high")}, "recorded Icc Ilt"),
    Family("command-a-reasoning of Cohere", r"command-a-reasoning", "command-a-reasoning-08-2025",
        {**_OLDER, **_OF_COHERE, **_TEXT_ALONE, "efforts": ("none", "high")}, "recorded Icc Ilt"),
    Family("command-a-vision of Cohere", r"command-a-vision", "command-a-vision-07-2025",
        {**_OLDER, **_OF_COHERE, "thinking": "unsaid"}, "recorded Icc Ilt"),
    Family("command of Cohere", r"command-[ar]", "command-a-03-2025",
        {**_OLDER, **_OF_COHERE, **_TEXT_ALONE, "thinking": "unsaid"}, "recorded Icc LL2 Ilt"),
    Family("muse-spark", r"(?<![a-z0-9])muse-spark", "muse-spark-1.3",
        {**_OLDER, "efforts": ("minimal", "low", "medium", "high", "xhigh")}, "Imsp Ilt"),
    Family("weights of other makers", _OTHER_WEIGHTS, "nvidia/nemotron-3-super-120b-a12b",
        _OLDER, "recorded Iom Inm Ilt"),
    *GATEWAYS,
    Family("any other model that is named with its maker",
        r"^(?!~?(?:openai|azure)/)[^/]+/.", "thinkingmachines/inkling", _OLDER, "Iom Inm Ilt"),
)  # fmt: skip
