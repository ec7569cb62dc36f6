// Questions of the agent, one kind each, as they stand before the user and as they are left behind.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { DOWN, ENTER } from "../../views/talk-stage.js";
import { asked, lines, questioned, raised, said, sessionId } from "../heard.js";
import type { Scene } from "../scene.js";

const tool = { kind: "tool", name: "setup" } as const;

const select = raised({
  id: "s",
  origin: tool,
  question: {
    kind: "select",
    params: {
      title: "Which package manager?",
      options: [
        { label: "npm", value: "npm", description: "lock file found" },
        { label: "pnpm", value: "pnpm", description: "fastest here" },
        { label: "yarn", value: "yarn" },
      ],
    },
  },
});

const longSelect = raised({
  id: "l",
  question: {
    kind: "select",
    params: {
      title: "Which version should the release be built from?",
      message: "Only versions with a tag are listed. The newest one stands first, and is what most people want.",
      options: Array.from({ length: 30 }, (_, at) => ({
        label: `v1.${30 - at}.0`,
        value: `${at}`,
        description: `${at + 1} weeks old`,
      })),
    },
  },
});

const multi = raised({
  id: "m",
  question: {
    kind: "select",
    params: {
      title: "Which checks?",
      options: [
        { label: "types", value: "types", description: "the compiler" },
        { label: "lint", value: "lint" },
        { label: "tests", value: "tests", description: "takes a minute" },
      ],
      opts: { multiple: true, min: 1, max: 2, default: ["types"] },
    },
  },
});

const text = (id: string, opts: Record<string, unknown>, message?: string): SessionEvent =>
  raised({
    id,
    question: {
      kind: "input",
      params: {
        title: "Name of the release",
        placeholder: "v1.4",
        ...(message === undefined ? {} : { message }),
        opts,
      },
    },
  });

const editor = (prefill: string): SessionEvent =>
  raised({ id: "e", question: { kind: "editor", params: { title: "Release notes", prefill } } });

const form = raised({
  id: "f",
  question: {
    kind: "form",
    params: {
      title: "Make a release",
      message: "Everything can be changed later.",
      fields: [
        {
          name: "version",
          label: "Version",
          kind: "text",
          required: true,
          pattern: "^v",
          validate: "begin with a v",
          description: "as it is tagged",
        },
        {
          name: "channel",
          label: "Channel",
          kind: "select",
          default: "stable",
          options: [
            { label: "stable", value: "stable" },
            { label: "next", value: "next" },
          ],
        },
        { name: "count", label: "Builders", kind: "number", min: 1, max: 8, integer: true, default: 2 },
        { name: "token", label: "Token", kind: "secret" },
        {
          name: "platforms",
          label: "Platforms",
          kind: "multi_select",
          options: [
            { label: "linux", value: "linux" },
            { label: "macos", value: "macos" },
          ],
          default: ["linux"],
        },
        { name: "tell", label: "Tell everyone", kind: "confirm", default: false },
      ],
    },
  },
});

