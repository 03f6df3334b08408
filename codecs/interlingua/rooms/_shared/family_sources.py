"""Where the rows of the model families come from: the word in a row, what it is, and when it was read.

Imported by the documentation alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.family_reports import REPORTS

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        **REPORTS,
        "recorded": (
            (
                "requests and errors recorded in the tests of 0xPlaygrounds/rig, pydantic/pydantic-ai, maruel/genai, "
                "braintrustdata/lingua, Mirascope/mirascope, DataDog and others"
            ),
            "2025/2026",
        ),
        "BT": (
            "docs.aws.amazon.com bedrock userguide conversation-inference: supported models and model features",
            "2025",
        ),
        "CP": ("router-for-me/CLIProxyAPI@a7e3596b internal/registry/models/models.json", "2026-08-22"),
        "D45": (
            "platform.claude.com docs about-claude/models/migrating-to-claude-4 (temperature or top_p, not both)",
            "2025-09",
        ),
        "Df5": ("https://platform.claude.com/docs/en/models/fable-5/migration-guide", "2026"),
        "Df51": ("https://platform.claude.com/docs/en/models/fable-5-1/migration-guide", "2026-09"),
        "Df52": ("https://platform.claude.com/docs/en/models/fable-5-2/whats-new-fable-5-2", "2026-11"),
        "Dfd": (
            "platform.claude.com docs extended-thinking feature compatibility, quoted in anthropics/claude-code#19414",
            "2026-01",
        ),
        "Dg36": (
            "ai.google.dev gemini-api/docs/whats-new-gemini-3.6 (and latest-model), quoted in anomalyco/opencode#38924",
            "2026-07",
        ),
        "Dg4h": (
            "docs.cloud.google.com gemini-enterprise-agent-platform/models/guides/gemini-4-hydrogen (thinking levels)",
            "2026-11-12",
        ),
        "Dg4b": ("dev.to/aihubmix moving-gemini-3x-code-to-gemini-4-argon", "2026-10"),
        "Dgb": ("thinking_budget table of docs.cloud.google.com, quoted in juspay/neurolink#1707", "2026"),
        "Dgem": ("https://ai.google.dev/gemma/docs/core/gemma_on_gemini_api (thinkingLevel high or minimal)", "2026"),
        "Dgl": ("ai.google.dev gemini-api/docs/changelog", "2026-10-13"),
        "Dh55": ("https://platform.claude.com/docs/en/models/haiku-5-5/{overview,migration-guide}", "2026-10"),
        "Dk3": ("https://platform.kimi.ai/docs/guide/use-reasoning-effort (kimi-k3: low, high, max)", "2026"),
        "Dn2": ("https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html", "2026"),
        "Dnt": ("https://docs.aws.amazon.com/nova/latest/userguide/tool-built-in.html", "2026-11-29"),
        "Do55": ("platform.claude.com docs models/opus-5-5/migration-guide and whats-new-opus-5-5", "2026-09"),
        "Dord": ("openrouter.ai docs guides/best-practices/reasoning-tokens (preserving reasoning)", "2026-11"),
        "Dodc": ("developers.openai.com docs guides/deployment-checklist", "2026-10"),
        "Dost": (
            (
                "developers.openai.com docs guides/structured-outputs (gpt-4o-mini, gpt-4o-2024-08-06 and later), "
                "quoted in ai-dynamo/dynamo#15153"
            ),
            "2026",
        ),
        "Ds5": ("https://platform.claude.com/docs/en/models/sonnet-5/migration-guide", "2026"),
        "Ds55": ("https://platform.claude.com/docs/en/models/sonnet-5-5/overview", "2026-09"),
        "Dso": (
            (
                "platform.claude.com docs build-with-claude/structured-outputs; Google Cloud "
                "partner-models/claude/structured-outputs"
            ),
            "2026",
        ),
        "Dts": ("ai.google.dev and docs.cloud.google.com thought-signatures pages", "2026"),
        "Dtt": ("https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting", "2026"),
        "Dxr": ("https://docs.x.ai/developers/model-capabilities/text/reasoning", "2026-08"),
        "Dvt": ("docs.cloud.google.com gemini-enterprise-agent-platform/models/thinking", "2026-10"),
        "Vbs": (
            (
                "@ai-sdk/amazon-bedrock 4.0.186 bedrock-anthropic-model-support.ts (neither strict tools nor "
                "output_config.format); litellm 1.110.2 still says so of a schema of Opus 4.7 alone"
            ),
            "2026-11",
        ),
        "LA": ("langchain-ai/langchain-aws@3c719ec0 chat_models/bedrock_converse.py (which choices of tools)", "2026"),
        "LB": (
            (
                "langchain-aws 1.9.1 chat_models/bedrock_converse.py and utils.py, its pulls 1188, 1261 (tried live) "
                "and 1266: efforts and choices of tools on Converse"
            ),
            "2026-11",
        ),
        "LC": (
            (
                "langchain-anthropic 1.7.10, langchain-openai 1.7.4, langchain-google-genai 4.4.2 data/_profiles.py "
                "(from models.dev)"
            ),
            "2026-11",
        ),
        "LI": ("braintrustdata/lingua@75f55048 crates/lingua/src/providers/*/capabilities.rs", "2026-08-18"),
        "LL": ("litellm 1.109.1 model_prices_and_context_window_backup.json", "2026-11"),
        "LL2": ("litellm 1.110.2 model_prices_and_context_window_backup.json", "2026-11"),
        "LLb": (
            (
                "litellm 1.110.2 llms/bedrock/common_utils.py and chat/converse_transformation.py (stops checked live "
                "2026-10-09)"
            ),
            "2026-11",
        ),
        "LLc": ("litellm 1.109.1 llms/openai/chat/{gpt_reasoning,o_series}_transformation.py", "2026-11"),
        "MG": ("maruel/genai@66b63e62 providers/*/scoreboard.json (made from recordings)", "2026-08-20"),
        "MP": ("mnfst/modelparams.dev@3e79c46 models/*.yaml", "2026-08-22"),
        "MP238": ("mnfst/modelparams.dev pull 238: live probe of claude-opus-4-8", "2026-08-17"),
        "PA": (
            "pydantic-ai-slim 2.68.0 pydantic_ai/profiles/anthropic.py; comments say which cells were verified live",
            "2026-11",
        ),
        "PAp": ("pydantic-ai-slim 2.68.0 providers/anthropic.py and models/anthropic/__init__.py", "2026-11"),
        "PB": (
            (
                "pydantic-ai-slim 2.68.0 providers/bedrock.py and models/bedrock.py (comments say what was verified "
                "live on Bedrock 2026-07 to 2026-10)"
            ),
            "2026-11",
        ),
        "PG": (
            "pydantic-ai-slim 2.68.0 profiles/google.py and models/google.py (several cells verified live 2026-09/10)",
            "2026-11",
        ),
        "PO": (
            (
                "pydantic-ai-slim 2.68.0 profiles/openai.py (reasoning matrix verified live 2026-07, GPT-6 2026-09, "
                "efforts 2026-10)"
            ),
            "2026-11",
        ),
        "PX": (
            (
                "pydantic-ai-slim 2.68.0 profiles/{grok,deepseek,moonshotai,qwen,zai,mistral,groq,harmony}.py, "
                "providers/{ollama,vllm}.py"
            ),
            "2026-11",
        ),
        "SA": (
            (
                "anthropic 2.12.0 types/message_create_params.py, thinking_config_*_param.py, "
                "resources/messages/messages.py"
            ),
            "2026-11",
        ),
        "SO": ("openai 3.54.0 types/chat/completion_create_params.py, types/shared/reasoning*.py", "2026-11"),
        "VA": ("vercel/ai@ed857f50 packages/{anthropic,openai,google}/src capability functions", "2026-08-22"),
        "VG": ("@ai-sdk/google 4.0.121 google-model-catalog.ts", "2026-11"),
        "Wgm": ("docs/wire/gemini.md", "2026-11"),
        "Wct": (
            (
                "templates of chats in the source packages of vllm 0.33.0 (examples/, and its own renderers and "
                "tokenizers) and llama-cpp-python 0.3.36 (models/templates/), run on some 2,000 translated requests"
            ),
            "2026-11-28",
        ),
        "Wmc": (
            (
                "mistral-common 1.13.1, with which vLLM reads requests for these models: its validators "
                "(protocol/instruct/validator.py) run on some 2,000 translated requests"
            ),
            "2026-11-28",
        ),
        "Woc": ("docs/wire/openai_chat.md, openai_responses.md", "2026-11"),
        "Wol": ("docs/wire/ollama.md (ollama/ollama fb30760 server/routes.go, docs)", "2026-08-21"),
        "Wor": (
            "ollama/ollama fb30760 model/renderers, run on some 2,000 translated requests",
            "2026-11-28",
        ),
        "Wvl": ("docs/wire/vllm.md (vLLM source)", "2026"),
    }
)
