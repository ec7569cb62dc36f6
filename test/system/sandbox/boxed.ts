// Commands in a real sandbox: a workspace, a home and an outside of their own, and what came out.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, test } from "vitest";
import { openSandbox, Sandbox, type SandboxOptions, sandboxAbility } from "../../../src/system/sandbox/sandbox.js";
import type { MayRead } from "../../../src/system/sandbox/secret-walk.js";

export const PLACE = process.getuid?.() === 0 ? "/var/lib" : join(process.cwd(), "node_modules");
const ability = await sandboxAbility();

/** Runs where the sandbox does; elsewhere the report says why not. */
export const boxTest = test.skipIf(!ability.works);
export const whereItWorks = ability.works ? "" : ` (skipped: ${ability.why})`;

export type Ended = { readonly output: string; readonly code: number | null };

export class Box {
  readonly top: string;
  readonly workspace: string;
  readonly home: string;
  readonly outside: string;
  readonly state: string;
  readonly environment: Record<string, string>;
  readonly #options: Partial<SandboxOptions>;
  #sandbox: Sandbox | null = null;

  // Not below /tmp where that is possible: what is there is hidden anyway, and would prove less.
  constructor(options: Partial<SandboxOptions> = {}) {
    this.top = realpathSync(mkdtempSync(join(PLACE, "palaver-box-")));
    this.workspace = join(this.top, "ws");
    this.home = join(this.top, "home");
    this.outside = join(this.top, "outside");
    for (const folder of [this.workspace, this.home, this.outside]) mkdirSync(folder);
    this.state = temporary("palaver-state-");
    this.environment = { PATH: process.env["PATH"] ?? "", HOME: this.home, XDG_STATE_HOME: this.state };
    this.#options = options;
    onTestFinished(() => {
      this.#sandbox?.close();
      rmSync(this.top, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  put(path: string, content = ""): string {
    const whole = join(this.top, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    return whole;
  }

  async open(): Promise<Sandbox> {
    if (this.#sandbox !== null) return this.#sandbox;
    const opened = await openSandbox({
      folder: this.workspace,
      environment: this.environment,
      network: "none",
      secrets: "secrets-out",
      ...this.#options,
    });
    if (!(opened instanceof Sandbox)) throw new Error(opened.why);
    this.#sandbox = opened;
    return opened;
  }

  /** What bash prints, both streams, when it runs this inside. */
  async run(command: string, { env = {}, mayRead }: { env?: Record<string, string>; mayRead?: MayRead } = {}) {
    const sandbox = await this.open();
    const line = ["/bin/bash", "-c", command];
    const boxed = await sandbox.wrap(line, { ...this.environment, ...env }, { mayRead });
    const child = spawn(boxed.program, boxed.args, {
      env: boxed.env,
      stdio: ["ignore", "pipe", "pipe", ...boxed.moreStdio],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (output += text));
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    boxed.release();
    return { output, code } satisfies Ended;
  }
}

export function temporary(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
