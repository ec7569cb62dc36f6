// The reader on a real terminal with an agent that lives in the same process: it says two paragraphs and asks for a yes.
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { SessionEngine } from "../../../src/session/engine/source.js";
import { createKeymap } from "../../../src/session/keymap.js";
import { asciiGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../../src/terminal/painter/style/style.js";
import { runReader } from "../../../src/views/reader/run-reader.js";

const sessionId = null;
const clock = {
  nowMs: () => performance.now(),
  after(delayMs: number, run: () => void) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

const hear = (event: SessionEvent) => source.take({ type: "event", event });

const source = new SessionEngine({
  clock,
  send: (command) => {
    if (command.type === "prompt") answer();
  },
  respond: () => {
    hear({ type: "prompt.finished", sessionId });
    return "delivered";
  },
});

function answer(): void {
  const text = "I look at it.\n\nIt is *fine*.";
  hear({
    type: "message.finished",
    sessionId,
    message: { role: "assistant", content: [{ type: "text", text }] },
  });
  const question = { kind: "confirm", params: { title: "Delete it?" } } as const;
  const ask = { id: "a", sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null } as const;
  hear({ type: "ask.raised", sessionId, ask });
}

const connection = {
  source,
  async open() {
    source.take({ type: "agent", change: "opened", words: [] });
    hear({ type: "agent.readied", sessionId, ui: true, protocolVersion: "1" });
  },
  restart: () => undefined,
  catchUp: () => undefined,
  async close() {},
};

await runReader(
  { name: "agent", connect: async () => connection },
  {
    input: process.stdin,
    output: process.stdout,
    events: process,
    environment: process.env,
    folder: process.cwd(),
    clock,
    look: {
      style: createStyle({ theme: "harbour", depth: "none" }),
      glyphs: asciiGlyphs,
      wrap: "words",
      thinking: "shown",
      motion: "reduced",
      outputLinesMax: 5,
    },
    keymap: createKeymap({}).keymap,
    screen: "reader",
    typingGuardMs: 800,
    callWay: "off",
    editor: "true",
    warnings: [],
    onGround: () => undefined,
    settings: () => [],
    change: () => null,
    exportTranscript: async () => "",
  },
);
