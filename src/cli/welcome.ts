// The first screen of the built-in agent without a model. It looks for agents on the PATH and starts none.
import { findProgram } from "../agents/found-program.js";
import { chooseModel, OFFLINE } from "../builtin/models/model-choice.js";
import type { Welcome } from "../views/inline/welcome.js";
import { listAgents } from "./commands/agents-command.js";
import type { LoadedConfig } from "./config/load-config.js";

const AGENTS_MAX = 4;

/** Null when there is a model. */
export function welcomeFor({ settings, environment }: LoadedConfig): Welcome | null {
  if (!isOffline(settings.model, environment)) return null;
  const found = listAgents(settings.agents, (program) => findProgram(program, environment));
  const names = found.flatMap(({ name, path }) => (path === null ? [] : [name]));
  return welcomeWith(`Palaver ${PALAVER_VERSION}`, names);
}

export function welcomeWith(name: string, agents: readonly string[]): Welcome {
  return {
    model: OFFLINE,
    title: [
      `${name} — one terminal UI for coding agents, daemons and scripts`,
      `${name} — one UI for every agent`,
      name,
    ],
    ways: [
      { label: "agents here", texts: agentTexts(agents) },
      {
        label: "a model",
        texts: [
          "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or /model (Ollama works offline)",
          "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or /model",
          "set ANTHROPIC_API_KEY, or /model",
          "/model, or an API key",
        ],
      },
      {
        label: "without one",
        texts: [
          "I can read, search, edit and run commands: type help, or /demo for a tour",
          "read, search, edit and run: type help, or /demo for a tour",
          "type help, or /demo for a tour",
          "type help or /demo",
        ],
      },
    ],
  };
}

function isOffline(model: string, environment: LoadedConfig["environment"]): boolean {
  try {
    return chooseModel(model === "" ? {} : { model }, environment).kind === "offline";
  } catch {
    return false;
  }
}

function agentTexts(names: readonly string[]): readonly [string, ...string[]] {
  const [first] = names;
  if (first === undefined)
    return [
      "none found; palaver agents lists what you can install",
      "none found; palaver agents lists them",
      "none; palaver agents",
    ];
  const some = `palaver run ${names.slice(0, AGENTS_MAX).join(" · ")}`;
  return [`${some}    palaver agents lists more`, some, `palaver run ${first}`];
}
