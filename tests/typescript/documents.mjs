// Where the documents are, and which type each of them is about.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), "utf8"));
}

const folders = (...path) =>
  readdirSync(join(root, ...path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

const documentsIn = (...path) =>
  readdirSync(join(root, ...path))
    .filter((name) => name.endsWith(".json"))
    .sort();

/** The versions, as their folders are called. */
export const versions = folders("generated", "interlingua_types").filter((name) => /^v\d+$/.test(name));

/** The published bundle of a version. */
export const bundle = (version) => readJson("generated", "interlingua_types", version, "schema.json");

/** Every file of schema/vectors: its type, whether it is valid, and the document. */
export function vectors() {
  const found = [];
  for (const version of folders("schema", "vectors")) {
    for (const union of folders("schema", "vectors", version)) {
      for (const variant of folders("schema", "vectors", version, union)) {
        const type = readJson("schema", version, union, `${variant}.json`).title;
        for (const verdict of folders("schema", "vectors", version, union, variant)) {
          for (const name of documentsIn("schema", "vectors", version, union, variant, verdict)) {
            const path = join("schema", "vectors", version, union, variant, verdict, name);
            found.push({ path, version, type, valid: verdict === "valid", document: readJson(path) });
          }
        }
      }
    }
  }
  return found;
}

/** Every example in the bundles. */
export function examples() {
  return versions.flatMap((version) =>
    Object.entries(bundle(version).$defs).flatMap(([type, schema]) =>
      (schema.examples ?? []).map((document, index) => ({
        path: `${version}/${type}/examples/${index}`,
        version,
        type,
        valid: true,
        document,
      })),
    ),
  );
}

