// What a daemon says of itself, read so tolerantly that one of any version is recognised: only so can an old one be ended and
// followed. Its process and its version are all that is wanted; one that does not name its process is believed to be there,
// but nobody will send a signal on the strength of that.
import { askDaemon, type DaemonAddress } from "../../links/daemon/daemon-request.js";

export interface DaemonSelf {
  /** Null when it does not say. */
  readonly pid: number | null;
  /** "" when it does not say. */
  readonly version: string;
}

const BODY_CHARS_MAX = 64 * 1024;

/** Null when whoever is there is no daemon that knows our token; rejects when nobody answers. */
export async function daemonSelf(address: DaemonAddress, limitMs: number): Promise<DaemonSelf | null> {
  const signal = AbortSignal.timeout(limitMs);
  const health = await textAt(address, "/health", signal);
  const { pid, version } = fieldsIn(health);
  if (typeof pid === "number" && Number.isInteger(pid)) return { pid, version: wordOf(version) };
  const answer = await textAt(address, "/version", signal);
  if (answer === null) return null;
  const told = fieldsIn(answer)["version"] ?? parsed(answer) ?? answer;
  const word = wordOf(told).trim();
  // A page for people, or anything else of some length, is no version.
  return /^v?\d[\w.+-]{0,60}$/.test(word) ? { pid: null, version: word } : null;
}

/** Null when the answer is no. */
async function textAt(address: DaemonAddress, path: string, signal: AbortSignal): Promise<string | null> {
  const answer = await askDaemon(address, path, { signal, headers: { accept: "application/json" } });
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > BODY_CHARS_MAX) break;
  }
  const { statusCode = 0 } = answer;
  return statusCode >= 200 && statusCode < 300 ? text : null;
}

function fieldsIn(text: string | null): Readonly<Record<string, unknown>> {
  const value = text === null ? null : parsed(text);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
