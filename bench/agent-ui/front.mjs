// Palaver itself on the bench: `palaver run` with the bench's agent in a watched terminal, and a look at what its process costs.
// The agent's own cost is left out: it is another process, and another agent would have another.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";
import { WatchedTerminal } from "../renderers/watched-terminal.mjs";

const READY_LIMIT_MS = 20_000;
const TICKS_PER_SECOND = 100;
export const PROMPT_HINT = "message, / for commands";

/** Runs the bench's agent, or what `args` say. */
export async function withFront(work, { agent = join(import.meta.dirname, "agent.mjs"), args, env: further } = {}) {
  const home = mkdtempSync(join(tmpdir(), "palaver-bench-home-"));
  const { CI, NO_COLOR, FORCE_COLOR, NODE_OPTIONS, TMUX, TERM_PROGRAM, ...env } = process.env;
  const cli = process.env.PALAVER_CLI ?? join(root, "dist", "cli.js");
  const terminal = new WatchedTerminal({
    file: process.execPath,
    args: [cli, ...(args ?? ["run", "--", process.execPath, agent])],
    env: {
      ...env,
      ...further,
      HOME: home,
      XDG_STATE_HOME: join(home, "state"),
      XDG_CONFIG_HOME: join(home, "config"),
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
    },
  });
  try {
    const front = new Front(terminal);
    await front.ready();
    return await work(front);
  } finally {
    terminal.dispose();
    rmSync(home, { recursive: true, force: true });
  }
}

class Front {
  terminal;
  readyMs;

  constructor(terminal) {
    this.terminal = terminal;
  }

  get pid() {
    return this.terminal.pid;
  }

  async ready() {
    const seen = await this.terminal.waitUntil(shows(PROMPT_HINT), READY_LIMIT_MS);
    if (seen === undefined) throw new Error(`no prompt: ${this.terminal.shownRows().join("\n")}`);
    this.readyMs = seen - this.terminal.startedAtMs;
  }

  /** The agent is there too: its first words would be taken. */
  async settled() {
    await this.terminal.waitForQuiet(400);
  }

  send(prompt) {
    this.terminal.type(prompt);
    this.terminal.type("\r");
  }

  async shows(text, limitMs) {
    const seen = await this.terminal.waitUntil(shows(text), limitMs);
    if (seen === undefined) throw new Error(`never showed ${text}:\n${this.terminal.shownRows().join("\n")}`);
    return seen;
  }

  /** Seconds of CPU of the front end's own process, without what it started. */
  cpuSeconds() {
    const fields = readFileSync(`/proc/${this.pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  rssMb() {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8"))[1]) / 1024;
  }

  /** From the key to its echo on the screen, one key after the other. */
  async typingMs(count, gapMs) {
    const times = [];
    for (let at = 0; at < count; at += 1) {
      const mark = String.fromCharCode(97 + (at % 26));
      const before = this.terminal.shownRows().join("\n");
      const from = performance.now();
      this.terminal.type(mark);
      const seen = await this.terminal.waitUntil(
        (rows) => rows.join("\n") !== before && rows.some((row) => row.startsWith("›") && row.trimEnd().endsWith(mark)),
        5_000,
      );
      times.push((seen ?? from + 5_000) - from);
      await new Promise((resolve) => setTimeout(resolve, gapMs));
      if (at % 26 === 25) this.terminal.type("\x15");
    }
    this.terminal.type("\x15");
    return times.sort((a, b) => a - b);
  }
}

export function shows(text) {
  return (rows) => rows.some((row) => row.includes(text));
}

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Processes below this one. */
export function childrenOf(pid) {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return (
        Number(
          readFileSync(`/proc/${name}/stat`, "utf8")
            .replace(/^.*\) /, "")
            .split(" ")[1],
        ) === pid
      );
    } catch {
      return false;
    }
  });
}
