// The lines of a session file: a header, then what was added to the conversation, one JSON object a line, oldest first.
// Nothing is ever changed in place; forgetting is a line too. Reading is forgiving: a line that was torn by a crash or that
// has an unknown shape is counted and left out, and what remains is mended into a history that models accept.
import * as z from "zod";
import { type HistoryMessage, historyMessageSchema, mended } from "./history.js";

export const SESSION_FILE_VERSION = 1;

const headerSchema = z.object({
  type: z.literal("session"),
  version: z.literal(SESSION_FILE_VERSION),
  id: z.string(),
  cwd: z.string(),
  model: z.string(),
  created: z.number(),
  parent: z.string().optional(),
});

const recordSchema = z.discriminatedUnion("type", [
  headerSchema,
  z.object({ type: z.literal("message"), message: historyMessageSchema }),
  /** All but the last `kept` messages are replaced by this one. */
  z.object({ type: z.literal("compaction"), kept: z.number().int().nonnegative(), message: historyMessageSchema }),
  z.object({ type: z.literal("model"), model: z.string() }),
  z.object({ type: z.literal("reset") }),
]);

export type SessionHeader = z.infer<typeof headerSchema>;
export type SessionRecord = z.infer<typeof recordSchema>;

export type RecordedSession = {
  readonly header: SessionHeader;
  readonly messages: HistoryMessage[];
  /** The model it last used. */
  readonly model: string;
  /** How many lines could not be read. */
  readonly lost: number;
};

export function sessionLine(record: SessionRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** The session in these lines; null when they do not begin with a header. */
export function readSession(lines: Iterable<string>): RecordedSession | null {
  let header: SessionHeader | null = null;
  let messages: HistoryMessage[] = [];
  let model = "";
  let lost = 0;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const record = readRecord(line);
    if (record === null) lost += 1;
    else if (record.type === "session") {
      header ??= record;
      model = record.model;
    } else if (header === null) return null;
    else if (record.type === "message") messages.push(record.message);
    else if (record.type === "compaction") messages = [record.message, ...lastOf(mended(messages), record.kept)];
    else if (record.type === "reset") messages = [];
    else model = record.model;
  }
  return header === null ? null : { header, messages: mended(messages).map(unsigned), model, lost };
}

// A signature counts within the turn it was given in, and does not survive what may be taken out on the way to the disk.
function unsigned(message: HistoryMessage): HistoryMessage {
  if (message.role !== "assistant") return message;
  const content = message.content.map((block) => {
    return block.type === "thinking" ? { type: block.type, thinking: block.thinking } : block;
  });
  return { ...message, content };
}

/** The header in the first line, and the first thing the user said, as far as it is in these lines. */
export function readBeginning(lines: readonly string[]): { header: SessionHeader; title: string } | null {
  const [first, ...others] = lines.map(readRecord);
  if (first?.type !== "session") return null;
  const spoken = others.find((record) => record?.type === "message" && record.message.role === "user");
  const title = spoken?.type === "message" && spoken.message.role === "user" ? spoken.message.content : "";
  return { header: first, title };
}

function readRecord(line: string): SessionRecord | null {
  try {
    return recordSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function lastOf<Item>(items: readonly Item[], count: number): Item[] {
  return count === 0 ? [] : items.slice(-count);
}
