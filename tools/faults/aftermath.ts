// What must be so after every fault, whatever the command: the terminal is as it was, nobody is left behind, what was settled
// stands there once and in order, what was written can be read, and nobody was shown the inside of the program.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { FaultPlace } from "./fault-place.js";
import { type ShellTerminal, type TerminalState, until } from "./shell-terminal.js";

const GONE_LIMIT_MS = 8_000;
const READ_LIMIT_MS = 20_000;
/** Words that only a program that fell over prints. */
const FALLEN = /^\s+at .*(?:node:|\.m?js:|\.ts:)|Uncaught|node:internal|UnhandledPromise|unhandled|Segmentation|Abort/m;

/** Waits for everybody to go who should, except the shell itself. */
export async function leftBehind(place: FaultPlace, shellPid: number): Promise<string[]> {
  const others = () => place.watch.left().filter(({ pid }) => pid !== shellPid);
  await until(() => others().length === 0, GONE_LIMIT_MS);
  return others().map(({ pid, command }) => `left behind: ${pid} ${command}`);
}

export function changes(before: TerminalState, after: TerminalState | null): string[] {
  if (after === null) return ["the shell does not answer any more"];
  const found: string[] = [];
  const [was, is] = [sttyWords(before.stty), sttyWords(after.stty)];
  const changed = is.filter((word) => !was.includes(word));
  if (changed.length > 0) found.push(`stty: ${changed.join(" ")}`);
  for (const [mode, value] of Object.entries(after.modes)) {
    if (before.modes[mode] !== value) found.push(`mode ${mode} is ${value}, was ${before.modes[mode]}`);
  }
  if (after.keyboard !== before.keyboard) found.push("the keyboard still reports in another way");
  return found;
}

/** "line 1", "line 2", …: each once, none missing. What is typed meanwhile may be echoed behind one of them. */
export async function lineFaults(terminal: ShellTerminal): Promise<string[]> {
  const numbers = [...(await terminal.text()).matchAll(/(?<!", )line (\d+)/g)].map(([, number]) => Number(number));
  const wrong = numbers.findIndex((number, index) => number !== index + 1);
  return wrong < 0
    ? []
    : [`settled lines: ${numbers.slice(Math.max(0, wrong - 1), wrong + 3).join(", ")} after ${wrong} in order`];
}

export async function fallenFaults(terminal: ShellTerminal): Promise<string[]> {
  const found = FALLEN.exec(`${await terminal.text()}\n${await terminal.window()}`);
  return found === null ? [] : [`shows its inside: ${found[0].trim()}`];
}

/** Whatever was recorded or kept can still be read by the commands that read it. */
export async function unreadable(place: FaultPlace, wrote: "sessions" | "settings"): Promise<string[]> {
  const recording = place.path("run.jsonl");
  const readers = [
    ...(existsSync(recording) ? [["replay", recording, "--speed", "0"]] : []),
    wrote === "settings" ? ["config", "check"] : ["sessions", "--json"],
  ];
  return (await Promise.all(readers.map((args) => failure(place, args)))).flat();
}

function failure(place: FaultPlace, args: readonly string[]): Promise<string[]> {
  const options = { cwd: place.path("project"), env: place.environment, timeout: READ_LIMIT_MS };
  return new Promise((resolve) => {
    execFile(process.execPath, [place.palaver, ...args], options, (error, _, stderr) =>
      resolve(error === null ? [] : [`palaver ${args[0]} afterwards: ${error.code}: ${stderr.trim().slice(0, 200)}`]),
    );
  });
}

function sttyWords(text: string): string[] {
  return text.replaceAll(";", " ").replaceAll(" = ", "=").split(/\s+/).filter(Boolean);
}
