// The npm package as its users have it: entry points, constants and bundles.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as types from "interlingua-types";
import { readJson, versions } from "./documents.mjs";

const require = createRequire(import.meta.url);

test("the package knows the versions", () => {
  const numbers = versions.map((version) => Number(version.slice(1)));
  assert.deepEqual([...types.VERSIONS], numbers);
  assert.equal(types.CURRENT, readJson("schema", "settings.json").current);
});

for (const version of versions) {
  test(`the package holds the bundle of ${version} and an entry point for its types`, async () => {
    const path = require.resolve(`interlingua-types/schema/${version}.json`);
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), readJson("tests", "typescript", "dist", "schema", version, "schema.json"));
    assert.ok(await import(`interlingua-types/${version}`));
  });
}
