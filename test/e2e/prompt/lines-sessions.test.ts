// Sessions of an agent on the lines wire, resumed by palaver prompt: the last one, a named one, and what is said when there is none.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runPalaver } from "../run-program.js";
import { Workplace } from "./prompt-terminal.js";

const notesAgent = fileURLToPath(new URL("notes-agent.mjs", import.meta.url));
const place = new Workplace();
afterAll(() => place.remove());

let places = 0;
function agent(...options: string[]) {
  places += 1;
  const store = place.path(`store-${places}`);
  const XDG_STATE_HOME = place.path(`state-${places}`);
  const prompt = (...args: string[]) => {
    const env = { HOME: place.folder, XDG_STATE_HOME };
    return runPalaver(["prompt", ...args, "--", process.execPath, notesAgent, store, ...options], {
      cwd: place.folder,
      env,
    });
  };
  const kept = () => readdirSync(store).map((name) => name.replace(".json", ""));
  return { prompt, kept };
}

test.each([[], ["--protocol", "lines"]])("the last session is continued: %j", async (...protocol) => {
  const { prompt, kept } = agent();
  expect((await prompt("one", ...protocol)).stdout).toBe("prompt 1: one\n");
  const { code, stdout, stderr } = await prompt("two", "--continue", ...protocol);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "prompt 2: two\n", stderr: "" });
  expect(kept()).toHaveLength(1);
});

test("a session is named by its id or the beginning of it", async () => {
  const { prompt, kept } = agent();
  await prompt("one");
  const [id = ""] = kept();
  expect((await prompt("two", "--resume", id)).stdout).toBe("prompt 2: two\n");
  expect((await prompt("three", "--resume", id.slice(0, -2))).stdout).toBe("prompt 3: three\n");
});

test("the newest session of the folder is the agent's own, also when no prompt ran here before", async () => {
  const { prompt } = agent();
  const { code, stdout, stderr } = await prompt("one", "--continue");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "prompt 1: one\n" });
  expect(stderr).toContain("so this is a new one: there is no session to resume in this folder");
});

test("an agent without sessions begins a new conversation, and the user is told so", async () => {
  const { prompt } = agent("without-sessions");
  await prompt("one");
  const { stdout, stderr } = await prompt("two", "--continue");
  expect(stdout).toBe("prompt 1: two\n");
  expect(stderr).toContain("this is a new one: the agent does not remember the earlier conversation");
});
