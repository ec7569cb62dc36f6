// Every flag of `palaver agent` on one process: where it works, which model it asks at which address and with which words
// about itself, which file it writes, and that it asks nobody.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../rigs/model-server/model-server.js";
import { runPalaver } from "../run-program.js";

test("each flag of the agent is obeyed", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-flags-")));
  const model = await startModelServer();
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const file = join(folder, "talk.jsonl");
  model.play({ calls: [{ name: "write", args: { path: "a.txt", content: "x" } }] }, { text: "Then not." });
  const { code, stdout, stderr } = await runPalaver(
    [
      ...["agent", "--cwd", folder, "--model", "compatible:stand-in", "--base-url", model.url, "--no-ui", "--debug"],
      ...["--system-prompt", "You are a pirate.", "--session-file", file],
    ],
    { stdin: "write a.txt\n" },
  );
  expect(code).toBe(0);
  const frames = stdout.trimEnd().split("\n");
  expect(JSON.parse(frames[0] ?? "")).toMatchObject({
    type: "ready",
    cwd: folder,
    model: { provider: "compatible", id: "stand-in" },
    debug: true,
    ui: false,
  });
  expect(frames.some((frame) => frame.startsWith('{"type":"ui_'))).toBe(false);
  expect(stderr).toBe("a prompt in plain text\n");
  const [first, second] = model.requests;
  expect(JSON.stringify(first?.body.messages[0])).toContain("You are a pirate.");
  expect(JSON.stringify(second?.body.messages)).toContain("no one can be asked");
  const written = readFileSync(file, "utf8");
  for (const words of ["write a.txt", "Then not."]) expect(written).toContain(words);
});