/** Real files, below a folder whose name is the same on every machine. */
function filesQuestion(opts: Record<string, unknown>): SessionEvent {
  const top = mkdtempSync(join(tmpdir(), "palaver-golden-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, "parser");
  for (const path of [
    "README.md",
    "src/join.ts",
    "src/parser.ts",
    "test/parser.test.ts",
    "test/join.test.ts",
    ".env",
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  const params = { title: "Which tests shall run?", folder, host: hostname(), opts };
  return raised({ id: "p", question: { kind: "files", params } });
}

export const askScenes: readonly Scene[] = [
  {
    name: "select",
    roles: "kept",
    play(stage) {
      asked(stage, "set it up");
      questioned(stage, said("I need to know something first."), select);
      stage.type(DOWN);
    },
  },
  {
    name: "select-filtered",
    play(stage) {
      asked(stage, "set it up");
      questioned(stage, select);
      stage.type("pn");
    },
  },
  {
    name: "select-nothing-fits",
    play(stage) {
      asked(stage, "set it up");
      questioned(stage, select);
      stage.type("cargo");
    },
  },
  {
    name: "select-long",
    play(stage) {
      asked(stage, "make a release");
      questioned(stage, longSelect);
      stage.type(...Array.from({ length: 12 }, () => DOWN));
    },
  },
  {
    name: "select-answered",
    play(stage) {
      asked(stage, "set it up");
      questioned(stage, select);
      stage.choose(DOWN);
      stage.hear(said("pnpm it is."));
    },
  },
  {
    name: "multi-select",
    play(stage) {
      asked(stage, "check it");
      questioned(stage, multi);
      stage.type(DOWN, DOWN, " ");
    },
  },
  {
    name: "multi-select-too-many",
    play(stage) {
      asked(stage, "check it");
      questioned(stage, multi);
      stage.type(DOWN, " ", DOWN, " ", ENTER);
    },
  },
  {
    name: "confirm",
    play(stage) {
      asked(stage, "clean up");
      const params = {
        title: "Delete the old build?",
        message: "It is 1.2 GB, and can be built again in ten minutes.",
      };
      questioned(stage, raised({ id: "c", question: { kind: "confirm", params } }));
    },
  },
  {
    name: "confirm-own-words",
    play(stage) {
      asked(stage, "clean up");
      const opts = { confirm_label: "delete it", cancel_label: "keep it", danger_level: "danger" as const };
      questioned(
        stage,
        raised({ id: "c", question: { kind: "confirm", params: { title: "Delete the old build?", opts } } }),
      );
    },
  },
  {
    name: "input",
    play(stage) {
      asked(stage, "release");
      questioned(stage, text("i", {}));
    },
  },
  {
    name: "input-typed",
    play(stage) {
      asked(stage, "release");
      questioned(stage, text("i", { default: "v1.4" }, "The last one was v1.3."));
      stage.type(".1");
    },
  },
  {
    name: "input-beside-draft",
    play(stage) {
      asked(stage, "release");
      stage.type("and then ");
      questioned(stage, text("i", { default: "v1.4" }, "The last one was v1.3."));
      stage.wait(1_000);
    },
  },
  {
    name: "input-invalid",
    roles: "kept",
    play(stage) {
      asked(stage, "release");
      questioned(stage, text("i", { pattern: "^v", validate: "begin with a v" }));
      stage.type("1.4", ENTER);
    },
  },
  {
    name: "input-secret",
    play(stage) {
      asked(stage, "release");
      questioned(
        stage,
        raised({
          id: "t",
          origin: { kind: "mcp", name: "npm" },
          question: { kind: "input", params: { title: "Token for the registry", opts: { secret: true } } },
        }),
      );
      stage.type("hunter2");
    },
  },
  {
    name: "editor",
    play(stage) {
      asked(stage, "release");
      questioned(stage, editor("A first line\n"));
      stage.type("and a second");
    },
  },
  {
    name: "editor-long",
    play(stage) {
      asked(stage, "release");
      questioned(stage, editor(lines(40, (at) => `- change number ${at}`)));
    },
  },
  {
    name: "form",
    play(stage) {
      asked(stage, "make a release");
      questioned(stage, form);
      stage.type("v1.4", "\t");
    },
  },
  {
    name: "form-invalid",
    roles: "kept",
    play(stage) {
      asked(stage, "make a release");
      questioned(stage, form);
      stage.type("1.4", "\x13");
    },
  },
  {
    name: "form-list",
    play(stage) {
      asked(stage, "make a release");
      questioned(stage, form);
      stage.type("v1.4", "\t", "\t", "\t", "\t", DOWN, " ");
    },
  },
  {
    name: "files",
    roles: "kept",
    async play(stage) {
      asked(stage, "run some tests");
      questioned(stage, filesQuestion({}));
      await stage.until("README.md");
      stage.type(DOWN);
    },
  },
  {
    name: "files-several",
    async play(stage) {
      asked(stage, "run some tests");
      questioned(stage, filesQuestion({ multiple: true }));
      await stage.until("README.md");
      stage.type("test.ts", "\t", DOWN, "\t");
    },
  },
  {
    name: "files-elsewhere",
    async play(stage) {
      asked(stage, "run some tests");
      const params = { title: "Which tests shall run?", folder: "/srv/parser", host: "elsewhere.example" };
      questioned(stage, raised({ id: "p", question: { kind: "files", params } }));
      await stage.until("type a path");
      stage.type("../parser.ts", ENTER);
    },
  },
  {
    name: "ask-withdrawn",
    play(stage) {
      asked(stage, "set it up");
      questioned(stage, select);
      stage.hear({ type: "ask.withdrawn", sessionId, askId: "s", reason: "agent_cancelled" });
    },
  },
  {
    name: "asks-answered",
    play(stage) {
      asked(stage, "set it up");
      questioned(stage, select);
      stage.type("\x1b");
      questioned(stage, multi);
      stage.choose("\x1b[B");
      questioned(stage, form);
      stage.type("v1.4", "\x13");
      questioned(stage, editor("A first line\nand a second"));
      stage.choose("\x1b[C");
    },
  },
];
