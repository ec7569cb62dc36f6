// Many agents that go on with a session tell again what was said before, some before they are ready and some after. The
// transcript has it already; what is news begins with the next prompt.
import type { SessionEvent } from "../contract/session-events.js";

export function isRetold({ type }: SessionEvent, phase: "starting" | "ready" | "ended"): boolean {
  if (type === "prompt.started") return phase === "starting";
  return /^(?:message|tool|prompt|turn|permission)\.|^plan\.changed$/.test(type);
}
