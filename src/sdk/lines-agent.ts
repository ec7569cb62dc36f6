// A whole agent on the lines wire in one call. `serveLines` is for an agent with one conversation, `serveSessions` for one
// that has several sessions, saves them, or has settings. The author works on prompts; the rest of the protocol is kept here.

import type { AgentCommands, AgentModes } from "../contract/capabilities.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import type { Message, Usage } from "../contract/messages.js";
import type { ProtocolVersion } from "../contract/protocol-versions.js";
import type { Clock } from "../system/timers.js";
import { LinesServer } from "./lines-server.js";
import type { ReadableLike, WritableLike } from "./outlet.js";
import type { SessionFront } from "./session-front.js";

export type Turn = SessionFront & {
  /** What the user wrote. */
  text: string;
  /** The pictures that go with it, base64; empty unless the agent has `images: true`. */
  images: readonly PromptImage[];
  /** Aborted when the user stops the turn; dialogs opened through `ui` are then withdrawn by themselves. */
  signal: AbortSignal;
  /** Adds to the open message; a question or a tool call ends it. Resolves when the front end has kept up. */
  say(text: string): Promise<void>;
  /** The same for what the agent thinks; front ends show less of it. */
  think(text: string): Promise<void>;
};

export type PromptImage = { readonly data: string; readonly mime_type: string };

/** An agent with one conversation. It may have what any session has: settings, save, reset, stats, commands. */
export type LinesAgent = Pick<
  LinesSession,
  "images" | "commands" | "settings" | "reset" | "save" | "stats" | "close"
> & {
  name: string;
  version?: string;
  /** Works on one prompt, and may return what it cost. Rejecting reports an `error` event; the turn ends either way. */
  onPrompt(turn: Turn): Promise<TurnResult | undefined> | Promise<void>;
};

/** What the end of a turn tells the front end: the messages it added (default: what `say` said), and what it cost. */
export type TurnResult = { messages?: readonly Message[]; usage?: Usage };

/**
 * A setting that the user can change while the session runs. `write` throws when the value is wrong. Give its `signal` to
 * every question that it asks: a stop, or the end of the turn beside it, withdraws the question.
 */
export type SessionSetting = {
  /** What `mode` may be, for the setting of that name: the front end shows its mode and lists the others. */
  readonly options?: AgentModes["options"];
  read(): unknown;
  write(value: unknown, options: { readonly signal: AbortSignal }): Promise<void> | void;
};

/** One conversation. What it leaves out, the front end is told, is not supported. */
export type LinesSession = {
  readonly id: string;
  readonly cwd: string;
  readonly model?: { readonly provider: string; readonly id: string };
  /** Whether it takes pictures: front ends then let the user paste, drop and attach them. */
  readonly images?: boolean;
  /** Commands of its own: `/name` comes as a prompt. */
  readonly commands?: AgentCommands;
  /** What a resumed session said before; the front end shows it. */
  readonly messages?: readonly Message[];
  /** By name. */
  readonly settings?: Readonly<Record<string, SessionSetting>>;
  /** Works on one prompt. Rejecting reports an `error` event; the turn ends either way. */
  onPrompt(turn: Turn): Promise<TurnResult>;
  /** Forgets the conversation. No turn runs. */
  reset?(): Promise<void>;
  save?(): Promise<{ ok: boolean; path?: string; error?: string | null }>;
  stats?(): Record<string, unknown>;
  /** Called once, after the last turn. */
  close?(): Promise<void>;
};

/** The fields of `start_session`. */
export type SessionRequest = Pick<
  Extract<LinesCommand, { type: "start_session" }>,
  "cwd" | "model" | "system_prompt" | "session_file" | "parent_session"
>;

type Frame<Type extends LinesOutput["type"]> = Extract<LinesOutput, { type: Type }>;

export type SessionsAgent = {
  name: string;
  version?: string;
  /**
   * Opens a session: null asks for the one the agent begins with. `connect` gives the front end of the session with this id,
   * for what has to be shown or asked outside of a turn. Rejecting refuses the request with the error's message, and with the
   * code of a `CommandError`.
   */
  open(request: SessionRequest | null, connect: (id: string) => SessionFront): Promise<LinesSession>;
  /** Sessions that can be resumed. */
  savedSessions?(): Promise<Frame<"sessions_list">["sessions"]>;
  models?(): Frame<"models_list">["providers"];
};

export type LinesAgentStreams = {
  input?: ReadableLike;
  output?: WritableLike;
  /** For dialogs that name no time of their own; without it they wait. */
  dialogTimeoutMs?: number;
  /** "1" for a front end that does not know "2", the default. A front end may also ask for "1" in `initialize`. */
  protocolVersion?: ProtocolVersion;
};

export type SessionsOptions = LinesAgentStreams & {
  /** "none": nothing is asked; notices go to `log`. */
  ui?: "person" | "none";
  /** Logs every command. */
  debug?: boolean;
  log?(line: string): void;
  clock?: Clock;
};

/** Runs until `quit`, or until input or output ends. Open dialogs are settled and the running turn is aborted first. */
export async function serveLines(agent: LinesAgent, streams: LinesAgentStreams = {}): Promise<void> {
  const { name, version, ...own } = agent;
  const session: LinesSession = {
    ...own,
    id: "main",
    cwd: process.cwd(),
    async onPrompt(turn) {
      try {
        return (await agent.onPrompt(turn)) ?? {};
      } catch (error) {
        // The user reads the message; the place in the code is for the author.
        if (!turn.signal.aborted) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        throw error;
      }
    },
  };
  const one = { name, ...(version === undefined ? {} : { version }), open: async () => session };
  await new LinesServer(one, { ...streams, sessions: "one" }).serve();
}

/** Runs until `quit` or the end of the output; when only the input ends, turns are finished as far as they need no answer. */
export async function serveSessions(agent: SessionsAgent, options: SessionsOptions = {}): Promise<void> {
  await new LinesServer(agent, { ...options, sessions: "several" }).serve();
}
