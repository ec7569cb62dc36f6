// The faces that a person can have of an agent, each on an emulator and each with the same handle: what it hears, and whether
// anything but Palaver's own sequences reached the terminal.
import type { SessionEvent } from "../../src/contract/session-events.js";
import { unicodeGlyphs } from "../../src/terminal/painter/blocks/glyphs.js";
import { richRows } from "../../src/terminal/painter/dialogs/rich-rows.js";
import { FullScreen } from "../../src/terminal/painter/full-screen.js";
import { DialogView, type DialogViewParts } from "../../src/views/mini/dialog-view.js";
import { Emulator } from "../rigs/emulator.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";
import { colourless } from "../terminal/painter/visible.js";
import { AttachStage } from "../views/attach/attach-stage.js";
import { Stage } from "../views/inline/stage.js";
import { ShownAsks } from "../views/mini/rig.js";
import { ReaderStage } from "../views/reader/reader-stage.js";
import { strangeBytes } from "./attack-words.js";

export interface Surface {
  hear(event: SessionEvent): Promise<void>;
  /** Time passes and everything that is to be drawn is drawn. */
  look(): Promise<void>;
  /** What nobody but Palaver may change. */
  state(): unknown;
  /** Everything that can be read there, the scrollback included. */
  text(): string;
  /** What was written since the last time and is not Palaver's own. */
  strange(): Promise<string[]>;
}

export function listenTo(emulator: Emulator): { take(): string } {
  const write = emulator.write.bind(emulator);
  let bytes = "";
  emulator.write = (more) => {
    bytes += typeof more === "string" ? more : new TextDecoder().decode(more);
    return write(more);
  };
  return {
    take() {
      const taken = bytes;
      bytes = "";
      return taken;
    },
  };
}

export function stateOf(emulator: Emulator): unknown {
  const { titles, clipboardWrites, replies } = emulator;
  const { isCursorShown: _, synchronizedOutputMode: __, wraparoundMode: ___, ...modes } = emulator.modes();
  return {
    modes,
    screen: emulator.screen(),
    titles: [...titles],
    clipboard: [...clipboardWrites],
    replies: [...replies],
  };
}

function textOf(emulator: Emulator): string {
  return [...emulator.allRows(), ...emulator.viewport()].join("\n");
}

async function onScreen(screen: "inline" | "full"): Promise<Surface> {
  const stage = new Stage(60, 20, { screen });
  const heard = listenTo(stage.emulator);
  stage.ready();
  const look = async () => {
    stage.wait(600);
    await stage.read();
  };
  await look();
  heard.take();
  return {
    hear: async (event) => stage.hear(event),
    look,
    state: () => stateOf(stage.emulator),
    text: () => textOf(stage.emulator),
    async strange() {
      await look();
      return strangeBytes(heard.take());
    },
  };
}

async function reader(): Promise<Surface> {
  const stage = new ReaderStage();
  const heard = listenTo(stage.emulator);
  stage.ready();
  const look = async () => {
    stage.wait(600);
    await stage.all();
  };
  await look();
  heard.take();
  return {
    hear: async (event) => stage.hear(event),
    look,
    state: () => stateOf(stage.emulator),
    text: () => textOf(stage.emulator),
    async strange() {
      await look();
      return strangeBytes(heard.take());
    },
  };
}

/** A dialog over a stream of words; it hears nothing but questions. */
async function mini(): Promise<Surface> {
  const emulator = new Emulator({ columns: 60, rows: 20 });
  const heard = listenTo(emulator);
  const clock = new ManualClock();
  let shown: Promise<void> = Promise.resolve();
  const size = { columns: 60, rows: 20 };
  const asks = new ShownAsks(clock, (ports) => {
    const parts: DialogViewParts = {
      clock,
      environment: {},
      lookOn: () => ({ style: colourless, glyphs: unicodeGlyphs }),
      typingGuardMs: 800,
      rich: richRows,
      openTerminal: (parts) => {
        const apply = (bytes: string) => {
          shown = shown.then(() => emulator.write(bytes));
          return "drained" as const;
        };
        const full = new FullScreen(apply, size, parts.view);
        full.open();
        return { size, draw: () => full.draw(), close: async () => full.close() };
      },
    };
    return new DialogView(parts, ports);
  });
  const look = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    clock.advance(600);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    await shown;
  };
  return {
    hear: async (event) => {
      if (event.type === "ask.raised") asks.ask(event.ask);
      else if (event.type === "ask.withdrawn") asks.withdraw(event.askId, event.reason);
    },
    look,
    state: () => stateOf(emulator),
    text: () => textOf(emulator),
    async strange() {
      await look();
      return strangeBytes(heard.take());
    },
  };
}

/** A session that lives in a daemon, as its tab of the attached view shows it. */
async function attached(): Promise<Surface> {
  const stage = new AttachStage();
  const heard = listenTo(stage.emulator);
  stage.hosted = [{ id: "s1", name: "claude", state: "running" }];
  await stage.connect();
  await stage.settle();
  // The session's tab stands after the daemon's three.
  await stage.type("\t", "\t", "\t");
  const session = stage.joined.get("s1");
  if (session === undefined) throw new Error("the session was not joined");
  const look = async () => {
    await stage.wait(600);
    await stage.rows();
  };
  await look();
  heard.take();
  return {
    hear: async (event) => session.hear(event),
    look,
    state: () => stateOf(stage.emulator),
    text: () => textOf(stage.emulator),
    async strange() {
      await look();
      return strangeBytes(heard.take());
    },
  };
}

export const faces: Readonly<Record<string, () => Promise<Surface>>> = {
  "the inline screen": () => onScreen("inline"),
  "the full screen": () => onScreen("full"),
  "the mini dialog": mini,
  "the reader": reader,
  "the attached view": attached,
};
