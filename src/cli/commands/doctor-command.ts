// `palaver doctor`: looks at the terminal and the machine, says in plain words what works and what does not, and what to do.
// It ends in any case: every question has a limit, and without a terminal it says what it could not ask.

import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "../../agents/found-program.js";
import { chooseModel } from "../../builtin/models/model-choice.js";
import { stateFolder } from "../../builtin/state-folder.js";
import { errorMessage } from "../../contract/plain-word.js";
import { projectOf } from "../../server/project/daemon-folder.js";
import { type FoundDaemon, findDaemons } from "../../server/project/running-daemon.js";
import type { Environment } from "../../session/user-folders.js";
import { openSandbox, Sandbox } from "../../system/sandbox/sandbox.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, themeFor } from "../../terminal/painter/style/theme-choice.js";
import { safeLine } from "../../text/safe.js";
import { openTerminalStreams, type TerminalStreams } from "../../views/mini/terminal-streams.js";
import { isDumbTerminal } from "../../views/reader/dumb-terminal.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { configFrom, type LoadedConfig, readConfig } from "../config/load-config.js";
import {
  type Diagnosis,
  type Finding,
  fine,
  problem,
  type ReportLook,
  reportJson,
  reportText,
  unasked,
  warning,
  worstOf,
} from "../doctor/doctor-report.js";
import { readTmuxOptions, type TerminalVisit, terminalFindings, windowFindings } from "../doctor/terminal-findings.js";
import { TerminalSurveyor } from "../doctor/terminal-survey.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { processClock } from "../process-clock.js";
import { listAgents } from "./agents-command.js";

const help = `palaver doctor [--json]

Checks this terminal and machine and reports what works, what does not, and how
to fix it: the terminal's name, size, colours, keys, synchronized updates,
background, character widths, clipboard and notifications; tmux; Node, settings,
the state folder, agents, the model, the sandbox, and this project's daemon.
It queries the terminal for a moment and restores it. Without a terminal it
checks everything else.

  --json   for programs, with the terminal's own answers

Exit codes: 0 no errors, perhaps warnings · 1 errors · 2 bad usage

Examples
  palaver doctor
  palaver doctor --json > doctor.json
`;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("doctor", args, { json: { type: "boolean" } });
    const { config, trouble } = settingsHere();
    const visit = await visitTerminal(config);
    if (visit === null) return exitCodes.interrupted;
    const diagnosis = await diagnose(visit, config, trouble);
    process.stdout.write(
      values.json === true ? reportJson(diagnosis, visit) : reportText(diagnosis, lookHere(visit, config)),
    );
    return worstOf(diagnosis) === "problem" ? exitCodes.agentFailed : exitCodes.done;
  },
};

async function diagnose(visit: TerminalVisit, config: LoadedConfig, trouble: Finding | null): Promise<Diagnosis> {
  const [tmux, sandbox, daemons] = await Promise.all([
    config.environment["TMUX"] ? readTmuxOptions() : null,
    sandboxFinding(process.cwd(), config),
    daemonsHere(),
  ]);
  return {
    version: PALAVER_VERSION,
    terminal: [...terminalFindings(visit, config), ...windowFindings(visit, config, tmux)],
    machine: [
      nodeFinding(process.versions.node),
      trouble ?? settingsFinding(config),
      stateFinding(config.environment),
      agentsFinding(config),
      modelFinding(config),
      sandbox,
      ...daemonFindings(daemons),
    ],
  };
}

// A file of the user's own that cannot be understood is a finding here, and everything else is looked at without it.
function settingsHere(): { config: LoadedConfig; trouble: Finding | null } {
  const environment = process.env;
  try {
    return { config: readConfig({ environment, folder: process.cwd() }), trouble: null };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [first = ""] = error.message.split("\n");
    const trouble = problem("settings", first, "fix the file, then run palaver config check");
    return { config: configFrom({ environment, folder: process.cwd() }, { user: null, project: null }), trouble };
  }
}

async function daemonsHere(): Promise<FoundDaemon[] | null> {
  try {
    return await findDaemons(projectOf("."), process.env);
  } catch {
    return null;
  }
}

/** Null when the user pressed ctrl+c. */
async function visitTerminal({ environment }: LoadedConfig): Promise<TerminalVisit | null> {
  if (isDumbTerminal(environment)) return { kind: "dumb" };
  const streams = openTerminalStreams() ?? standardStreams();
  if (streams === null) return { kind: "no-terminal" };
  const { input, output } = streams;
  const surveyor = new TerminalSurveyor({ input, output, timers: processClock });
  const giveBack = () => surveyor.giveBack();
  const guard = new ExitGuard(process, { giveBack, takeAgain: () => undefined, timers: processClock });
  guard.arm();
  try {
    const survey = await surveyor.survey();
    return survey === null ? null : { kind: "surveyed", survey };
  } finally {
    guard.disarm();
    streams.close();
  }
}

// Only on Windows, which has no device for the terminal.
function standardStreams(): TerminalStreams | null {
  const { stdin: input, stdout: output } = process;
  if (process.platform !== "win32" || !input.isTTY || !output.isTTY) return null;
  return { input, output, close: () => input.pause() };
}

