// read and ls: what the model sees of files and folders of every kind and size.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lsTool, readTool } from "../../../src/builtin/tools/read-tool.js";
import { makeWorkspace, type Workspace, withoutRoot } from "./workspace.js";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.remove());

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

describe("read", () => {
  test("shows lines with their numbers", async () => {
    ws.put("a.txt", "one\n\n  three\n");
    expect(await ws.run(readTool, { path: "a.txt" })).toEqual({
      text: "1\tone\n2\t\n3\t  three",
      outcome: "done",
      details: { lines: 3, firstLine: 1, totalLines: 3, bytesRead: 13 },
    });
  });

  test("plans with the real place, and asks about secrets and what is outside", async () => {
    ws.put(".env", "KEY=1");
    writeFileSync(join(ws.outside, "x"), "");
    symlinkSync(".env", join(ws.folder, "notes.txt"));
    symlinkSync(join(ws.outside, "x"), join(ws.folder, "link"));
    expect(await ws.plan(readTool, { path: "notes.txt" })).toMatchObject({
      access: "read",
      subject: ".env",
      danger: expect.stringMatching(/secret/),
    });
    expect(await ws.plan(readTool, { path: "link" })).toMatchObject({ reach: "outside", subject: `${ws.outside}/x` });
  });

  test("reads a window and says how to go on", async () => {
    ws.put("a.txt", numbered(5_000));
    const middle = await ws.run(readTool, { path: "a.txt", offset: 100, limit: 2 });
    expect(middle.text).toBe("100\tline 100\n101\tline 101\n[lines 100 to 101 of 5000; continue with offset 102]");
    const whole = await ws.run(readTool, { path: "a.txt" });
    expect(whole.text).toMatch(/\[lines 1 to 2000 of 5000; continue with offset 2001\]$/);
    const past = await ws.run(readTool, { path: "a.txt", offset: 6_000 });
    expect(past).toMatchObject({ outcome: "failed", text: expect.stringMatching(/has 5,000 lines/) });
  });

  test("stays within its bytes when lines are long", async () => {
    ws.put("a.txt", `${"x".repeat(1_500)}\n`.repeat(200));
    const { text } = await ws.run(readTool, { path: "a.txt" });
    expect(text.length).toBeLessThan(70_000);
    expect(text).toMatch(/continue with offset \d+\]$/);
    ws.put("b.txt", `${"é".repeat(100_000)}\nend\n`);
    const cut = await ws.run(readTool, { path: "b.txt" });
    expect(cut.text).toContain("… (200000 bytes in this line)\n2\tend\n[1 line cut because of length]");
  });

  test("reads of a gigabyte only what was asked for", async () => {
    const path = ws.put("big.log", numbered(10_000));
    truncateSync(path, 1024 ** 3);
    const { text, details } = await ws.run(readTool, { path: "big.log", offset: 3, limit: 2 });
    expect(text).toBe("3\tline 3\n4\tline 4\n[lines 3 to 4 of more; continue with offset 5]");
    expect(details?.bytesRead).toBeLessThan(1_000_000);
  });

  test("says what it knows about line ends and encodings", async () => {
    ws.put("crlf.txt", "a\r\nb\r\n");
    ws.put("open.txt", "a\nb");
    ws.put("mixed.txt", "a\r\nb\nc\nd\n");
    ws.put("bom.txt", "\ufeffa\n");
    ws.put("latin.txt", Buffer.from("caf\u00e9\n", "latin1"));
    ws.put("empty.txt", "");
    const read = async (path: string) => (await ws.run(readTool, { path })).text;
    expect(await read("crlf.txt")).toBe("1\ta\n2\tb\n[lines end with CRLF]");
    expect(await read("open.txt")).toBe("1\ta\n2\tb\n[no newline at the end of the file]");
    expect(await read("mixed.txt")).toMatch(/\[some lines end with CRLF\]$/);
    expect(await read("bom.txt")).toBe("1\ta\n[the file begins with a byte order mark]");
    expect(await read("latin.txt")).toMatch(/\[not all of it is valid UTF-8\]$/);
    expect(await read("empty.txt")).toBe("[the file is empty]");
  });

  test("names what is no text", async () => {
    ws.put("a.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...Array(1_000).fill(0)]));
    ws.put("a.bin", Buffer.from([1, 0, 2, 0]));
    expect(await ws.run(readTool, { path: "a.png" })).toMatchObject({
      text: "a.png is a file of 1.0 kB: PNG image. Its pixels cannot be read as text.",
      details: { kind: "image" },
    });
    expect((await ws.run(readTool, { path: "a.bin" })).text).toMatch(/4 B: binary data/);
  });

  test("waits for no pipe and no device", async () => {
    execFileSync("mkfifo", [join(ws.folder, "fifo")]);
    expect((await ws.run(readTool, { path: "fifo" })).text).toBe("fifo is a pipe, not a file.");
    expect((await ws.run(readTool, { path: "/dev/zero" })).text).toBe("/dev/zero is a device, not a file.");
    expect((await ws.run(readTool, { path: "fifo" }, { unplanned: true })).outcome).toBe("failed");
  });

  test("reads files of /proc, which have no size", async () => {
    expect((await ws.run(readTool, { path: "/proc/self/status" })).text).toMatch(/^1\tName:/);
    expect(await ws.plan(readTool, { path: "/proc/self/status" })).toMatchObject({ reach: "outside" });
  });

  test("says what is there instead of the file", async () => {
    ws.put("src/parser.ts", "");
    const failure = async (path: string) => {
      const { text, outcome } = await ws.run(readTool, { path });
      expect(outcome).toBe("failed");
      return text;
    };
    expect(await failure("src")).toBe("src is a folder. Use ls to see what is in it.");
    expect(await failure("src/parsr.ts")).toMatch(/Did you mean parser.ts\?/);
    expect(await failure("src/Parser.ts")).toMatch(/Did you mean parser.ts\?/);
    expect(await failure("zebra")).toBe("zebra does not exist.");
    expect(await failure("src/parser.ts/x")).toBe("src/parser.ts/x does not exist.");
  });

  test("reports a file that may not be read", async () => {
    chmodSync(ws.put("locked", "x"), 0o000);
    const result = await withoutRoot(() => ws.run(readTool, { path: "locked" }));
    expect(result).toEqual({ outcome: "failed", text: "locked may not be accessed: permission denied." });
  });

  test("refuses when the path leads elsewhere than the plan said", async () => {
    ws.put("a.txt", "harmless\n");
    const plan = await ws.plan(readTool, { path: "a.txt" });
    execFileSync("ln", ["-sf", "/etc/hosts", join(ws.folder, "a.txt")]);
    const result = await ws.run(readTool, { path: "a.txt" }, { plan });
    expect(result).toMatchObject({ outcome: "failed", text: expect.stringMatching(/leads to \/etc\/hosts now/) });
  });

  test("is aborted by rejecting", async () => {
    ws.put("a.txt", "x\n");
    await expect(ws.run(readTool, { path: "a.txt" }, { signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
  });
});

describe("ls", () => {
  test("lists folders first, then files with sizes and links with targets", async () => {
    ws.put("b.txt", "12345");
    ws.put("a/x", "");
    ws.put(".hidden", "");
    symlinkSync("b.txt", join(ws.folder, "link"));
    execFileSync("mkfifo", [join(ws.folder, "fifo")]);
    expect((await ws.run(lsTool, {})).text).toBe("a/\n.hidden  0 B\nb.txt  5 B\nfifo  pipe\nlink -> b.txt");
    expect((await ws.run(lsTool, { path: "a" })).text).toBe("x  0 B");
  });

  test("does not name what a rule denies, and says how much that is", async () => {
    ws.put("docs/a.md", "");
    ws.put("docs/b.md", "");
    const readDecision = ({ subject }: { subject: string }) =>
      subject === "docs/b.md" ? ("deny" as const) : ("ask" as const);
    const { text, details } = await ws.run(lsTool, { path: "docs" }, { readDecision });
    expect(text).toBe("a.md  0 B\n[1 entry left out: a rule denies reading them]");
    expect(details).toEqual({ entries: 1 });
  });

  test("is bounded, and says what is no folder", async () => {
    mkdirSync(join(ws.folder, "empty"));
    for (let at = 0; at < 510; at++) ws.put(`many/${String(at).padStart(3, "0")}`, "");
    const { text, details } = await ws.run(lsTool, { path: "many" });
    expect(text.split("\n")).toHaveLength(501);
    expect(text).toMatch(/\[10 entries more; use glob with a pattern\]$/);
    expect(details).toEqual({ entries: 510 });
    expect((await ws.run(lsTool, { path: "empty" })).text).toBe("[the folder is empty]");
    expect((await ws.run(lsTool, { path: "many/001" })).text).toBe("many/001 is a file, not a folder.");
    expect((await ws.run(lsTool, { path: "nope" })).text).toBe("nope does not exist.");
  });
});
