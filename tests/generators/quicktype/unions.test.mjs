// quicktype makes one type of a union, with the members of all its variants: what the page on other languages says of it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const schemas = join(here, "..", "dist", "schema");
const newest = readdirSync(schemas).sort().at(-1);

/** What quicktype makes of a published file, as TypeScript: its types by name, each with its members' names. */
function made(file) {
  const program = join(here, "node_modules", "quicktype", "dist", "index.js");
  const wish = ["--src-lang", "schema", "--lang", "typescript", "--just-types", file];
  const text = execFileSync(process.execPath, [program, ...wish], { encoding: "utf8" }).replace(/\/\*\*.*?\*\//gs, "");
  const types = [...text.matchAll(/^export interface (\w+) \{(.*?)^\}/gms)];
  return new Map(types.map(([, name, body]) => [name, [...body.matchAll(/^ {4}(\w+\??):/gm)].map(([, member]) => member)]));
}

for (const [file, union] of [["part", "Part"], ["event", "Event"]]) {
  test(`of ${file}.json quicktype makes one type in which every member is optional that one variant may lack`, () => {
    const path = join(schemas, newest, `${file}.json`);
    const { $defs } = JSON.parse(readFileSync(path, "utf8"));
    const variants = $defs[union].oneOf.map(({ $ref }) => $defs[$ref.split("/").at(-1)]);
    assert.ok(variants.length > 5);
    const isDemanded = (name) => variants.every((variant) => variant.required.includes(name));
    const members = new Set(variants.flatMap((variant) => Object.keys(variant.properties)));
    const expected = [...members].map((name) => (isDemanded(name) ? name : `${name}?`));
    const types = made(path);
    assert.deepEqual(types.get(union).toSorted(), expected.toSorted());
    assert.deepEqual(variants.map(({ title }) => title).filter((title) => types.has(title)), []);
  });
}
