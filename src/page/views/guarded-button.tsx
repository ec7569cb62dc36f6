// A button that answers. A tap counts only if the guard was open when the finger went down and when it went up; a key press or
// a screen reader's click needs the guard open as well.
import { type ComponentChildren, createContext } from "preact";
import { useContext, useRef } from "preact/hooks";
import type { AskGuard } from "../state/ask-guard.js";

export const GuardContext = createContext<AskGuard | null>(null);

interface GuardedButtonProps {
  readonly class?: string;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly onAnswer: () => void;
  readonly children: ComponentChildren;
}

export function GuardedButton({
  class: className = "",
  hint,
  disabled = false,
  onAnswer,
  children,
}: GuardedButtonProps) {
  const guard = useContext(GuardContext);
  const wasOpen = useRef(false);
  const isOpen = guard === null || guard.isOpen(guard.phase.value);
  // What is drawn may be a moment old.
  const isOpenNow = () => guard === null || guard.isOpen(guard.phase.peek());
  const click = (event: MouseEvent) => {
    const isTap = event.detail > 0;
    const counts = isOpenNow() && (!isTap || wasOpen.current);
    wasOpen.current = false;
    if (counts) onAnswer();
    else guard?.busy();
  };
  return (
    <button
      type="button"
      class={`answer ${className} ${isOpen ? "" : "settling"}`}
      disabled={disabled}
      aria-disabled={!isOpen}
      onPointerDown={() => {
        wasOpen.current = isOpenNow();
      }}
      onClick={click}
    >
      <span>{children}</span>
      {hint !== undefined && hint !== "" && <kbd>{hint}</kbd>}
    </button>
  );
}

/** Why the answers do not count yet. */
export function GuardWords() {
  const phase = useContext(GuardContext)?.phase.value;
  const words =
    phase === "reading"
      ? "read to the end to answer"
      : phase === "settling"
        ? "one moment…"
        : phase === "held"
          ? "sent when nothing else is typed"
          : "";
  return <p class="guard-words dim">{words}</p>;
}
