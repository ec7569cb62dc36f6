// `palaver agents`: the agents that can be started by name, which of them are installed, and how to get the others.

import type { AgentCommand } from "../../agents/agent-process.js";
import { findProgram } from "../../agents/found-program.js";
import { type AgentPreset, presets } from "../../agents/presets.js";
import { nearestName } from "../../contract/nearest-name.js";
import { type WireName, wireNames } from "../../contract/wire-names.js";
import type { AgentSetting } from "../../session/settings/presets.js";
import { safeLine } from "../../text/safe.js";
import { jsonPage } from "../../views/mini/json-line.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { tableLines } from "../printed.js";

const help = `palaver agents [NAME] [--json]

Lists the agents that "palaver run NAME" can start: the installed ones first,
then how to install the others. Name your own agents in your settings:

  [agents.mine]
  command = "node"
  args = ["my-agent.mjs"]
  # optional: ${wireNames.join(", ")}
  protocol = "lines"

  --json   for programs

Examples
  palaver agents
  palaver agents gemini
  palaver agents --json
`;

export type OwnAgents = Readonly<Record<string, AgentSetting>>;

export type ListedAgent = AgentPreset & {
  /** The path of its program; null when it is not installed. */
  readonly path: string | null;
  readonly origin: "palaver" | "own";
};

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("agents", args, { json: { type: "boolean" } });
    const { settings } = loadConfig({ environment: process.env, folder: process.cwd() });
    const agents = listAgents(settings.agents, (name) => findProgram(name, process.env));
    const [name] = positionals;
    const chosen = name === undefined ? agents : [agentNamed(name, settings.agents, agents)];
    const text = name === undefined ? agentsText(chosen) : chosen.map(agentText).join("");
    process.stdout.write(values.json === true ? jsonPage(chosen) : text);
    return exitCodes.done;
  },
};

/** The user's own agents come first; without a match, the nearest name. */
export function presetNamed(
  name: string,
  own: OwnAgents,
): { readonly found: AgentPreset } | { readonly nearest: string | null } {
  const all = allPresets(own);
  const found = all.find((preset) => preset.name === name);
  if (found !== undefined) return { found };
  return {
    nearest: nearestName(
      name,
      all.map((preset) => preset.name),
    ),
  };
}

/** The embedded agent, which is always installed. */
export const EMBEDDED = "palaver";

/** A preset, one of the user's own, or the embedded agent. */
export function namedAgent(
  name: string,
  own: OwnAgents,
): { name: string; command: AgentCommand; protocol: WireName | "detect" } | { problem: string } {
  const preset = presetNamed(name, own);
  if ("found" in preset) {
    const { command, args, protocol, env } = preset.found;
    return { name, command: { command, args, env }, protocol: protocol ?? "detect" };
  }
  if (name === EMBEDDED) {
    const [, script = ""] = process.argv;
    return { name, command: { command: process.execPath, args: [script, "agent"] }, protocol: "lines" };
  }
  return { problem: unknownAgent(name, preset.nearest) };
}

function unknownAgent(name: string, nearest: string | null): string {
  return `there is no agent "${name}"; ${nearest === null ? "palaver agents lists them" : `did you mean "${nearest}"?`}`;
}

/** The error for a known agent that is not installed, and how to get it. */
export function notHere(name: string, program: string): Error {
  const install = presets.find((preset) => preset.name === name)?.install ?? null;
  return new Error(
    `${name} is not installed (${program} not found on PATH)` +
      (install === null ? "" : `\n  Get it:   ${install}`) +
      "\n  palaver agents lists those that are installed",
  );
}

/** Installed ones first, each part in the order of the table; `find` looks for a program. */
export function listAgents(own: OwnAgents, find: (program: string) => string | null): ListedAgent[] {
  const listed = allPresets(own).map((preset): ListedAgent => {
    const origin = Object.hasOwn(own, preset.name) ? "own" : "palaver";
    return { ...preset, path: find(preset.command), origin };
  });
  return [...listed.filter(({ path }) => path !== null), ...listed.filter(({ path }) => path === null)];
}

function allPresets(own: OwnAgents): AgentPreset[] {
  const mine = Object.entries(own).map(
    ([name, { command, args, protocol, env }]): AgentPreset => ({
      name,
      title: name,
      command,
      args,
      protocol: protocol ?? null,
      install: null,
      needs: "",
      env,
    }),
  );
  return [...mine, ...presets.filter(({ name }) => !Object.hasOwn(own, name))];
}

function agentNamed(name: string, own: OwnAgents, agents: readonly ListedAgent[]): ListedAgent {
  const known = agents.find((agent) => agent.name === name);
  if (known !== undefined) return known;
  const preset = presetNamed(name, own);
  throw new UsageError(unknownAgent(name, "nearest" in preset ? preset.nearest : null));
}

//   On this machine
//     claude     Claude Code       palaver run claude
//
//   Others
//     gemini     Gemini CLI        npm i -g @google/gemini-cli
export function agentsText(agents: readonly ListedAgent[]): string {
  const rows = tableLines(
    agents.map(({ name, title, path, install, command }) => {
      return [name, title, path === null ? (install ?? `${command} is not installed`) : `palaver run ${name}`];
    }),
  ).map((row) => `  ${row}`);
  const here = rows.filter((_, index) => agents[index]?.path !== null);
  const others = rows.filter((_, index) => agents[index]?.path === null);
  const none = "  none yet; install one of the others, or name your own in the settings";
  return [
    "Installed",
    ...(here.length === 0 ? [none] : here),
    ...(others.length === 0 ? [] : ["", "Others"]),
    ...others,
    "",
  ].join("\n");
}

function agentText({ title, command, args, protocol, path, install, needs }: ListedAgent): string {
  const lines = [
    title,
    `  started as   ${[command, ...args].join(" ")}`,
    `  protocol     ${protocol ?? "detected when it starts"}`,
    `  found        ${path ?? "no"}`,
    ...(install === null || path !== null ? [] : [`  install      ${install}`]),
    ...(needs === "" ? [] : [`  needs        ${needs}`]),
  ];
  return lines.map((line) => `${safeLine(line)}\n`).join("");
}
