// What the permission rules believe a command line runs, held against what a real shell runs: every command it starts has
// to be one of the parts that were judged. Nothing is really run, because every command is an unknown one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommand } from "../../../src/session/permission/command-parts.js";

const pieces = [
  "a",
  "b",
  "ab",
  " ",
  "  ",
  "\t",
  "\n",
  "'",
  '"',
  "\\",
  ";",
  "&",
  "&&",
  "|",
  "||",
  "|&",
  "#",
  "-x",
  "1",
  "2>&1",
  " && ",
  "; ",
  " | ",
  "&>/dev/null",
];
const more = ["$", "`", "(", ")", "<", ">", "> /dev/null", "!", "\\\n", "'a b'", '"a;b"', "''", "$(a)", "é", "\r"];
const line = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.constantFrom(...more)), { maxLength: 14 })
  .map((parts) => parts.join(""));

// Each command is read up to a NUL; the words of whatever it would start are written between bars.
const SHELL = `
command_not_found_handle() { local words; printf -v words '\\001%s' "$@"; printf '\\002%s\\004' "$words" >&2; return 0; }
PATH=/nowhere
while IFS= read -r -d '' command; do
  printf '\\003' >&2
  eval "$command" </dev/null >/dev/null
  wait
done`;

function startedBy(commands: readonly string[]): string[][][] {
  const { stderr } = spawnSync("/bin/bash", ["-c", SHELL], {
    input: commands.map((command) => `${command}\0`).join(""),
    env: { LANG: "C.UTF-8" },
    encoding: "utf8",
  });
  const runs = stderr.split("\x03").slice(1);
  // What stands beside them are the shell's own complaints.
  return runs.map((run) =>
    [...run.matchAll(/\x02([^\x04]*)\x04/g)].map(([, words = ""]) => words.split("\x01").slice(1)),
  );
}

test.skipIf(!existsSync("/bin/bash"))("a shell starts nothing that was not among the parts of the command", () => {
  const commands = fc
    .sample(line, { numRuns: 9_000, seed: fc.readConfigureGlobal().seed ?? 1 })
    .filter((command) => splitCommand(command).kind === "parts");
  expect(commands.length).toBeGreaterThan(300);
  const wrong = startedBy(commands).flatMap((started, index) => {
    const command = commands[index] ?? "";
    const split = splitCommand(command);
    const parts = split.kind === "parts" ? split.parts.map(({ words }) => words.join("\x01")) : [];
    // "!" turns the outcome around and starts what stands behind it.
    const judged = new Set(parts.flatMap((part) => [part, part.replace(/^(?:!\x01)+/, "")]));
    return started.filter((words) => !judged.has(words.join("\x01"))).map((words) => ({ command, words, parts }));
  });
  expect(wrong).toEqual([]);
});
