// Which tries of faults are chosen; the tries themselves need a built command and run elsewhere.
import { expect, test } from "vitest";
import { tryFault, tryFaults } from "../../tools/faults/faults.js";

const nothing = { palaver: "/nowhere", agent: "/nowhere" };

test("words that no try has are an answer of their own, not a success", async () => {
  const lines: string[] = [];
  const code = await tryFaults({ ...nothing, arguments: ["run", "an earthquake"], print: (line) => lines.push(line) });
  expect(code).toBe(2);
  expect(lines).toEqual(["no try has all of these words in its name: run, an earthquake"]);
});

test("a try that does not exist is a finding", async () => {
  expect(await tryFault("run · idle · an earthquake", nothing)).toEqual([
    'there is no try "run · idle · an earthquake"',
  ]);
});
