// The chapters of the test: greeting, small talk, a prompt, questions, an abort, bad input, quitting. Each brings the agent
// into a situation and records which rules it kept.
import { allDialogs } from "../contract/capabilities.js";
import { cancelledAnswer, sampleAnswer } from "../contract/dialogs.js";
import type { LinesOutput, UiRequest } from "../contract/lines-outputs.js";
import {
  basicDialogMethods,
  knownVersion,
  PROTOCOL_VERSION,
  protocolVersions,
  unknownVersionWords,
} from "../contract/protocol-versions.js";
import type { Conversation, Next } from "./conversation.js";
import type { RuleId } from "./rules.js";
import type { Verdicts } from "./verdicts.js";

export type Prompts = { plain: string; asking: string };

export async function greeting(
  agent: Conversation,
  verdicts: Verdicts,
  startMs: number,
): Promise<"ready" | "not ready"> {
  const first = await agent.next(startMs);
  if (typeof first === "string") {
    if (first === "gone") {
      verdicts.fail("starts", `before ready it ${agent.exitWords}`, "Start the command by hand, and see why it ends.");
    } else verdicts.fail("starts", silentStart(agent, startMs));
    return "not ready";
  }
  verdicts.check("starts", first.type === "ready", `the first frame is ${first.type}, not ready`);
  if (first.type === "ready" && knownVersion(first.protocol_version) === null) {
    verdicts.fail("starts", unknownVersionWords(first.protocol_version));
  }
  return "ready";
}

function silentStart(agent: Conversation, startMs: number): string {
  if (agent.startsWrong) return "the first line is a frame that breaks the schema: see below";
  const within = `within ${startMs / 1000} s`;
  if (agent.bytesSeen === 0) return `nothing on stdout ${within}; is it flushed?`;
  if (agent.framesSeen === 0)
    return `${agent.bytesSeen} bytes on stdout ${within}, but no whole line: every frame ends with a line break`;
  return `no valid ready ${within}; the lines that came are reported below`;
}

export async function smallTalk(agent: Conversation, verdicts: Verdicts): Promise<void> {
  const answer = await initialize(agent, {});
  verdicts.check("initialize", typeOf(answer) === "initialized", `initialize was answered by ${said(answer, agent)}`);
  verdicts.check("ping", await pings(agent), `no pong within ${limit(agent)}`);
}

function initialize(agent: Conversation, more: { supports_message_deltas?: boolean }): Promise<Next> {
  agent.send({
    type: "initialize",
    protocol_version: PROTOCOL_VERSION,
    protocol_versions: [...protocolVersions],
    client: { name: "palaver conform" },
    ui_capabilities: { ...allDialogs, supports_permission: true, supports_multi_select: true, ...more },
  });
  return agent.until(["initialized", "error"]);
}

/** The run before offered no deltas; this one does. */
export async function withDeltas(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const answer = await initialize(agent, { supports_message_deltas: true });
  const offered = typeof answer !== "string" && answer.type === "initialized" ? answer.server_capabilities : {};
  const agreed = offered.supports_message_deltas === true;
  const turn = await runTurn(agent, prompts.plain);
  if (turn.deltas > 0) verdicts.check("deltas", agreed, "message_delta without supports_message_deltas in initialized");
  else if (!agreed) verdicts.note("deltas", "the agent does not claim supports_message_deltas");
  else verdicts.check("deltas", turn.updates === 0, "message_update although both sides have supports_message_deltas");
}

export async function prompting(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const turn = await runTurn(agent, prompts.plain);
  verdicts.check("prompt-frames-turn", turn.end === "agent_end", `the prompt: ${ending(turn, agent)}`);
  if (turn.deltas > 0) verdicts.fail("deltas", "message_delta for a front end without supports_message_deltas");
  if (turn.updates === 0) verdicts.note("message-whole", "the agent streamed no message_update for the prompt");
}

/** An agent that streams on for longer has not stopped. */
const ABORTED_WITHIN_MS = 5_000;
/** Not that there is no turn to stop: a quick one may be over. */
const REFUSAL = /unknown|support|implement/i;

/** Aborts at the first sign of a message. A turn that is over before the abort arrives has stopped too. */
export async function aborting(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  let abortedAtMs: number | null = null;
  const turn = await runTurn(agent, prompts.plain, {
    onUpdate: () => {
      if (abortedAtMs === null) agent.send({ type: "abort" });
      abortedAtMs ??= performance.now();
    },
  });
  const tookMs = performance.now() - (abortedAtMs ?? Number.POSITIVE_INFINITY);
  verdicts.check("abort", turn.end === "agent_end", `after abort: ${ending(turn, agent)}`);
  const withinMs = Math.min(agent.patienceMs, ABORTED_WITHIN_MS);
  const late = `agent_end came ${Math.round(tookMs / 1_000)} s after abort`;
  verdicts.check("abort", turn.end !== "agent_end" || tookMs <= withinMs, late);
  const errors = [...turn.errors];
  const hasPong = await pings(agent, (frame) => void (frame.type === "error" && errors.push(frame.message)));
  verdicts.check("abort", hasPong, `after abort: no pong within ${limit(agent)}`);
  const refusal = abortedAtMs === null ? undefined : errors.find((message) => REFUSAL.test(message));
  verdicts.check("abort", refusal === undefined, `abort was answered by the error "${refusal}"`);
  const again = await runTurn(agent, prompts.plain);
  verdicts.check("abort", again.end === "agent_end", `the prompt after an abort: ${ending(again, agent)}`);
}

