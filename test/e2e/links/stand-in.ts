// A stand-in agent as a running process behind its link, for tests: what it says is kept, and a test waits for a thing to
// happen instead of for a time. Only one that never happens is given up after a while.
import { fileURLToPath } from "node:url";
import { openSessionLink, type SessionLinkOptions } from "../../../src/agents/session-link.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";

type Protocol = "claude" | "pi" | "codelia";
type Type = SessionEvent["type"];

const HANGS_AFTER_MS = 20_000;

export function startStandIn(protocol: Protocol, options: Partial<SessionLinkOptions> & { mode?: string } = {}) {
  const { mode = "", ...others } = options;
  const script = fileURLToPath(new URL(`../../rigs/${protocol}-agent/${protocol}-agent.mjs`, import.meta.url));
  const events: SessionEvent[] = [];
  const looks = new Set<() => void>();
  const link = openSessionLink(
    { command: process.execPath, args: [script], env: { STAND_IN: mode } },
    {
      protocol,
      nowMs: () => performance.now(),
      onEvent: (event) => {
        events.push(event);
        for (const look of [...looks]) look();
      },
      ...others,
    },
  );

  /** The nth event of a type, as soon as it is there. */
  function until<Wanted extends Type>(type: Wanted, nth = 1): Promise<Extract<SessionEvent, { type: Wanted }>> {
    return new Promise((resolve, reject) => {
      const found = () => events.filter((event) => event.type === type)[nth - 1];
      const heard = () => events.map((event) => event.type).join(" ");
      const limit = setTimeout(() => reject(new Error(`no ${type} (${nth}): ${heard()}`)), HANGS_AFTER_MS);
      const look = () => {
        const event = found();
        if (event === undefined) return;
        clearTimeout(limit);
        looks.delete(look);
        resolve(event as Extract<SessionEvent, { type: Wanted }>);
      };
      looks.add(look);
      look();
    });
  }

  async function prompt(text: string): Promise<void> {
    await until("agent.readied");
    link.send({ type: "prompt", text });
  }

  async function answer(result: unknown, nth = 1): Promise<SessionEvent> {
    const raised = await until("ask.raised", nth);
    link.send({ type: "ui_response", id: raised.ask.id, result, error: null });
    return raised;
  }

  const said = () =>
    events.flatMap((event) => {
      if (event.type !== "message.finished" || event.message.role !== "assistant") return [];
      const { content } = event.message;
      return Array.isArray(content) ? content.flatMap((part) => (part.type === "text" ? [String(part.text)] : [])) : [];
    });
  const send = (command: LinesCommand) => link.send(command);
  const count = (type: Type) => events.filter((event) => event.type === type).length;
  return { link, events, until, prompt, answer, said, send, count };
}
