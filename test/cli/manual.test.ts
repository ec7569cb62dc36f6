// The manual page and all other pages say what the commands say; after a change of a help `npm run manual` regenerates it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { manualPage, readmePage } from "../../scripts/manual-page.mjs";
import { commandTable } from "../../src/cli/command-table.js";
import { completionTable } from "../../src/cli/commands/completion-command.js";
import { settingKeys, settingTable, settingVariable } from "../../src/session/settings/setting-table.js";
import { commandsIn, flagsIn } from "../e2e/guides/guide-steps.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

const commands = await Promise.all(
  commandTable.map(async ({ name, usage, summary, load }) => ({ name, usage, summary, help: (await load()).help })),
);

test("man/palaver.1 is current; `npm run manual` makes it so", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const settings = settingKeys.flatMap((key) => {
    const variable = settingVariable(key);
    return variable === null ? [] : [{ variable, words: settingTable[key].words }];
  });
  expect(manualPage({ version, commands, settings }) === read("man/palaver.1")).toBe(true);
});

test("the commands in the README are current; `npm run manual` makes it so", () => {
  const page = read("README.md");
  for (const { name } of commands) expect(page).toContain(`| \`palaver ${name}`);
  expect(readmePage(page, commands) === page).toBe(true);
});

describe("the pages", () => {
  const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
  const pages = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/coming-from.md", ...guides];

  test.each(pages)("%s names no command that does not exist", (path) => {
    const known = new Set(commands.map(({ name }) => name));
    expect(commandsIn(read(path)).filter((name) => !known.has(name))).toEqual([]);
  });

  test("name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...pages, "docs/performance.md", "docs/platforms.md", "docs/terminals.md"].flatMap((path) =>
      [...read(path).matchAll(/npm run ([a-z-]+)/g)].map(([, name = ""]) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test("give no command a flag that it does not take", () => {
    const { flags } = completionTable({ commands, agents: [] });
    const known = new Map(flags.map(({ command, names }) => [command, names]));
    const named = pages.flatMap((path) => flagsIn(read(path)).map((each) => ({ path, ...each })));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ command, flag }) => known.get(command)?.includes(flag) !== true)).toEqual([]);
  });
});

test.each(commands)("$name --help has examples", ({ name, help }) => {
  expect(help).toMatch(new RegExp(`^palaver ${name}\\b[\\s\\S]*\\n\\nExamples\\n {2}\\S`));
});

describe("a help on the page", () => {
  const page = (help: string) =>
    manualPage({ version: "1", settings: [], commands: [{ name: "x", usage: "x", summary: "does x", help }] });

  test("has its sentences filled, its options tagged and its examples as they are", () => {
    expect(
      page(
        "palaver x [options]\n\nDoes x,\nand well.\n\n  --json   for programs,\n           and more\n\nExamples\n  palaver x --json\n",
      ),
    ).toContain(
      ".SS x\nDoes x.\n.PP\n.B palaver x [options]\n.PP\nDoes x,\nand well.\n.TP\n.B \\-\\-json\nfor programs,\nand more\n" +
        ".PP\n.B Examples\n.PP\n.nf\n.RS 2\npalaver x \\-\\-json\n.RE\n.fi\n",
    );
  });

  test("cannot give orders to the typesetter", () => {
    expect(page("palaver x\n\n.so /etc/passwd\n'x \\n(yr\n")).toContain("\\&.so /etc/passwd\n\\&'x \\en(yr\n");
  });
});
