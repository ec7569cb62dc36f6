// One question, whole: what is asked, by whom, what is dangerous about it, the answers, and how far an answer has come. Answers take
// a tap only after all of the question has been in sight and a quiet moment has passed.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { OverviewAsk } from "../../contract/page.js";
import { humanSeconds } from "../../text/humanize.js";
import { safeLine, safeLines } from "../../text/safe.js";
import { answerWords } from "../state/answer-state.js";
import { AskGuard } from "../state/ask-guard.js";
import type { AskAnswer } from "../state/daemon.js";
import { daemon, now, pagePorts } from "../state/page.js";
import { hashOf } from "../state/route.js";
import { ApprovalAnswers, ApprovalBody } from "./approval.jsx";
import { approvalOf, askLine, whereWords } from "./ask-facts.js";
import { ChoiceAnswers } from "./choice-answers.jsx";
import { FileAnswers } from "./file-answers.jsx";
import { FormAnswers } from "./form-answers.jsx";
import { GuardContext } from "./guarded-button.jsx";
import { BackLink, isInField, StatWords, useFocusOfLost } from "./parts.jsx";
import { TextAnswers } from "./text-answers.jsx";

/** The questions that this page has shown: one that is over stays readable. */
const seen = new Map<string, OverviewAsk>();
const SEEN_MAX = 50;

export function askNamed(id: string): OverviewAsk | null {
  const open = daemon.overview.value.asks.find(({ ask }) => ask.id === id);
  if (open !== undefined) {
    seen.delete(id);
    seen.set(id, open);
    const [oldest] = seen.keys();
    if (seen.size > SEEN_MAX && oldest !== undefined) seen.delete(oldest);
  }
  return open ?? seen.get(id) ?? null;
}

/** The question of this session that was answered here last: how far its answer has come stays in sight. */
export function lastAnsweredIn(sessionId: string): string | null {
  const answered = [...seen.values()].filter(
    ({ ask, session }) => session?.id === sessionId && daemon.answers.value.has(ask.id),
  );
  return answered.at(-1)?.ask.id ?? null;
}

export function QuestionView({ id }: { id: string }) {
  const asked = askNamed(id);
  if (asked === null) {
    const words = !daemon.isLoaded.value
      ? "loading…"
      : daemon.overview.value.asksMore > 0
        ? "This question is closed, or too many older ones are open. Answer those first."
        : "This question is not open any more.";
    return (
      <section class="question">
        <header class="head">
          <BackLink />
          <h1>Question</h1>
        </header>
        <p class="pad dim">{words}</p>
        <EndWords id={id} />
      </section>
    );
  }
  return <Question key={id} asked={asked} />;
}

function Question({ asked }: { asked: OverviewAsk }) {
  const { ask, session } = asked;
  const end = useRef<HTMLDivElement>(null);
  const keys = useRef<(key: string) => void>(() => undefined);
  const guard = useMemo(() => new AskGuard(ask.id, pagePorts, (key) => keys.current(key)), [ask.id]);
  useGuard(guard, end, asked);
  const heading = useFocusOfLost<HTMLHeadingElement>();
  const { title, stat, dangers } = askLine(asked);
  const state = answerWords(daemon.answers.value.get(ask.id), daemon.overview.value.settled.get(ask.id));
  return (
    <GuardContext.Provider value={guard}>
      <section class={`question ${dangers.length > 0 ? "danger" : ""}`} aria-labelledby="question-title">
        <header class="head">
          <BackLink />
          <h1 id="question-title" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {stat !== null && <StatWords stat={stat} />}
        </header>
        <p class="where dim">
          {whereWords(asked, now.value, daemon.clockOffsetMs.value)}
          {deadlineWords(ask.deadlineMs)}
          {session !== null && (
            <span class="to-session">
              {" · "}
              <a href={hashOf({ at: "session", id: session.id })}>open session</a>
            </span>
          )}
        </p>
        <Body asked={asked} />
        <div ref={end} class="answers-place">
          {state?.isOver !== true && <Answers asked={asked} keys={keys} />}
          <EndWords id={ask.id} />
          {state?.isOver === true && <NextAsk after={ask.id} />}
        </div>
      </section>
    </GuardContext.Provider>
  );
}

