// How much `palaver --version` costs beyond starting Node at all, and when the dialog of `palaver ask` is on the screen: medians of
// runs that take turns, so that a busy machine slows all alike.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/setup.mjs";
import { WatchedTerminal } from "./renderers/watched-terminal.mjs";

const RUNS = 25;
const EXTRA_MS_MAX = 25;
const ASKS = 15;
const ASK_MS_MAX = 120;
const SHOWN_LIMIT_MS = 20_000;

const cli = join(root, "dist", "cli.js");

export const title = "Start-up";

export async function run() {
  return [...withoutTerminal(), await askShown()];
}

function withoutTerminal() {
  const times = { bare: [], version: [], help: [] };
  for (let i = 0; i < RUNS; i += 1) {
    times.bare.push(timeOf(["-e", "0"]));
    times.version.push(timeOf([cli, "--version"]));
    times.help.push(timeOf([cli, "--help"]));
  }
  const bare = median(times.bare);
  return ["version", "help"].map((name) => {
    const extra = median(times[name]) - bare;
    return beyond(`palaver --${name} beyond node -e 0 (${bare.toFixed(0)} ms)`, extra, EXTRA_MS_MAX);
  });
}

/** Bare Node writes its word into a terminal like that of the dialog. */
export async function askShown() {
  const home = mkdtempSync(join(tmpdir(), "palaver-bench-ask-"));
  const times = { bare: [], ask: [] };
  try {
    for (let i = 0; i < ASKS; i += 1) {
      times.bare.push(await shownAfter(["-e", 'process.stdout.write("shipped")'], "shipped", home));
      times.ask.push(await shownAfter([cli, "ask", "select", "Which one?", "first", "shipped"], "shipped", home));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const bare = median(times.bare);
  return beyond(`dialog of palaver ask beyond bare node (${bare.toFixed(0)} ms)`, median(times.ask) - bare, ASK_MS_MAX);
}

async function shownAfter(args, words, home) {
  const { CI, NO_COLOR, NODE_OPTIONS, TMUX, TERM_PROGRAM, ...env } = process.env;
  const own = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const terminal = new WatchedTerminal({
    file: process.execPath,
    args,
    env: { ...env, ...own, TERM: "xterm-256color" },
  });
  try {
    const isThere = () => terminal.shownRows().some((row) => row.includes(words));
    return (await terminal.waitUntil(isThere, SHOWN_LIMIT_MS)) - terminal.startedAtMs;
  } finally {
    terminal.dispose();
  }
}

function beyond(what, extra, most) {
  return { what, value: `+${extra.toFixed(1)} ms`, goal: `≤ ${most} ms`, met: extra <= most };
}

function timeOf(args) {
  const startedAt = process.hrtime.bigint();
  spawnSync(process.execPath, args, { stdio: "ignore" });
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
