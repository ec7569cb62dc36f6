// The attached view: passes news of the daemon and keys to the reducer, performs the effects, and draws the result. It decides
// where keys go: to a question, the line being typed, a session, or the view itself.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { openAskOf } from "../../session/asks.js";
import { reduceAttach } from "../../session/attach/attach-reducer.js";
import {
  type AttachEffect,
  type AttachEvent,
  type AttachIntent,
  type AttachState,
  activeTab,
  attachedAt,
} from "../../session/attach/attach-state.js";
import { isBusy } from "../../session/attach/log-state.js";
import { SessionEngine, type Source } from "../../session/engine/source.js";
import { hostTui } from "../../terminal/component-host.js";
import { isCancel, isKeyRelease, keyName, pastedText, typedText } from "../../terminal/dialogs/key-names.js";
import { LineField } from "../../terminal/dialogs/text-dialog.js";
import {
  type AttachParts,
  attachFrame,
  headRows,
  stacked,
  textArea,
} from "../../terminal/painter/attach/attach-frame.js";
import {
  attachKey,
  type Reading,
  type ReadingAction,
  tabKey,
  textActed,
  textFollowed,
  type ViewContext,
  wholeOpened,
} from "../../terminal/painter/attach/reading.js";
import { tabLine } from "../../terminal/painter/attach/tab-line.js";
import { EMPTY_FRAME, type Frame, type Size } from "../../terminal/painter/frame.js";
import { wheelRows } from "../../terminal/painter/full/wheel.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { safeLine, safeSgrLines } from "../../text/safe.js";
import { type AppAskParts, AppAsks } from "../inline/app-asks.js";
import type { AppLook } from "../inline/app-look.js";
import type { PacedScreen } from "../inline/paced-screen.js";
import type { AttachDaemon, AttachNews } from "./attach-daemon.js";
import { DaemonEffects } from "./daemon-effects.js";
import type { SessionTabs } from "./session-tabs.js";

export interface AttachAppPorts {
  readonly clock: ScreenClock;
  /** The clock of the wall, on which log lines have their moments. */
  readonly wallMs: () => number;
  readonly daemon: AttachDaemon;
  readonly look: AppLook;
  readonly typingGuardMs: number;
  readonly screen: () => PacedScreen;
  readonly sessions: () => SessionTabs;
  leave(): void;
}

const SPINNER_MS = 100;

export class AttachApp {
  private readonly ports: AttachAppPorts;
  private readonly asks: DaemonAsks;
  private readonly effects: DaemonEffects;
  private readonly leaving = new AbortController();
  private state: AttachState;
  /** The state that `reading` knows of. */
  private readState: AttachState;
  private reading: Reading | null = null;
  private input: LineField | null = null;
  private tick = 0;
  private cancelTick: (() => void) | null = null;
  private cancelWake: (() => void) | null = null;

  constructor(ports: AttachAppPorts) {
    this.ports = ports;
    this.state = attachedAt(ports.wallMs());
    this.readState = this.state;
    const { look, clock, typingGuardMs, daemon } = ports;
    this.effects = new DaemonEffects({
      daemon,
      feed: (event) => this.feed(event),
      onAsks: (asks) => this.asks.opened(asks),
      onSessions: (sessions) => ports.sessions().listed(sessions),
    });
    this.asks = new DaemonAsks({
      look,
      clock,
      typingGuardMs,
      tui: hostTui({ size: () => ports.screen().size, onRenderWanted: () => this.draw("soon") }),
      isSeen: () => ports.screen().isSeen && this.reading?.what !== "whole",
      answer: (ask, outcome) => this.effects.answer(ask, outcome),
      shown: (ask) => this.effects.shown(ask),
      readWhole: (rows) => this.readWhole(rows),
      draw: (urgency) => this.draw(urgency),
      toComposer: (key) => this.keyElsewhere(key),
      hasDraft: () =>
        this.isTyping || (this.state.active.kind === "session" && ports.sessions().inFront?.renderer.hasDraft === true),
    });
  }

  /** Follows the daemon until the user leaves; rejects when the daemon refuses us for good. */
  run(): Promise<void> {
    this.effects.begin();
    return this.ports.daemon.follow((news) => this.hear(news), this.leaving.signal);
  }

  hear(news: AttachNews): void {
    this.effects.hear(news);
  }

