// Escape sequences in every field of every event, through the whole terminal UI and the whole reader, on an emulator. Each
// attack is played beside its harmless twin, the same text without its escapes: both screens have to be the same, row for
// row and mode for mode, so that nothing an attack contains can have done anything.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { safeLine } from "../../src/text/safe.js";
import type { Emulator } from "../rigs/emulator.js";
import { attacks } from "../text/attack-corpus.js";
import { ESCAPE, Stage } from "../views/inline/stage.js";
import { ReaderStage } from "../views/reader/reader-stage.js";
import { everyAsk, everyEvent, type Foreign } from "./every-event.js";

/** PALAVER_THOROUGHNESS=8 puts every attack into every field. */
const ROUNDS = 12 * Number(process.env["PALAVER_THOROUGHNESS"] ?? 1);

// A line break is text, and where it ends a line is the business of other tests.
const texts = attacks
  .map(({ text }) => text)
  .filter((text) => text.length < 200 && !/[\n\r\x0b\x0c\x85\u2028\u2029]/.test(text));

const asItIs = (text: string) => text;

/** Each call the next attack, and each round begins with another one: after enough rounds every field had them all. */
function foreign(round: number, clean: (text: string) => string): Foreign {
  let place = round;
  return () => {
    place += 1;
    // A letter before and a number behind it: no field becomes empty, and no two become the same.
    return clean(`w${texts[place % texts.length]}${place}`);
  };
}

/** Which picture it shows depends on when words came, and an attack is longer than its twin. */
const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

interface Screen {
  readonly emulator: Emulator;
  hear(event: SessionEvent): void;
  type(key: string): void;
  wait(ms: number): void;
  read(): Promise<unknown>;
  /** What stands on the screen and above it besides a question. */
  around(): string[];
}

/** What nothing that an agent says may ever change. */
function untouchable({ emulator }: Screen): string {
  const { titles, clipboardWrites, replies } = emulator;
  return JSON.stringify([emulator.modes(), emulator.screen(), titles.length, clipboardWrites, replies]);
}

async function seenOf(screen: Screen, text: Foreign): Promise<string[]> {
  const seen: string[] = [];
  for (const event of everyEvent(text)) {
    screen.hear(event);
    await shown(screen);
    const rows = screen.emulator.viewport().map((row) => row.trimEnd().replace(SPINNER, "⠿"));
    seen.push([event.type, JSON.stringify(screen.emulator.cursor()), untouchable(screen), ...rows].join("\n"));
  }
  return seen;
}

// A question shows what is hidden in it, so that its own rows differ; everything around them may not.
async function seenAround(screen: Screen, text: Foreign): Promise<string[]> {
  const seen: string[] = [];
  for (const ask of everyAsk(text)) {
    screen.hear({ type: "ask.raised", sessionId: null, ask });
    await shown(screen);
    seen.push([`asked ${ask.question.kind}`, untouchable(screen), ...screen.around()].join("\n"));
    screen.type(ESCAPE);
    screen.hear({ type: "ask.withdrawn", sessionId: null, askId: ask.id, reason: "agent_cancelled" });
    await shown(screen);
    seen.push([`over ${ask.question.kind}`, untouchable(screen), ...screen.around()].join("\n"));
  }
  return seen;
}

async function shown(screen: Screen): Promise<void> {
  screen.wait(600);
  await screen.read();
}

function app(): Screen {
  const stage = new Stage(70, 30);
  stage.ready();
  const rows = () => stage.emulator.allRows().map((row) => row.trimEnd());
  return {
    emulator: stage.emulator,
    hear: (event) => stage.hear(event),
    type: (key) => stage.type(key),
    wait: (ms) => stage.wait(ms),
    read: () => stage.read(),
    around: () => rows().filter((row) => row !== "" && !row.startsWith("▌")),
  };
}

function reader(): Screen {
  const stage = new ReaderStage();
  stage.ready();
  return {
    emulator: stage.emulator,
    hear: (event) => stage.hear(event),
    type: (key) => stage.type(key),
    wait: (ms) => stage.wait(ms),
    read: () => stage.all(),
    // Here a question is lines among others, and what is hidden in it makes them longer or more; any-reader.test.ts shows that
    // nothing but lines is ever written.
    around: () => [],
  };
}

describe.each([
  ["the terminal UI", app],
  ["the reader", reader],
])("%s", (_, open) => {
  test("shows an attack in any field exactly as it shows the same words without it", async () => {
    await expectTwins(open, seenOf);
  });

  test("keeps an attack in any field of any question within that question", async () => {
    await expectTwins(open, seenAround);
  });
});

async function expectTwins(open: () => Screen, look: typeof seenOf): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const from = Math.floor((round * texts.length) / ROUNDS);
    const attacked = await look(open(), foreign(from, asItIs));
    const twin = await look(open(), foreign(from, safeLine));
    attacked.forEach((seen, index) => {
      expect(seen, `round ${round}`).toBe(twin[index]);
    });
  }
}
