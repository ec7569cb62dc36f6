// `palaver prompt`: one prompt to any agent, streamed to standard output; a small dialog appears when the agent asks.

import { basename } from "node:path";
import type { AgentCommand } from "../../agents/agent-process.js";
import type { McpAskBridge } from "../../agents/mcp-ask-bridge.js";
import { openSessionLink } from "../../agents/session-link.js";
import type { Ask, AuditRecord } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { agentWireNames, wireFacts } from "../../contract/wire-names.js";
import type { ConnectedAgent } from "../../host/agent-connection.js";
import { answerCommandWords } from "../../session/ask-facts.js";
import { outcomeWords } from "../../session/outcome-words.js";
import { createRedactor, secretsIn } from "../../text/redact.js";
import { safeLine } from "../../text/safe.js";
import type { EarlierAnswer, WaitingRoom } from "../../views/mini/ask-decider.js";
import type { PromptEnd, PromptOptions, PromptPorts } from "../../views/mini/prompt-options.js";
import { PromptRun } from "../../views/mini/prompt-run.js";
import { AgentBox, embeddedEnvironment } from "../agent-box.js";
import { AgentServers } from "../agent-servers.js";
import { Resumability } from "../agent-sessions.js";
import type { Command } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { flagVariables, refuseBuiltInFlags } from "../config/typed-layers.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { complain } from "../printed.js";
import { processClock } from "../process-clock.js";
import { askViewHere } from "../prompt/here.js";
import { type PausedRuns, promptRuns, type RunRecord } from "../prompt/paused-runs.js";
import { choosePromptAgent, foundAgent, type PromptAgent, startedAgent } from "../prompt/prompt-agent.js";
import {
  type PromptArguments,
  promptText,
  readPromptArguments,
  resumeCommand,
  resumeText,
  resumeWaitingCommand,
} from "../prompt/prompt-arguments.js";
import { promptConnector } from "../prompt/prompt-connection.js";
import { spokenAnswer } from "../prompt/spoken-answer.js";
import { refuseWrongModel } from "../requested-model.js";
import { foundSession, isSavedSession } from "../resume.js";
import { inputBesides } from "../stdin-prompt.js";
import { EMBEDDED } from "./agents-command.js";

const help = `palaver prompt "message" [agent | -- <command…>]

Sends one prompt and streams the answer to standard output; everything else goes
to standard error. If the agent asks something, a small dialog opens on the
terminal, even if the output is piped; then the stream continues. Standard input
is sent to the agent, too.

  -o, --output F         text (default), json (one object at the end) or
                         stream-json (every event, and the result last)
  --json-schema FILE     print the answer only if it is JSON that matches
  --context FILE         attach a file (repeatable)
  --protocol P           ${agentWireNames.join(", ")}: the
                         command's protocol; detected if missing. With rpc, no
                         message is needed, and the exit code is the program's

  --timeout SECONDS      give up after this time
  --idle-timeout SECONDS give up when the agent is silent for this long
  --max-turns N          maximum number of turns
  -c, --continue         resume the last session in this folder
  -r, --resume ID        resume this session; the beginning of its ID is enough

  --model PROVIDER:NAME  the model of the built-in agent
  --base-url URL         another endpoint for that model
  --read-only            the built-in agent may read, but change nothing

  --allowed-tools A,B    tools that need no permission: read, search, edit, run
                         or fetch for any agent, or the agent's own names
  --skip-permissions     grant every permission without asking, except the one
                         to leave the sandbox
  --sandbox              run the agent in a sandbox, as with palaver run; if
                         that does not work, nothing is started
  --no-sandbox           run the built-in agent's commands without the sandbox
  --answers FILE         answers to questions; the first matching rule applies
  --on-ask P             what to do when no one can be asked: deny; default (no
                         to approvals and confirms, otherwise like fail); fail
                         (the default: save the session, exit code 3); or wait:
                         leave the question with the project's daemon (palaver
                         serve) until it is answered there
  --answer TEXT          with --resume: the answer to the question it stopped at
  --no-input             never ask, even with a terminal

  --stdin                wait for standard input, however long it takes
  --no-mcp               don't give the agent Palaver's MCP server
  -q, --quiet            only problems and questions on standard error

Exit codes: 0 done · 1 the agent failed · 2 bad usage · 3 an answer was needed ·
124 timed out · 130 interrupted (ctrl+c asks the agent to stop, twice kills it)
· 143, 129 ended by SIGTERM or SIGHUP, after the agent was asked to stop

An answers file: {"answers": [{"match": {"kind": "permission", "tool": "bash",
"title": "npm *"}, "answer": "allow_once"}]}. Each of kind, tool and title may
be missing. The answer to a permission is allow_once, allow_always, reject_once
or reject_always, to a confirm true or false, otherwise a value; null cancels.

Examples
  palaver prompt "what is in this folder?"
  git diff | palaver prompt "a commit message" claude --max-turns 1 > message
  palaver prompt "list the TODOs" --json-schema list.json -- ./my-agent
`;

