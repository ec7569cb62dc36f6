// What can happen in one tick, as data. A script is a list of these, one JSON object a line after a line about the
// session; the generator writes scripts, the session plays them, and the shrinker makes them smaller.

import { z } from "zod";

const PROFILE_NAMES = ["generic", "xterm.js", "kitty", "tmux", "xterm"] as const;

const text = z.string();
const size = { columns: z.int().min(10).max(400), rows: z.int().min(3).max(120) };

const action = z.discriminatedUnion("do", [
  /** More of the agent's answer; the first piece opens it, as Markdown or as plain text. */
  z.object({ do: z.literal("say"), as: z.enum(["markdown", "text"]), text }),
  z.object({ do: z.literal("finish") }),
  /** Output of a tool that is complete at once. */
  z.object({ do: z.literal("burst"), text }),
  /** Output of a tool that is still running: its last lines are live. */
  z.object({ do: z.literal("run"), text }),
  z.object({ do: z.literal("stop") }),
  z.object({ do: z.literal("notice"), text }),
  z.object({ do: z.literal("status"), text }),
  /** Rows of a widget above the composer; none takes it away. */
  z.object({ do: z.literal("widget"), rows: z.array(text) }),
  z.object({ do: z.literal("keys"), keys: z.array(text) }),
  z.object({ do: z.literal("paste"), text }),
  z.object({ do: z.literal("ask"), options: z.array(text).min(1) }),
  /** The agent takes the oldest or the newest open ask back. */
  z.object({ do: z.literal("withdraw"), which: z.enum(["oldest", "newest"]) }),
  /** The window changes; the program hears of it in the same tick or later. */
  z.object({ do: z.literal("resize"), ...size, news: z.enum(["at once", "later"]) }),
  z.object({ do: z.literal("news") }),
  /** The terminal has said what it is; until then the program takes it for the one that the session begins with. */
  z.object({ do: z.literal("identify"), profile: z.enum(PROFILE_NAMES) }),
  z.object({ do: z.literal("clear") }),
  /** Ctrl+Z: the shell prints its lines and keeps the terminal until `resume`, perhaps in the middle of a line. */
  z.object({ do: z.literal("suspend"), shell: z.array(text), prompt: text.default("") }),
  z.object({ do: z.literal("resume") }),
  /** The viewer on the alternate screen. */
  z.object({ do: z.literal("open viewer") }),
  z.object({ do: z.literal("scroll viewer") }),
  z.object({ do: z.literal("close viewer") }),
  /** A slow terminal reads only with `read`, a fast one everything at the end of each tick. */
  z.object({ do: z.literal("pace"), pace: z.enum(["slow", "fast"]) }),
  z.object({ do: z.literal("read"), units: z.int().min(1) }),
  z.object({ do: z.literal("frame"), urgency: z.enum(["soon", "now"]) }),
  z.object({ do: z.literal("wait"), ms: z.int().min(0) }),
]);

const session = z.object({
  profile: z.enum(PROFILE_NAMES),
  ...size,
  /** Lines that the shell printed before the start. */
  shell: z.array(text),
  /** What stands on the line where the program begins. */
  prompt: text.default(""),
  /** Whether the program comes to rest before it leaves, or leaves from wherever it is. */
  end: z.enum(["orderly", "abrupt"]).default("orderly"),
});

export type Action = z.infer<typeof action>;
export type SessionHead = z.infer<typeof session>;
export type ProfileName = SessionHead["profile"];

export interface Script {
  readonly session: SessionHead;
  readonly actions: readonly Action[];
}

export function profileName(name: string): ProfileName | undefined {
  return PROFILE_NAMES.find((known) => known === name);
}

export function scriptText({ session: head, actions }: Script): string {
  return [head, ...actions].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Throws with the number of the first line that is none. */
export function parseScript(source: string): Script {
  const [head = "", ...rest] = source.split("\n").filter((line) => line.trim() !== "");
  return {
    session: parseLine(session, head, 1),
    actions: rest.map((line, index) => parseLine(action, line, index + 2)),
  };
}

function parseLine<T>(schema: z.ZodType<T>, line: string, number: number): T {
  try {
    return schema.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`Line ${number} of the script is not an action: ${line.slice(0, 80)}`, { cause: error });
  }
}
