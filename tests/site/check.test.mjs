// The built site in a real Chromium: nothing that axe finds, and a search that finds each public name at its reference.
// `nox -s site` builds the site and says where things are.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const SITE = process.env.INTERLINGUA_SITE;
const NAMES = JSON.parse(readFileSync(process.env.INTERLINGUA_SITE_NAMES, "utf-8"));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
const PAGES = [
  "index",
  "search",
  "start/index",
  "start/install",
  "start/quickstart",
  "start/tutorial",
  "how-to/index",
  "streams",
  "reference/index",
  "reference/python/translate",
  "reference/python/tools",
  "cli",
  "schema/v3",
  "dialects/claude",
  "explanation/index",
  "losses",
  "explanation/ideas",
  "how-to/proxy",
  "how-to/move-a-history",
  "how-to/errors-and-retries",
  "benchmark",
  "contributing/index",
];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

let browser;
let server;
let address;

before(async () => {
  server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://site").pathname));
    try {
      const content = readFileSync(join(SITE, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath: process.env.INTERLINGUA_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
});

after(async () => {
  await browser?.close();
  server?.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [size, viewport] of [["desk", { width: 1280, height: 900 }], ["phone", { width: 390, height: 844 }]]) {
    test(`axe finds nothing on the main pages, ${scheme}, ${size}`, async () => {
      const context = await browser.newContext({ viewport, colorScheme: scheme });
      const tab = await context.newPage();
      const found = [];
      for (const page of PAGES) {
        await tab.goto(`${address}/${page}.html`);
        await tab.evaluate(AXE);
        const { violations } = await tab.evaluate(() => globalThis.axe.run());
        for (const { id, nodes } of violations) found.push(`${page}: ${id}: ${nodes[0].html.slice(0, 160)}`);
        const width = await tab.evaluate(() => document.documentElement.scrollWidth);
        if (width > viewport.width) found.push(`${page}: ${width} pixels wide`);
      }
      await context.close();
      assert.deepEqual(found, []);
    });
  }
}

test("the search finds each public name at its reference first", async () => {
  const tab = await browser.newPage();
  await tab.goto(`${address}/search.html?q=translate_stream`);
  const first = await tab.waitForSelector("#search-results li a");
  assert.match(await first.getAttribute("href"), /reference\/python\/streams\.html#interlingua\.translate_stream/);
  const wrong = await tab.evaluate((names) => {
    const best = (query) => {
      history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
      const results = Search._performSearch(...Search._parseQuery(query));
      const [page, , anchor] = results[results.length - 1] ?? [];
      return `${page}${anchor}`;
    };
    return Object.entries(names).flatMap(([name, { query, page }]) => {
      const found = best(query);
      return found === `${page}#${name}` ? [] : [`${query}: ${found}`];
    });
  }, NAMES);
  assert.ok(Object.keys(NAMES).length > 100);
  assert.deepEqual(wrong, []);
  await tab.close();
});

test("code has colours and a button that copies it", async () => {
  const tab = await browser.newPage();
  await tab.goto(`${address}/start/quickstart.html`);
  assert.ok(await tab.locator(".highlight-python .copybtn").count());
  assert.ok(await tab.locator(".highlight-python .highlight span.kn").count());
  await tab.close();
});

test("an option within a sentence keeps its two hyphens", async () => {
  const tab = await browser.newPage();
  await tab.goto(`${address}/reference/commands.html`);
  const text = await tab.locator("article").innerText();
  assert.match(text, /With --kind stream/);
  assert.doesNotMatch(text, /\u2013(kind|strict|json)/);
  await tab.close();
});

test("names in tables stay whole, and pictures have their size, on a phone", async () => {
  const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await tab.goto(`${address}/losses.html`);
  const picture = await tab.locator("article p a img").first().boundingBox();
  assert.ok(picture.width > 600);
  const name = await tab.locator("article th code", { hasText: "openai_responses" }).first().boundingBox();
  assert.ok(name.height < 40);
  await tab.close();
});
