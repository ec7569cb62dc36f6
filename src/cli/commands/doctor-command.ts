// `palaver doctor`: looks at the terminal and the machine, says in plain words what works and what does not, and what to do.
// It ends in any case: every question has a limit, and without a terminal it says what it could not ask.
import { projectOf } from "../../server/project/daemon-folder.js";
import { type DaemonPresence, findDaemon } from "../../server/project/running-daemon.js";
import { ExitGuard } from "../../terminal/device/exit-guard.js";
import { glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, themeFor } from "../../terminal/painter/style/theme-choice.js";
import { openTerminalStreams, type TerminalStreams } from "../../views/mini/terminal-streams.js";
import { isDumbTerminal } from "../../views/reader/dumb-terminal.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { configFrom, type LoadedConfig, readConfig } from "../config/load-config.js";
import {
  type Diagnosis,
  type Finding,
  problem,
  type ReportLook,
  reportJson,
  reportText,
  worstOf,
} from "../doctor/doctor-report.js";
import * as machine from "../doctor/machine-findings.js";
import { type TerminalVisit, terminalFindings } from "../doctor/terminal-findings.js";
import { TerminalSurveyor } from "../doctor/terminal-survey.js";
import { readTmuxOptions, windowFindings } from "../doctor/window-findings.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { processClock } from "../process-clock.js";

const help = `palaver doctor [--json]

Looks at this terminal and this machine, and says what works, what does not, and
what to do about it: the terminal's name, size, colours, keys, synchronized
updates, background, widths of characters, clipboard and notifications; tmux;
Node, settings, the folder for state, agents, the model, the sandbox, and the
daemon of this project. The terminal is asked for a moment and given back as it
was. Without one, the rest is still looked at.

  --json   for programs, with the terminal's own answers

Exit codes: 0 nothing is broken (warnings may be) · 1 something is · 2 bad usage

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
  const [tmux, sandbox, presence] = await Promise.all([
    config.environment["TMUX"] ? readTmuxOptions() : null,
    machine.sandboxFinding(process.cwd(), config),
    presenceHere(),
  ]);
  return {
    version: PALAVER_VERSION,
    terminal: [...terminalFindings(visit, config), ...windowFindings(visit, config, tmux)],
    machine: [
      machine.nodeFinding(process.versions.node),
      trouble ?? machine.settingsFinding(config),
      machine.stateFinding(config.environment),
      machine.agentsFinding(config),
      machine.modelFinding(config),
      sandbox,
      machine.daemonFinding(presence),
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
    const trouble = problem("settings", first, "mend the file; palaver config check looks again");
    return { config: configFrom({ environment, folder: process.cwd() }, { user: null, project: null }), trouble };
  }
}

async function presenceHere(): Promise<DaemonPresence | null> {
  try {
    return await findDaemon(projectOf("."), process.env);
  } catch {
    return null;
  }
}

/** Null when the person pressed ctrl+c. */
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
