// `palaver prompt`: one prompt to any agent, streamed to standard output; a small dialog appears when the agent asks.

import { basename, join } from "node:path";
import type { AgentCommand } from "../../agents/agent-process.js";
import type { McpAskBridge } from "../../agents/mcp-ask-bridge.js";
import { openSessionLink } from "../../agents/session-link.js";
import { stateFolder } from "../../builtin/state-folder.js";
import type { Ask } from "../../contract/asks.js";
import { wireFacts, wireNames } from "../../contract/wire-names.js";
import type { ConnectedAgent } from "../../host/agent-connection.js";
import { createRedactor, secretsIn } from "../../text/redact.js";
import type { WaitingRoom } from "../../views/mini/ask-decider.js";
import type { PromptEnd, PromptOptions, PromptPorts } from "../../views/mini/prompt-options.js";
import { PromptRun } from "../../views/mini/prompt-run.js";
import { AgentBox, embeddedEnvironment } from "../agent-box.js";
import { AgentServers } from "../agent-servers.js";
import type { Command } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { complain } from "../printed.js";
import { processClock } from "../process-clock.js";
import { askViewHere } from "../prompt/here.js";
import { PausedRuns, type RunRecord } from "../prompt/paused-runs.js";
import { choosePromptAgent, foundAgent, isResumable, type PromptAgent, startedAgent } from "../prompt/prompt-agent.js";
import {
  goingOnText,
  type PromptArguments,
  promptText,
  readPromptArguments,
  resumeCommand,
} from "../prompt/prompt-arguments.js";
import { promptConnector } from "../prompt/prompt-connection.js";
import { spokenAnswer } from "../prompt/spoken-answer.js";
import { isSavedSession } from "../resume.js";
import { inputBesides } from "../stdin-prompt.js";
import { EMBEDDED } from "./agents-command.js";