export const command: Command = {
  help,
  async run(args) {
    const given = readPromptArguments(args);
    const config = loadConfig({ flags: given.flags, environment: process.env, folder: process.cwd() });
    if (given.notes === "all") for (const words of config.warnings) warn(words);
    const runs = promptRuns();
    const { agents: own, agent: preferred } = config.settings;
    const before = runBefore(given, runs, preferred || EMBEDDED);
    const agent = foundAgent(choosePromptAgent(given, { own, preferred, before }), config.environment);
    if (agent.name === EMBEDDED) refuseWrongModel(config.settings, config.environment);
    else refuseBuiltInFlags(agent.name ?? "this agent", given.flags);
    const earlier = earlierAnswer(given, before) ?? (await awaitedAnswer(given, before, config));
    if (typeof earlier === "string") {
      complain(`palaver: the question of this session has no answer: ${earlier}`);
      return exitCodes.answerNeeded;
    }
    // A program of the rpc protocol takes no message and works by itself.
    const text = agent.protocol === "rpc" ? (given.message ?? "") : await textFor(given, earlier);
    return new PromptSession(given, { config, runs, before, earlier, agent, text }).run();
  },
};

interface SessionParts {
  readonly config: LoadedConfig;
  readonly runs: PausedRuns;
  readonly before: RunRecord | null;
  readonly earlier: ResumedAnswer | null;
  readonly agent: PromptAgent;
  readonly text: string;
}

class PromptSession {
  private readonly given: PromptArguments;
  private readonly parts: SessionParts;
  private readonly leftovers: (() => void | Promise<void>)[] = [];
  /** The ids under which asks waited at the daemon, by their own. */
  private readonly recordIds = new Map<string, string>();
  private readonly resumability: Resumability;

  constructor(given: PromptArguments, parts: SessionParts) {
    this.given = given;
    this.parts = parts;
    const { name, protocol } = parts.agent;
    this.resumability = new Resumability({ kind: name === EMBEDDED ? "embedded" : "other", protocol });
  }

  async run(): Promise<number> {
    const options = await this.options();
    try {
      const connect = await this.connector(options.openView === null ? "away" : "person");
      const run = new PromptRun(options, { ...this.ports(), connect });
      const forwarded = forwardInterrupts(run);
      const { end, sessionId } = await run.start().finally(() => forwarded.stop());
      if (sessionId !== null && end !== "answer-needed") this.save(null, sessionId);
      if (end === "failed") return run.programCode ?? codes.failed;
      return end === "interrupted" ? forwarded.code() : codes[end];
    } finally {
      for (const remove of this.leftovers.reverse()) await remove();
    }
  }

  private async options(): Promise<PromptOptions> {
    const { given } = this;
    const { config, agent, before, earlier, text } = this.parts;
    const everything = given.permissions === "skipped" ? "allowed" : "asked";
    if (everything === "allowed") warn("--skip-permissions: the agent may do everything without asking");
    const openView = await askViewHere(config, given.input);
    const { on_ask: onAsk } = config.settings;
    return {
      ...given,
      text,
      beforehand: { everything, tools: given.allowedTools, rules: given.rules },
      earlier: earlier === null ? [] : [earlier],
      onAsk,
      openView,
      waitingRoom: openView === null && onAsk === "wait" ? await waitingRoom(before, this.resumability) : null,
      recordAs: (askId, id) => void this.recordIds.set(askId, id),
      records: process.stderr.isTTY ? "words" : "json",
      outputs: !process.stdout.isTTY ? "apart" : process.stderr.isTTY ? "one-terminal" : "words-on-terminal",
      turnsMax: wireFacts(agent.protocol).promptOptions === "arguments" ? null : given.turnsMax,
    };
  }

  private ports(): Omit<PromptPorts, "connect"> {
    return {
      clock: processClock,
      write: ({ stream, text }) => void (stream === "out" ? process.stdout : process.stderr).write(text),
      savePaused: (ask, session, waitsAs) => {
        if (!this.save(ask, session, waitsAs)) return null;
        return waitsAs === null ? resumeCommand(session) : resumeWaitingCommand(session);
      },
    };
  }

