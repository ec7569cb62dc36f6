// Small parts that several views share.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FormField } from "../../contract/dialogs.js";
import type { DiffStat } from "../../text/diff/diff-stat.js";
import { humanCount, humanSeconds } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import type { StreamState } from "../net/event-follower.js";
import { now, pagePorts } from "../state/page.js";

export function StatWords({ stat }: { stat: DiffStat }) {
  return (
    <span class="stat">
      <span class="l-add">+{humanCount(stat.added)}</span> <span class="l-remove">−{humanCount(stat.removed)}</span>
    </span>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty dim">{children}</p>;
}

/** Says when what is shown may be old; nothing while it is not. */
export function StreamNotice({ state }: { state: StreamState }) {
  const words = streamWords(state);
  if (words === "") return null;
  return (
    <p class="stream-notice" role="status">
      {state.kind === "refused" && state.isExpected === true ? "◌" : "▲"} {words}
      {state.kind === "refused" && state.status === 0 && (
        <button type="button" class="quiet" onClick={() => location.reload()}>
          load again
        </button>
      )}
    </p>
  );
}

function streamWords(state: StreamState): string {
  switch (state.kind) {
    case "live":
      return "";
    case "connecting":
      return state.isAgain ? "no connection · trying again now" : "";
    case "away":
      return `no connection · trying again in ${humanSeconds(Math.max(0, state.retryAtMs - now.value))}`;
    case "refused":
      return safeLine(state.words);
  }
}

/** What is open above the page closes with a tap elsewhere and with esc, which then does nothing else. */
export function useClosing<Kind extends HTMLElement>(isOpen: boolean, close: () => void) {
  const place = useRef<Kind>(null);
  // With the frame that closes it: an effect after that frame would take a quick esc that is for something else.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const pressed = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target) === false) close();
    };
    const heard = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      close();
    };
    addEventListener("pointerdown", pressed, true);
    addEventListener("keydown", heard, true);
    return () => {
      removeEventListener("pointerdown", pressed, true);
      removeEventListener("keydown", heard, true);
    };
  }, [isOpen]);
  return place;
}

/** Two quick taps in one place are one. */
const SURE_AFTER_MS = 800;

/** What cannot be undone takes two taps with a moment between them; a look elsewhere takes the first one back. */
export function SureButton({ label, sure, run }: { label: string; sure: string; run: () => void }) {
  const [step, setStep] = useState<"first" | "settling" | "sure">("first");
  useEffect(() => (step === "settling" ? pagePorts.after(SURE_AFTER_MS, () => setStep("sure")) : undefined), [step]);
  const tapped = () => {
    if (step === "first") setStep("settling");
    else if (step === "sure") run();
  };
  return (
    <button
      type="button"
      class={`quiet ${step === "settling" ? "dim" : "l-danger"}`}
      aria-disabled={step === "settling"}
      onClick={tapped}
      onBlur={() => setStep("first")}
    >
      {step === "first" ? label : sure}
    </button>
  );
}

/** Where the element with the focus is hidden by what is shown now, a screen reader continues at this one. */
export function useFocusOfLost<Kind extends HTMLElement>() {
  const place = useRef<Kind>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement instanceof HTMLElement && activeElement.offsetParent === null;
    if (isLost && place.current?.offsetParent !== null) place.current?.focus({ preventScroll: true });
  }, []);
  return place;
}

export function BackLink({ href = "#home" }: { href?: string }) {
  return (
    <a class="back" href={href} aria-label="back">
      ‹
    </a>
  );
}

/** Whether the event belongs to something that is typed into. */
export function isInField({ target }: Event): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

interface LineInputProps {
  readonly kind: "text" | "number" | "secret";
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly format?: FormField["format"];
  /** The element that says what is wrong with the value, while something is. */
  readonly problemId?: string | null;
  readonly onText: (text: string) => void;
}

function keyboardOf(format: FormField["format"]): "email" | "url" | "text" {
  return format === "email" ? "email" : format === "uri" ? "url" : "text";
}

/** One line of text; a secret is masked. */
export function LineInput({ kind, label, placeholder, value, format, problemId = null, onText }: LineInputProps) {
  const shared = {
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    "aria-label": label,
    ...(problemId === null ? {} : { "aria-invalid": true, "aria-describedby": problemId }),
    placeholder,
    value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onText(event.currentTarget.value),
  } as const;
  if (kind === "secret") return <input type="password" {...shared} />;
  return <input type="text" inputMode={kind === "number" ? "decimal" : keyboardOf(format)} {...shared} />;
}
