// A question about files as a person meets it: searched by typing, marked with Tab, answered inside the folder and nowhere else.
import { describe, expect, test } from "vitest";
import type { DialogParams } from "../../../src/contract/dialogs.js";
import { asciiGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { FileFinder } from "../../../src/terminal/painter/dialogs/file-finder.js";
import { DialogRig, paste, type RigOptions } from "./dialog-rig.js";

const FILES = ["README.md", "src/parser.ts", "src/lexer.ts", "test/parser.test.ts", "test/a test.ts", ".env"];
const folder = "/home/ada/parser";

const finder = (files: readonly string[]) =>
  new FileFinder({
    list: async () => files,
    nowMs: () => 0,
    problem: (path) => (files.includes(path) || path.endsWith("/") ? null : "there is no such file"),
  });

type Opts = NonNullable<DialogParams<"files">["opts"]>;

async function rig(opts: Opts = {}, options: RigOptions = {}): Promise<DialogRig> {
  const parts = { files: () => finder(FILES), ...options.parts };
  const opened = new DialogRig(
    { kind: "files", params: { title: "Which tests?", folder, opts } },
    { ...options, parts },
  );
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  return opened;
}

const answered = (...value: string[]) => ({ type: "answered", value });

describe("a question about one file", () => {
  test("shows what is near, and the best matches of a search", async () => {
    const dialog = await rig();
    expect(dialog.screen()).toBe(`
▌ Which tests?  in parser
▌ › ▏
▌ ❯ README.md
▌   src/
▌   test/
▌ enter choose · esc cancel · type to search
`);
    dialog.press("pars");
    expect(dialog.screen()).toBe(`
▌ Which tests?  in parser
▌ › pars▏
▌ ❯ src/parser.ts
▌   test/parser.test.ts
▌ enter choose · esc cancel · type to search
`);
    expect(dialog.press("enter")).toEqual(answered("src/parser.ts"));
  });

  test("is answered by a search, or after a move, and by nothing else", async () => {
    const dialog = await rig();
    expect(dialog.press("enter")).toBeNull();
    expect(dialog.screen()).toContain("type a search, or press up or down first");
    expect(dialog.press("down", "enter")).toEqual(answered("src/"));
    expect((await rig()).press("lex", "enter")).toEqual(answered("src/lexer.ts"));
    expect((await rig()).press("a test", "enter")).toEqual(answered("test/a test.ts"));
    expect((await rig()).press(paste("test/parser.test.ts\n"), "enter")).toEqual(answered("test/parser.test.ts"));
    expect((await rig()).press("escape")).toEqual({ type: "cancelled" });
  });

  test("says what is wrong with a path that cannot be chosen", async () => {
    const dialog = await rig();
    expect(dialog.press("../secret", "enter")).toBeNull();
    expect(dialog.screen()).toContain("there is no such file");
    expect(dialog.screen()).toContain("nothing matches");
  });

  test("offers a secret file only by its whole name", async () => {
    const dialog = await rig();
    dialog.press(".en");
    expect(dialog.screen()).toContain("nothing matches");
    expect(dialog.press("v", "enter")).toEqual(answered(".env"));
  });

  test("what edits the search is no answer key, and in an empty search no key of the question at all", async () => {
    const { dialog } = await rig();
    for (const key of ["\x1b[D", "\x1b[H", "\x7f"]) expect(dialog.use(key)).toBe("other");
    for (const key of ["\x1b[A", "\x1b[B", "\t"]) expect(dialog.use(key)).toBe("move");
    expect(dialog.use("x")).toBe("text");
    dialog.key("x");
    expect(dialog.use("\x7f")).toBe("text");
  });
});

describe("a question about several files", () => {
  test("marks with Tab, keeps the marks between searches, and sends them in their order", async () => {
    const dialog = await rig({ multiple: true });
    dialog.press("parser", "down", "tab", "up", "tab", "backspace", "backspace", "backspace", "backspace", "backspace");
    dialog.press("backspace", "lex", "tab");
    expect(dialog.screen()).toBe(`
▌ Which tests?  3 chosen  in parser
▌ › lex▏
▌ ❯ [x] src/lexer.ts
▌ enter send · tab mark · esc cancel · type to search
`);
    expect(dialog.press("enter")).toEqual(answered("test/parser.test.ts", "src/parser.ts", "src/lexer.ts"));
  });

  test("takes the one at the cursor where none is marked, and counts", async () => {
    expect((await rig({ multiple: true })).press("lex", "enter")).toEqual(answered("src/lexer.ts"));
    const two = await rig({ multiple: true, min: 2 });
    expect(two.press("lex", "tab", "enter")).toBeNull();
    expect(two.screen()).toContain("choose at least 2");
    const without = await rig({ multiple: true });
    expect(without.press("lex", "tab", "tab", "enter")).toEqual(answered("src/lexer.ts"));
  });

  test("begins with the marks of a default, which are checked as well", async () => {
    expect((await rig({ multiple: true, default: ["src/parser.ts"] })).press("enter")).toEqual(
      answered("src/parser.ts"),
    );
    const gone = await rig({ multiple: true, default: ["gone.ts"] });
    expect(gone.press("enter")).toBeNull();
    expect(gone.screen()).toContain("there is no such file");
  });
});

describe("where nothing can be listed", () => {
  const remote = { parts: { files: () => new FileFinder({ list: async () => [], nowMs: () => 0 }) } };

  test("a path is typed, and still has to be inside", async () => {
    const dialog = await rig({}, remote);
    expect(dialog.screen()).toContain("type a path");
    expect(dialog.press("src/a.ts", "enter")).toEqual(answered("src/a.ts"));
    const outside = await rig({}, remote);
    expect(outside.press("../a.ts", "enter")).toBeNull();
    expect(outside.screen()).toContain("paths must be relative and stay inside the folder");
    expect((await rig({ multiple: true }, remote)).press("a.ts", "tab", "enter")).toEqual(answered("a.ts"));
  });
});

test("while the files are being listed the search says so, and in a small window all of it still fits", async () => {
  const never = {
    parts: { files: () => new FileFinder({ list: () => new Promise(() => undefined), nowMs: () => 0 }) },
  };
  expect((await rig({}, never)).screen()).toContain("looking for files");
  const small = await rig({ multiple: true }, { glyphs: asciiGlyphs });
  small.press("parser", "tab");
  expect(small.screen(40, 5)).toBe(`
| Which tests?  1 chosen  in parser
| > parser▏
| > [x] src/parser.ts
|   [ ] test/parser.test.ts
| enter send - tab mark - esc cancel
`);
});
