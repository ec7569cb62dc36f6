// The helps fit a terminal of 80 columns, and every flag they name is one that the command takes.
import { describe, expect, test } from "vitest";
import { helpText } from "../../src/cli/command-line.js";
import { commandTable } from "../../src/cli/command-table.js";
import { flagsIn } from "../../src/cli/commands/completion-command.js";
import { textWidth } from "../../src/text/width.js";

const COLUMNS = 80;
const tooWide = (text: string) => text.split("\n").filter((line) => textWidth(line) > COLUMNS);

test("the help of everything fits 80 columns and begins with plain palaver", () => {
  expect(tooWide(helpText())).toEqual([]);
  expect(helpText()).toContain("\n  palaver                         open the terminal UI");
});

const commands = await Promise.all(commandTable.map(async ({ name, load }) => ({ name, ...(await load()) })));

describe.each(commands)("palaver $name --help", ({ name, help, run }) => {
  test("fits 80 columns", () => {
    expect(tooWide(help)).toEqual([]);
  });

  // The first flag that nobody knows is complained about: it has to be the one that nobody can know.
  test.each(flagsIn(help))("names $name, which is taken", async ({ name: flag, value }) => {
    const args = [value === null ? flag : `${flag}=1`, "--xyzzy"];
    await expect(run(args)).rejects.toThrow(`there is no flag --xyzzy\n  palaver ${name} --help`);
  });
});
