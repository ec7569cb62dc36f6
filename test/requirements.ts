// Everything Palaver promises, one sentence per promise. Tests cite the ids they prove with `verifies("daemon.14")`,
// and the tidy test counts how many stand proven. The sentences live in one table per subject.
import { agent } from "./requirements/agent.js";
import { agents } from "./requirements/agents.js";
import { asks } from "./requirements/asks.js";
import { daemon } from "./requirements/daemon.js";
import { front } from "./requirements/front.js";
import { invariants } from "./requirements/invariants.js";
import { prompt } from "./requirements/prompt.js";
import { safety } from "./requirements/safety.js";
import { screen } from "./requirements/screen.js";
import { type Requirement, requirementsOf } from "./requirements/table.js";
import { ui } from "./requirements/ui.js";
import { wires } from "./requirements/wires.js";

const tables = { daemon, screen, prompt, front, invariants, wires, agent, agents, asks, ui, safety } as const;

type IdOf<Table> = Table extends { readonly entries: Readonly<Record<infer Id extends string, unknown>> } ? Id : never;

export type RequirementId = IdOf<(typeof tables)[keyof typeof tables]>;

export const requirements: readonly Requirement[] = Object.values(tables).flatMap((table) => requirementsOf(table));
