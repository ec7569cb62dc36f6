// The docs as a site: every link and picture leads to a file of it, and nothing comes from elsewhere.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, runProgram } from "../e2e/run-program.js";

test("the site works from a folder: every link leads to a file or a heading", async () => {
  const out = mkdtempSync(join(tmpdir(), "palaver-site-"));
  const script = join(projectRoot, "scripts", "site.mjs");
  const { code, stderr } = await runProgram(process.execPath, [script, "--out", out]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const pages = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  expect(pages).toContain("index.html");
  for (const page of pages) {
    const html = readFileSync(join(out, page), "utf8");
    for (const [, kind, target = ""] of html.matchAll(/<(?:a href|img src|link rel="stylesheet" (href))="([^"]*)"/g)) {
      if (kind === undefined && /^https?:|^#/.test(target)) continue;
      const [file = ""] = target.split("#");
      expect([page, target, existsSync(join(out, dirname(page), file))]).toEqual([page, target, true]);
    }
    expect(html).not.toMatch(/<script|src="https?:/);
  }
});
