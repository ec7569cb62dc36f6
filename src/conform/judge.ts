// The whole test: two runs of the agent, every chapter in order, one report. When the agent no longer answers, the run ends
// and the remaining rules are reported as not seen.
import type { AgentCommand } from "../agents/agent-process.js";
import {
  aborting,
  asking,
  badInput,
  endOfInput,
  greeting,
  type Prompts,
  pings,
  prompting,
  quitting,
  smallTalk,
  withDeltas,
} from "./chapters.js";
import { Conversation } from "./conversation.js";
import { playingSessions, promptingTwice } from "./session-chapters.js";
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
  const seen = await firstRun(command, verdicts, { ...options, onChapter });
  onChapter("end of input");
  const seenThen = await secondRun(command, verdicts, options);
  return { command: [command.command, ...command.args], framesSeen: seen + seenThen, rules: verdicts.report() };
}

async function firstRun(
  command: AgentCommand,
  verdicts: Verdicts,
  { patienceMs, startMs, prompts, onChapter }: Required<ConformOptions>,
): Promise<number> {
  const agent = new Conversation(command, verdicts, patienceMs);
  if ((await greeting(agent, verdicts, startMs)) === "ready") {
    await walk(agent, verdicts, prompts, onChapter);
    onChapter("quitting");
    if (agent.exitWords === null) await quitting(agent, verdicts);
  }
  await agent.stop();
  return agent.framesSeen;
}

async function walk(
  agent: Conversation,
  verdicts: Verdicts,
  prompts: Prompts,
  onChapter: (title: string) => void,
): Promise<void> {
  for (const { title, run } of chapters) {
    onChapter(title);
    await run(agent, verdicts, prompts);
    if (await pings(agent)) continue;
    const what = agent.exitWords === null ? "no pong" : `the agent ${agent.exitWords}`;
    verdicts.fail("ping", `after the chapter "${title}": ${what}; the chapters after it were left out`);
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