  private async connector(presence: "person" | "away"): Promise<PromptPorts["connect"]> {
    const { agent } = this.parts;
    const name = agent.name ?? basename(agent.command.command);
    const secrets = new Set<string>();
    const { openLink, bridge } = await this.linkOpener(presence);
    const keep = keepAsks(name, () => secrets);
    const audit = (record: AuditRecord) => keep({ ...record, askId: this.recordIds.get(record.askId) ?? record.askId });
    const onSecret = (secret: string) => void secrets.add(secret);
    return promptConnector({ name, openLink }, { clock: processClock, audit, bridge, onSecret });
  }

  private async linkOpener(
    presence: "person" | "away",
  ): Promise<Pick<ConnectedAgent, "openLink"> & { readonly bridge: McpAskBridge | null }> {
    const { agent, config } = this.parts;
    const chosen = config.settings.mcp_servers;
    const servers = new AgentServers({ protocol: agent.protocol, own: this.given.server, chosen });
    this.leftovers.push(() => servers.close());
    const { mcpServers, mcpConfigPath, own, bridge } = await servers.prepare();
    const started = startedAgent(agent, {
      ...this.given,
      mcpConfigPath,
      own,
      presence,
      user: process.getuid?.() === 0 ? "root" : "other",
      session: await this.session(),
      isSession: isSavedSession,
    });
    const env = { ...config.environment, ...started.command.env };
    const session = started.resume === null ? {} : { resume: started.resume };
    const performedBy = agent.name === EMBEDDED ? "palaver" : "agent";
    const command = await this.inSandbox({ ...started.command, env });
    const { protocol } = agent;
    return {
      bridge,
      openLink: (handlers) => {
        const onEvent = (event: SessionEvent) => {
          this.resumability.heard(event);
          handlers.onEvent(event);
        };
        const options = {
          ...handlers,
          onEvent,
          ...session,
          protocol,
          mcpServers,
          performedBy,
          plainPrograms: "refused",
        } as const;
        return openSessionLink(command, options);
      },
    };
  }

  // The embedded agent runs only its commands in the sandbox, any other agent runs in it.
  private async inSandbox(command: AgentCommand): Promise<AgentCommand> {
    const { sandbox } = this.given;
    const { agent, config } = this.parts;
    if (agent.name === EMBEDDED) {
      const settings = { ...flagVariables(this.given.flags), ...(await embeddedEnvironment(sandbox, process.cwd())) };
      return { ...command, env: { ...command.env, ...settings } };
    }
    if (sandbox !== "on") return command;
    const box = await AgentBox.open(process.cwd(), command, config.settings);
    this.leftovers.push(() => box.close());
    return box.boxed(command);
  }

  /** Claude Code finds its last session itself; for other agents it is the last prompt's, or the newest of this folder. */
  private async session(): Promise<PromptArguments["session"]> {
    const { session } = this.given;
    const { agent, before, config } = this.parts;
    if (session === "new") return session;
    if (session === "continue" && wireFacts(agent.protocol).promptOptions === "arguments") return session;
    if (before !== null) return { resume: before.session };
    const name = session === "continue" ? "" : session.resume;
    const kind = agent.name === EMBEDDED ? "embedded" : "other";
    const { environment } = config;
    return { resume: (await foundSession({ ...agent, kind }, name, { environment, folder: process.cwd() })).ref };
  }

  private save(ask: Ask | null, session: string, waitsAs: string | null = null): boolean {
    const { agent, runs } = this.parts;
    if (this.resumability.can !== true) return false;
    const redactor = createRedactor(secretsIn(process.env));
    const { command, args } = agent.command;
    // An agent with a secret in its arguments cannot be restarted from a file without secrets.
    if (args.some((arg) => redactor.text(arg) !== arg)) return false;
    return runs.save({
      version: 1,
      session,
      agent: agent.name,
      command,
      args,
      protocol: agent.protocol,
      folder: process.cwd(),
      ask: ask === null ? null : (redactor.value(ask) as Ask),
      ...(waitsAs === null ? {} : { waitsAs }),
      savedAtMs: Date.now(),
    });
  }
}

const codes: Readonly<Record<PromptEnd, ExitCode>> = {
  done: exitCodes.done,
  failed: exitCodes.agentFailed,
  "answer-needed": exitCodes.answerNeeded,
  "timed-out": exitCodes.timedOut,
  interrupted: exitCodes.interrupted,
};

