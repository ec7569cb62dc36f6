// How fast frames are decoded (bytes → lines → JSON → checked against the schema), beside bare JSON.parse of the same
// lines as strings, which does none of the rest.
import { loadSource } from "./load-source.mjs";

const LINES = 4_000;
const ROUNDS = 30;
const CHUNK_BYTES = 64 * 1024;
const RATIO_MIN = 0.6;

export const title = "Decoding the lines wire";

export async function run() {
  const { createOutputDecoder } = await loadSource("src/agents/dialects/lines/lines-codec.ts");
  return Object.entries(corpora()).map(([name, lines]) => measure(name, lines, createOutputDecoder));
}

function measure(name, lines, createOutputDecoder) {
  const bytes = Buffer.from(`${lines.join("\n")}\n`);
  const bare = () => {
    for (const line of lines) JSON.parse(line);
    return lines.length;
  };
  const ours = () => {
    const decoder = createOutputDecoder();
    let frames = 0;
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      for (const item of decoder.push(bytes.subarray(at, at + CHUNK_BYTES))) if (item.kind === "frame") frames += 1;
    }
    return frames;
  };
  if (ours() !== lines.length) throw new Error(`${name}: only ${ours()} of ${lines.length} lines were frames`);
  const times = { bare: [], ours: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.bare.push(timeOf(bare));
    times.ours.push(timeOf(ours));
  }
  const ratio = Math.min(...times.bare) / Math.min(...times.ours);
  const rate = bytes.length / 1e6 / (Math.min(...times.ours) / 1e3);
  return {
    what: `${name}: ${rate.toFixed(0)} MB/s of JSON.parse's speed`,
    value: `${(ratio * 100).toFixed(0)} %`,
    goal: `≥ ${RATIO_MIN * 100} %`,
    met: ratio >= RATIO_MIN,
  };
}

// What an agent really sends: growing messages, tools with their output, small signals.
function corpora() {
  const event = (index, type, ...data) =>
    JSON.stringify({ type: "event", session_id: "s1", event_seq: index, event: { type, data } });
  const words = (count) =>
    "The separator lost its space, so I add it back. ".repeat(Math.ceil(count / 48)).slice(0, count);
  const message = (index, size) => ({
    role: "assistant",
    content: [{ type: "text", text: words(size) }],
    model: "sonnet-5",
    timestamp: 1_700_000_000_000 + index,
    usage: { input: 1200, output: index, total_tokens: 1200 + index, cost: { total: 0.01 } },
  });
  const streamed = (index) =>
    event(index, "message_update", message(index, (index * 7) % 4_000), ["text_delta", 0, "back. "]);
  const tool = (index) =>
    event(index, "tool_execution_end", `c${index}`, "bash", { content: [{ type: "text", text: words(600) }] }, false);
  const signal = () =>
    JSON.stringify({ type: "ui_status", params: { key: "branch", text: "main*" }, session_id: "s1" });
  const many = (make) => Array.from({ length: LINES }, (_, index) => make(index));
  return {
    "a streamed answer": many(streamed),
    "tool results": many(tool),
    "small signals": many(signal),
    "all mixed": many((index) => [streamed, streamed, tool, signal][index % 4](index)),
  };
}

function timeOf(work) {
  const startedAt = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}
