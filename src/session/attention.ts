// The terminal window while the user looks elsewhere: its title, its progress, and when to alert the user.

export interface Situation {
  readonly agent: string;
  /** The title the agent set. */
  readonly agentTitle: string | null;
  readonly phase: "starting" | "idle" | "working" | "ended";
  /** The open question, and how many are queued behind it. */
  readonly asking: { readonly title: string; readonly waiting: number } | null;
  /** "here" for terminals that do not report focus. */
  readonly focus: "here" | "elsewhere";
}

export interface Attention {
  readonly title: string;
  /** OSC 9;4: nothing, working without a measure, or waiting for the user. */
  readonly progress: "none" | "working" | "waiting";
  /** The notification; null without news. */
  readonly call: string | null;
}

export function attentionFor(now: Situation, before: Situation | null): Attention {
  const title = now.agentTitle ?? now.agent;
  return {
    title: now.asking === null ? title : `? ${title}: an answer is needed`,
    progress: now.asking !== null ? "waiting" : now.phase === "working" ? "working" : "none",
    call: now.focus === "elsewhere" ? callFor(now, before) : null,
  };
}

// One call per new question and per end of work.
function callFor(now: Situation, before: Situation | null): string | null {
  if (now.asking !== null && now.asking.title !== before?.asking?.title)
    return `${now.agent} asks: ${now.asking.title}`;
  if (now.phase === "idle" && before?.phase === "working") return `${now.agent} is done`;
  if (now.phase === "ended" && before !== null && before.phase !== "ended") return `${now.agent} has ended`;
  return null;
}
