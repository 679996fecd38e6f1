// Puts faults into the built package, one at a time, and demands that the test named beside each notices it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

for (const [name, file, text, replacement, noticing] of [
  ["a key per try", "send.js", "const answer =", `if (headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());\n    const answer =`, "a request has its effect once"],
  ["a token per caller", "client.js", "coming ??=", "coming =", "fifty callers get one token"],
  ["a token that ends on its way", "client.js", "* 900", "* 1000", "a token is given up when nine tenths of its life are over"],
  ["a wait after the signal", "send.js", "if (!signal)", "if (true)", "nothing is sent after the signal"],
  ["a wait of one's own", "send.js", "refused?.retryAfter ?", "false ?", "a wait is as long as the server asks for"],
  ["a deletion that fails when it was done", "send.js", "r.lost &&", "false &&", "a deletion whose answer was lost is done"],
  ["a silent end where there are more", "client.js", "if (page.has_more)", "if (false)", "pages are read one after the other"],
  ["any signature", "webhook.js", "given && (await", "given || (await", "signatures are verified"],
]) {
  test(`${name} is noticed`, () => {
    const folder = mkdtempSync(resolve("sabotaged-"));
    try {
      cpSync("dist", folder, { recursive: true });
      const content = readFileSync(join(folder, file), "utf8");
      assert.equal(content.split(text).length, 2, `${file} has the text ${text} once`);
      writeFileSync(join(folder, file), content.replace(text, () => replacement));
      const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
      const run = spawnSync(process.execPath, ["--test-reporter=tap", `--test-name-pattern=^${noticing}`, "test/client.test.mjs"], {
        env: { ...environment, CLIENT: join(folder, "index.js") }, encoding: "utf8",
      });
      assert.match(run.stdout, new RegExp(`^not ok \\d+ - ${noticing}`, "m"), run.stdout + run.stderr);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
