// Choose one of several, or several of them. A tap marks, and a button sends what is marked.
import { useState } from "preact/hooks";
import type { DialogParams } from "../../contract/dialogs.js";
import { countProblem } from "../../session/ask-rules.js";
import { safeLine } from "../../text/safe.js";
import type { AskAnswer } from "../state/daemon.js";
import { GuardedButton, GuardWords } from "./guarded-button.jsx";

interface ChoiceProps {
  readonly params: DialogParams<"select">;
  readonly send: (answer: AskAnswer) => void;
}

type Option = ChoiceProps["params"]["options"][number];

const FILTER_FROM = 9;

export function ChoiceAnswers({ params: { options, opts = {} }, send }: ChoiceProps) {
  const isMulti = opts.multiple === true;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(defaults(opts.default)));
  const [filter, setFilter] = useState("");
  // What was chosen when the filter was typed: a tap moves no row, so that a second one meets the same.
  const [kept, setKept] = useState(chosen);
  const fits = ({ label, value }: Option) => `${label} ${value}`.toLowerCase().includes(filter.toLowerCase());
  // What would be sent stays in sight.
  const shown = options.filter((option) => fits(option) || chosen.has(option.value) || kept.has(option.value));
  const problem = isMulti ? countProblem(chosen.size, opts) : chosen.size === 0 ? "choose one" : null;
  const toggle = (value: string) => {
    const next = new Set(isMulti ? chosen : []);
    if (isMulti && chosen.has(value)) next.delete(value);
    else next.add(value);
    setChosen(next);
  };
  return (
    <div class="answers" data-answers>
      {options.length >= FILTER_FROM && (
        <input
          type="search"
          placeholder="filter"
          aria-label="filter"
          value={filter}
          onInput={(event) => {
            setFilter(event.currentTarget.value);
            setKept(chosen);
          }}
        />
      )}
      <fieldset aria-labelledby="question-title" class={`choices ${options.length >= FILTER_FROM ? "searched" : ""}`}>
        {shown.map(({ label, value, description }) => (
          <label key={value} class={`choice ${chosen.has(value) ? "chosen" : ""}`}>
            <input
              type={isMulti ? "checkbox" : "radio"}
              name="choice"
              checked={chosen.has(value)}
              onChange={() => toggle(value)}
            />
            <span>
              {safeLine(label)}
              {description !== undefined && description !== null && <small class="dim">{safeLine(description)}</small>}
            </span>
          </label>
        ))}
        {!options.some(fits) && <p class="dim">nothing fits</p>}
      </fieldset>
      <SendRow
        problem={problem}
        isBegun={chosen.size > 0}
        send={() =>
          send({
            value: isMulti ? options.map(({ value }) => value).filter((value) => chosen.has(value)) : [...chosen][0],
          })
        }
        cancel={() => send("cancel")}
      />
    </div>
  );
}

function defaults(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === "string");
}

/** Only one question is answered at a time. */
export const HINT_ID = "answer-hint";

interface SendRowProps {
  /** Why it cannot be sent yet; null when it can. */
  readonly problem: string | null;
  /** Before anything was chosen, the problem is a hint. */
  readonly isBegun?: boolean;
  readonly send: () => void;
  readonly cancel: () => void;
}

export function SendRow({ problem, isBegun = true, send, cancel }: SendRowProps) {
  return (
    <>
      {/* Its row is kept while there is nothing to say: what is tapped does not move. */}
      <p id={HINT_ID} class={`hint ${isBegun ? "problem" : "dim"}`}>
        {problem}
      </p>
      <div class="answer-row">
        <GuardedButton class="no" onAnswer={cancel}>
          cancel
        </GuardedButton>
        <GuardedButton class="yes" disabled={problem !== null} onAnswer={send}>
          send
        </GuardedButton>
      </div>
      <GuardWords />
    </>
  );
}
