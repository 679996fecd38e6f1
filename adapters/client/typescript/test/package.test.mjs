import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

test("a bundle is small", (t) => {
  const [{ contents }] = buildSync({ entryPoints: ["dist/index.js"], bundle: true, minify: true, format: "esm", write: false }).outputFiles;
  const size = gzipSync(contents, { level: 9 }).length;
  t.diagnostic(`${size} bytes`);
  assert.ok(size <= 8 * 1024, `${size} bytes`);
});

test("what is exported are these names", async () => {
  assert.deepEqual(Object.keys(await import("../dist/index.js")).sort(), ["VitrineError", "connect", "verify"]);
  const names = [...readFileSync("dist/index.d.ts", "utf8").matchAll(/^export (?:type )?\{(.*)\}/gm)].flatMap(([, list]) => list.split(","));
  assert.deepEqual(names.map((name) => name.trim().replace("type ", "")).sort(), [
    "Call", "Client", "Config", "Data", "Delivery", "Detail", "Init", "Item", "PagedPath", "PathWith", "VitrineError", "components", "connect", "paths", "verify",
  ]);
});
