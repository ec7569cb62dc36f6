// The whole test: two runs of the agent, every chapter in order, one report. When the agent no longer answers, the run ends
// and the remaining rules are reported as not seen.
import type { AgentCommand } from "../agents/agent-process.js";
import {
  aborting,
  answer,
  asking,
  badInput,
  endOfInput,
  greeting,
  type Prompts,
  pings,
  prompting,
  quitting,
  said,
  smallTalk,
  withDeltas,
} from "./chapters.js";
import { Conversation } from "./conversation.js";
import { type ConformReport, Verdicts } from "./verdicts.js";

export type ConformOptions = {
  /** For each answer. */
  patienceMs: number;
  /** For `ready`. */
  startMs: number;
  prompts: Prompts;
  onChapter?: (title: string) => void;
};

type Chapter = { title: string; run(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> };

const chapters: readonly Chapter[] = [
  { title: "small talk", run: smallTalk },
  { title: "a prompt", run: prompting },
  { title: "questions", run: asking },
  { title: "aborting", run: aborting },
  { title: "a prompt in a turn", run: promptingTwice },
  { title: "sessions", run: playingSessions },
  { title: "bad input", run: badInput },
];

export async function judgeAgent(command: AgentCommand, options: ConformOptions): Promise<ConformReport> {
  const verdicts = new Verdicts();
  const { onChapter = () => {} } = options;
  onChapter("starting");
  const first = await firstRun(command, verdicts, { ...options, onChapter });
  onChapter("end of input");
  const seenThen = first.start === "ready" ? await secondRun(command, verdicts, options) : 0;
  return { command: [command.command, ...command.args], framesSeen: first.seen + seenThen, rules: verdicts.report() };
}

async function firstRun(
  command: AgentCommand,
  verdicts: Verdicts,
  { patienceMs, startMs, prompts, onChapter }: Required<ConformOptions>,
): Promise<{ start: "ready" | "not ready"; seen: number }> {
  const agent = new Conversation(command, verdicts, patienceMs);
  const start = await greeting(agent, verdicts, startMs);
  if (start === "ready") {
    await walk(agent, verdicts, prompts, onChapter);
    onChapter("quitting");
    if (agent.exitWords === null) await quitting(agent, verdicts);
  }
  await agent.stop();
  return { start, seen: agent.framesSeen };
}

async function walk(
  agent: Conversation,
  verdicts: Verdicts,
  prompts: Prompts,
  onChapter: (title: string) => void,
): Promise<void> {
  for (const { title, run } of chapters) {
    onChapter(title);
    const { failed } = verdicts;
    await run(agent, verdicts, prompts);
    if (await pings(agent)) continue;
    const { exitWords } = agent;
    const deaf = agent.isTurnOpen ? "no pong while a turn is open" : "no pong";
    const what = exitWords === null ? deaf : `the agent ${exitWords}`;
    const words = `after "${title}": ${what}; the rest was not tested`;
    verdicts.endedBy(words);
    // An agent that has exited breaks the rule at which it did.
    if (exitWords === null) verdicts.fail(agent.isTurnOpen ? "ping-in-turn" : "ping", words);
    else if (verdicts.failed === failed) verdicts.fail("quit", words, "Exit only on quit, or when stdin ends.");
    return;
  }
}

async function secondRun(
  command: AgentCommand,
  verdicts: Verdicts,
  { patienceMs, startMs, prompts }: ConformOptions,
): Promise<number> {
  const agent = new Conversation(command, verdicts, patienceMs);
  const first = await agent.next(startMs);
  if (typeof first === "string") verdicts.note("end-of-input", "the agent did not start a second time");
  else {
    await withDeltas(agent, verdicts, prompts);
    await endOfInput(agent, verdicts);
  }
  await agent.stop();
  return agent.framesSeen;
}

// Two chapters about more than one thing at a time: a prompt in the middle of a turn, and several sessions.

/** The second prompt is sent with the first sign of the turn: it is refused, or runs afterwards. */
async function promptingTwice(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  let ends = 0;
  let errors = 0;
  let sent = false;
  agent.send({ type: "prompt", text: prompts.asking });
  while (ends + errors < 2) {
    const next = await agent.next();
    if (typeof next === "string") {
      const seen = `${ends} agent_end and ${errors} errors for two prompts`;
      verdicts.fail("prompt-in-turn", `after a second prompt in the turn: ${seen}, then ${said(next, agent)}`);
      return;
    }
    if (next.type === "error") errors += 1;
    if (next.type === "event" && next.event.type === "agent_end") ends += 1;
    if (!sent && (next.type === "event" || next.type === "ui_request")) {
      sent = true;
      agent.send({ type: "prompt", text: prompts.plain });
    }
    if (next.type === "ui_request") answer(agent, next);
  }
  verdicts.hold("prompt-in-turn");
}

async function playingSessions(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.send({ type: "initialize", protocol_version: "2", client: { name: "palaver conform" } });
  const introduced = await agent.until(["initialized", "error"]);
  const can = typeof introduced !== "string" && introduced.type === "initialized" ? introduced.server_capabilities : {};
  if (can.supports_sessions !== true) {
    verdicts.note("sessions", "the agent does not claim supports_sessions");
    return;
  }
  agent.send({ type: "start_session" });
  const started = await agent.until(["session_started", "error"]);
  if (typeof started === "string" || started.type !== "session_started") {
    verdicts.fail("sessions", `start_session was answered by ${said(started, agent)}`);
    return;
  }
  const { session_id } = started;
  agent.send({ type: "list_running_sessions" });
  const listed = await agent.until(["running_sessions", "error"]);
  const isListed =
    typeof listed !== "string" &&
    listed.type === "running_sessions" &&
    listed.sessions.some((session) => session.session_id === session_id);
  verdicts.check("sessions", isListed, `running_sessions does not have the new session ${session_id}`);
  agent.send({ type: "close_session", session_id });
  const closed = await agent.until(["session_closed", "error"]);
  const isClosed = typeof closed !== "string" && closed.type === "session_closed";
  verdicts.check("sessions", isClosed, `close_session was answered by ${said(closed, agent)}`);
}
