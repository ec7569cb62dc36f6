// A recording that takes a minute to play, made by hand: a try may strike anywhere in it.
import { RECORDING_VERSION } from "../../src/agents/recordings/recording.js";

const LINES = 600;
const LINE_EVERY_MS = 100;

export function recordedTalk(): string {
  const head = {
    t: 0,
    dir: "meta",
    kind: "recording",
    version: RECORDING_VERSION,
    palaver: "0.0.0",
    agent: "talker",
    startedAt: "2026-01-01T00:00:00.000Z",
    size: { columns: 90, rows: 24 },
  };
  const lines = Array.from({ length: LINES }, (_, index) => ({
    t: (index + 1) * LINE_EVERY_MS,
    dir: "in",
    event: {
      type: "message.finished",
      sessionId: null,
      message: { role: "assistant", content: [{ type: "text", text: `line ${index + 1}` }] },
    },
  }));
  return [head, ...lines].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
