// The list of what could be meant, above the composer.
import { safeLine } from "../../text/safe.js";
import type { Completion } from "../state/completions.js";

interface CompletionsProps {
  readonly completions: readonly Completion[];
  readonly marked: number;
  readonly choose: (completion: Completion) => void;
}

export function Completions({ completions, marked, choose }: CompletionsProps) {
  if (completions.length === 0) return null;
  return (
    <ul class="completions" aria-label="Completions">
      {completions.map((completion, at) => (
        <li key={completion.label}>
          <button
            type="button"
            class={at === marked ? "marked" : ""}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(completion)}
          >
            <span>{safeLine(completion.label)}</span> <span class="dim">{safeLine(completion.summary)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
