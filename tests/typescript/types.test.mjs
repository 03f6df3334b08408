// The types compile strictly and narrow, and they accept the same documents as those of an independent generator.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { bundle, examples, vectors, versions } from "./documents.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const build = join(here, "build");

/** Type-check a project; return the files that have errors and what the compiler said. */
function check(project) {
  try {
    execFileSync(join(here, "node_modules", ".bin", "tsc"), ["--project", project, "--pretty", "false"], { cwd: here });
    return { failed: new Set(), report: "" };
  } catch (error) {
    const report = String(error.stdout);
    return { failed: new Set([...report.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error/gm)].map((match) => match[1])), report };
  }
}

/**
 * The bundle as the oracle understands it: without a root, since it looks for definitions below the root alone; without
 * what no type can say and it makes an open type of, exactly one of these members; and where a schema says nothing of
 * the type, with a word of its own for that, since it takes silence for an object.
 */
function forTheOracle(document) {
  const { $ref: _, ...copy } = structuredClone(document);
  for (const schema of Object.values(copy.$defs)) {
    if (schema.properties) {
      delete schema.oneOf;
      delete schema.anyOf;
    }
    for (const member of Object.values(schema.properties ?? {})) {
      const said = Object.keys(member).filter((key) => key !== "description");
      if (said.length === 0) {
        member.tsType = "unknown";
      }
    }
  }
  return copy;
}

async function writeOracle() {
  for (const version of versions) {
    const source = forTheOracle(bundle(version));
    // A list that must hold something is a list in our types: how long it is, a type cannot say of data that is read.
    const options = { unreachableDefinitions: true, ignoreMinAndMaxItems: true, bannerComment: "", format: false };
    const text = await compile(source, version, options);
    writeFileSync(join(build, "oracle", `${version}.ts`), text);
  }
}

/** One file for each document: it assigns the document to its type. */
function writeSamples() {
  const documents = [...examples(), ...vectors()];
  return documents.map((entry, index) => {
    const file = `build/samples/${index}.ts`;
    const value = JSON.stringify(entry.document, null, 2);
    const text = `import type { ${entry.type} } from "types/${entry.version}";\nexport const value: ${entry.type} = ${value};\n`;
    writeFileSync(join(here, file), text);
    return { file, path: entry.path, valid: entry.valid };
  });
}

function writeProject(name, types) {
  const options = { extends: "../tsconfig.json", compilerOptions: { paths: { "types/*": [types] } }, files: [], include: ["samples/*.ts"] };
  writeFileSync(join(build, name), JSON.stringify(options));
  return `build/${name}`;
}

rmSync(build, { recursive: true, force: true });
mkdirSync(join(build, "oracle"), { recursive: true });
mkdirSync(join(build, "samples"));

test("the types compile strictly, unions narrow on their tag, and a forgotten variant is an error", () => {
  const { report } = check("tsconfig.json");
  assert.equal(report, "");
});

test("our types and those of json-schema-to-typescript accept and refuse the same samples", async () => {
  await writeOracle();
  const samples = writeSamples();
  const ours = check(writeProject("ours.json", "../dist/npm/*.d.ts"));
  const oracle = check(writeProject("oracle.json", "./oracle/*.ts"));
  const known = new Set(samples.map((sample) => sample.file));
  const strangers = [...ours.failed, ...oracle.failed].filter((file) => !known.has(file));
  assert.deepEqual(strangers, [], `${ours.report}${oracle.report}`);
  const different = samples.filter((sample) => ours.failed.has(sample.file) !== oracle.failed.has(sample.file));
  assert.deepEqual(different.map((sample) => sample.path), []);
  const refusedButValid = samples.filter((sample) => sample.valid && ours.failed.has(sample.file));
  assert.deepEqual(refusedButValid.map((sample) => sample.path), []);
  assert.ok(ours.failed.size > 0, "no sample was refused: the types check nothing");
  console.log(`${samples.length} samples: ${samples.length - ours.failed.size} accepted, ${ours.failed.size} refused by both`);
});
