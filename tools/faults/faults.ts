// `npm run faults`: every command, struck in every phase by everything that can end or hinder it, in real ptys under a real shell.
// It prints one line a try and fails when something was left behind, lost, unreadable or in disorder.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { changes, fallenFaults, leftBehind, lineFaults, unreadable } from "./aftermath.js";
import { type CommandCase, commandCases, type PhaseCase } from "./command-cases.js";
import { FaultPlace } from "./fault-place.js";
import { type Condition, conditions, type Strike, strikes } from "./fault-table.js";
import { elapsed, ShellTerminal, type TerminalState, until } from "./shell-terminal.js";

interface Invocation {
  readonly arguments: readonly string[];
  /** The built command line. */
  readonly palaver: string;
  readonly agent: string;
  readonly print: (line: string) => void;
}

interface Try {
  readonly name: string;
  readonly command: CommandCase;
  readonly phase: PhaseCase | null;
  readonly strike: Strike | null;
  readonly condition: Condition | null;
}

const STARTS_LIMIT_MS = 10_000;
const ENDS_LIMIT_MS = 12_000;
const ANSWERS_LIMIT_MS = 8_000;
/** Whoever leaves before the terminal has answered finds the answers in his shell. */
const STARTED_MS = 1_500;
/** Long enough for a command to start under a condition and to show what it makes of it. */
const CONDITION_MS = 1_500;

/** Most of a try is waiting. */
const LANES = "3";

/** Gives the exit code: 0 when nothing was found, 2 when there is nothing to try. Words select the tries whose names hold all of them. */
export async function tryFaults({ arguments: args, palaver, agent, print }: Invocation): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { lanes: { type: "string", default: LANES } },
  });
  const chosen = allTries().filter(({ name }) => positionals.every((word) => name.includes(word)));
  if (chosen.length === 0) {
    print(`no try has all of these words in its name: ${positionals.join(", ")}`);
    return 2;
  }
  const waiting = chosen.filter(({ condition }) => condition?.isPossible?.() ?? true);
  const leftOut = chosen.length - waiting.length;
  if (leftOut > 0) print(`${leftOut} tries are not possible here: they need root, or libfaketime`);
  const tried = waiting.length;
  let failed = 0;
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const findings = await tryOne(one, palaver, agent);
      if (findings.length > 0) failed += 1;
      print(
        [`${findings.length === 0 ? "✓" : "✕"} ${one.name}`, ...findings.map((words) => `    ${words}`)].join("\n"),
      );
    }
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
  print(`${tried - failed} of ${tried} tries left everything in order`);
  return failed === 0 ? 0 : 1;
}

/** One try by its name; what it finds is empty when all is in order. */
export async function tryFault(
  name: string,
  { palaver, agent }: Pick<Invocation, "palaver" | "agent">,
): Promise<string[]> {
  const one = allTries().find((candidate) => candidate.name === name);
  return one === undefined ? [`there is no try "${name}"`] : tryOne(one, palaver, agent);
}

function allTries(): Try[] {
  return commandCases.flatMap((command) => [
    ...command.phases.flatMap((phase) =>
      strikesIn(phase).map((strike) => ({
        name: `${command.name} · ${phase.name} · ${strike.name}`,
        command,
        phase,
        strike,
        condition: null,
      })),
    ),
    ...conditions.map((condition) => ({
      name: `${command.name} · from the start · ${condition.name}`,
      command,
      phase: null,
      strike: null,
      condition,
    })),
  ]);
}

function strikesIn({ name }: PhaseCase): Strike[] {
  return strikes.filter(({ except = [] }) => !except.includes(name));
}

async function tryOne(one: Try, palaver: string, agent: string): Promise<string[]> {
  const place = new FaultPlace(palaver, agent);
  const terminal = new ShellTerminal(place.path("project"), place.environment);
  try {
    if (one.command.beside === "daemon") await place.startDaemon();
    return await (one.strike === null
      ? underCondition(one, place, terminal)
      : struck(one, one.strike, place, terminal));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    terminal.close();
    await place.close();
  }
}

async function struck({ command, phase }: Try, strike: Strike, place: FaultPlace, terminal: ShellTerminal) {
  const before = await terminal.state(ANSWERS_LIMIT_MS);
  if (before === null) return ["the shell did not start"];
  terminal.type(`${(phase?.line ?? command.line)(place)}\r`);
  const pid = await palaverPid(place);
  await phase?.reach(terminal, place);
  place.watch.look(terminal.pty.pid);
  await strike.hit({ terminal, place, pid });
  const found: string[] = [];
  if (strike.ends === "must" && !(await until(() => !isThere(pid), ENDS_LIMIT_MS))) found.push("it still runs");
  if (phase?.name === "starting") await elapsed(STARTED_MS);
  if (strike.ends !== "must") await leave(command, terminal, pid);
  if (strike.terminal === "gone")
    return [...found, ...(await leftBehind(place, -1)), ...(await unreadable(place, wroteBy(command)))];
  return [...found, ...(await aftermath(before, command, place, terminal))];
}

async function underCondition({ command, condition }: Try, place: FaultPlace, terminal: ShellTerminal) {
  const before = await terminal.state(ANSWERS_LIMIT_MS);
  if (before === null || condition === null) return ["the shell did not start"];
  terminal.type(`${condition.around(command.line(place), place)}\r`);
  const pid = await palaverPid(place).catch(() => -1);
  await until(() => !isThere(pid), CONDITION_MS);
  await condition.meanwhile?.({ terminal, place, pid });
  place.watch.look(terminal.pty.pid);
  await leave(command, terminal, pid);
  return aftermath(before, command, place, terminal);
}

/** As a person would: the keys that leave, and once more when nothing happened. */
async function leave({ leaveKeys }: CommandCase, terminal: ShellTerminal, pid: number) {
  for (let times = 0; times < 3 && isThere(pid); times++) {
    if (leaveKeys !== undefined) terminal.type(leaveKeys);
    await until(() => !isThere(pid), ENDS_LIMIT_MS / 4);
  }
}

function wroteBy({ name }: CommandCase): "sessions" | "settings" {
  return name === "config" ? "settings" : "sessions";
}

async function aftermath(before: TerminalState, tried: CommandCase, place: FaultPlace, terminal: ShellTerminal) {
  for (const { pid, command } of place.watch.left()) if (/^sleep 60$/.test(command)) endFeeder(pid);
  const found = await leftBehind(place, terminal.pty.pid);
  found.push(...changes(before, await terminal.state(ANSWERS_LIMIT_MS)));
  found.push(
    ...(await lineFaults(terminal)),
    ...(await fallenFaults(terminal)),
    ...(await unreadable(place, wroteBy(tried))),
  );
  if (found.length > 0)
    found.push(
      ...(await terminal.window())
        .split("\n")
        .filter(Boolean)
        .slice(-8)
        .map((row) => `| ${row}`),
    );
  return found;
}

// `sleep 60` keeps the pipe open behind which a command reads; it is ours and not the command's.
function endFeeder(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

async function palaverPid(place: FaultPlace): Promise<number> {
  const find = () => place.watch.left().find(({ pid }) => isPalaver(pid, place.palaver));
  if (!(await until(() => find() !== undefined, STARTS_LIMIT_MS))) throw new Error("the command did not start");
  return find()?.pid ?? -1;
}

function isPalaver(pid: number, palaver: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] === palaver;
  } catch {
    return false;
  }
}

// "12 (a name) S 1 …": a zombie has ended, though nobody has heard of it yet.
function isThere(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
