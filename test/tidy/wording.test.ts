// Shows that words that are not for users are found in pages and in the source, and left alone elsewhere.
import { expect, test } from "vitest";
import { sourceFile } from "./source-file.js";
import { checkWording } from "./wording.js";

const found = (path: string, text: string) => checkWording(sourceFile(path, text));

test.each([
  ["README.md", "Nobody can answer."],
  ["docs/guides/a.md", "Whoever looks\nat the daemon answers."],
  ["docs/a.md", "a question for somebody else"],
  ["CONTRIBUTING.md", "what becomes\nof a question"],
  ["CHANGELOG.md", "sessions are gone on with"],
  ["man/a.1", "goes on with the session"],
  ["docs/a.md", "lines are wrapped anew"],
  ["src/cli/a.ts", 'fail("the person said no");'],
  ["src/cli/a.ts", "const help = `\n  Asks The Person.\n`;"],
  ["src/cli/a.ts", 'tell(\n  "true only when the " +\n    "person said yes",\n);'],
  ["src/cli/a.ts", 'fail("what answers there is not a daemon");'],
  ["src/cli/a.ts", 'fail("the file exists already");'],
  ["src/session/a.ts", 'danger("it lets everybody write");'],
  ["docs/a.md", "a value that is none of the options"],
  ["src/contract/a.ts", "/** A session, to be gone on with. */"],
  ["src/cli/a.ts", "ask(); // whoever it is"],
])("in %s the text %j is refused", (path, text) => {
  expect(found(path, text)).toHaveLength(1);
});

test.each([
  ["docs/a.md", "No one can answer. Palaver goes on. Press any key, then renew it."],
  ["test/a.ts", 'test("nobody is asked");'],
  ["CONTRIBUTING.md", "<!-- before and after -->\n| anew | again |\n<!-- end of before and after -->"],
  ["README.md", "<!-- commands: npm run manual -->\n| mcp | ask the person |\n<!-- end of commands -->"],
  ["docs/protocol.md", "<!-- begin events -->\nbefore the person is asked\n<!-- end events -->"],
])("in %s the text %j is fine", (path, text) => {
  expect(found(path, text)).toEqual([]);
});

test("a finding names its line, also after the table of examples", () => {
  const page = "<!-- before and after -->\n| anew | again |\n<!-- end of before and after -->\n\nWrapped anew.";
  expect(found("CONTRIBUTING.md", page)).toMatchObject([{ line: 5 }]);
});
