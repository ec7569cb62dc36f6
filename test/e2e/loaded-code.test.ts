// What is not loaded costs nothing: parts of Node that take longer than a frame stay away until they are used.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../rigs/model-server/model-server.js";
import { PtySession } from "./pty-session.js";
import { palaver, runPalaver } from "./run-program.js";

/** A process with this variable writes down at its end which parts of Node it has loaded. */
function listing(): { readonly folder: string; readonly env: Record<string, string>; loaded(): string[] } {
  const folder = mkdtempSync(join(tmpdir(), "palaver-loaded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [hook, list] = [join(folder, "hook.cjs"), join(folder, "list")];
  const write = `require("node:fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n"))`;
  writeFileSync(hook, `process.on("exit", () => ${write});\n`);
  return { folder, env: { NODE_OPTIONS: `--require ${hook}` }, loaded: () => readFileSync(list, "utf8").split("\n") };
}

test("palaver ask shows and answers a question without Node's crypto and HTTP", async () => {
  const { env, loaded } = listing();
  const ask = new PtySession(process.execPath, [palaver, "ask", "select", "Which one?", "first", "second"], { env });
  await ask.shows("Which one?");
  await ask.shows("esc cancel");
  ask.type("\x1b");
  await ask.ended;
  expect(loaded()).toContain("NativeModule tty");
  expect(loaded()).not.toContain("NativeModule crypto");
  expect(loaded()).not.toContain("NativeModule http");
});

test("the built-in agent asks a model without Node's second HTTP client", async () => {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  model.play({ text: "hello" });
  const { folder, env, loaded } = listing();
  const flags = ["--cwd", folder, "--model", "compatible:stand-in", "--base-url", model.url];
  const { code, stdout } = await runPalaver(["agent", "--stream", "--unattended", ...flags], {
    env: { ...env, PALAVER_API_KEY: "test-key" },
    stdin: '{"type":"prompt","text":"hi"}\n',
  });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("hello") });
  expect(loaded().filter((name) => name.includes("undici"))).toEqual([]);
});
