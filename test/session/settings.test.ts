// Layers become settings: the highest wins, rules add up, and a project's file may not say everything.
import { describe, expect, test } from "vitest";
import { nearestName } from "../../src/contract/nearest-name.js";
import {
  type SettingRow,
  settingKeys,
  settingTable,
  settingVariable,
} from "../../src/session/settings/setting-table.js";
import { mergeSettings, type SettingLayer } from "../../src/session/settings.js";

const user = (values: Record<string, unknown>): SettingLayer => ({
  origin: { kind: "user", file: "config.toml" },
  values,
  word: "own",
});
const project = (values: Record<string, unknown>, word: SettingLayer["word"] = "foreign"): SettingLayer => ({
  origin: { kind: "project", file: ".palaver.toml" },
  values,
  word,
});
const flag = (values: Record<string, unknown>): SettingLayer => ({
  origin: { kind: "flag", name: "--x" },
  values,
  word: "own",
});

describe("the table", () => {
  test("has a default that its own kind accepts, and words, for every setting", () => {
    for (const key of settingKeys) {
      const row: SettingRow = settingTable[key];
      expect(row.kind.judge(row.fallback), key).toEqual({ ok: true, value: row.fallback });
      expect(row.words.length, key).toBeGreaterThan(10);
    }
  });

  test("names the variable of a setting after it, and none for lists and tables", () => {
    expect(settingVariable("typing_guard_ms")).toBe("PALAVER_TYPING_GUARD_MS");
    expect(settingVariable("read_only")).toBe("PALAVER_READ_ONLY");
    for (const key of ["sandbox_read", "agents", "permissions.allow"] as const) {
      expect(settingVariable(key), key).toBeNull();
    }
  });
});

describe("layers", () => {
  test("without any, everything has its default", () => {
    const { settings, origins, problems } = mergeSettings([]);
    expect(settings.theme).toBe("auto");
    expect(settings.typing_guard_ms).toBe(800);
    expect([origins.size, problems]).toEqual([0, []]);
  });

  test("the higher one wins, and it is known which that was", () => {
    const { settings, origins } = mergeSettings([
      user({ theme: "moss", wrap: "terminal" }),
      project({ theme: "dawn" }),
      flag({ theme: "ember" }),
    ]);
    expect([settings.theme, settings.wrap]).toEqual(["ember", "terminal"]);
    expect(origins.get("theme")).toEqual([{ kind: "flag", name: "--x" }]);
    expect(origins.get("wrap")).toEqual([{ kind: "user", file: "config.toml" }]);
  });

  test("rules of every layer add up, so that no one's deny is taken away", () => {
    const { settings, origins } = mergeSettings([
      user({ permissions: { deny: ["bash(rm:*)"] } }),
      project({ permissions: { deny: [], ask: ["write"] } }),
    ]);
    expect(settings["permissions.deny"]).toEqual(["bash(rm:*)"]);
    expect(settings["permissions.ask"]).toEqual(["write"]);
    expect(origins.get("permissions.deny")).toHaveLength(2);
  });

  test("tables of names are filled up, and a name is replaced whole", () => {
    const { settings } = mergeSettings([
      user({ agents: { a: { command: "a" }, b: { command: "b", args: ["x"] } } }),
      flag({ agents: { b: { command: "c" } } }),
    ]);
    expect(settings.agents).toEqual({
      a: { command: "a", args: [], env: {} },
      b: { command: "c", args: [], env: {} },
    });
  });
});

