// An approval in full: dangers first, then the agent's words, the command, what else changes what will run, and the diff. The
// refusal is nearest to the thumb; allowing something dangerous takes two taps in different places.
import { useContext, useEffect, useState } from "preact/hooks";
import {
  type Approval,
  detailLines,
  disguisesIn,
  ownMessage,
  performerLines,
  unsaidPaths,
} from "../../session/approval.js";
import type { ApprovalAnswer, ApprovalQuestion } from "../../session/approval-answers.js";
import { safeReveal } from "../../text/safe.js";
import type { AskAnswer } from "../state/daemon.js";
import { Diff } from "./diff.jsx";
import { GuardContext, GuardedButton, GuardWords } from "./guarded-button.jsx";
import { isInField } from "./parts.jsx";

function revealed(text: string): string {
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map(safeReveal)
    .join("\n");
}

export function ApprovalBody({ question: { approval } }: { question: ApprovalQuestion }) {
  const { command, diff, path, danger } = approval;
  const dangers = [danger, ...disguisesIn(approval)].filter(Boolean);
  const message = ownMessage(approval);
  return (
    <div class="approval">
      {dangers.map((words) => (
        <p key={words} class="danger-words">
          ▲ {safeReveal(words)}
        </p>
      ))}
      {message !== "" && <p class="message pre">{revealed(message)}</p>}
      {command !== "" && <Command command={command} />}
      {unsaidPaths(approval).map((each) => (
        <p key={each} class="path">
          {safeReveal(each)}
        </p>
      ))}
      <Details approval={approval} />
      {performerLines(approval).map((words) => (
        <p key={words} class="dim">
          {words}
        </p>
      ))}
      {diff !== "" && <Diff text={diff} path={path} letters="reveal" />}
    </div>
  );
}

/** Exactly what will run. It wraps wherever a row ends; a rule marks continued lines, and a tint each space. */
function Command({ command }: { command: string }) {
  const lines = revealed(command).split("\n");
  return (
    <pre class="command">
      {lines.map((line, at) => (
        <code key={at} class="command-line">
          {line.split(/( +)/).map((part, place) =>
            part.startsWith(" ") ? (
              <span key={place} class="spaces">
                {part}
              </span>
            ) : (
              part
            ),
          )}
          {at < lines.length - 1 || line === "" ? "\n" : ""}
        </code>
      ))}
    </pre>
  );
}

function Details({ approval }: { approval: Approval }) {
  const lines = detailLines(approval);
  return lines.length === 0 ? null : <pre class="details">{lines.map(safeReveal).join("\n")}</pre>;
}

interface ApprovalProps {
  readonly question: ApprovalQuestion;
  readonly send: (answer: AskAnswer) => void;
  readonly keys: { current: (key: string) => void };
}

type Step = { readonly at: "choosing" } | { readonly at: "reason" | "sure"; readonly answer: ApprovalAnswer };

export function ApprovalAnswers({ question, send, keys }: ApprovalProps) {
  const [step, setStep] = useState<Step>({ at: "choosing" });
  const isDangerous = question.approval.danger !== "";
  const choose = (answer: ApprovalAnswer, isSure: boolean) => {
    if (answer.withReason !== undefined) setStep({ at: "reason", answer });
    else if (isDangerous && !isSure && isYes(answer)) setStep({ at: "sure", answer });
    else if (answer.outcome !== null)
      send(answer.outcome.type === "cancelled" ? "cancel" : { value: answer.outcome.value });
  };
  keys.current = (key) => {
    const answer = question.answers.find((one) => one.key === key);
    if (answer !== undefined) choose(answer, false);
  };
  useAnswerKeys(step.at === "choosing");
  if (step.at === "reason") return <Reason answer={step.answer} send={send} back={() => setStep({ at: "choosing" })} />;
  if (step.at === "sure") {
    return (
      <div class="answers" data-answers>
        <GuardedButton class="yes danger" onAnswer={() => choose(step.answer, true)}>
          {/^yes\b/i.test(step.answer.label) ? `${step.answer.label}, I am sure` : `yes, ${step.answer.label}`}
        </GuardedButton>
        <p class="danger-words">▲ {safeReveal(question.approval.danger)}</p>
        <button type="button" class="answer" onClick={() => setStep({ at: "choosing" })}>
          back
        </button>
      </div>
    );
  }
  const refusals = question.answers.filter((answer) => !isYes(answer));
  const yeses = question.answers.filter(isYes).toReversed();
  return (
    <div class="answers" data-answers>
      <div class="answer-row">
        {refusals.map((answer) => (
          <AnswerButton key={answer.label} answer={answer} kind="no" choose={() => choose(answer, false)} />
        ))}
      </div>
      {yeses.map((answer) => (
        <AnswerButton key={answer.label} answer={answer} kind="yes" choose={() => choose(answer, false)} />
      ))}
      <GuardWords />
    </div>
  );
}

function isYes({ effect }: ApprovalAnswer): boolean {
  return effect === "allows";
}

function AnswerButton({ answer, kind, choose }: { answer: ApprovalAnswer; kind: "yes" | "no"; choose: () => void }) {
  return (
    <GuardedButton class={kind} hint={answer.key} onAnswer={choose}>
      {safeReveal(answer.label)}
      {answer.withReason === undefined ? "" : "…"}
      {answer.detail !== "" && <small class="dim"> {safeReveal(answer.detail)}</small>}
    </GuardedButton>
  );
}

// Keys go through the guard; those with a modifier are the browser's.
function useAnswerKeys(isOn: boolean): void {
  const guard = useContext(GuardContext);
  useEffect(() => {
    if (!isOn || guard === null) return;
    const heard = (event: KeyboardEvent) => {
      if (isInField(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      // A key that is held down was pressed before, and perhaps for something else.
      if (/^[yanr]$/.test(event.key) && !event.repeat) {
        event.preventDefault();
        guard.key(event.key, "answer");
      } else if (event.key.length === 1) guard.key(event.key, "other");
    };
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  }, [isOn, guard]);
}

interface ReasonProps {
  readonly answer: ApprovalAnswer;
  readonly send: (answer: AskAnswer) => void;
  readonly back: () => void;
}

function Reason({ answer, send, back }: ReasonProps) {
  const [reason, setReason] = useState("");
  const isNext = answer.reason === "as next prompt";
  return (
    <form
      class="answers"
      data-answers
      onSubmit={(event) => {
        event.preventDefault();
        send({ value: answer.withReason?.(reason.trim()) });
      }}
    >
      <label class="field">
        <span class="dim">{isNext ? "No; your reason is sent as the next message" : "No, because…"}</span>
        <textarea rows={3} value={reason} autofocus onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div class="answer-row">
        <button type="button" class="answer" onClick={back}>
          back
        </button>
        <button type="submit" class="answer no">
          no
        </button>
      </div>
    </form>
  );
}