export async function badInput(agent: Conversation, verdicts: Verdicts): Promise<void> {
  for (const bad of badLines) await oneBadLine(agent, verdicts, bad);
}

// Errors about the line come before the pong.
async function oneBadLine(agent: Conversation, verdicts: Verdicts, { rule, line }: BadLine): Promise<void> {
  let errors = 0;
  if (agent.exitWords !== null) return;
  agent.sendRaw(`${line}\n`);
  const shown = agent.lastLine;
  agent.send({ type: "ping" });
  const next = await agent.until(["pong"], (frame) => {
    if (frame.type === "error") errors += 1;
  });
  const after = `after the line ${shown}`;
  if (typeof next === "string") verdicts.fail(rule, `${after}: ${said(next, agent)} instead of a pong`);
  else verdicts.check(rule, errors === 1, `${after}: ${errors} error frames where one was due`);
}

export async function quitting(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.send({ type: "quit" });
  const exit = await agent.ended();
  if (exit === null) verdicts.fail("quit", `still running ${limit(agent)} after quit`);
  else verdicts.check("quit", exit.code === 0, `exit code ${exit.code} after quit`);
}

export async function endOfInput(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.closeInput();
  const exit = await agent.ended();
  verdicts.check("end-of-input", exit !== null, `still running ${limit(agent)} after the end of its input`);
}

export async function pings(agent: Conversation, onOther?: (frame: LinesOutput) => void): Promise<boolean> {
  agent.send({ type: "ping" });
  return typeOf(await agent.until(["pong"], onOther)) === "pong";
}

function ending(turn: TurnRecord, agent: Conversation): string {
  const errors = turn.errors.length === 0 ? "" : ` (it said: ${turn.errors.join("; ")})`;
  if (turn.end === "silence")
    return `silence: no agent_end within ${limit(agent)} after the line ${agent.lastLine}${errors}`;
  return turn.end === "gone" ? `the agent ${agent.exitWords} in the middle of the turn${errors}` : `agent_end${errors}`;
}

export function said(next: Next, agent: Conversation): string {
  if (next === "silence") return `silence for ${limit(agent)}`;
  if (next === "gone") return `the agent ${agent.exitWords}`;
  return next.type === "error" ? `the error "${next.message}"` : next.type;
}

function typeOf(next: Next): LinesOutput["type"] | null {
  return typeof next === "string" ? null : next.type;
}

function limit(agent: Conversation): string {
  return `${agent.patienceMs / 1000} s`;
}

type BadLine = { rule: RuleId; line: string };

const badLines: readonly BadLine[] = [
  { rule: "unknown-command", line: '{"type":"no_such_command"}' },
  { rule: "missing-field", line: '{"type":"prompt"}' },
  { rule: "wrong-type", line: '{"type":"prompt","text":5}' },
  { rule: "malformed-line", line: '{"type":"prompt","text":"half of a li' },
  { rule: "deep-nesting", line: `{"type":"no_such_command","deep":${"[".repeat(10_000)}${"]".repeat(10_000)}}` },
  { rule: "binary-noise", line: '{"\u0001\u0002\uFFFD\u0007":\u001b[2J\u0003\u0090' },
  { rule: "long-line", line: `{"type":"no_such_command","pad":"${"x".repeat(256 * 1024)}` },
];

const judgedKinds = [...basicDialogMethods, "form", "files", "permission"] as const;
type JudgedKind = (typeof judgedKinds)[number];

const ruleOf: Record<JudgedKind, RuleId> = {
  select: "ask-select",
  confirm: "ask-confirm",
  input: "ask-input",
  editor: "ask-editor",
  form: "ask-form",
  files: "ask-files",
  permission: "ask-permission",
};

const rulesThatNeedAsks = ["ask-cancelled", "ask-timed-out", "ask-aborted", "ask-late", "ping-in-turn"] as const;

export async function asking(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const answered = await runTurn(agent, prompts.asking);
  for (const method of judgedKinds) judgeKind(method, answered, agent, verdicts);
  if (answered.end === "gone") return;
  if (answered.asks.length === 0) {
    for (const rule of rulesThatNeedAsks) {
      verdicts.note(rule, "the agent asked nothing; --ask-prompt names a prompt that makes it ask");
    }
    return;
  }
  await pingWhileAsking(agent, verdicts, prompts);
  const cancelled = await runTurn(agent, prompts.asking, { onAsk: (ask) => cancel(agent, ask) });
  verdicts.check("ask-cancelled", cancelled.end === "agent_end", `after a cancel: ${ending(cancelled, agent)}`);
  const ignored = await runTurn(agent, prompts.asking, { onAsk: (ask) => leaveUnanswered(agent, ask) });
  verdicts.check("ask-timed-out", ignored.end === "agent_end", `after no answer: ${ending(ignored, agent)}`);
  for (const ask of ignored.asks.filter((each) => hasShortTime(agent, each) && !ignored.withdrawn.has(each.id))) {
    verdicts.fail("ask-timed-out", `the question ${ask.id} was not withdrawn with ui_cancel after its timeout_ms`);
  }
  await abortWhileAsking(agent, verdicts, prompts);
}