describe("a project's file", () => {
  test.each([
    [{ agents: { a: { command: "evil" } } }, "agents"],
    [{ mcp_servers: { a: { command: "evil" } } }, "mcp_servers"],
    [{ editor: "evil" }, "editor"],
    [{ agent: "evil" }, "agent"],
    [{ base_url: "https://evil.example" }, "base_url"],
    [{ permissions: { allow: ["bash(*)"] } }, "permissions.allow"],
    [{ env_file: ".env" }, "env_file"],
    [{ keys: { abort: "ctrl+x" } }, "keys"],
    [{ typing_guard_ms: 900 }, "typing_guard_ms"],
    [{ on_ask: "default" }, "on_ask"],
    [{ trusted: { "/a": "sha256:0" } }, "trusted"],
    [{ read_only: false }, "read_only"],
  ] as const)("may not set %j", (values, key) => {
    const { settings, problems } = mergeSettings([project(values)]);
    expect(settings[key]).toEqual(settingTable[key].fallback);
    expect(problems).toMatchObject([{ severity: "warning", key }]);
    expect(problems[0]?.words).toContain("is ignored in a project's file");
  });

  test("may say what is a matter of taste, and what makes things stricter", () => {
    const { settings, problems } = mergeSettings([
      project({ theme: "dawn", read_only: true, permissions: { deny: ["bash(git push:*)"], ask: ["edit"] } }),
    ]);
    expect(problems).toEqual([]);
    expect([settings.theme, settings.read_only]).toEqual(["dawn", true]);
    expect(settings["permissions.deny"]).toEqual(["bash(git push:*)"]);
  });

  test("that the user trusts may say everything", () => {
    const { settings, problems } = mergeSettings([
      project({ editor: "vim", permissions: { allow: ["read"] } }, "trusted"),
    ]);
    expect([settings.editor, settings["permissions.allow"], problems]).toEqual(["vim", ["read"], []]);
  });
});

describe("what is wrong", () => {
  test.each([
    [{ theme: "mos" }, "must be one of auto, harbour, ember, moss, paper, dawn, terminal"],
    [{ theme: 1 }, "must be one of auto"],
    [{ typing_guard_ms: 0 }, "must be a whole number from 800 to 10000"],
    [{ typing_guard_ms: 900.5 }, "must be a whole number"],
    [{ read_only: "yes" }, "must be true or false"],
    [{ permissions: { deny: "x" } }, "must be a list of rules"],
    [{ agents: { a: { args: [] } } }, "a must be a table such as"],
    [{ agents: { a: { command: "x", protocol: "morse" } } }, "protocol is one of lines, acp, claude"],
    [{ agents: { a: { command: "x", comand: "y" } } }, 'without "comand"'],
    [{ mcp_servers: { a: { command: "x", url: "https://y" } } }, "a must be a table such as"],
    [{ mcp_servers: { a: { url: "file:///etc" } } }, "a must be a table such as"],
    [{ keys: { abort: 3 } }, "abort must be a key"],
    [{ agents: [] }, "must be a table of agents"],
  ])("%j is told with what is allowed", (values, words) => {
    const { problems } = mergeSettings([user(values)]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: "error" });
    expect(problems[0]?.words).toContain(words);
  });

  test("a wrong value leaves the layer below in force", () => {
    const { settings } = mergeSettings([user({ theme: "moss" }), project({ theme: "nonsense" })]);
    expect(settings.theme).toBe("moss");
  });

  test("an unknown name is a warning with the nearest known one", () => {
    const { problems } = mergeSettings([user({ themee: "moss", permissions: { denny: [] }, zzz: 1 })]);
    expect(problems.map(({ severity, words }) => [severity, words])).toEqual([
      ["warning", "is not a setting; did you mean theme?"],
      ["warning", "is not a setting; did you mean permissions.deny?"],
      ["warning", "is not a setting; `palaver config` lists them"],
    ]);
  });

  test("names that every object has are no settings", () => {
    const values = JSON.parse('{"__proto__": {"theme": "moss"}, "constructor": 1, "toString": 2}');
    const { settings, problems } = mergeSettings([user(values)]);
    expect(settings.theme).toBe("auto");
    expect(problems).toHaveLength(3);
  });
});

describe("typed texts", () => {
  test.each([
    ["output_lines", "12", 12],
    ["output_lines", "twelve", "twelve"],
    ["read_only", "yes", true],
    ["read_only", "0", false],
    ["read_only", "perhaps", "perhaps"],
    ["permissions.deny", "a, b,,", ["a", "b"]],
    ["theme", "moss", "moss"],
  ] as const)("%s %j stands for %j", (key, typed, value) => {
    const { kind }: SettingRow = settingTable[key];
    expect(kind.fromText?.(typed)).toEqual(value);
  });
});

describe("the nearest name", () => {
  test.each([
    ["thme", "theme"],
    ["tehme", "theme"],
    ["Theme", "theme"],
    ["wrpa", "wrap"],
    ["banana", null],
    ["", null],
  ])("of %j is %j", (word, name) => {
    expect(nearestName(word, ["theme", "wrap", "motion"])).toBe(name);
  });
});