const BUSY_EVENTS = ["pointerdown", "scroll", "wheel", "touchmove", "keydown"];

// All of it was in sight when its end is: the answers stand below what they answer.
function useGuard(guard: AskGuard, end: { current: HTMLElement | null }, asked: OverviewAsk): void {
  useEffect(() => {
    const element = end.current;
    if (element === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return guard.hidden();
      guard.drawn();
      daemon.sawAsk(asked);
    });
    observer.observe(element);
    const busy = (event: Event) => {
      const isOwn = event.target instanceof Element && event.target.closest("[data-answers]") !== null;
      // The guard gets the keys of the page itself from the answers; those of a field elsewhere are counted here.
      const isCounted = event.type !== "keydown" || isInField(event);
      if (event.type === "scroll" || (!isOwn && isCounted)) guard.busy();
    };
    // The click that brings a window to the front is meant for the window.
    const hidden = () => guard.busy();
    const options = { capture: true, passive: true };
    for (const name of BUSY_EVENTS) addEventListener(name, busy, options);
    document.addEventListener("visibilitychange", hidden);
    addEventListener("focus", hidden);
    return () => {
      observer.disconnect();
      for (const name of BUSY_EVENTS) removeEventListener(name, busy, options);
      document.removeEventListener("visibilitychange", hidden);
      removeEventListener("focus", hidden);
      guard.stop();
    };
  }, [guard]);
}

function deadlineWords(deadlineMs: number | null): string {
  if (deadlineMs === null) return "";
  const leftMs = deadlineMs + daemon.clockOffsetMs.value - now.value;
  return leftMs > 0 ? ` · ${humanSeconds(leftMs)} left` : " · time is up";
}

function Body({ asked }: { asked: OverviewAsk }) {
  const approval = approvalOf(asked);
  if (approval !== null) return <ApprovalBody question={approval} />;
  const { message } = asked.ask.question.params;
  if (typeof message !== "string" || message === "") return null;
  return (
    <div class="message">
      {safeLines(message).map((line, at) => (
        <p key={at}>{line}</p>
      ))}
    </div>
  );
}

export interface AnswerProps {
  readonly asked: OverviewAsk;
  readonly send: (answer: AskAnswer) => void;
  /** What the answer keys do. */
  readonly keys: { current: (key: string) => void };
}

function Answers({ asked, keys }: Pick<AnswerProps, "asked" | "keys">) {
  if (daemon.isReadOnly.value) return <p class="dim pad">This link is read-only.</p>;
  if (asked.elsewhere?.answers === "there") {
    return <p class="dim pad">Answer this on {safeLine(asked.elsewhere.machine)}.</p>;
  }
  const send = (answer: AskAnswer) => void daemon.answer(asked, answer);
  const { question } = asked.ask;
  const approval = approvalOf(asked);
  if (approval !== null) return <ApprovalAnswers question={approval} send={send} keys={keys} />;
  switch (question.kind) {
    case "select":
      return <ChoiceAnswers params={question.params} send={send} />;
    case "input":
    case "editor":
      return <TextAnswers question={question} send={send} />;
    case "form":
      return <FormAnswers params={question.params} send={send} />;
    case "files":
      return <FileAnswers asked={asked} params={question.params} send={send} />;
    default:
      return null;
  }
}

function NextAsk({ after }: { after: string }) {
  const next = daemon.overview.value.asks.find(({ ask }) => ask.id !== after);
  return (
    <p class="next-ask">
      {next === undefined ? (
        <a href="#home">nothing else waits</a>
      ) : (
        <a href={hashOf({ at: "ask", id: next.ask.id })}>next question ›</a>
      )}
    </p>
  );
}

function EndWords({ id }: { id: string }) {
  const state = answerWords(daemon.answers.value.get(id), daemon.overview.value.settled.get(id));
  return (
    <p class={`answer-state ${state?.mood ?? ""}`} role="status">
      {state === null ? "" : safeLine(state.text)}
      {state?.mood === "good" ? " ✓" : ""}
    </p>
  );
}