// The agent can only hang on the last question.
function judgeKind(method: JudgedKind, turn: TurnRecord, agent: Conversation, verdicts: Verdicts): void {
  if (!turn.asks.some((ask) => ask.method === method)) {
    verdicts.note(ruleOf[method], "the agent asked nothing of this kind");
    return;
  }
  const hungOnIt = turn.end !== "agent_end" && turn.asks.at(-1)?.method === method;
  verdicts.check(ruleOf[method], !hungOnIt, `after the answer: ${ending(turn, agent)}`);
}

async function pingWhileAsking(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const turn = await runTurn(agent, prompts.asking, {
    onAsk: (ask) => {
      agent.send({ type: "ping" });
      answer(agent, ask);
    },
  });
  const missing = turn.asks.length - turn.pongs;
  verdicts.check("ping-in-turn", missing <= 0, `${missing} of ${turn.asks.length} pings during questions had no pong`);
  if (turn.end !== "agent_end") verdicts.fail("ping-in-turn", `after a ping and an answer: ${ending(turn, agent)}`);
}

async function abortWhileAsking(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const turn = await runTurn(agent, prompts.asking, { onAsk: () => agent.send({ type: "abort" }) });
  const ask = turn.asks[0];
  if (ask === undefined) return;
  verdicts.check("ask-aborted", turn.end === "agent_end", `after abort: ${ending(turn, agent)}`);
  verdicts.check(
    "ask-aborted",
    turn.withdrawn.has(ask.id),
    `the open question ${ask.id} was not withdrawn with ui_cancel`,
  );
  answer(agent, ask);
  verdicts.check("ask-late", await pings(agent), "no pong after a late answer");
}

type TurnRecord = {
  end: "agent_end" | "silence" | "gone";
  asks: UiRequest[];
  withdrawn: Set<string>;
  updates: number;
  deltas: number;
  pongs: number;
  errors: string[];
};

type TurnReactions = {
  /** What to do about a question; by default it is answered. */
  onAsk?: (ask: UiRequest) => void;
  onUpdate?: () => void;
};

/** Sends one prompt, reacts to questions as the chapter says, and records what happened until the turn ends in some way. */
async function runTurn(agent: Conversation, text: string, reactions: TurnReactions = {}): Promise<TurnRecord> {
  const { onAsk = (ask: UiRequest) => answer(agent, ask), onUpdate = () => {} } = reactions;
  const record: TurnRecord = {
    ...{ end: "agent_end", asks: [], withdrawn: new Set(), errors: [] },
    ...{ updates: 0, deltas: 0, pongs: 0 },
  };
  agent.send({ type: "prompt", text });
  for (;;) {
    const next = await agent.next(patience(agent, record));
    if (typeof next === "string") return { ...record, end: next };
    if (isEnd(next)) return record;
    if (next.type === "pong") record.pongs += 1;
    if (next.type === "error") record.errors.push(next.message);
    if (next.type === "ui_cancel") record.withdrawn.add(next.id);
    if (next.type === "event" && next.event.type === "message_delta") record.deltas += 1;
    if (next.type === "event" && next.event.type === "message_update") {
      record.updates += 1;
      onUpdate();
    }
    if (next.type === "ui_request") {
      record.asks.push(next);
      onAsk(next);
    }
  }
}

export function answer(agent: Conversation, ask: UiRequest): void {
  const result = ask.method === "permission" ? { choice: "once" } : sampleAnswer(ask);
  agent.send({ type: "ui_response", id: ask.id, result, error: null });
}

function cancel(agent: Conversation, ask: UiRequest): void {
  const result = ask.method === "permission" ? null : cancelledAnswer(ask.method);
  agent.send({ type: "ui_response", id: ask.id, result, error: null });
}

/** Without a short timeout of the agent, the front end reports its own. */
function leaveUnanswered(agent: Conversation, ask: UiRequest): void {
  if (hasShortTime(agent, ask)) return;
  agent.send({ type: "ui_response", id: ask.id, result: null, error: "timeout: no answer" });
}

function hasShortTime(agent: Conversation, { timeout_ms }: UiRequest): boolean {
  return timeout_ms !== undefined && timeout_ms <= agent.patienceMs;
}

function isEnd(frame: LinesOutput): boolean {
  return frame.type === "event" && frame.event.type === "agent_end";
}

// An open question may stay silent until its own deadline.
function patience(agent: Conversation, { asks }: TurnRecord): number {
  const ownMs = asks.at(-1)?.timeout_ms ?? 0;
  return agent.patienceMs + (ownMs <= agent.patienceMs ? ownMs : 0);
}