  key(sequence: string): void {
    const isReport = sequence === "\x1b[I" || sequence === "\x1b[O" || isKeyRelease(sequence);
    if (isReport) return;
    // A question of a session must not take a key of the daemon's question for silence.
    if (this.asks.isOpen) this.ports.sessions().inFront?.renderer.asks.controller.typed();
    if (wheelRows(sequence) !== null) this.keyElsewhere(sequence);
    else if (this.reading?.what !== "whole") this.asks.controller.key(sequence);
    else {
      this.keyElsewhere(sequence);
      this.asks.controller.typed();
    }
    this.draw("now");
  }

  // While a question of the daemon is open, a letter that does not answer it is no shortcut of the view either.
  private keyElsewhere(sequence: string): void {
    const name = typedText(sequence) || (keyName(sequence) ?? "").toLowerCase();
    const lead = this.mayLeave ? tabKey(name) : null;
    if (lead !== null) this.feed(lead);
    else if (this.state.active.kind === "session") this.sessionKey(sequence, name);
    else if (this.state.editing !== null) this.inputKey(sequence, name);
    else if (!this.asks.isOpen || this.reading?.what === "whole" || typedText(sequence) === "") {
      this.viewKey(sequence, name);
    }
  }

  resize(size: Size): void {
    this.ports.sessions().resize(sessionArea(size));
    this.ports.screen().resize(size);
  }

  frame(size: Size): Frame {
    if (this.state.active.kind === "session") return this.sessionFrame(size);
    this.catchUp(size);
    return attachFrame(this.parts(), size, this.ports.look);
  }

  draw(urgency: "soon" | "now"): void {
    this.ports.screen().draw(urgency);
    this.keepTicking();
    if (urgency === "now") this.asks.controller.drawn();
  }

  close(): void {
    this.leaving.abort();
    this.cancelTick?.();
    this.cancelWake?.();
    this.asks.close();
    this.ports.sessions().close();
  }

  /** After the view is closed, results from the daemon are ignored. */
  private feed(event: AttachEvent): void {
    if (this.leaving.signal.aborted) return;
    const { state, effects } = reduceAttach(this.state, event, this.ports.clock.nowMs());
    this.state = state;
    for (const effect of effects) this.perform(effect);
    if (this.state.editing === null) this.input = null;
    this.ports.sessions().shown(this.state.active.kind === "session" ? this.state.active.id : null);
    this.draw("soon");
  }

  private perform(effect: AttachEffect): void {
    const { look } = this.ports;
    switch (effect.type) {
      case "load-state":
        this.effects.loadState();
        break;
      case "send-action":
        this.effects.act(effect.key, effect.value);
        break;
      case "cancel-action":
        this.effects.cancel(effect.key);
        break;
      case "tell-tab":
        this.effects.showTab(effect.title);
        break;
      case "open-input":
        this.input = new LineField({ preset: effect.preset, hint: effect.hint, secret: "no", look });
        break;
      case "read-whole":
        this.readWhole([look.style.paint("bold", safeLine(effect.title)), ...safeSgrLines(effect.text)]);
        break;
      case "wake-at":
        this.wakeAt(effect.atMs);
        break;
      case "leave":
        this.ports.leave();
        break;
    }
  }

  private readWhole(rows: readonly string[]): void {
    this.reading = wholeOpened(rows, this.context());
  }

  private sessionKey(sequence: string, name: string): void {
    const { inFront } = this.ports.sessions();
    const isIdle = inFront?.isIdle ?? true;
    if (name === "tab" && isIdle) this.feed({ type: "tab.step", by: 1 });
    else if (name === "shift+tab" && isIdle) this.feed({ type: "tab.step", by: -1 });
    else inFront?.renderer.key(sequence);
  }

  /** Whether nothing is being typed or read that another tab would take away. */
  private get mayLeave(): boolean {
    return !this.isTyping && this.ports.sessions().inFront?.surface.hasScreen !== true;
  }

  private get isTyping(): boolean {
    return this.input !== null || this.reading?.viewer.search.phase === "typing";
  }

  private inputKey(sequence: string, name: string): void {
    const { editing } = this.state;
    const isWaiting = editing?.kind === "wizard" && editing.phase === "waiting";
    if (isCancel(name)) this.feed({ type: "input.cancel" });
    // A question is answered only after it was shown.
    else if (isWaiting) return;
    else if (name === "enter") this.feed({ type: "input.submit", text: this.input?.text ?? "" });
    else this.input?.key(sequence);
  }

  private viewKey(sequence: string, name: string): void {
    const wheel = wheelRows(sequence);
    const pasted = pastedText(sequence);
    const key = attachKey(this.reading, name);
    if (wheel !== null) this.act({ type: "scroll", rows: wheel });
    else if (pasted !== null) this.paste(pasted);
    else if (name === "ctrl+l") this.ports.screen().resize(this.ports.screen().size);
    else if (key.to === "text") this.act(key.action);
    else if (key.to === "view") this.want(key.intent);
  }

