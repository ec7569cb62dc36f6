// Small parts that several views share.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { DiffStat } from "../../text/diff/diff-stat.js";
import { humanCount, humanSeconds } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import type { StreamState } from "../net/event-follower.js";
import { now } from "../state/page.js";

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
      ▲ {words}
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

/** Where the element with the focus is hidden by what is shown now, a screen reader goes on at this one. */
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
  readonly onText: (text: string) => void;
}

/** One line of text; a secret is masked. */
export function LineInput({ kind, label, placeholder, value, onText }: LineInputProps) {
  const shared = {
    autocomplete: "off",
    "aria-label": label,
    placeholder,
    value,
    onInput: (event: { currentTarget: HTMLInputElement }) => onText(event.currentTarget.value),
  } as const;
  if (kind === "secret") return <input type="password" {...shared} />;
  return <input type="text" inputMode={kind === "number" ? "decimal" : "text"} {...shared} />;
}
