// What can be completed comes out of the tables and helps that the commands have anyway.
import { describe, expect, test } from "vitest";
import { commandTable } from "../../../src/cli/command-table.js";
import { completionTable, firstWordsIn, flagsIn } from "../../../src/cli/commands/completion-command.js";

const commands = await Promise.all(
  commandTable.map(async ({ name, summary, load }) => ({ name, summary, help: (await load()).help })),
);
const table = completionTable({ commands, agents: [{ name: "gemini", title: "Gemini CLI" }] });
const helpOf = (name: string) => commands.find((command) => command.name === name)?.help ?? "";

describe("a help", () => {
  test("names its flags, their short forms and what they take", () => {
    const help = `palaver x [options]

  -n, --lines N      how many
  --secret, --placeholder TEXT
  --json             for programs; see "palaver run --record FILE"

Examples
  palaver x -- other --flag
`;
    expect(flagsIn(help)).toEqual([
      { name: "--lines", short: "-n", value: "N" },
      { name: "--secret", short: null, value: null },
      { name: "--placeholder", short: null, value: "TEXT" },
      { name: "--json", short: null, value: null },
    ]);
  });

  test.each([
    ["ask", ["select", "confirm", "input", "editor", "form", "files", "table", "spin"]],
    ["config", ["get", "set", "unset", "path", "check", "keys", "trust"]],
    ["completion", ["bash", "zsh", "fish"]],
    ["run", []],
    ["stop", []],
  ])("of %s begins with the words that may come first", (name, words) => {
    expect(firstWordsIn(helpOf(name))).toEqual(words);
  });
});

describe("the table", () => {
  const choicesAfter = (words: string) => {
    const choices = table.steps.find(({ after }) => after.includes(words))?.choices;
    return typeof choices === "string" ? choices : choices?.map(({ word }) => word);
  };

  test("has every command, agent, setting and theme", () => {
    expect(choicesAfter("")).toEqual(commandTable.map(({ name }) => name));
    for (const words of ["run", "serve", "agents", "prompt *"]) expect(choicesAfter(words)).toEqual(["gemini"]);
    expect(choicesAfter("config set")).toContain("permissions.allow");
    expect(choicesAfter("config set theme")).toContain("harbour");
    expect(choicesAfter("replay")).toBe("files");
  });

  test("has the flags of each command, and the settings where they are flags", () => {
    const flagsOf = (name: string) => table.flags.find(({ command }) => command === name)?.names;
    expect(flagsOf("run")).toEqual(expect.arrayContaining(["--protocol", "--record", "--typing-guard-ms", "--help"]));
    expect(flagsOf("stop")).toEqual(["--all", "--project", "--program", "--help"]);
    expect(flagsOf("replay")).not.toContain("--record");
  });

  test("knows what may follow a flag", () => {
    const following = (name: string) => table.values.find(({ names }) => names.includes(name))?.choices;
    expect(following("--protocol")).toContainEqual({ word: "acp", summary: "" });
    expect(following("-o")).toContainEqual({ word: "stream-json", summary: "" });
    expect(following("--record")).toBe("files");
    expect(following("--timeout")).toBe("free");
    expect(following("--json")).toBe(undefined);
  });
});