async function waitingRoom(before: RunRecord | null, resumed: Pick<Resumability, "can">): Promise<WaitingRoom> {
  const { waitingRoomHere } = await import("../prompt/remote-ask.js");
  const earlier = before?.ask != null && before.waitsAs !== undefined ? { ask: before.ask, id: before.waitsAs } : null;
  return waitingRoomHere(
    { asker: () => (resumed.can === true ? "returns" : "reconnects"), ...(earlier && { earlier }) },
    warn,
  );
}

function runBefore(
  { session, agent, commandLine }: PromptArguments,
  runs: PausedRuns,
  preferred: string,
): RunRecord | null {
  if (session === "new") return null;
  if (session !== "continue") return runs.find(session.resume);
  return runs.latest({
    agent: commandLine.length > 0 ? null : (agent ?? preferred),
    command: commandLine[0] ?? "",
    folder: process.cwd(),
  });
}

async function textFor(given: PromptArguments, earlier: ResumedAnswer | null): Promise<string> {
  const { context, schema } = given;
  const onSilence = () => complain("waiting for the end of standard input");
  const isTold = given.stdin === "wait" && given.notes === "all";
  const input = await inputBesides({ input: given.stdin, ...(isTold ? { onSilence } : {}) });
  // With a message, the answer waits until the question is asked again.
  const resumed = earlier === null ? "" : resumeText(earlier.ask, earlier.said);
  const message = given.message ?? resumed;
  const text = promptText({ message, context, input: input === null || input.trim() === "" ? null : input, schema });
  if (text.trim() !== "") return text;
  throw new UsageError('prompt needs a message: palaver prompt "what is in this folder?"');
}

/** The answer to the question at which the session stopped, and how the agent is told. */
interface ResumedAnswer extends EarlierAnswer {
  readonly ask: Ask;
  readonly said: string | null;
}

function earlierAnswer({ answer }: PromptArguments, before: RunRecord | null): ResumedAnswer | null {
  if (answer === null) return null;
  if (before?.ask == null) {
    throw new UsageError("--answer: this session did not stop at a question, or is not known here");
  }
  return { ask: before.ask, answer: spokenAnswer(before.ask, [answer]), by: "--answer", said: answer };
}

/** What was answered at the daemon while no run was there to hear it; or why it was not. */
async function awaitedAnswer(
  { message }: PromptArguments,
  before: RunRecord | null,
  { settings }: LoadedConfig,
): Promise<ResumedAnswer | string | null> {
  if (message !== null || before?.ask == null || before.waitsAs === undefined || settings.on_ask !== "wait")
    return null;
  const { ask } = before;
  const room = await waitingRoom(before, { can: true });
  const tell = (id: string) =>
    complain(`? ${safeLine(ask.question.params.title)}  waits at the daemon: ${answerCommandWords(ask, id)}`);
  const outcome = await room.leave({ ...ask, deadlineMs: null }, tell).catch((error: unknown) => errorMessage(error));
  if (typeof outcome === "string") return outcome;
  if (outcome.kind === "expired" || outcome.kind === "withdrawn") return outcomeWords(ask, outcome);
  const value = outcome.kind === "answered" ? outcome.value : null;
  return {
    ask,
    answer: value,
    by: outcome.by,
    waitsAs: before.waitsAs,
    said: value === null ? null : answerText(ask, value),
  };
}

function answerText(ask: Ask, value: unknown): string {
  if (typeof value === "string") return value;
  const isChoice = ask.question.kind === "confirm" || ask.question.kind === "permission";
  return isChoice ? outcomeWords(ask, { kind: "answered", value, by: "" }) : JSON.stringify(value);
}

function warn(words: string): void {
  complain(`▲ ${words}`);
}

const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A build service that sends SIGTERM kills after a few seconds, so that the agent has less time than after Ctrl+C. */
const TERM_GRACE_MS = 3_000;

// The agent's own process group does not get the terminal's Ctrl+C, so it is asked to stop: only the agent itself can end what it
// started in groups of their own. The second signal exits and ends the group of the agent.
function forwardInterrupts(run: PromptRun): { stop(): void; code(): number } {
  let code: number = exitCodes.interrupted;
  const undo = (Object.keys(endings) as (keyof typeof endings)[]).map((signal) => {
    const others = process.listeners(signal);
    process.removeAllListeners(signal);
    const forward = () => {
      if (run.interrupt(signal === "SIGINT" ? undefined : TERM_GRACE_MS) === "again") process.exit(endings[signal]);
      code = endings[signal];
    };
    process.on(signal, forward);
    return () => {
      process.off(signal, forward);
      for (const listener of others) process.on(signal, listener);
    };
  });
  return {
    code: () => code,
    stop() {
      for (const each of undo) each();
    },
  };
}
