// The built-in agent on the lines wire, written on what every author imports. Streams, environment, clock and configuration
// arrive as options; nothing below reads them for itself.
import type { Readable, Writable } from "node:stream";
import { serveSessions } from "../sdk/exports.js";
import type { LayeredRule, PermissionMode } from "../session/permission/policy.js";
import type { NoSandbox, Sandbox } from "../system/sandbox/sandbox.js";
import type { Clock } from "../system/timers.js";
import type { Model } from "./models/model.js";
import { type Environment, type ModelChoice, type ModelFacts, modelsList, type Wish } from "./models/model-choice.js";
import { SessionOpener } from "./session/session-opener.js";
import type { SessionRecord } from "./session/session-record.js";
import type { Tool } from "./tool.js";

export type AgentOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly environment: Environment;
  /** Where sessions begin that name no folder of their own. */
  readonly folder: string;
  /** The folder the person named for the first session, also when it is resumed. */
  readonly namedFolder?: string | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly tools: readonly Tool[];
  openModel(choice: ModelChoice): Promise<Model>;
  /** What the person says about models, for the list to choose from. */
  readonly modelFacts?: ModelFacts | undefined;
  /** What the person named; what is missing is chosen from the environment. */
  readonly wish: Wish;
  readonly systemPrompt?: string | undefined;
  /** The session to resume, or to write to. */
  readonly sessionFile?: string | undefined;
  /** "none": nothing is asked and nothing shown beyond the events. */
  readonly ui: "person" | "away" | "none";
  /** The rules of a folder, which a session works under: each project may have its own. Rejects, in words. */
  permissionsFor(folder: string): Promise<{ readonly mode: PermissionMode; readonly rules: readonly LayeredRule[] }>;
  /** Where the commands of a session in this folder run. Left out, they run as they are, and nothing is said of it. */
  sandboxFor?(folder: string): Promise<Sandbox | NoSandbox | "off">;
  readonly debug: boolean;
  /** A line for stderr. */
  log(line: string): void;
  /** Takes secrets out of what goes to disk. */
  redact?(record: SessionRecord): SessionRecord;
};

/** Runs until `quit`, or until the input ends and what was begun is done. A dialog waits for its answer without a limit. */
export async function serveAgent(options: AgentOptions): Promise<void> {
  const { input, output, clock, version, environment, modelFacts, ui, debug, log } = options;
  const opener = new SessionOpener(options);
  await serveSessions(
    {
      name: "palaver agent",
      version,
      open: (request, connect) => opener.open(request, connect),
      savedSessions: () => opener.store.list(),
      models: () => modelsList(environment, modelFacts),
    },
    {
      input,
      output,
      clock,
      debug,
      log,
      ui: ui === "none" ? "none" : "person",
      dialogTimeoutMs: Number.POSITIVE_INFINITY,
    },
  );
}
