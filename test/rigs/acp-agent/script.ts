// What the agent in our tests does in a turn, as data: a prompt is the script itself, in JSON, so that a test says in one
// place what the user wants and what the agent makes of it. A prompt that is no script is answered with its own words.
export type ScriptStep =
  | { readonly say: string }
  | { readonly think: string }
  /** Any update, as it is. */
  | { readonly update: Readonly<Record<string, unknown>> }
  /** Any request to the client; what comes back is said as JSON. */
  | { readonly ask: string; readonly params: Readonly<Record<string, unknown>> }
  /** The same, and taken back at once. */
  | { readonly askAndTakeBack: string; readonly params: Readonly<Record<string, unknown>> }
  /** Creates a terminal, shows it in a tool call, waits for it, and says how it ended. */
  | { readonly run: readonly [command: string, ...args: string[]] }
  /** Creates a terminal and leaves it running. */
  | { readonly leaveRunning: readonly [command: string, ...args: string[]] }
  /** Bytes on stdout that are no frame. */
  | { readonly raw: string }
  /** A chunk of this many characters. */
  | { readonly sayMuch: number }
  | { readonly stderr: string }
  /** Waits until the turn is cancelled; "ignore" does not even hear that. */
  | { readonly hang: "until-cancelled" | "ignore" }
  | { readonly exit: number }
  | { readonly fail: { readonly code: number; readonly message: string } }
  | { readonly end: string };

export function readScript(prompt: unknown): ScriptStep[] {
  const blocks = Array.isArray(prompt) ? (prompt as Readonly<Record<string, unknown>>[]) : [];
  const text = blocks.map((block) => (block["type"] === "text" ? String(block["text"]) : "")).join("");
  try {
    const script: unknown = JSON.parse(text);
    if (Array.isArray(script)) return script as ScriptStep[];
  } catch {
    // Not a script: an ordinary prompt.
  }
  const others = blocks.filter(({ type }) => type !== "text");
  return [{ say: `You said: ${text}${others.map((block) => ` ${JSON.stringify(block)}`).join("")}` }];
}
