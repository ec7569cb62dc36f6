// The real terminal that a machine is most likely to have: a short session with resizes in tmux, beside plain printing. Its
// text is narrow, because tmux loses lines with wide characters by itself. `npm run terminals` tries many more.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Desk } from "../../../tools/terminals/desk.js";
import { tmux } from "../../../tools/terminals/kinds/tmux.js";
import { type Mode, type RunResult, runSession } from "../../../tools/terminals/session-run.js";
import type { SessionPlan } from "../../../tools/terminals/session-script.js";
import { isInstalled } from "../../../tools/terminals/terminals.js";

const desk = new Desk(mkdtempSync(join(tmpdir(), "palaver-tmux-")));
const app = desk.path("session-app.mjs");
const hasTmux = await isInstalled(desk, tmux);
const without = hasTmux ? "" : " (not run: tmux is not installed; apt-get install tmux)";

const plan: SessionPlan = { seed: 1, variant: "mixed", lineCount: 150, resizeCount: 20, text: "ascii" };
const NONE = { lost: 0, doubled: 0, mangled: 0, ghost: 0, blank: 0, shellLost: 0, order: 0 };

beforeAll(async () => {
  if (!hasTmux) return;
  const entry = new URL("../../../tools/terminals/session-app.ts", import.meta.url).pathname;
  await build({
    entryPoints: [entry],
    outfile: app,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "error",
  });
});

afterAll(async () => {
  await desk.close();
  rmSync(desk.folder, { recursive: true, force: true, maxRetries: 5 });
});

function run(mode: Mode): Promise<RunResult> {
  return runSession(desk, { kind: tmux, plan, mode, app });
}

describe.skipIf(!hasTmux)(`a session in tmux with the window changing its size${without}`, () => {
  test("leaves every line in the scrollback once and in order, and nothing else", async () => {
    const { verdict, sizes, profile } = await run("inline");
    expect(verdict.details).toEqual([]);
    expect(verdict).toMatchObject({ faults: NONE, isComplete: true });
    expect(profile).toBe("tmux");
    expect(sizes.length).toBeGreaterThan(5);
  });

  test("comes out as plain printing does", async () => {
    const { verdict } = await run("plain");
    expect(verdict).toMatchObject({ faults: NONE, isComplete: true });
  });
});
