// What the agent gets of a command that the user ran: whose it is, bounded, and nothing that passes for the user's words.
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinedOutputs, SHELL_OUTPUT_HEAD, shellOutput as toldOutput } from "../../src/session/shell-output.js";
import { createRedactor } from "../../src/text/redact.js";

const shellOutput = (command: string, output: string) => toldOutput(command, output, String);

test("the output is said to be one, with its command", () => {
  expect(shellOutput("ls", "a\nb\n")).toBe(`${SHELL_OUTPUT_HEAD}    $ ls\n    a\n    b`);
  expect(shellOutput("true", "")).toBe(`${SHELL_OUTPUT_HEAD}    $ true\n    (no output)`);
});

test("every line of it is indented, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (command, output) => {
      const told = shellOutput(command, output).slice(SHELL_OUTPUT_HEAD.length);
      for (const line of told.split(/[\n\r\u2028\u2029]/)) expect(line.startsWith("    ")).toBe(true);
    }),
  );
});

test("a long output keeps its two ends, and of many outputs the newest are kept", () => {
  const long = shellOutput("seq", `first ${"x".repeat(100_000)} last`);
  expect(long.length).toBeLessThan(25_000);
  expect(long).toMatch(/first [\s\S]*\[80011 characters left out\][\s\S]* last$/);
  const many = Array.from({ length: 10 }, (_, at) => shellOutput(`seq ${at}`, "y".repeat(15_000)));
  const kept = many.reduce(joinedOutputs, "");
  expect(kept.length).toBeLessThanOrEqual(60_000);
  expect(kept.startsWith(SHELL_OUTPUT_HEAD)).toBe(true);
  expect(kept).toContain("seq 9");
  expect(kept).not.toContain("seq 1\n");
});

const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${"Z".repeat(64)}\n`.repeat(25)}-----END RSA PRIVATE KEY-----\n`;
const token = `ghp_${"a1".repeat(18)}`;
const filler = (units: number) => "word ".repeat(units / 5);

test.each([
  ["a key that begins in the part left out", `${filler(15_000)}\n${key}${filler(9_200)}`, "ZZZZ"],
  ["a token on the cut", `${filler(9_990)} ${token} ${filler(15_000)}`, "ghp_"],
  ["a declared secret of two lines", "first line\nsecond line", "second"],
  ["a token with colours in it", `ghp_\x1b[31ma1a1\x1b[0m${"a1".repeat(16)}`, "a1a1"],
])("no part of %s is told", (_, output, part) => {
  const redactor = createRedactor(["first line\nsecond line"]);
  for (const told of [toldOutput("cat", output, redactor.text), toldOutput(output, "", redactor.text)]) {
    expect(told).toContain("•••");
    expect(told).not.toContain(part);
  }
});