  // What is pasted is no key: only a search can use it.
  private paste(text: string): void {
    const search = this.reading?.viewer.search;
    if (search?.phase === "typing") this.act({ type: "search.edit", query: search.query + safeLine(text) });
  }

  private want(intent: AttachIntent): void {
    // A session that was started elsewhere is not announced; the user who steps through the tabs may be looking for it.
    if (intent.type === "tab.step") this.effects.loadSessions();
    // A shortcut, a field or another tab is about now, not about what is read.
    if (this.reading?.what === "log" && intent.type !== "leave" && intent.type !== "logs.toggle") this.reading = null;
    if (this.reading?.what === "whole" && intent.type !== "leave") this.reading = null;
    this.feed(intent);
  }

  private act(action: ReadingAction): void {
    this.catchUp(this.ports.screen().size);
    this.reading = textActed(this.reading, action, this.context());
  }

  private catchUp(size: Size): void {
    this.reading = textFollowed(this.reading, this.readState, this.context(size));
    this.readState = this.state;
  }

  private context(size: Size = this.ports.screen().size): ViewContext {
    const { look } = this.ports;
    return { state: this.state, area: textArea(this.parts(), size, look), tick: this.tick, look };
  }

  private parts(): AttachParts {
    const { state, reading, input, asks, tick } = this;
    const isAsked = asks.controller.shown !== null && reading?.what !== "whole";
    return {
      state,
      reading,
      tick,
      sessions: this.ports.sessions().marks(),
      input: input === null ? null : (width) => input.frame(width),
      dialog: isAsked ? (width, rowsMax) => asks.frame(width, rowsMax) ?? EMPTY_FRAME : null,
    };
  }

  private sessionFrame(size: Size): Frame {
    const { look } = this.ports;
    const tabs = headRows(size) === 0 ? [] : [tabLine(this.state, this.ports.sessions().marks(), size.columns, look)];
    const area = sessionArea(size);
    const below = this.asks.frame(size.columns - 1, Math.floor(area.rows / 2)) ?? EMPTY_FRAME;
    const rows = area.rows - below.rows.length;
    const body = this.ports.sessions().inFront?.surface.frame({ columns: area.columns, rows }) ?? EMPTY_FRAME;
    const cursor = this.asks.hasCursor ? null : body.cursor;
    return stacked([{ rows: tabs, cursor: null }, { ...body, cursor }, below], size);
  }

  private wakeAt(atMs: number): void {
    const { clock } = this.ports;
    this.cancelWake?.();
    this.cancelWake = clock.after(Math.max(0, atMs - clock.nowMs()), () => this.feed({ type: "clock" }));
  }

  // Motion means work: only a progress that is before the user moves anything.
  private keepTicking(): void {
    const log = activeTab(this.state)?.log;
    const mayMove = this.ports.look.motion === "full" && !this.leaving.signal.aborted;
    if (!mayMove || this.cancelTick !== null || log === undefined || !isBusy(log)) return;
    this.cancelTick = this.ports.clock.after(SPINNER_MS, () => {
      this.cancelTick = null;
      this.tick += 1;
      this.draw("soon");
    });
  }
}

function sessionArea({ columns, rows }: Size): Size {
  return { columns, rows: rows - headRows({ columns, rows }) };
}

// Questions of the daemon itself, such as those of MCP clients, with the same engine, typing guard and dialogs as everywhere.
// The daemon lists the open ones; a question that is missing from the list was answered elsewhere.

interface DaemonAskParts
  extends Pick<AppAskParts, "look" | "tui" | "clock" | "typingGuardMs" | "draw" | "toComposer" | "hasDraft"> {
  /** Whether the frame with the question is in front of the user. */
  isSeen(): boolean;
  answer(ask: Ask, outcome: AskOutcome): void;
  /** It is in front of the user; said once. */
  shown(ask: Ask): void;
  readWhole(rows: readonly string[]): void;
}

class DaemonAsks extends AppAsks {
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
    const source: Source = {
      by: engine.by,
      get state() {
        return engine.state;
      },
      subscribe: (listener) => engine.subscribe(listener),
      dispatch(intent) {
        const ask = intent.type === "shown" ? openAskOf(engine.state.asks, intent.askId) : null;
        if (ask !== null) parts.shown(ask);
        return engine.dispatch(intent);
      },
    };
    super({
      ...parts,
      source,
      agents: "many",
      surface: { confirm: () => undefined, activateConfirm: () => (parts.isSeen() ? "active" : "not yet") },
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
