// `palaver attach` from the sources at hand, in a real pty beside a real daemon, with everything of the person's own aside.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { build, type Plugin } from "esbuild";
import { expect, onTestFinished } from "vitest";
import { Emulator } from "../../../src/testing/emulator.js";
import { projectRoot } from "../run-program.js";

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
export class Attached {
  readonly emulator: Emulator;
  readonly pty: IPty;
  readonly ended: Promise<number>;
  bytes = 0;
  private reading: Promise<void> = Promise.resolve();

  constructor(command: string, args: string[], { env, columns = 80, rows = 16 }: AttachedOptions) {
    this.emulator = new Emulator({ columns, rows });
    const own = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LANG: "C.UTF-8", NO_COLOR: "1" };
    this.pty = spawn(command, args, { cols: columns, rows, cwd: projectRoot, env: { ...own, ...env } });
    this.pty.onData((data) => {
      this.bytes += data.length;
      this.reading = this.reading
        .then(() => this.emulator.write(data))
        .then(() => {
          for (const reply of this.emulator.replies.splice(0)) this.pty.write(reply);
        });
    });
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode }) => resolve(exitCode));
    });
    onTestFinished(() => this.pty.kill("SIGKILL"));
  }

  /** What is in the window now. */
  async screen(): Promise<string> {
    await this.reading;
    return this.emulator
      .viewport()
      .map((row) => row.trimEnd())
      .join("\n");
  }

  async shows(words: string | RegExp): Promise<string> {
    const seen = expect.poll(() => this.screen(), { timeout: SHOWS_WITHIN_MS, interval: 20 });
    await (typeof words === "string" ? seen.toContain(words) : seen.toMatch(words));
    return this.screen();
  }

  /** The terminal is as a shell wants it. */
  async isGivenBack({ pasting }: { pasting: "plain" | "as the shell likes" } = { pasting: "plain" }): Promise<void> {
    await expect
      .poll(() => this.screen().then(() => this.emulator.screen()), { timeout: SHOWS_WITHIN_MS })
      .toBe("normal");
    const brackets = pasting === "plain" ? { bracketedPasteMode: false } : {};
    const inOrder = { mouseTrackingMode: "none", isCursorShown: true, wraparoundMode: true, ...brackets };
    await expect.poll(() => this.emulator.modes(), { timeout: SHOWS_WITHIN_MS }).toMatchObject(inOrder);
  }

  type(keys: string): void {
    this.pty.write(keys);
  }
}
