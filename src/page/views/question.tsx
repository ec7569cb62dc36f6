// One question: what is asked, by which agent, its dangers, the answers, and the progress of an answer. Answers accept a tap
// only after the whole question was visible for a quiet moment.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Ask } from "../../contract/asks.js";
import type { DialogParams } from "../../contract/dialogs.js";
import type { OverviewAsk } from "../../contract/page.js";
import { countProblem, textProblem } from "../../session/ask-rules.js";
import { outcomeWords } from "../../session/outcome-words.js";
import { humanSeconds } from "../../text/humanize.js";
import { safeLine, safeLines } from "../../text/safe.js";
import { answerWords } from "../state/answer-state.js";
import { AskGuard } from "../state/ask-guard.js";
import type { AskAnswer } from "../state/daemon.js";
import { draftOf, keepDraft } from "../state/drafts.js";
import { filesMatching } from "../state/found-files.js";
import { daemon, now, pagePorts } from "../state/page.js";
import { hashOf } from "../state/route.js";
import { ApprovalAnswers, ApprovalBody } from "./approval.jsx";
import { approvalOf, askLine, whereWords } from "./ask-facts.js";
import { ChoiceAnswers, HINT_ID, SendRow } from "./choice-answers.jsx";
import { FormAnswers } from "./form-answers.jsx";
import { GuardContext } from "./guarded-button.jsx";
import { BackLink, isInField, LineInput, StatWords, StreamNotice, useFocusOfLost } from "./parts.jsx";

/** A longer title scrolls away: a heading that stays would cover the answers of a phone. */
const LENGTH_OF_STICKY_TITLE_MAX = 120;

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
        : daemon.overview.value.settled.has(id)
          ? "This question is not open any more."
          : "There is no such question, or it was closed a while ago.";
    return (
      <section class="question">
        <header class="head">
          <BackLink />
          <h1>Question</h1>
        </header>
        <p class="pad dim">{words}</p>
        <div class="pad">
          <EndWords id={id} />
        </div>
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
        <header class={`head ${title.length > LENGTH_OF_STICKY_TITLE_MAX ? "long" : ""}`}>
          <BackLink />
          <h1 id="question-title" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {stat !== null && <StatWords stat={stat} />}
          <StreamNotice state={daemon.stream.value} />
        </header>
        <p class="where dim">
          {whereWords(asked, now.value, daemon.clockOffsetMs.value)}
          {state === null && deadlineWords(ask.deadlineMs)}
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
      return <TextAnswers askId={asked.ask.id} question={question} send={send} />;
    case "form":
      return <FormAnswers askId={asked.ask.id} params={question.params} send={send} />;
    case "files":
      return <FileAnswers asked={asked} params={question.params} send={send} />;
    case "confirm":
    case "permission":
      return null;
  }
}

const KIND_WORDS: Readonly<Record<Ask["question"]["kind"], string>> = {
  select: "choose",
  confirm: "yes or no",
  input: "type an answer",
  editor: "write an answer",
  form: "fill in a form",
  files: "choose files",
  permission: "allow or deny",
};

export function kindWords({ question }: Ask): string {
  return KIND_WORDS[question.kind];
}

function NextAsk({ after }: { after: string }) {
  const next = daemon.overview.value.asks.find(({ ask }) => ask.id !== after);
  return (
    <p class="next-ask">
      {next === undefined ? (
        <>
          <span class="dim">nothing else waits</span> · <a href="#home">all sessions</a>
        </>
      ) : (
        <a href={hashOf({ at: "ask", id: next.ask.id })}>next question ›</a>
      )}
    </p>
  );
}

function EndWords({ id }: { id: string }) {
  const settled = daemon.overview.value.settled.get(id);
  const state = answerWords(daemon.answers.value.get(id), settled);
  const ask = settled === undefined ? undefined : askNamed(id)?.ask;
  const isAnswered = settled?.outcome.kind === "answered" || settled?.outcome.kind === "cancelled";
  return (
    <p class={`answer-state ${state?.mood ?? ""}`} role="status">
      {isAnswered && ask !== undefined && <b>{safeLine(outcomeWords(ask, settled.outcome))} · </b>}
      {state === null ? "" : safeLine(state.text)}
      {state?.mood === "good" ? " ✓" : ""}
    </p>
  );
}

