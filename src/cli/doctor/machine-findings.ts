// What Palaver finds on this machine besides the terminal: Node, settings, a place for its state, agents, a model, and
// the daemon of the project at hand. Looks, and changes nothing but a file that it takes away again.

import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "../../agents/found-program.js";
import { chooseModel } from "../../builtin/models/model-choice.js";
import { stateFolder } from "../../builtin/state-folder.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { DaemonPresence } from "../../server/project/running-daemon.js";
import { openSandbox, Sandbox } from "../../system/sandbox/sandbox.js";
import { safeLine } from "../../text/safe.js";
import { listAgents } from "../commands/agents-command.js";
import type { LoadedConfig } from "../config/load-config.js";
import { type Finding, fine, problem, unasked, warning } from "./doctor-report.js";

type Environment = Readonly<Record<string, string | undefined>>;

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
  if (wrong.length > 0) return problem("settings", wrong.join("; "), "mend the file; palaver config check looks again");
  const odd = warnings.map(safeLine);
  if (odd.length > 0) return warning("settings", odd.join("; "), "palaver config check shows each on its own line");
  const own = userPath === null ? "no place for a file of your own (there is no home folder)" : ownFile(userPath);
  if (project === null) return fine("settings", own);
  const trust = project.trust === "trusted" ? "trusted" : "only its matters of taste are taken; palaver config trust";
  return fine("settings", `${own}; ${safeLine(project.path)} (${trust})`);
}

function ownFile(path: string): string {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return `${safeLine(path)}${isThere ? "" : " (not there yet, all is as it comes)"}`;
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
    const advice = "make it yours, or name another place with XDG_STATE_HOME; without it nothing is kept between runs";
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
  return warning("agents", "none but the built-in one", "palaver agents says how to get others");
}

export function modelFinding({ settings, environment }: LoadedConfig): Finding {
  const { model, base_url } = settings;
  try {
    const choice = chooseModel({ model: model || undefined, baseUrl: base_url || undefined }, environment);
    if (choice.kind === "offline") {
      const advice = "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model: palaver config set model ollama:NAME";
      return warning("model", "the built-in agent has none and understands a few plain sentences", advice);
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
export async function sandboxFinding(folder: string, { settings, environment }: LoadedConfig): Promise<Finding> {
  const opened = await openSandbox({ folder, environment, network: "none", secrets: "secrets-out" });
  const isOff = settings.sandbox === "off";
  if (!(opened instanceof Sandbox)) {
    const advice = safeLine(opened.advice ?? "work in a folder below it");
    return warning(
      "sandbox",
      `${safeLine(opened.why)}, so that commands of the built-in agent run without one`,
      advice,
    );
  }
  const problem = opened.problem();
  opened.close();
  if (!isOff && problem !== null) {
    const advice = "replace the link by what it leads to, or use --no-sandbox";
    return warning("sandbox", `${safeLine(problem)}, so that commands of the built-in agent do not run`, advice);
  }
  if (!isOff) return fine("sandbox", "commands of the built-in agent run in one");
  return warning("sandbox", "it works, and your settings turn it off", "palaver config set sandbox workspace");
}

export function daemonFinding(presence: DaemonPresence | null): Finding {
  if (presence === null) return unasked("daemon", "the folder we are in is gone");
  switch (presence.kind) {
    case "none":
      return fine("daemon", "none runs for this project; palaver serve starts one");
    case "running":
      return fine("daemon", `${presence.record.url}, version ${safeLine(presence.claims.version)}`);
    case "silent": {
      const { url, pid } = presence.record;
      return problem("daemon", `${url} does not answer`, `end its process ${pid}, then palaver serve`);
    }
  }
}
