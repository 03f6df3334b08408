// What is published is understood by ajv's strict mode and by json-schema-to-typescript, and judges as the source does.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import Ajv from "ajv/dist/2020.js";
import { compile } from "json-schema-to-typescript";
import { vectors, versions } from "./documents.mjs";

const schemas = join(dirname(fileURLToPath(import.meta.url)), "dist", "schema");
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

function published(version) {
  const folder = join(schemas, version);
  const files = readdirSync(folder).sort();
  return files.map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]);
}

const strict = () => {
  const ajv = new Ajv({ strict: true, logger: false });
  ajv.addFormat("date-time", TIME); // strict mode wants to be told every format; ajv-formats has it, too
  return ajv;
};

for (const version of versions) {
  test(`ajv's strict mode takes every published file of ${version}, and its whole bundle judges every vector`, () => {
    const all = published(version);
    for (const [name, document] of all) {
      assert.doesNotThrow(() => strict().compile(document), name);
    }
    const whole = all.find(([name]) => name === "schema.json")[1];
    const ajv = strict().addSchema(whole, "whole");
    const wrong = vectors()
      .filter((one) => one.version === version)
      .filter((one) => ajv.validate(`whole#/$defs/${one.type}`, one.document) !== one.valid)
      .map((one) => one.path);
    assert.deepEqual(wrong, []);
  });
}

test("each public object has a file that stands for itself", () => {
  const names = published("v3").map(([name]) => name);
  for (const name of ["message", "chat_request", "chat_response", "event", "api_error", "part", "transcript_document"]) {
    assert.ok(names.includes(`${name}.json`), name);
  }
  for (const [name, document] of published("v3")) {
    assert.ok(document.$id.endsWith(`/v3/${name}`), name);
    assert.ok(document.$ref.startsWith("#/$defs/"), name);
  }
});

test("json-schema-to-typescript makes discriminated unions of a file", async () => {
  const [, document] = published("v3").find(([name]) => name === "chat_request.json");
  const text = await compile(document, "chat_request", { bannerComment: "" });
  assert.match(text, /export type ChatMessage =\s*\| AssistantChatMessage/);
  assert.match(text, /export type Part =\s*\|? ?AudioPart \|/);
  assert.match(text, /export interface TextPart \{[^}]*type: "text";/);
});
