// Every example and every vector through ajv: valid ones pass, invalid ones fail.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { bundle, examples, vectors, versions } from "./documents.mjs";

// `format` annotates and does not validate; `discriminator` and the `x-` words are for other tools.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const addresses = Object.fromEntries(versions.map((version) => [version, bundle(version).$id]));
for (const version of versions) {
  ajv.addSchema(bundle(version));
}
const accepts = ({ version, type, document }) =>
  ajv.validate({ $ref: `${addresses[version]}#/$defs/${type}` }, document);

for (const [kind, documents] of Object.entries({ examples: examples(), vectors: vectors() })) {
  const valid = documents.filter((entry) => entry.valid);
  const invalid = documents.filter((entry) => !entry.valid);

  test(`${kind}: there are some (${valid.length} valid, ${invalid.length} invalid)`, () => {
    assert.ok(valid.length > 0);
    assert.ok(kind === "examples" || invalid.length > 0);
  });

  for (const entry of documents) {
    test(entry.path, () => assert.equal(accepts(entry), entry.valid));
  }
}