// A line or several lines of text. A secret is masked, and leaves the page with the answer and nowhere else.

type TextQuestion = Extract<Ask["question"], { kind: "input" | "editor" }>;

interface TextProps {
  readonly askId: string;
  readonly question: TextQuestion;
  readonly send: (answer: AskAnswer) => void;
}

function TextAnswers({ askId, question, send }: TextProps) {
  const { opts = {} } = question.params;
  const isSecret = opts.secret === true;
  const [text, setText] = useState(() => (isSecret ? "" : draftOf(askId)) || startingText(question));
  const write = (next: string) => {
    setText(next);
    if (!isSecret) keepDraft(askId, next);
  };
  const problem = textProblem(text, opts);
  const isWrong = text !== "" && problem !== null;
  const submit = () => problem === null && send({ value: text });
  const label = safeLine(question.params.title);
  return (
    <form
      class="answers"
      data-answers
      onSubmit={(event) => {
        event.preventDefault();
        // Enter alone does not send what the agent filled in.
        if (text !== startingText(question)) submit();
      }}
    >
      {question.kind === "editor" ? (
        <textarea rows={10} aria-label={label} value={text} onInput={(event) => write(event.currentTarget.value)} />
      ) : (
        <LineInput
          kind={isSecret ? "secret" : "text"}
          label={label}
          placeholder={safeLine(question.params.placeholder ?? "")}
          value={text}
          problemId={isWrong ? HINT_ID : null}
          onText={write}
        />
      )}
      <SendRow problem={problem} isBegun={text !== ""} send={submit} cancel={() => send("cancel")} />
    </form>
  );
}

function startingText(question: TextQuestion): string {
  if (question.kind === "editor") return question.params.prefill ?? "";
  const { default: given, secret } = question.params.opts ?? {};
  return typeof given === "string" && secret !== true ? given : "";
}

// Choose files of the session's folder: type a part of a name, and take one of what the daemon finds.

interface FileProps {
  readonly asked: OverviewAsk;
  readonly params: DialogParams<"files">;
  readonly send: (answer: AskAnswer) => void;
}

function FileAnswers({ asked, params, send }: FileProps) {
  const isMulti = params.opts?.multiple === true;
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // What was chosen since the query was typed: a tap moves no row, so that a second one meets the same.
  const [kept, setKept] = useState<readonly string[]>([]);
  const sessionId = asked.session?.id ?? null;
  useEffect(() => filesMatching(sessionId, query, setFound), [sessionId, query]);
  const toggle = (path: string) => {
    if (!kept.includes(path)) setKept([...kept, path]);
    if (!isMulti) setChosen([path]);
    else setChosen(chosen.includes(path) ? chosen.filter((each) => each !== path) : [...chosen, path]);
  };
  const problem =
    chosen.length === 0 ? "choose a file" : isMulti ? countProblem(chosen.length, params.opts ?? {}) : null;
  // A name that is not in the list may be new; one that leads out of the folder cannot be meant.
  const typed = query === "" || found.includes(query) || query.split("/").includes("..") ? [] : [query];
  const hidden = kept.filter((path) => !found.includes(path));
  return (
    <div class="answers" data-answers>
      <input
        type="search"
        placeholder="part of a name"
        aria-label="find files"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setKept(chosen);
        }}
      />
      <div class="choices searched">
        {query !== "" && found.length + typed.length === 0 && <p class="dim">nothing fits</p>}
        {[...new Set([...hidden, ...typed, ...found])].map((path) => (
          <label key={path} class={`choice ${chosen.includes(path) ? "chosen" : ""}`}>
            <input
              type={isMulti ? "checkbox" : "radio"}
              name="file"
              checked={chosen.includes(path)}
              onChange={() => toggle(path)}
            />
            <span class="path">
              {safeLine(path)}
              {typed.includes(path) && <small class="dim">as you typed it</small>}
            </span>
          </label>
        ))}
      </div>
      <SendRow
        problem={problem}
        isBegun={chosen.length > 0}
        send={() => send({ value: chosen })}
        cancel={() => send("cancel")}
      />
    </div>
  );
}