const help = `palaver prompt "message" [agent | -- <command…>]

One prompt, streamed: the agent's words go to standard output, everything else
to standard error. When the agent asks something, a small dialog opens on the
terminal, also when the output is piped; then the stream goes on. What comes on
standard input goes to the agent as well.

  -o, --output F         text (default), json (one object at the end) or
                         stream-json (every event, and the result last)
  --json-schema FILE     the answer must be JSON that fits; only then it is
                         printed
  --context FILE         a file that goes along with the message; several times
  --protocol P           ${wireNames.join(", ")}: how the
                         command speaks; detected if missing

  --timeout SECONDS      give up after that long
  --idle-timeout SECONDS give up when the agent is silent for that long
  --max-turns N          at most so many turns
  -c, --continue         resume the last session in this folder
  -r, --resume ID        resume this session

  --allowed-tools A,B    tools that need no permission
  --skip-permissions     every permission is given without asking, except the
                         one to leave the sandbox
  --sandbox              the agent runs in a sandbox, as with palaver run; where
                         that does not work, nothing is started
  --no-sandbox           commands of the built-in agent run as they are
  --answers FILE         answers for questions: the first rule that matches
  --on-ask P             what to do where no one can be asked: deny; default (no
                         to approvals and confirms, else as fail); fail (as
                         without the flag: the session is kept, exit code 3);
                         or wait: the question stays at the daemon of the
                         project (palaver serve) until it is answered there,
                         with palaver answer or palaver attach
  --answer TEXT          with --resume: the answer to the question it stopped at
  --no-input             never ask, even with a terminal

  --stdin                wait for standard input, however long it takes
  --no-mcp               the agent gets no server to ask through
  -q, --quiet            on standard error only problems, and what was asked

Exit codes: 0 done · 1 the agent failed · 2 bad usage · 3 an answer was needed ·
124 timed out · 130 interrupted (ctrl+c asks the agent to stop, twice kills it)

An answers file: {"answers": [{"match": {"kind": "permission", "tool": "bash",
"title": "npm *"}, "answer": "allow_once"}]}. Each of kind, tool and title may
be missing. A permission is answered allow_once, allow_always, reject_once or
reject_always, a confirm true or false, others with their value, null cancels.

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
    const runs = new PausedRuns(join(stateFolder(process.env), "prompts"));
    const before = runBefore(given, runs);
    const { agents: own, agent: preferred } = config.settings;
    const agent = foundAgent(choosePromptAgent(given, { own, preferred, before }), config.environment);
    const text = await textFor(given, before);
    return new PromptSession(given, { config, runs, before, agent, text }).run();
  },
};

interface SessionParts {
  readonly config: LoadedConfig;
  readonly runs: PausedRuns;
  readonly before: RunRecord | null;
  readonly agent: PromptAgent;
  readonly text: string;
}

class PromptSession {
  private readonly given: PromptArguments;
  private readonly parts: SessionParts;
  private readonly leftovers: (() => void | Promise<void>)[] = [];

  constructor(given: PromptArguments, parts: SessionParts) {
    this.given = given;
    this.parts = parts;
  }

  async run(): Promise<ExitCode> {
    const options = await this.options();
    try {
      const connect = await this.connector(options.openView === null ? "away" : "person");
      const run = new PromptRun(options, { ...this.ports(), connect });
      const forwarded = forwardInterrupts(run);
      const { end, sessionId } = await run.start().finally(() => forwarded.stop());
      if (sessionId !== null && end !== "answer-needed") this.save(null, sessionId);
      return codes[end];
    } finally {
      for (const remove of this.leftovers.reverse()) await remove();
    }
  }

  private async options(): Promise<PromptOptions> {
    const { given } = this;
    const { config, agent, before, text } = this.parts;
    const everything = given.permissions === "skipped" ? "allowed" : "asked";
    if (everything === "allowed") warn("--skip-permissions: the agent may do everything without asking");
    const openView = await askViewHere(config, given.input);
    const { on_ask: onAsk } = config.settings;
    return {
      ...given,
      text,
      beforehand: { everything, tools: given.allowedTools, rules: given.rules },
      earlier: earlierAnswers(given, before),
      onAsk,
      openView,
      waitingRoom: openView === null && onAsk === "wait" ? await waitingRoom() : null,
      records: process.stderr.isTTY ? "words" : "json",
      outputs: !process.stdout.isTTY ? "apart" : process.stderr.isTTY ? "one-terminal" : "words-on-terminal",
      turnsMax: wireFacts(agent.protocol).promptOptions === "arguments" ? null : given.turnsMax,
    };
  }

  private ports(): Omit<PromptPorts, "connect"> {
    return {
      clock: processClock,
      write: ({ stream, text }) => void (stream === "out" ? process.stdout : process.stderr).write(text),
      savePaused: (ask, session) => (this.save(ask, session) ? resumeCommand(session) : null),
    };
  }

  private async connector(presence: "person" | "away"): Promise<PromptPorts["connect"]> {
    const { agent } = this.parts;
    const name = agent.name ?? basename(agent.command.command);
    const secrets = new Set<string>();
    const { openLink, bridge } = await this.linkOpener(presence);
    const audit = keepAsks(name, () => secrets);
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
      session: this.session(),
      isSession: isSavedSession,
    });
    const env = { ...config.environment, ...started.command.env };
    const session = started.resume === null ? {} : { resume: started.resume };
    const performedBy = agent.name === EMBEDDED ? "palaver" : "agent";
    const command = await this.inSandbox({ ...started.command, env });
    const { protocol } = agent;
    return {
      bridge,
      openLink: (handlers) => openSessionLink(command, { ...handlers, ...session, protocol, mcpServers, performedBy }),
    };
  }

  // The embedded agent runs only its commands in the sandbox, any other agent runs in it.
  private async inSandbox(command: AgentCommand): Promise<AgentCommand> {
    const { sandbox } = this.given;
    const { agent, config } = this.parts;
    if (agent.name === EMBEDDED) {
      return { ...command, env: { ...command.env, ...(await embeddedEnvironment(sandbox, process.cwd())) } };
    }
    if (sandbox !== "on") return command;
    const box = await AgentBox.open(process.cwd(), command, config.settings);
    this.leftovers.push(() => box.close());
    return box.boxed(command);
  }

  /** Claude Code finds its last session itself; for other agents we store it. */
  private session(): PromptArguments["session"] {
    const { session } = this.given;
    const { agent, before } = this.parts;
    if (session !== "continue" || wireFacts(agent.protocol).promptOptions === "arguments") return session;
    if (before === null) throw new UsageError("there is no session of this agent to resume in this folder");
    return { resume: before.session };
  }

  private save(ask: Ask | null, session: string): boolean {
    const { agent, runs } = this.parts;
    if (!isResumable(agent)) return false;
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

async function waitingRoom(): Promise<WaitingRoom> {
  const { waitingRoomHere } = await import("../prompt/remote-ask.js");
  return waitingRoomHere(warn);
}

function runBefore({ session, agent, commandLine }: PromptArguments, runs: PausedRuns): RunRecord | null {
  if (session === "new") return null;
  if (session !== "continue") return runs.find(session.resume);
  return runs.latest({
    agent: commandLine.length > 0 ? null : agent,
    command: commandLine[0] ?? "",
    folder: process.cwd(),
  });
}

async function textFor(given: PromptArguments, before: RunRecord | null): Promise<string> {
  const { answer, context, schema } = given;
  if (answer !== null && before?.ask == null) {
    throw new UsageError("--answer: this session did not stop at a question, or is not known here");
  }
  const onSilence = () => complain("waiting for the end of standard input");
  const isTold = given.stdin === "wait" && given.notes === "all";
  const input = await inputBesides({ input: given.stdin, ...(isTold ? { onSilence } : {}) });
  // With a message, the answer waits until the question is asked again.
  const goingOn = answer === null || before?.ask == null ? "" : goingOnText(before.ask, answer);
  const message = given.message ?? goingOn;
  const text = promptText({ message, context, input: input === null || input.trim() === "" ? null : input, schema });
  if (text.trim() !== "") return text;
  throw new UsageError('prompt needs a message: palaver prompt "what is in this folder?"');
}

function earlierAnswers({ answer }: PromptArguments, before: RunRecord | null) {
  if (answer === null || before?.ask == null) return [];
  return [{ ask: before.ask, answer: spokenAnswer(before.ask, [answer]) }];
}

function warn(words: string): void {
  complain(`▲ ${words}`);
}

// The agent's own process group does not get the terminal's Ctrl+C, so it is asked to stop. The second Ctrl+C exits and ends
// all that the agent started.
function forwardInterrupts(run: PromptRun): { stop(): void } {
  const others = process.listeners("SIGINT");
  process.removeAllListeners("SIGINT");
  const forward = () => {
    if (run.interrupt() === "again") process.exit(exitCodes.interrupted);
  };
  process.on("SIGINT", forward);
  return {
    stop() {
      process.off("SIGINT", forward);
      for (const listener of others) process.on("SIGINT", listener);
    },
  };
}
