// What the window says about itself when nobody looks at it: its title, whether it shows progress, and when the person is
// called. Pure; the front end knows how a terminal is told.

export interface Situation {
  readonly agent: string;
  /** The title the agent wished for. */
  readonly wished: string | null;
  readonly phase: "starting" | "idle" | "working" | "ended";
  /** The question before the person, and how many wait behind it; null when none is open. */
  readonly asking: { readonly title: string; readonly waiting: number } | null;
  /** Whether the window has the keyboard; terminals that do not tell are taken to have it. */
  readonly focus: "here" | "elsewhere";
}

export interface Attention {
  readonly title: string;
  /** OSC 9;4: nothing, working without a measure, or waiting for the person. */
  readonly progress: "none" | "working" | "waiting";
  /** What is called out to a person who looks elsewhere; null when there is nothing new to say. */
  readonly call: string | null;
}

export function attentionFor(now: Situation, before: Situation | null): Attention {
  const title = now.wished ?? now.agent;
  return {
    title: now.asking === null ? title : `? ${title}: an answer is needed`,
    progress: now.asking !== null ? "waiting" : now.phase === "working" ? "working" : "none",
    call: now.focus === "elsewhere" ? callFor(now, before) : null,
  };
}

// One call for each thing that happens: a question that is new, work that has ended.
function callFor(now: Situation, before: Situation | null): string | null {
  if (now.asking !== null && now.asking.title !== before?.asking?.title)
    return `${now.agent} asks: ${now.asking.title}`;
  if (now.phase === "idle" && before?.phase === "working") return `${now.agent} is done`;
  if (now.phase === "ended" && before !== null && before.phase !== "ended") return `${now.agent} has ended`;
  return null;
}
