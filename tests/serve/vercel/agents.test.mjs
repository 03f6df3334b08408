// Agents of the Vercel AI SDK: a picture, ten turns of two parallel calls with a stream each, and a last word.
// `run.py` starts the server and the providers, says where each pair is, and looks whether all was told as it happened.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const { pairs, question, system, picture, lastWord } = JSON.parse(process.env.INTERLINGUA_CLIENTS);

const apiKey = "sk-1";
const MODELS = {
  openai_chat: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat("m"),
  openai_responses: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses("m"),
  claude: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })("m"),
  gemini: (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })("m"),
  vllm: (url) => createOpenAICompatible({ name: "vllm", baseURL: `${url}/v1`, apiKey })("m"),
};
const inputSchema = z.object({ name: z.string(), count: z.number().int() });
const tools = Object.fromEntries(
  ["read_file", "get_weather"].map((name) => [
    name,
    tool({ inputSchema, execute: async (asked) => `${name} of ${asked.name}: ${asked.count * 2}` }),
  ]),
);

for (const [client, provider, url] of pairs) {
  test(`${client} from ${provider}`, { timeout: 120_000 }, async () => {
    const content = [
      { type: "text", text: question },
      { type: "image", image: picture, mediaType: "image/png" },
    ];
    const answer = streamText({
      model: MODELS[client](url),
      system,
      messages: [{ role: "user", content }],
      tools,
      stopWhen: stepCountIs(12),
      maxRetries: 0,
      providerOptions: { openai: { store: false } },
      onError: ({ error }) => assert.fail(String(error)),
    });
    assert.equal(await answer.text, lastWord);
    assert.equal((await answer.steps).length, 11);
  });
}
