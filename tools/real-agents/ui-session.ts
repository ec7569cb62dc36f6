// `palaver run`, or `palaver prompt`, in a terminal of its own: a pty with an emulator behind it, keys as a person would press
// them, and the recording that `run` writes beside it, in which every event of the agent can be counted.
import { existsSync, readFileSync } from "node:fs";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { PtyTerminal } from "../../test/rigs/pty-terminal.js";
import type { ProcessWatch } from "./process-watch.js";

export type UiSessionOptions = {
  readonly palaver: string;
  readonly verb: "run" | "prompt";
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly recording: string;
  readonly watch: ProcessWatch;
};

const SIZE = { columns: 100, rows: 40 } as const;
const LOOK_EVERY_MS = 60;

export class UiSession extends PtyTerminal {
  private readonly options: UiSessionOptions;

  constructor(options: UiSessionOptions) {
    const { palaver, verb, args, folder, environment, recording } = options;
    // What is streamed needs no recording: it is all there.
    const line = [palaver, verb, ...(verb === "run" ? ["--record", recording] : []), ...args];
    super({ ...SIZE, command: process.execPath, args: line, folder, environment });
    this.options = options;
  }

  /** Everything the agent has told so far. */
  events(): SessionEvent[] {
    const { recording } = this.options;
    if (!existsSync(recording)) return [];
    return readFileSync(recording, "utf8")
      .split("\n")
      .flatMap((line) => eventIn(line));
  }

  count(type: SessionEvent["type"]): number {
    return this.events().filter((event) => event.type === type).length;
  }

  /** Waits until something is so, and fails with what there is instead. */
  async until(what: string, isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (!(await isSo())) {
      this.options.watch.look(this.pty.pid);
      if (performance.now() > deadline) throw new Error(`no ${what} within ${Math.round(limitMs / 1_000)} s`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    this.options.watch.look(this.pty.pid);
  }

  async shows(words: string | RegExp, limitMs: number): Promise<void> {
    const isThere = (text: string) => (typeof words === "string" ? text.includes(words) : words.test(text));
    await this.until(`"${words}" on the screen`, async () => isThere(await this.text()), limitMs);
  }

  async quit(limitMs: number): Promise<number> {
    let code: number | null = null;
    void this.ended.then((ended) => {
      code = ended;
    });
    this.type("\x03");
    this.type("\x03");
    await this.until("end of Palaver", () => code !== null, limitMs);
    return code ?? -1;
  }
}

function eventIn(line: string): SessionEvent[] {
  try {
    const { dir, event } = JSON.parse(line) as { dir?: string; event?: SessionEvent };
    return dir === "in" && event !== undefined ? [event] : [];
  } catch {
    return [];
  }
}
