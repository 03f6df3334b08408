"""Where the rows of the model families come from, as users reported it: the word in a row, what it is, and when.

Imported by the documentation alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

REPORTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "Iba": (
            (
                "strands-agents/harness-sdk#1966, aws/aws-sdk-java-v2#6277 (measured): no cachePoint directly behind a "
                "document that is read as text"
            ),
            "2026-08-05",
        ),
        "Iau": (
            (
                "CherryHQ/cherry-studio#1179: This model requires that either input content or output modality "
                "contain audio."
            ),
            "2025-02-08",
        ),
        "Iaz": (
            "earendil-works/pi#9645, esengine/DeepSeek-Reasonix#1299 (DeepSeek V4 at Azure): thinking is not known",
            "2026-09-15",
        ),
        "Ibz": ("vercel/ai#8027: Budget 0 is invalid. This model only works in thinking mode.", "2025-08-13"),
        "Ibc": (
            (
                "langchain-ai/langchain-aws#1118 (Mistral Large, Llama 3.2), quarkiverse/quarkus-langchain4j#1983: "
                "Conversation blocks and tool use blocks cannot be provided in the same turn"
            ),
            "2026-06-22",
        ),
        "Ibd": (
            (
                "pydantic/pydantic-ai#6081, #3253, and recorded: Claude on Converse takes no document beside a "
                "toolResult"
            ),
            "2026-07-03",
        ),
        "Ibe": (
            (
                "anomalyco/opencode pull 48195, stdapi-ai/stdapi.ai#283 (tried live): GPT-5.6 and 6 on Converse take "
                "reasoning.effort, and refuse reasoning_effort and minimal"
            ),
            "2026-09-22",
        ),
        "Ibh": (
            (
                "UKGovernmentBEIS/inspect_ai#3767, #5301: Nova 2 takes no maxTokens beside maxReasoningEffort high, "
                "Nova Pro no reasoningConfig"
            ),
            "2026-09-08",
        ),
        "Ibk": ("danny-avila/LibreChat#11974: Kimi K2.5 on Converse thinks only where it is asked to", "2026-02-27"),
        "Ibn": (
            (
                "BerriAI/litellm pull 39210 (live), zeroclaw-labs/zeroclaw pull 7315: You invoked an unsupported model "
                "or your request did not allow prompt caching"
            ),
            "2026-09-01",
        ),
        "Ibr": (
            "browser-use/browser-use#710, langchain-ai/langchain-aws#235: nothing may stand beside results in a turn",
            "2025-02-13",
        ),
        "Ibs": (
            "crewAIInc/crewAI#3317: This model doesn't support the stopSequences field (gpt-oss on Converse)",
            "2025-08-13",
        ),
        "Ibv": (
            (
                "danny-avila/LibreChat#13838, NousResearch/hermes-agent pull 97327: Nova takes no cachePoint in "
                "toolConfig.tools"
            ),
            "2026-08-28",
        ),
        "Icb": (
            (
                "proxysoul/Empryo pull 209 (measured), CherryHQ/cherry-studio#11191: Cerebras refuses thinking, "
                "enable_thinking and reasoning_content"
            ),
            "2026-09-19",
        ),
        "Icr": ("charmbracelet/crush#2913, Science-Discovery/Aether#1026 (gpt-5.5)", "2026-05-14"),
        "Ics": (
            (
                "Gitlawb/openclaude#740, pull 1040, livekit/agents#1274 (Cerebras): property 'store' is unsupported, "
                "property 'metadata' is unsupported"
            ),
            "2026-05-06",
        ),
        "Ids": ("justrach/codegraff#89: reasoning_effort minimal refused by deepseek-v4-pro", "2026-06-22"),
        "Idt": ("langchain-ai/langchain-aws#447: DeepSeek R1 on Converse takes no tools", "2025-04"),
        "Iel": (
            'elizaOS/eliza pull 16175 (live probes): "This model does not support the effort parameter"',
            "2026-07-12",
        ),
        "Ifn": (
            "google-gemini/gemini-cli#2966, kaitranntt/ccs#25: Invalid function name ... maximum length of 64",
            "2025-11-30",
        ),
        "Ifw": (
            (
                "earendil-works/pi#7676 (GLM at Fireworks): Extra inputs are not permitted, field: "
                "'prompt_cache_retention'"
            ),
            "2026-08-05",
        ),
        "Igo": (
            (
                "liliMozi/openhanako#2494 (each member tried by itself), #394: Google's endpoint of this dialect "
                "refuses prompt_cache_key and store: Unknown name"
            ),
            "2026-08-21",
        ),
        "Igq": (
            (
                "eigent-ai/eigent#1827 (gpt-oss at Groq): property 'prompt_cache_key' is unsupported; "
                "CherryHQ/cherry-studio#11435: property 'verbosity' is unsupported"
            ),
            "2026-07-28",
        ),
        "Igr": (
            (
                "diegosouzapw/OmniRoute pull 3277, pull 12379 (Llama and compound at Groq), iamsrikanthnani/pluely "
                "pull 219 (Qwen): reasoning_effort is refused, or must be one of none or default; "
                "https://console.groq.com/docs/reasoning"
            ),
            "2026-09-01",
        ),
        "Igs": (
            (
                "langchain-ai/openwiki#29, Gitlawb/openclaude#67, pull 69 (Gemini 3 at Google's endpoint of this "
                "dialect): Function call is missing a thought_signature; "
                "https://ai.google.dev/gemini-api/docs/thought-signatures"
            ),
            "2026-07-13",
        ),
        "Ijf": (
            (
                "googleapis/python-genai#867: Function calling with a response mime type: 'application/json' is "
                "unsupported"
            ),
            "2025-05-27",
        ),
        "Il2": ("epam/ai-dial-adapter-bedrock#181: small Llama 3.2 on Converse take no tools", "2024-11-13"),
        "Ikc": (
            (
                "UKGovernmentBEIS/inspect_ai pull 5152 (probed), can1357/oh-my-pi#1077: tool_choice 'required' is "
                "incompatible with thinking enabled"
            ),
            "2026-08-31",
        ),
        "Ikf": (
            (
                "Kilo-Org/cloud pull 3807: 'reasoning_effort' does not support 'none' with this model; HKUDS/"
                "Vibe-Trading pull 701 (tried): invalid temperature: only 1 is allowed for this model"
            ),
            "2026-07-17",
        ),
        "Ikn": (
            (
                "Alishahryar1/free-claude-code#1515, #1519 (Kimi K3 at NVIDIA): top_p is immutable for this model and "
                "must be 0.95; anomalyco/models.dev pull 3331 (temperature, at every host)"
            ),
            "2026-08-22",
        ),
        "Ikr": (
            (
                "theopenco/llmgateway#2093 (tried with one space and with none), earendil-works/pi#4178: "
                "reasoning_content is missing in assistant tool call message"
            ),
            "2026-05-05",
        ),
        "Ikt": (
            (
                "NousResearch/hermes-agent pull 12668 (tried), odysseus-dev/odysseus#3959, Devin-AXIS/AINO pull 223 "
                "(K3): invalid temperature: only 1 is allowed for this model"
            ),
            "2026-08-03",
        ),
        "Ilk": (
            "livekit/agents#7169, #5088: tools with effort on gpt-5.2/5.4/5.6; minimal refused on 5.6",
            "2026-09-08",
        ),
        "Iln": (
            (
                "BerriAI/litellm pull 34569 (live): Function tools with reasoning_effort are not supported for "
                "gpt-5.6 ... or set reasoning_effort to 'none'."
            ),
            "2026-07-24",
        ),
        "Ilv": (
            "Kilo-Org/kilocode#5139, docs quoted in juspay/neurolink#1707: thinkingLevel refused before Gemini 3",
            "2026-01-17",
        ),
        "Imd": (
            (
                "decolua/9router#2397, OEvortex/aether#31, sdcb/chats#136 (DeepSeek, Messages): The "
                "`content[].thinking` in the thinking mode must be passed back to the API"
            ),
            "2026-07-05",
        ),
        "Ime": (
            (
                "esengine/DeepSeek-Reasonix pull 8927 (measured): DeepSeek takes thinking without words "
                "before a tool_use, and no tool_use without thinking"
            ),
            "2026-08-15",
        ),
        "Imf": (
            (
                "deepseek-ai/DeepSeek-V3#1376 (measured, Messages), maximhq/bifrost pull 5177: Thinking mode does not "
                "support this tool_choice; thinking is on unless disabled"
            ),
            "2026-08-03",
        ),
        "Imu": (
            (
                "NousResearch/hermes-agent pull 49143 (Kimi, measured), pull 75779 (MiniMax, measured), pull 104219, "
                "anomalyco/opencode pull 44713, can1357/oh-my-pi pull 908: thinking without a signature, or with an "
                "empty one, is taken back"
            ),
            "2026-09-06",
        ),
        "Imm": (
            (
                "can1357/oh-my-pi pull 954 (tried live), MiniMax-AI/MiniMax-M2#51, codexu/note-gen#918: several system "
                "messages, or one further back, are refused (2013)"
            ),
            "2026-05-29",
        ),
        "Ims": (
            "gproxy-transform 2.6.1 claude_mid_conv_system.rs: role 'system' is not supported on this model",
            "2026",
        ),
        "Inm": (
            (
                "anomalyco/opencode#49240, MoonshotAI/kimi-cli#2534, liliMozi/openhanako#2512, tingly-dev/tingly-box#"
                "1548 (NVIDIA): Validation: Unsupported parameter(s): prompt_cache_key, prompt_cache_options"
            ),
            "2026-09-15",
        ),
        "Inv": (
            "pydantic/pydantic-ai#1623, lastmile-ai/mcp-agent#126, zed-industries/zed#28521: schemas of tools for Nova",
            "2025-04-30",
        ),
        "Io4": ("griptape-ai/griptape#1915: o4-mini refuses temperature 0.1 and stop", "2025-04-26"),
        "Iok": (
            "Gitlawb/openclaude#1371, ollama/ollama#11439, charmbracelet/crush#2623: does not support thinking",
            "2026-04-14",
        ),
        "Iol": (
            (
                "ollama/ollama#18091 (qwen3.8), #18121 (glm-5.3-flash), fgrehm/pi-ollama-cloud#6, #29, "
                "anomalyco/models.dev#3787, #5798, #6851, anomalyco/opencode#36637: levels of think at ollama.com"
            ),
            "2026-09-11",
        ),
        "Iord": (
            (
                "OpenRouterTeam/ai-sdk-provider#177, #339, router-for-me/CLIProxyAPI#1078, aws-samples/"
                "bedrock-access-gateway#119, kaitranntt/ccs#113 (through gateways: Expected `thinking` or "
                "`redacted_thinking`, but found `tool_use`)"
            ),
            "2026-01",
        ),
        "Iom": (
            (
                "diegosouzapw/OmniRoute#2281 (of its maintainer: gateways refuse the role developer; DeepSeek: unknown "
                "variant `developer`)"
            ),
            "2026-05-16",
        ),
        "Iot": (
            "louisho5/picobot#6: gemma3:4b does not support tools; ollama/ollama#11131, #15023 deepseek-r1",
            "2026-03-23",
        ),
        "Ilp": (
            (
                "i-am-bee/beeai-framework#753 (Llama 3): The model that you are using requires the last turn in the "
                "conversation to be a user message"
            ),
            "2025-04-11",
        ),
        "Ilr": (
            (
                "anomalyco/opencode#19115, NousResearch/hermes-agent#84944: Expected last role User or Tool (or "
                "Assistant with prefix True); Unexpected role 'user' after role 'tool'"
            ),
            "2026-08-13",
        ),
        "Ipm": (
            (
                "cline/cline#12521 (quotes ai.google.dev gemini-api/docs/latest-model), LibreChat-AI/agents#323, "
                "anomalyco/opencode#47034: Requests ending with a model turn are not supported"
            ),
            "2026-09-03",
        ),
        "Ipen": ("google-gemini/cookbook#1290, vercel/ai#8943: Penalty is not enabled for this model", "2026-07-17"),
        "Ipf": (
            (
                "strands-agents/sdk-python#1694, QwenLM/qwen-code#8039: This model does not support assistant "
                "message prefill."
            ),
            "2026",
        ),
        "Ipi": ('earendil-works/pi#3297: "thinking.type.enabled" is not supported for this model', "2026-04-16"),
        "Ipro": (
            (
                "anomalyco/models.dev#331, chatboxai/chatbox#2384: pro models answer on Responses only; gpt-5-pro "
                "takes effort high only"
            ),
            "2025-10",
        ),
        "Iea": ("AstrBotDevs/AstrBot#7200, OpenHands/OpenHands#8685: an answer has content or calls", "2026-11-28"),
        "Igt": (
            "BerriAI/litellm#25868, sgl-project/sglang#22595: results that are lists are passed over",
            "2026-11-28",
        ),
        "Ijs": ("vectorize-io/hindsight#4491, simstudioai/sim#5569: json_schema is not followed", "2026-09"),
        "Iqe": (
            "vllm-project/vllm#54017, #54022: the template raises for any effort but xhigh, medium, low",
            "2026-11-28",
        ),
        "Iml": (
            "architects-toolkit/SmartHopper#647, withceleste/celeste-python#311: none and high, if any",
            "2026-11-28",
        ),
        "Ixt": ("router-for-me/CLIProxyAPI#4718, #5916: 422 for the choice of a tool of the server's", "2026-11-28"),
        "Ixw": (
            "lidge-jun/opencodex#2240, makecindy/cindy#4336 (400: Argument not supported: external_web_access)",
            "2026-09-12",
        ),
        "Ixn": (
            "maximhq/bifrost#5428, kittors/CliRelay#696: 422 for tools of the types namespace and custom",
            "2026-07-21",
        ),
        "Ixm": ("docs of platform.xiaomimimo.com: passing back reasoning_content; VicBilibily/GCMP#171", "2026-11-28"),
        "Ips": (
            (
                "perplexityai/api-discussion#265, anomalyco/opencode#9416, serac-labs/serac#53: user or tool "
                "message(s) should alternate with assistant message(s)"
            ),
            "2026-02-01",
        ),
        "Ipt": (
            (
                "evalstate/fast-agent#279, tensorzero/tensorzero#2805, langchain-ai/langchain#29704: "
                "parallel_tool_calls is not supported with this model"
            ),
            "2025-07-14",
        ),
        "Iq5": (
            (
                "QwenLM/qwen-code#921: temperature does not support 0 with this model. Only the default (1) value is "
                "supported."
            ),
            "2025-10-29",
        ),
        "Iqw": ("ls1intum/edutelligence#750: Qwen3.8 takes a restricted effort scale", "2026-08-20"),
        "Iuq": (
            (
                "langgenius/dify#33152, vllm-project/vllm#36432 (Qwen3.5), ollama/ollama#17778 (Qwen3.8): "
                "No user query found in messages"
            ),
            "2026-08-15",
        ),
        "Isf": ("symfony/ai#803: Tool use with function calling is unsupported", "2025-10-22"),
        "Isum": ("docker/docker-agent#2173: reasoning.summary refused by o1-pro and gpt-5-chat", "2026-03-19"),
        "Isy": (
            "567-labs/instructor#1753, danny-avila/LibreChat#6456: models of Converse that take no system messages",
            "2025-07-29",
        ),
        "Ith": (
            (
                "dotCipher/opencode-claude-bridge#1: temperature may only be set to 1 when thinking is enabled or in "
                "adaptive mode"
            ),
            "2026-03-23",
        ),
        "Ib9": (
            (
                "anomalyco/opencode pull 48843 (live): Tool call id was a but must be a-z, A-Z, 0-9, with a length of "
                "9; vercel/ai#11802 (Bedrock's own ids, ministral)"
            ),
            "2026-09-13",
        ),
        "Ist": (
            "BerriAI/litellm#31582 and pull 31923 (live): tools.0.custom.strict: Extra inputs are not permitted",
            "2026-07-02",
        ),
        "Imv": (
            "MiniMax-AI/MiniMax-M2#92 and #113 (MiniMax M2.x reads no pictures), timor-m/fnos-app-health-records#23",
            "2026-09-06",
        ),
        "Ith3": (
            (
                "langgenius/dify-official-plugins#2088: Function call is missing a thought_signature in functionCall "
                "parts."
            ),
            "2025-11-18",
        ),
        "Isa": ("swarmauri/swarmauri-sdk#162: Unexpected role 'system' after role 'assistant' (Mistral)", "2024-08-29"),
        "Itk": ("quarkiverse/quarkus-langchain4j#1812: `top_k` must be unset when thinking is enabled", "2025-09-25"),
        "Itp": (
            (
                "BerriAI/litellm#15097: `temperature` and `top_p` cannot both be specified for this model. Please "
                "use only one."
            ),
            "2025-10-01",
        ),
        "Itp1": ("open-webui/pipelines#546, aws-samples/bedrock-chat#979 (Opus 4.1)", "2025-08-08"),
        "Itp45": (
            "SalesforceAIResearch/MCP-Universe#49, aws-samples/bedrock-access-gateway#208 (Opus 4.5)",
            "2026-01-26",
        ),
        "Itp46": ("iOfficeAI/AionUi#912 (Sonnet 4.6)", "2026-02-20"),
        "Imx": (
            (
                "openai/openai-agents-python#442, Gitlawb/openclaude#739, langchain-ai/langchain-azure#82: Extra "
                "inputs are not permitted (stream_options, store, seed)."
            ),
            "2026-04-17",
        ),
        "Ivc": (
            'vercel/ai#21364 and can1357/oh-my-pi#12939: type "tool" and "any" are not supported for this model.',
            "2026-09-23",
        ),
        "Ivm": (
            "vllm-project/vllm pull 12332: Tool call id ... must be a-z, A-Z, 0-9, with a length of 9.",
            "2025-01-22",
        ),
        "Ivo": (
            (
                "vllm-project/vllm#44216 (tool_choice required ignored for gpt-oss), cited in pydantic-ai "
                "providers/vllm.py"
            ),
            "2026",
        ),
        "Ivr": (
            "microsoft/autogen#1037: Conversation roles must alternate user/assistant/user/assistant/...",
            "2023-12-21",
        ),
        "Ixp": (
            (
                "n8n-io/n8n#14581, open-webui/open-webui#21266, miaoxworld/NativeTavern#83: Model ... does not "
                "support parameter presencePenalty, though it is 0; https://docs.x.ai/docs/guides/reasoning on stop"
            ),
            "2026-09-15",
        ),
        "Ixe": (
            (
                "NousResearch/hermes-agent pull 23435 (live matrix), neavo/LinguaGacha#771 (grok-4.20): does not "
                "support parameter reasoningEffort"
            ),
            "2026-08-16",
        ),
        "Izq": (
            "anomalyco/opencode#2557 (GLM at Z.ai): The messages parameter is illegal, where no message is the user's",
            "2025-09-17",
        ),
        "Izt": (
            "vectorize-io/hindsight#4246 (measured), onyx-dot-app/onyx pull 14192: Tool choice must be auto (Z.ai)",
            "2026-09-09",
        ),
        "Imt": (
            "vegu-ai/talemate#102, SillyTavern/SillyTavern#4856, withceleste/celeste-python#311 (names, efforts)",
            "2025/2026",
        ),
        "Izm": (
            "theopenco/llmgateway#3268 (live: glm-5.2, 4.6, 4.5-air, 4.6v refuse a temperature above 1)",
            "2026",
        ),
        "Icm": (
            "RooCodeInc/Roo-Code#10334, mpfaffenberger/code_puppy#368 (Cerebras: mixed values for strict)",
            "2026",
        ),
        "Ikj": (
            (
                "vercel/ai#18921, MoonshotAI/kimi-code#2661, MoonshotAI/kimi-cli#2061 and #1773, "
                "lidge-jun/opencodex#2673, can1357/oh-my-pi#5952"
            ),
            "2026",
        ),
        "Ixs": (
            "BerriAI/litellm#31938, NousResearch/hermes-agent#17314, theopenco/llmgateway#3084",
            "2026",
        ),
        "Ipx": (
            "pipecat-ai/pipecat#4862, BerriAI/litellm#11665, 567-labs/instructor#1005",
            "2024/2026",
        ),
        "Imrs": (
            (
                "vellum-ai/vellum-assistant#34556, ENTERPILOT/GoModel#1068 (thoughts in tags within the answer without "
                "reasoning_split), MiniMax-AI/MiniMax-M2#95 (pieces), CherryHQ/cherry-studio#16431 (M3: invalid "
                "thinking.type: enabled), NousResearch/hermes-agent#46648"
            ),
            "2026-09-21",
        ),
        "Iq38": (
            "QwenLM/qwen-code#8472, #8488, anomalyco/models.dev#5732 (tried live): reasoning_effort of Qwen3.8",
            "2026-08-28",
        ),
        "Iws": (
            (
                "BerriAI/litellm#34971 (Groq answers every request with web_search_options with 400), vercel/ai#15713 "
                "(xAI: live search is gone from Chat Completions), FlowiseAI/Flowise#2866, web-infra-dev/midscene#1322 "
                "(Fireworks: extra inputs are not permitted)"
            ),
            "2026-07-28",
        ),
        "Imp": (
            "QwenLM/qwen-code#11905 (error 2013: function parameters is empty)",
            "2026-09",
        ),
        "Icc": (
            "OpenRouterTeam/openrouter-examples#71, cohere-ai/cohere-developer-experience#650, maximhq/bifrost#55",
            "2025/2026",
        ),
        "Ivb": (
            (
                "google-deepmind/concordia#164 (gpt-4o), openai/codex#9035, enricoros/big-AGI#947, "
                "theopenco/llmgateway#2989: verbosity, supported values are medium"
            ),
            "2025/2026",
        ),
        "Imr": (
            (
                "https://ai.google.dev/gemini-api/docs/media-resolution (per part: Gemini 3 and newer); "
                "BerriAI/litellm#17137, #17662"
            ),
            "2026-11",
        ),
        "Imo": (
            "snailyp/gemini-balance#386: This model only supports text output",
            "2025",
        ),
        "Inw": (
            (
                "https://docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html (10K of output), "
                "BerriAI/litellm#11441, "
                "aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#175"
            ),
            "2026-01",
        ),
        "Ipc": (
            "OpenHands/software-agent-sdk#1345 and #2311, anomalyco/opencode#5149 (which models keep a cache for 24h)",
            "2025/2026",
        ),
        "Ige": (
            "HKUDS/DeepTutor#734, ctrl-space-labs/gendox-core#480, agentjido/req_llm#971",
            "2026",
        ),
        "Idn": ("decolua/9router#3333 (live: tool names must be unique), openakita/openakita#477", "2026-08"),
        "Ivt": ("vllm-project/vllm#19144 (Qwen/Qwen3-8B is not a multimodal model)", "2025/2026"),
        "Ikv": ("vllm-project/vllm#43203 (pictures in results), cloudflare/workers-sdk#13239 (the switch)", "2026"),
    }
)
