// A line or several lines of text. A secret is masked, and leaves the page with the answer and nowhere else.
import { useState } from "preact/hooks";
import type { Ask } from "../../contract/asks.js";
import { textProblem } from "../../session/ask-rules.js";
import { safeLine } from "../../text/safe.js";
import type { AskAnswer } from "../state/daemon.js";
import { SendRow } from "./choice-answers.jsx";
import { LineInput } from "./parts.jsx";

type TextQuestion = Extract<Ask["question"], { kind: "input" | "editor" }>;

interface TextProps {
  readonly question: TextQuestion;
  readonly send: (answer: AskAnswer) => void;
}

export function TextAnswers({ question, send }: TextProps) {
  const { opts = {} } = question.params;
  const [text, setText] = useState(() => startingText(question));
  const problem = textProblem(text, opts);
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
        <textarea rows={10} aria-label={label} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      ) : (
        <LineInput
          kind={opts.secret === true ? "secret" : "text"}
          label={label}
          placeholder={safeLine(question.params.placeholder ?? "")}
          value={text}
          onText={setText}
        />
      )}
      <SendRow problem={text === "" && problem === null ? null : problem} send={submit} cancel={() => send("cancel")} />
    </form>
  );
}

function startingText(question: TextQuestion): string {
  if (question.kind === "editor") return question.params.prefill ?? "";
  const { default: given, secret } = question.params.opts ?? {};
  return typeof given === "string" && secret !== true ? given : "";
}