function lookHere(visit: TerminalVisit, { settings, environment }: LoadedConfig): ReportLook {
  const isShown = process.stdout.isTTY;
  const depth = colourDepthOf(environment, settings.colour);
  const ground = visit.kind === "surveyed" ? visit.survey.ground : {};
  const theme = themeFor(settings.theme, { ...ground, colorfgbg: environment["COLORFGBG"] });
  return {
    paint: isShown ? createStyle({ theme, depth }).paint : (_, text) => text,
    glyphs: glyphsFor(environment),
    columns: (isShown ? process.stdout.columns : 0) || 80,
  };
}

// What Palaver finds on this machine besides the terminal: Node, settings, a place for its state, agents, a model, and
// the daemon of the project at hand. Looks, and changes nothing but a file that it takes away again.
/** As package.json says it under "engines". */
const NODE_MIN = [20, 19] as const;

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  if (isEnough) return fine("node", version);
  return problem("node", `${version} is too old`, `install Node ${NODE_MIN.join(".")} or newer: https://nodejs.org`);
}

export function settingsFinding({ errors, warnings, userPath, project }: LoadedConfig): Finding {
  const wrong = errors.map(safeLine);
  if (wrong.length > 0) return problem("settings", wrong.join("; "), "fix the file, then run palaver config check");
  const odd = warnings.map(safeLine);
  if (odd.length > 0) return warning("settings", odd.join("; "), "palaver config check shows each on its own line");
  const own = userPath === null ? "no place for a file of your own (there is no home folder)" : ownFile(userPath);
  if (project === null) return fine("settings", own);
  const trust =
    project.trust === "trusted" ? "trusted" : "untrusted: only harmless settings apply; palaver config trust";
  return fine("settings", `${own}; ${safeLine(project.path)} (${trust})`);
}

function ownFile(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return `${safeLine(path)}${isThere ? "" : " (none; using defaults)"}`;
}

/** Drafts, histories, sessions, rules and daemons are kept there. */
export function stateFinding(environment: Environment): Finding {
  const made: string[] = [];
  let folder = "a folder for state";
  try {
    folder = stateFolder(environment);
    makeFolders(folder, made);
    const path = join(folder, `.doctor-${process.pid}`);
    writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    rmSync(path);
    return fine("state", safeLine(folder));
  } catch (error) {
    const words = `${safeLine(folder)} cannot be written: ${safeLine(errorMessage(error))}`;
    const advice = "change its owner, or set XDG_STATE_HOME; without it nothing is saved between runs";
    return problem("state", words, advice);
  } finally {
    for (const path of made.reverse()) rmdirSync(path);
  }
}

// What was not there is not left behind.
function makeFolders(folder: string, made: string[]): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder), made);
  mkdirSync(folder, { mode: 0o700 });
  made.push(folder);
}

export function agentsFinding({ settings, environment }: LoadedConfig): Finding {
  const here = listAgents(settings.agents, (name) => findProgram(name, environment)).filter(
    ({ path }) => path !== null,
  );
  if (here.length > 0) return fine("agents", `${here.map(({ name }) => safeLine(name)).join(", ")}; palaver run NAME`);
  return warning("agents", "only the built-in one", "palaver agents shows how to install others");
}

export function modelFinding({ settings, environment }: LoadedConfig): Finding {
  const { model, base_url } = settings;
  try {
    const choice = chooseModel({ model: model || undefined, baseUrl: base_url || undefined }, environment);
    if (choice.kind === "offline") {
      const advice = "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model: palaver config set model ollama:NAME";
      return warning("model", "none: the built-in agent understands only plain requests", advice);
    }
    const { provider, id, key } = choice;
    const title = `${provider.id}:${safeLine(id)}`;
    if (key !== null || provider.keyVariable === null) return fine("model", `${title} for the built-in agent`);
    return problem("model", `${title} needs a key`, `set ${provider.keyVariable} in the environment`);
  } catch (error) {
    const words = safeLine(errorMessage(error));
    return problem("model", words, "palaver config set model PROVIDER:NAME");
  }
}

/** Whether the built-in agent's commands run in the sandbox in this folder, and why not. */
async function sandboxFinding(folder: string, { settings, environment }: LoadedConfig): Promise<Finding> {
  const opened = await openSandbox({ folder, environment, network: "none", secrets: "secrets-out" });
  const isOff = settings.sandbox === "off";
  if (!(opened instanceof Sandbox)) {
    const advice = safeLine(opened.advice ?? "work in a folder below it");
    return warning("sandbox", `${safeLine(opened.why)}, so commands of the built-in agent run without one`, advice);
  }
  const problem = opened.problem();
  opened.close();
  if (!isOff && problem !== null) {
    const advice = "replace the link with its target, or use --no-sandbox";
    return warning("sandbox", `${safeLine(problem)}, so commands of the built-in agent do not run`, advice);
  }
  if (!isOff) return fine("sandbox", "commands of the built-in agent run in it");
  return warning("sandbox", "it works, but your settings turn it off", "palaver config set sandbox workspace");
}

export function daemonFindings(daemons: readonly FoundDaemon[] | null): Finding[] {
  if (daemons === null) return [unasked("daemon", "the current folder no longer exists")];
  if (daemons.length === 0) return [fine("daemon", "none runs for this project; palaver serve starts one")];
  return daemons.map(daemonFinding);
}

function daemonFinding(presence: FoundDaemon): Finding {
  const { url, pid, program } = presence.record;
  if (presence.kind === "running") {
    return fine("daemon", `${safeLine(program)} at ${url}, version ${safeLine(presence.claims.version)}`);
  }
  return problem("daemon", `${url} does not answer`, `end its process ${pid}, then start ${safeLine(program)} again`);
}
