// Text from standard input, without ever hanging on an input that nobody writes to or nobody closes.
import { fstatSync } from "node:fs";
import { UsageError } from "./exit-codes.js";

/** How long to wait for the first byte of an input that stays open but empty. */
const FIRST_BYTE_MS = 1_500;
/** How long to wait for more once something came; a writer that pauses longer is taken at its word so far. */
const NEXT_BYTE_MS = 5_000;
const PROMPT_BYTES_MAX = 4 * 1024 * 1024;

/** Whoever waits longer than this is told what for. */
const SILENCE_TOLD_AFTER_MS = 1_000;

interface StdinPatience {
  /** Null waits for as long as it takes. */
  readonly firstByteMs: number | null;
  readonly nextByteMs: number | null;
  readonly onSilence?: (() => void) | undefined;
}

export interface InputBesides {
  /** "wait": it has to come, however long it takes. */
  readonly wish: "if-any" | "wait";
  /** How long a writer may pause; null, or left out, for as long as it takes. */
  readonly pauseMsMax?: number | null;
  /** Nothing came for a moment, and it is still waited for; once. */
  readonly onSilence?: () => void;
}

/** The text, trimmed; null when there is none. */
export async function promptFromStdin(): Promise<string | null> {
  const text = (await textFromStdin({ firstByteMs: FIRST_BYTE_MS, nextByteMs: NEXT_BYTE_MS }))?.trim() ?? "";
  return text === "" ? null : text;
}

/** What was piped in besides a message: whoever has begun to write is listened to until the end, or for as long as he pauses. */
export async function inputBesides({ wish, pauseMsMax = null, onSilence }: InputBesides): Promise<string | null> {
  const firstByteMs = wish === "wait" || isFile() ? pauseMsMax : FIRST_BYTE_MS;
  const text = await textFromStdin({ firstByteMs, nextByteMs: pauseMsMax, onSilence });
  if (text !== null && text.length >= PROMPT_BYTES_MAX) throw new UsageError("standard input is too long for a prompt");
  return text;
}

/** Null when nothing came; a text that is too long is cut. */
function textFromStdin({ firstByteMs, nextByteMs, onSilence }: StdinPatience): Promise<string | null> {
  const { stdin } = process;
  if (stdin.isTTY) return Promise.resolve(null);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = onSilence === undefined ? undefined : setTimeout(onSilence, SILENCE_TOLD_AFTER_MS);
    const wait = (limitMs: number | null) => {
      clearTimeout(timer);
      if (limitMs !== null) timer = setTimeout(finish, limitMs);
    };
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(silence);
      stdin.off("data", take).off("end", finish).off("error", finish);
      stdin.pause();
      resolve(bytes === 0 ? null : Buffer.concat(chunks).toString("utf8"));
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= PROMPT_BYTES_MAX) finish();
      else wait(nextByteMs);
    };
    wait(firstByteMs);
    stdin.on("data", take).on("end", finish).on("error", finish);
  });
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}
