// Files as an agent reaches them through us, on a real file system: where paths really lead, and what is written where.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAcpEffectHandler } from "../../../src/agents/acp/acp-link.js";
import type { AcpEffect } from "../../../src/agents/dialects/acp/acp-effect.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "palaver-files-")));
const workspace = join(root, "workspace");
const outside = join(root, "outside");
const performer = createAcpEffectHandler(() => undefined);

type WithoutId<Effect> = Effect extends AcpEffect ? Omit<Effect, "id"> : never;

function perform(effect: WithoutId<AcpEffect>) {
  return performer.perform({ ...effect, id: "1" } as AcpEffect, () => undefined);
}

beforeAll(() => {
  for (const folder of [workspace, outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(outside, "secret"), "s");
  symlinkSync(outside, join(workspace, "way-out"));
  symlinkSync(join(outside, "not-yet"), join(workspace, "dangling"));
  symlinkSync("dangling", join(workspace, "twice"));
  symlinkSync("round-b", join(workspace, "round-a"));
  symlinkSync("round-a", join(workspace, "round-b"));
});

afterAll(() => {
  performer.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

describe("reading", () => {
  test.each([
    [null, null, "one\ntwo\nthree\n"],
    [2, null, "two\nthree\n"],
    [2, 1, "two"],
    [null, 2, "one\ntwo"],
    [9, 3, ""],
  ])("from line %j, %j lines, gives %j", async (line, limit, text) => {
    const path = join(workspace, "a.txt");
    const result = await perform({ type: "file.read", path, realPath: path, line, limit });
    expect(result).toEqual({ ok: true, value: { text } });
  });

  test("what is not there, or is no file, says why", async () => {
    const [none, whole] = [join(workspace, "none"), { line: null, limit: null }];
    const gone = await perform({ type: "file.read", path: none, realPath: none, ...whole });
    expect(gone).toMatchObject({ ok: false, code: "ENOENT" });
    const folder = await perform({ type: "file.read", path: workspace, realPath: workspace, ...whole });
    expect(folder).toMatchObject({ ok: false, code: "EISDIR" });
  });

  test("refuses when the path leads elsewhere than when it was decided about", async () => {
    const path = join(workspace, "way-out/secret");
    const result = await perform({
      type: "file.read",
      path,
      realPath: join(workspace, "secret"),
      line: null,
      limit: null,
    });
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("no longer leads") });
  });
});

describe("looking where a write would go", () => {
  test.each([
    ["a.txt", "workspace/a.txt", "inside", "one\ntwo\nthree\n"],
    ["new/deep/b.txt", "workspace/new/deep/b.txt", "inside", null],
    ["../outside/secret", "outside/secret", "outside", "s"],
    ["way-out/secret", "outside/secret", "outside", "s"],
    ["way-out/new", "outside/new", "outside", null],
    ["dangling", "outside/not-yet", "outside", null],
    ["twice", "outside/not-yet", "outside", null],
    ["../workspace-twin/x", "workspace-twin/x", "outside", null],
  ])("%s leads to %s, %s", async (path, realPath, place, oldText) => {
    const result = await perform({ type: "file.inspect", path: join(workspace, path), workspace });
    const where = { realPath: join(root, realPath), workspace, place, exists: oldText !== null };
    expect(result).toMatchObject({ ok: true, value: { ...where, oldText, isText: true } });
  });

  test.each([
    [".env", true],
    ["certs/server.key", true],
    ["plain-name", true],
    [".env.example", false],
    ["a.txt", false],
  ])("%s looks like a secret: %j", async (name, looksSecret) => {
    if (name === "plain-name") symlinkSync(join(outside, "id_rsa"), join(workspace, name));
    const path = join(workspace, name);
    expect(await perform({ type: "path.locate", path, workspace })).toMatchObject({ ok: true, value: { looksSecret } });
  });

  test("bytes that are no text are told, and a file too large to be shown is refused", async () => {
    const [odd, large] = [join(workspace, "odd"), join(workspace, "large")];
    writeFileSync(odd, Buffer.from([0x61, 0xff, 0x62]));
    writeFileSync(large, "");
    truncateSync(large, 17 * 1024 * 1024);
    expect(await perform({ type: "file.inspect", path: odd, workspace })).toMatchObject({ value: { isText: false } });
    expect(await perform({ type: "file.inspect", path: large, workspace })).toMatchObject({ ok: false, code: "EFBIG" });
  });

  test("a circle of links leads nowhere, and that is a result", async () => {
    expect(await perform({ type: "file.inspect", path: join(workspace, "round-a"), workspace })).toMatchObject({
      ok: false,
    });
  });
});

describe("writing", () => {
  test("makes the folders on the way", async () => {
    const path = join(workspace, "made/for/it.txt");
    expect(await perform({ type: "file.write", path, realPath: path, content: "x", oldText: null })).toEqual({
      ok: true,
      value: null,
    });
    expect(readFileSync(path, "utf8")).toBe("x");
  });

  test("refuses when the path leads elsewhere by now", async () => {
    const path = join(workspace, "swapped");
    symlinkSync(join(outside, "swapped"), path);
    expect(await perform({ type: "file.write", path, realPath: path, content: "x", oldText: null })).toMatchObject({
      ok: false,
    });
    expect(existsSync(join(outside, "swapped"))).toBe(false);
  });

  test("where it cannot says why", async () => {
    const path = join(workspace, "a.txt/inside-a-file");
    expect(await perform({ type: "file.write", path, realPath: path, content: "x", oldText: null })).toMatchObject({
      ok: false,
    });
  });
});

describe("a command", () => {
  test("does not run in a folder that leads elsewhere by now", async () => {
    const run = { type: "terminal.run", command: "pwd", args: [], env: {}, cwd: join(workspace, "way-out") } as const;
    expect(await perform(run)).toMatchObject({ ok: false, message: expect.stringContaining("no longer leads") });
  });
});

describe("an address", () => {
  test.skipIf(process.platform !== "linux")("is one argument to the opener, never a line for a shell", async () => {
    const bin = join(root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s|%s' "$#" "$1" > ${join(root, "opened")}\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    const before = process.env["PATH"];
    process.env["PATH"] = `${bin}:${before}`;
    const url = "https://example.org/?a=1&b=$(touch%20x);'\"";
    const result = await perform({ type: "address.open", url });
    process.env["PATH"] = before;
    expect(result).toEqual({ ok: true, value: null });
    expect(readFileSync(join(root, "opened"), "utf8")).toBe(`1|${url}`);
  });
});
