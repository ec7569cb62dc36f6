// The state of an engine as others may see it: without secrets. A terminal shows its user everything; views elsewhere get this state and
// the changes that lead to it. What comes in pieces is held back as far as it may be the beginning of a secret.
import type { Redaction } from "../agents/recordings/recording.js";
import type { Ask } from "../contract/asks.js";
import { applyChange } from "../session/engine/apply-change.js";
import type { Change } from "../session/engine/engine-messages.js";
import type { EngineState, SessionState } from "../session/engine/engine-state.js";
import type { Block, BlockChange } from "../session/transcript/block.js";
import { emptyJournal } from "../session/transcript/journal.js";
import { shownAsk } from "./hosted-link.js";

type RedactedStream = ReturnType<Redaction["stream"]>;

export class ShownState {
  state: EngineState;
  private readonly redaction: Redaction;
  /** Of blocks that still grow. */
  private readonly streams = new Map<string, RedactedStream>();

  constructor(state: EngineState, redaction: Redaction) {
    this.redaction = redaction;
    const { asks, notices } = state;
    this.state = {
      ...state,
      sessions: state.sessions.map((session) => this.session(session)),
      asks: {
        ...asks,
        open: asks.open.map((open) => ({ ...open, ask: this.ask(open.ask) })),
        settled: this.clean(asks.settled),
      },
      notices: this.clean(notices),
    };
  }

  /** A closed block, whole. */
  closed(block: Block): Block {
    return withNames(this.clean(block), block);
  }

  /** The change as others see it, after what was held back before it. The state is the new one afterwards. */
  follow(change: Change): readonly Change[] {
    const shown = change.type === "block" ? this.block(change.session, change.change) : [this.other(change)];
    for (const each of shown) this.state = applyChange(this.state, each);
    return shown;
  }

  private session(session: SessionState): SessionState {
    const { name, facts, transcript } = session;
    const open = transcript.open.map((block) => this.begun(block));
    return {
      ...session,
      ...{ name: this.clean(name), facts: this.clean(facts), transcript: { ...transcript, open } },
      ...{ journal: emptyJournal(), context: "", images: [] },
    };
  }

  private block(session: number, change: BlockChange): Change[] {
    const send = (sent: BlockChange): Change => ({ type: "block", session, change: sent });
    if (change.type === "grew") {
      const delta = this.streams.get(change.id)?.push(change.delta) ?? this.clean(change.delta);
      return delta === "" ? [] : [send({ ...change, delta })];
    }
    const { block } = change;
    if (change.type !== "closed") return [send({ ...change, block: this.begun(block) })];
    const rest = this.streams.get(block.id)?.end() ?? "";
    this.streams.delete(block.id);
    const grown: Change[] = rest === "" ? [] : [send({ type: "grew", id: block.id, delta: rest })];
    return [...grown, send({ type: "closed", block: this.closed(block) })];
  }

  private begun(block: Block): Block {
    const shown = this.closed(block);
    const stream = this.redaction.stream();
    this.streams.set(block.id, stream);
    if (shown.kind === "tool" && block.kind === "tool") return { ...shown, output: stream.push(block.output) };
    return "text" in shown && "text" in block ? { ...shown, text: stream.push(block.text) } : shown;
  }

  private other(change: Exclude<Change, { type: "block" }>): Change {
    switch (change.type) {
      case "ask.raised":
        return { ...change, ask: this.ask(change.ask) };
      case "ask.settled":
      case "ask.finished":
        return { ...change, ask: this.ask(change.ask), outcome: this.clean(change.outcome) };
      case "sessions":
        return { ...change, sessions: change.sessions.map((entry) => ({ ...entry, name: this.clean(entry.name) })) };
      case "session.started":
      case "session.switched":
        return change;
      case "session.gone":
        return { ...change, entry: { ...change.entry, name: this.clean(change.entry.name) } };
      default:
        return { ...this.clean(change), type: change.type } as Change;
    }
  }

  private ask(ask: Ask): Ask {
    return shownAsk(this.redaction, ask);
  }

  private clean<Value>(value: Value): Value {
    return this.redaction.value(value) as Value;
  }
}

// By these a block is found again.
function withNames(shown: Block, { id, kind, ...block }: Block): Block {
  const names = "toolCallId" in block ? { id, kind, toolCallId: block.toolCallId } : { id, kind };
  return { ...shown, ...names } as Block;
}
