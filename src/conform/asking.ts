// The chapter of questions: the agent is made to ask, and its questions are answered, cancelled, left alone, aborted
// and answered too late. After each the turn must end, for an agent that hangs on a question hangs for good.
import { basicDialogMethods } from "../contract/dialogs.js";
import { ending, type Prompts, pings } from "./chapters.js";
import type { Conversation } from "./conversation.js";
import type { RuleId } from "./rules.js";
import { answer, cancel, leaveUnanswered, runTurn, type TurnRecord } from "./turn.js";
import type { Verdicts } from "./verdicts.js";

type BasicMethod = (typeof basicDialogMethods)[number];

const ruleOf: Record<BasicMethod, RuleId> = {
  select: "ask-select",
  confirm: "ask-confirm",
  input: "ask-input",
  editor: "ask-editor",
};

const rulesThatNeedAsks = ["ask-cancelled", "ask-timed-out", "ask-aborted", "ask-late", "ping-in-turn"] as const;

export async function asking(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const answered = await runTurn(agent, prompts.asking);
  for (const method of basicDialogMethods) judgeKind(method, answered, agent, verdicts);
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
  await abortWhileAsking(agent, verdicts, prompts);
}

// The last question is the one the agent hung on; those before it were dealt with.
function judgeKind(method: BasicMethod, turn: TurnRecord, agent: Conversation, verdicts: Verdicts): void {
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
  const everyPing = turn.pongs >= turn.asks.length && turn.end === "agent_end";
  verdicts.check("ping-in-turn", everyPing, `${turn.pongs} pongs for ${turn.asks.length} pings during questions`);
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
