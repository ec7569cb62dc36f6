// `palaver attach` from the sources at hand, in a real pty beside a real daemon, with everything of the user's own aside.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { expect, onTestFinished } from "vitest";
import { PtyTerminal } from "../../rigs/pty-terminal.js";
import { plainEnvironment, projectRoot } from "../run-program.js";

// Commands load when they are called, and no others are called here.
const withoutOtherCommands: Plugin = {
  name: "without-other-commands",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/commands\// }, ({ path, kind }) => {
      const isCalled = kind !== "dynamic-import" || /\/(?:attach|serve)-/.test(path);
      return isCalled ? undefined : { path, external: true };
    });
  },
};

/** The command line as one file; `name` keeps the files of tests apart that run at the same time. */
export async function compilePalaver(name: string): Promise<string> {
  const outfile = join(projectRoot, ".cache", "e2e", `palaver-${name}.mjs`);
  mkdirSync(join(outfile, ".."), { recursive: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: ["src/cli/main.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: { PALAVER_VERSION: '"0.0.0"' },
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    plugins: [withoutOtherCommands],
    logLevel: "error",
  });
  return outfile;
}

export interface AttachedOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

const SHOWS_WITHIN_MS = 20_000;

/** A program in a window; what it shows can be waited for. */
export class Attached extends PtyTerminal {
  constructor(command: string, args: string[], { env, columns = 80, rows = 16 }: AttachedOptions) {
    const environment = { ...plainEnvironment, NO_COLOR: "1", ...env };
    super({ command, args, columns, rows, folder: projectRoot, environment });
    onTestFinished(() => this.kill());
  }

  async shows(words: string | RegExp): Promise<string> {
    const seen = expect.poll(() => this.window(), { timeout: SHOWS_WITHIN_MS, interval: 20 });
    await (typeof words === "string" ? seen.toContain(words) : seen.toMatch(words));
    return this.window();
  }

  /** The terminal is as a shell wants it. */
  async isGivenBack({ pasting }: { pasting: "plain" | "as the shell likes" } = { pasting: "plain" }): Promise<void> {
    await expect
      .poll(() => this.window().then(() => this.emulator.screen()), { timeout: SHOWS_WITHIN_MS })
      .toBe("normal");
    const brackets = pasting === "plain" ? { bracketedPasteMode: false } : {};
    const inOrder = { mouseTrackingMode: "none", isCursorShown: true, wraparoundMode: true, ...brackets };
    await expect.poll(() => this.emulator.modes(), { timeout: SHOWS_WITHIN_MS }).toMatchObject(inOrder);
  }
}
