// `palaver/ui` without Palaver around it, in a real pty: the same calls draw small dialogs below what the program printed.
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { Workplace } from "../prompt/prompt-terminal.js";
import { runProgram } from "../run-program.js";

const place = new Workplace();
afterEach(() => place.endAll());
afterAll(() => place.remove());

const program = join(import.meta.dirname, "terminal-program.mjs");

test("a program asks on its terminal, keeps one line of each answer, and ends by itself", async () => {
  const terminal = place.shell(`"${process.execPath}" "${program}"; echo "code $?"`);
  await terminal.dialog("before\n▌ Which colour?");
  terminal.type("\x1b[B");
  await terminal.shows("❯ green");
  await terminal.enters("▌ Your name?");
  await terminal.dialog("▌ Your name?");
  terminal.type("Ada\r");
  await terminal.dialog("▌ rm rm -r build");
  await terminal.shows("it deletes folders recursively");
  terminal.type("\x1b");
  await terminal.shows("code 0");
  expect(await terminal.text()).toBe(
    [
      "before",
      "? Which colour?  green",
      "? Your name?  Ada",
      "? rm rm -r build  no",
      "careful",
      '{"hasUI":true,"colour":"green","name":"Ada","ok":false,"reason":""}',
      "code 0",
    ].join("\n"),
  );
});

test("without a terminal every question is cancelled, and nothing hangs", async () => {
  const { code, stdout } = await runProgram("setsid", [process.execPath, program]);
  expect(stdout).toContain('{"hasUI":false,"colour":null,"name":null,"ok":false,"reason":""}');
  expect(code).toBe(0);
});
