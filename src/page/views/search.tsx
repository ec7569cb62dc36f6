// Search in the transcript: the words are looked up in the blocks, not in the document, which holds few of them. What is not loaded yet
// is read on request.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Block } from "../../session/transcript/block.js";
import { toolArgument } from "../../session/transcript/tool-words.js";
import { humanCount } from "../../text/humanize.js";
import type { BlockCell, SessionFollower } from "../state/session-follower.js";

interface SearchProps {
  readonly session: SessionFollower;
  readonly onFound: (id: string | null) => void;
  readonly onClose: () => void;
}

export function Search({ session, onFound, onClose }: SearchProps) {
  const cells = session.cells.value;
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const found = useMemo(() => matches(cells, words), [cells, words]);
  const index = found.length === 0 ? 0 : ((at % found.length) + found.length) % found.length;
  useEffect(() => input.current?.focus(), []);
  useEffect(() => onFound(found[index] ?? null), [found[index]]);
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          setAt(index + 1);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="search the transcript"
          placeholder="search the transcript"
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setAt(0);
          }}
        />
        <span class="dim" role="status">
          {words === ""
            ? ""
            : found.length === 0
              ? "not found"
              : `${humanCount(index + 1)} of ${humanCount(found.length)}`}
        </span>
        {words !== "" && session.hasEarlier.value && (
          <button type="button" class="quiet" onClick={() => void session.readAll()}>
            earlier parts, too
          </button>
        )}
        <button type="button" class="quiet" aria-label="previous" onClick={() => setAt(index - 1)}>
          ↑
        </button>
        <button type="submit" class="quiet" aria-label="next">
          ↓
        </button>
        <button type="button" class="quiet" aria-label="close search" onClick={onClose}>
          ✕
        </button>
      </form>
    </search>
  );
}

/** The ids of the blocks with these words, the newest first. */
function matches(cells: readonly BlockCell[], words: string): string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return cells
    .filter(({ block }) => textOf(block.peek()).toLowerCase().includes(wanted))
    .map(({ id }) => id)
    .reverse();
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "tool":
      return `${block.name} ${toolArgument(block.args, 1_000)}\n${block.output}`;
    case "asked":
      return `${block.title} ${block.outcome}`;
    case "image":
      return "";
    default:
      return block.text;
  }
}
