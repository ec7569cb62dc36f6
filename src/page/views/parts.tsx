// Small parts that several views share.
import type { ComponentChildren } from "preact";
import type { DiffStat } from "../../text/diff/diff-stat.js";
import { humanCount, humanSeconds } from "../../text/humanize.js";
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
  if (state.kind === "live" || state.kind === "connecting") return null;
  const words =
    state.kind === "away"
      ? `no connection · trying again in ${humanSeconds(state.retryAtMs - now.value)}`
      : state.words;
  return (
    <p class="stream-notice" role="status">
      ▲ {words}
    </p>
  );
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
