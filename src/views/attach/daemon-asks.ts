// Questions of the daemon itself, such as those of MCP clients, in the attached view: the same engine, guard and dialogs as
// everywhere. The daemon says which are open; what vanished from its list was answered elsewhere.
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { SessionEngine } from "../../session/engine/source.js";
import { type AppAskParts, AppAsks } from "../inline/app-asks.js";

export interface DaemonAskParts
  extends Pick<AppAskParts, "look" | "tui" | "clock" | "typingGuardMs" | "draw" | "toComposer" | "hasDraft"> {
  /** Whether the frame with the question is in front of the user. */
  isSeen(): boolean;
  answer(ask: Ask, outcome: AskOutcome): void;
  readWhole(rows: readonly string[]): void;
}

export class DaemonAsks extends AppAsks {
  private readonly engine: SessionEngine;

  constructor(parts: DaemonAskParts) {
    const engine = new SessionEngine({
      clock: parts.clock,
      send: () => undefined,
      respond: (ask, outcome) => {
        parts.answer(ask, outcome);
        return "delivered";
      },
    });
    super({
      ...parts,
      source: engine,
      agents: "many",
      face: { confirm: () => undefined, activateConfirm: () => (parts.isSeen() ? "active" : "not yet") },
      overlays: { isOpen: false, read: ({ lines }) => parts.readWhole(lines) },
    });
    this.engine = engine;
    engine.subscribe((changes) => {
      for (const change of changes) this.controller.follow(change);
    });
  }

  /** Everything that is open at the daemon now. */
  opened(asks: readonly Ask[]): void {
    const ids = new Set(asks.map(({ id }) => id));
    const known = new Set(this.controller.open.map(({ id }) => id));
    const sessionId = null;
    for (const askId of known) {
      if (ids.has(askId)) continue;
      this.engine.take({
        type: "event",
        event: { type: "ask.withdrawn", sessionId, askId, reason: "agent_cancelled" },
      });
    }
    for (const ask of asks) {
      if (!known.has(ask.id)) this.engine.take({ type: "event", event: { type: "ask.raised", sessionId, ask } });
    }
  }

  override close(): void {
    super.close();
    this.engine.close();
  }
}
