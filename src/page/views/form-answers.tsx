// A form: its fields one below the other, each with its validation error.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DialogParams, FormField } from "../../contract/dialogs.js";
import { countProblem, readNumber, textProblem } from "../../session/ask-rules.js";
import { safeLine } from "../../text/safe.js";
import type { AskAnswer } from "../state/daemon.js";
import { keepDraft, keptFields } from "../state/drafts.js";
import { SendRow } from "./choice-answers.jsx";
import { LineInput } from "./parts.jsx";

interface FormProps {
  /** Names what was filled in. */
  readonly askId: string;
  readonly params: DialogParams<"form">;
  readonly send: (answer: AskAnswer) => void;
}

type Values = Readonly<Record<string, unknown>>;

export function FormAnswers({ askId, params: { fields }, send }: FormProps) {
  const [values, setValues] = useFields(askId, fields);
  const form = useRef<HTMLFormElement>(null);
  const [isTried, setTried] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const problems = new Map(fields.map((field) => [field.name, problemOf(field, values[field.name])]));
  const isFit = [...problems.values()].every((problem) => problem === null);
  const submit = () => {
    setTried(true);
    if (isFit) {
      keepDraft(askId, "");
      send({ value: answersOf(fields, values) });
    }
  };
  // The first wrong field gets the focus, with the frame that names it.
  useLayoutEffect(() => {
    if (isTried && !isFit) form.current?.querySelector<HTMLElement>(".wrong :is(input, select)")?.focus();
  }, [isTried]);
  return (
    <form
      ref={form}
      class="answers form"
      data-answers
      onSubmit={(event) => {
        event.preventDefault();
        // Enter alone does not send what the agent filled in.
        if (isTouched) submit();
      }}
    >
      {fields.map((field, at) => {
        const problem = problems.get(field.name) ?? null;
        const problemId = `problem-${at}`;
        const isSaid = isTried || (values[field.name] !== "" && values[field.name] !== undefined);
        return (
          <div key={field.name} class={`field ${isSaid && problem !== null ? "wrong" : ""}`}>
            <Field
              field={field}
              value={values[field.name]}
              problemId={isSaid && problem !== null ? problemId : null}
              set={(value) => {
                setTouched(true);
                setValues({ ...values, [field.name]: value });
              }}
            />
            {typeof field.description === "string" && <small class="dim">{safeLine(field.description)}</small>}
            {isSaid && problem !== null && (
              <p id={problemId} class="problem" role="alert">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      <SendRow problem={isTried && !isFit ? "see above" : null} send={submit} cancel={() => send("cancel")} />
    </form>
  );
}

/** The values of a form outlive a look at the session, and a reload; secrets do not. */
function useFields(askId: string, fields: readonly FormField[]): [Values, (values: Values) => void] {
  const [values, setValues] = useState<Values>(() => {
    const kept = keptFields(askId);
    return Object.fromEntries(fields.map((field) => [field.name, kept[field.name] ?? startOf(field)]));
  });
  const secrets = new Set(fields.filter(({ kind }) => kind === "secret").map(({ name }) => name));
  const set = (next: Values) => {
    setValues(next);
    keepDraft(askId, JSON.stringify(Object.fromEntries(Object.entries(next).filter(([name]) => !secrets.has(name)))));
  };
  return [values, set];
}

interface FieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly problemId: string | null;
  readonly set: (value: unknown) => void;
}

function Field({ field, value, problemId, set }: FieldProps) {
  const label = safeLine(field.label || field.name) + (field.required === true ? " *" : "");
  switch (field.kind) {
    case "confirm":
      return (
        <label class="choice">
          <input type="checkbox" checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />
          <span>{label}</span>
        </label>
      );
    case "select":
      return (
        <label class="field">
          <span>{label}</span>
          <select value={String(value ?? "")} onChange={(event) => set(event.currentTarget.value)}>
            <option value="">choose…</option>
            {(field.options ?? []).map((option) => (
              <option key={option.value} value={option.value}>
                {safeLine(option.label)}
              </option>
            ))}
          </select>
        </label>
      );
    case "multi_select":
      return <ManyField label={label} field={field} value={value} problemId={problemId} set={set} />;
    default:
      return (
        <div class="field">
          <span>{label}</span>
          <LineInput
            kind={field.kind}
            label={label}
            placeholder={safeLine(field.placeholder ?? "")}
            value={String(value ?? "")}
            format={field.format}
            problemId={problemId}
            onText={set}
          />
        </div>
      );
  }
}

function ManyField({ label, field, value, set }: FieldProps & { label: string }) {
  const chosen = listOf(value);
  const toggle = (one: string) => set(chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one]);
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {(field.options ?? []).map((option) => (
        <label key={option.value} class="choice">
          <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
          <span>{safeLine(option.label)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function startOf({ kind, default: given }: FormField): unknown {
  if (kind === "confirm") return given === true;
  if (kind === "multi_select") return listOf(given);
  if (kind === "secret") return "";
  return typeof given === "number" || typeof given === "string" ? String(given) : "";
}

function problemOf(field: FormField, value: unknown): string | null {
  switch (field.kind) {
    case "confirm":
      return null;
    case "number":
      return readNumber(String(value ?? ""), field).problem;
    case "multi_select":
      return countProblem(listOf(value).length, field.required === true ? { min: 1, ...field } : field);
    case "select":
      return value === "" && field.required === true ? "required" : null;
    default:
      return textProblem(String(value ?? ""), field);
  }
}

/** An optional field that was left empty is not among the answers. */
function answersOf(fields: readonly FormField[], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value =
        field.kind === "number" ? readNumber(String(values[field.name] ?? ""), field).value : values[field.name];
      return value === undefined || value === "" ? [] : [[field.name, value]];
    }),
  );
}
