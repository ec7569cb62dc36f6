// The settings of a session that can be changed while it runs, by key: how each is read, and how a new value is taken.
import type { Model } from "../models/model.js";
import { modelName } from "../models/model.js";
import type { AgentSession } from "../session/agent-session.js";
import { CommandError } from "./command-error.js";

/** Opens a model by the name the person gave; rejects, in words. */
export type ModelOpener = (name: string) => Promise<Model>;

type Setting = {
  read(session: AgentSession): unknown;
  write(session: AgentSession, value: unknown, openModel: ModelOpener): Promise<void> | void;
};

const settings: Readonly<Record<string, Setting>> = {
  model: {
    read: ({ model }) => modelName(model),
    async write(session, value, openModel) {
      if (typeof value !== "string") throw wrongValue("model", "provider:name");
      await session.useModel(await openModel(value));
    },
  },
  read_only: {
    read: ({ permissions }) => permissions.mode === "read-only",
    write({ permissions }, value) {
      if (typeof value !== "boolean") throw wrongValue("read_only", "true or false");
      permissions.setMode(value ? "read-only" : "normal");
    },
  },
  max_turns: {
    read: ({ turnsMax }) => turnsMax,
    write(session, value) {
      if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
        throw wrongValue("max_turns", "a number from 1 on");
      session.turnsMax = value;
    },
  },
};

export function configOf(session: AgentSession): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, setting.read(session)]));
}

export async function setConfig(
  session: AgentSession,
  key: string,
  value: unknown,
  openModel: ModelOpener,
): Promise<void> {
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
  if (setting === undefined) {
    throw new CommandError(
      "invalidField",
      `unknown config key: ${key}. There are: ${Object.keys(settings).join(", ")}`,
    );
  }
  await setting.write(session, value, openModel);
}

function wrongValue(key: string, wanted: string): CommandError {
  return new CommandError("invalidField", `${key} wants ${wanted}`);
}
