// Text from standard input, with time limits so that an open but silent input never hangs.
import { fstatSync } from "node:fs";
import { UsageError } from "./exit-codes.js";

const FIRST_BYTE_MS = 1_500;
const NEXT_BYTE_MS = 5_000;
const PROMPT_BYTES_MAX = 4 * 1024 * 1024;

/** After this, `onSilence` is called. */
const SILENCE_TOLD_AFTER_MS = 1_000;

interface InputBesides {
  /** "wait": input is required, however long it takes. */
  readonly input: "if-any" | "wait";
  /** How long a writer may pause; no limit when null or missing. */
  readonly pauseMsMax?: number | null;
  /** Called once, when nothing came for a moment. */
  readonly onSilence?: () => void;
}

/** The text, trimmed; null when there is none. */
export async function promptFromStdin(): Promise<string | null> {
  const text = (await textFromStdin(FIRST_BYTE_MS, NEXT_BYTE_MS))?.trim() ?? "";
  return text === "" ? null : text;
}

/** Text piped in besides a message, read to its end or until a pause that is too long. */
export async function inputBesides({ input, pauseMsMax = null, onSilence }: InputBesides): Promise<string | null> {
  const firstByteMs = input === "wait" || isFile() ? pauseMsMax : FIRST_BYTE_MS;
  const text = await textFromStdin(firstByteMs, pauseMsMax, onSilence);
  if (text !== null && text.length >= PROMPT_BYTES_MAX) throw new UsageError("standard input is too long for a prompt");
  return text;
}

/** Null when nothing came; a text that is too long is cut. Without a limit it waits for as long as it takes. */
function textFromStdin(
  firstByteMs: number | null,
  nextByteMs: number | null,
  onSilence?: () => void,
): Promise<string | null> {
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
