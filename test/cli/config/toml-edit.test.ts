// One value changes, everything else stays byte for byte; and every assignment is found where it stands.
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { withoutTomlValue, withTomlValue } from "../../../src/cli/config/persist-setting.js";
import { keyPath, lineOfPath, scanToml } from "../../../src/cli/config/toml-lines.js";

const written = `# my settings
theme = "moss"   # nicer at night
  wrap = 'words'
text = """
theme = "not this"
[nor this]
"""
list = [
  "a", # with a comment ]
  "b",
]

# rules
[permissions]
deny = ["bash(rm:*)"]

[agents.mine]
command = "x"
env = { A = "1", "b c" = "]" }

[[things]]
name = "one"
[[things]]
name = "two"
`;

describe("changing a value", () => {
  test.each([
    [["theme"], "dawn", ['theme = "moss"   # nicer at night', 'theme = "dawn"   # nicer at night']],
    [["wrap"], "terminal", ["wrap = 'words'", 'wrap = "terminal"']],
    [
      ["permissions", "deny"],
      ["a", "b"],
      ['deny = ["bash(rm:*)"]', 'deny = [ "a", "b" ]'],
    ],
    [["agents", "mine", "command"], "y", ['command = "x"', 'command = "y"']],
    [["list"], ["c"], ['list = [\n  "a", # with a comment ]\n  "b",\n]', 'list = [ "c" ]']],
  ] as const)("%j in place", (path, value, [before, after]) => {
    expect(withTomlValue(written, path, value)).toBe(written.replace(before, after));
  });

  test("a new one goes to its table, after what is there", () => {
    expect(withTomlValue(written, ["permissions", "ask"], ["w"])).toBe(
      written.replace('deny = ["bash(rm:*)"]\n', 'deny = ["bash(rm:*)"]\nask = [ "w" ]\n'),
    );
    expect(withTomlValue(written, ["motion"], "reduced")).toBe(
      written.replace('  "b",\n]\n', '  "b",\n]\nmotion = "reduced"\n'),
    );
  });

  test.each([
    ["", ["theme"], 'theme = "x"\n'],
    ["", ["keys", "abort"], '[keys]\nabort = "x"\n'],
    ["# only words\n", ["theme"], 'theme = "x"\n\n# only words\n'],
    ["[keys]\n", ["theme"], 'theme = "x"\n\n[keys]\n'],
    ["[keys] # mine\n", ["keys", "abort"], '[keys] # mine\nabort = "x"\n'],
    ["a = 1", ["b"], 'a = 1\nb = "x"\n'],
    ["a = 1", ["keys", "abort"], 'a = 1\n\n[keys]\nabort = "x"\n'],
    ["a = 1\r\n", ["b"], 'a = 1\r\nb = "x"\r\n'],
    ["keys.a = 1\n[z]\n", ["keys", "b"], 'keys.a = 1\nkeys.b = "x"\n[z]\n'],
    ["", ["trusted", "/home/ada/.palaver.toml"], '[trusted]\n"/home/ada/.palaver.toml" = "x"\n'],
  ])("%j gets %j", (before, path, after) => {
    expect(withTomlValue(before, path, "x")).toBe(after);
  });

  test("what cannot be changed in place is left alone, with a word", () => {
    expect(() => withTomlValue("keys = { a = 1 }\n", ["keys", "b"], "x")).toThrow("keys.b cannot be changed in place");
    expect(() => withTomlValue("theme = 1\n", ["theme", "b"], "x")).toThrow("cannot be changed in place");
  });

  test("a value is taken out with its line, and a missing one changes nothing", () => {
    expect(withoutTomlValue(written, ["theme"])).toBe(written.replace('theme = "moss"   # nicer at night\n', ""));
    expect(withoutTomlValue(written, ["list"])).not.toContain("with a comment");
    expect(withoutTomlValue(written, ["nothing"])).toBe(written);
  });

  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
  const name = fc.oneof(fc.constantFrom("a", "b", "c-d"), fc.string({ minLength: 1, maxLength: 4 }));
  const notProto = (names: readonly string[]) => !names.includes("__proto__");

  test("in any file, the value is there afterwards and so is every comment", () => {
    const step = fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }).filter(notProto), scalar);
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let text = "# first\n";
        let comments = 1;
        for (const [path, value] of steps) {
          let next: string;
          try {
            next = withTomlValue(text, path, value);
          } catch {
            // A table where a value is, or the other way round.
            continue;
          }
          const found = path.reduce<unknown>((table, part) => (table as Record<string, unknown>)[part], parse(next));
          expect(found).toEqual(value);
          expect(next.match(/# (?:first|noted)/g)?.length).toBe(comments);
          text = `${next.replace(/\n*$/, "")} # noted\n`;
          comments += 1;
        }
      }),
    );
  });
});

describe("places", () => {
  test("every assignment has its whole path", () => {
    expect(scanToml(written).assignments.map(({ path }) => path.join("."))).toEqual([
      "theme",
      "wrap",
      "text",
      "list",
      "permissions.deny",
      "agents.mine.command",
      "agents.mine.env",
      "things.[].name",
      "things.[].name",
    ]);
  });

  test("a path has its line, or that of the table it is in", () => {
    expect(lineOfPath(written, ["theme"])).toBe(2);
    expect(lineOfPath(written, ["list"])).toBe(8);
    expect(lineOfPath(written, ["permissions", "deny"])).toBe(15);
    expect(lineOfPath(written, ["agents"])).toBe(17);
    expect(lineOfPath(written, ["nothing"])).toBeNull();
  });

  test.each([
    ["a.b", ["a", "b"]],
    ['a."b c".d', ["a", "b c", "d"]],
    ["a.'x.y'", ["a", "x.y"]],
    ["a b", null],
    ["", null],
    ["a.", null],
  ])("the key %j is %j", (key, path) => {
    expect(keyPath(key)).toEqual(path);
  });
});
