// Writes events and commands of a session as lines of a recording, without secrets. Streamed text is joined just enough to
// find secrets across chunk borders. The file is new and private, and written in batches: a kill loses the last batch and leaves
// at most one torn line. A full disk ends the recording with a message, not the conversation.

import { closeSync, openSync, writeSync } from "node:fs";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionEvent } from "../../contract/session-events.js";
import { writeLine } from "../dialects/frames/json-frame.js";
import { withMiddleware } from "../link-relay.js";
import {
  type OpenLink,
  RECORDING_VERSION,
  type RecordingEntry,
  type RecordingHeader,
  type Redaction,
} from "./recording.js";
import { SecretAsks } from "./secret-asks.js";
import { withoutOpenEnds } from "./unfinished-event.js";

export interface RecorderPorts {
  nowMs(): number;
  write(line: string): void;
  readonly redaction: Redaction;
}

type Growth = Extract<SessionEvent, { type: "message.grew" }>;
type WithoutTime<Entry> = Entry extends RecordingEntry ? Omit<Entry, "t"> : never;

export class Recorder {
  private readonly ports: RecorderPorts;
  private readonly startMs: number;
  private readonly asks = new SecretAsks();
  private growing: { last: Growth; stream: ReturnType<Redaction["stream"]> } | null = null;

  constructor(header: RecordingHeader, ports: RecorderPorts) {
    this.ports = ports;
    this.startMs = ports.nowMs();
    this.put({ dir: "meta", kind: "recording", version: RECORDING_VERSION, ...header });
  }

  event(event: SessionEvent): void {
    if (event.type === "message.grew") {
      this.grow(event);
      return;
    }
    this.endGrowth();
    if (event.type === "ask.raised") this.asks.raised(event.ask);
    else if (event.type === "ask.withdrawn") this.asks.withdrawn(event.askId);
    const { redaction } = this.ports;
    this.put({ dir: "in", event: withoutOpenEnds(event, redaction.unfinished) });
  }

  command(command: LinesCommand): void {
    this.endGrowth();
    const answer = this.asks.answered(command);
    for (const secret of answer?.secrets ?? []) this.ports.redaction.declare(secret);
    if (answer === null) this.put({ dir: "out", command });
    else this.put({ dir: "out", command: answer.command, secret: true });
  }

  exited(code: number | null): void {
    this.endGrowth();
    this.put({ dir: "meta", kind: "exited", code });
  }

  /** Writes what was held back. */
  end(): void {
    this.endGrowth();
  }

  private grow(event: Growth): void {
    const last = this.growing?.last;
    const isSame = last?.sessionId === event.sessionId && last.index === event.index && last.kind === event.kind;
    if (!isSame) this.endGrowth();
    this.growing ??= { last: event, stream: this.ports.redaction.stream() };
    this.growing.last = event;
    const delta = this.growing.stream.push(event.delta);
    if (delta !== "") this.write({ dir: "in", event: { ...event, delta } });
  }

  private endGrowth(): void {
    if (this.growing === null) return;
    const { last, stream } = this.growing;
    this.growing = null;
    const delta = stream.end();
    if (delta !== "") this.write({ dir: "in", event: { ...last, delta } });
  }

  private put(entry: WithoutTime<RecordingEntry>): void {
    this.write(this.ports.redaction.value(entry) as WithoutTime<RecordingEntry>);
  }

  private write(entry: WithoutTime<RecordingEntry>): void {
    const t = Math.max(0, Math.round(this.ports.nowMs() - this.startMs));
    this.ports.write(writeLine({ t, ...entry }));
  }
}

/** Records everything on the link, also across restarts, which open it again. */
export function recordedLink(open: OpenLink, recorder: Recorder): OpenLink {
  return withMiddleware(open, (toFront) => ({
    event(event) {
      recorder.event(event);
      toFront(event);
    },
    command(command, toAgent) {
      recorder.command(command);
      return toAgent(command);
    },
    exited: ({ code }) => recorder.exited(code),
  }));
}

interface RecordingFile {
  write(line: string): void;
  close(): void;
}

/** How long and how much a batch may wait. */
const BATCH_MS = 200;
const BATCH_UNITS_MAX = 64 * 1024;

/** The first line makes the file; `write` throws when it exists or cannot be created. */
export function createRecordingFile(
  path: string,
  onProblem: (words: string) => void,
  put: (file: number, bytes: Buffer) => void = writeWhole,
): RecordingFile {
  let file: number | null = null;
  let waiting = "";
  let isBegun = false;
  let state: "open" | "closed" = "open";
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batch = waiting;
    waiting = "";
    if (batch === "" || state === "closed") return;
    const bytes = Buffer.from(batch);
    // A file that a kill leaves behind has its header: nothing takes time between its birth and its first line.
    file ??= openNew(path);
    try {
      put(file, bytes);
    } catch (error) {
      close();
      onProblem(`the recording ${path} ends here: ${errorMessage(error)}`);
    }
  }

  function close(): void {
    if (state === "closed") return;
    flush();
    state = "closed";
    process.off("exit", flush);
    if (file !== null) closeSync(file);
  }

  process.on("exit", flush);
  return {
    write(line) {
      if (state === "closed") return;
      waiting += line;
      // The header is written at once; without it the file cannot be played.
      if (!isBegun || waiting.length >= BATCH_UNITS_MAX) flush();
      else timer ??= setTimeout(flush, BATCH_MS).unref();
      isBegun = true;
    },
    close,
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Error(`${path} already exists; a recording never overwrites a file`);
    throw error;
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
