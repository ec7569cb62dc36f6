// The client's side of hosted sessions and of asks, for commands that do one thing and end. What comes back is checked, so that
// an older or newer daemon is an error with a name.
import type * as z from "zod";
import { askDaemonForJson, type DaemonAddress, refusalWords } from "../../agents/remote/daemon-request.js";
import type { Ask } from "../../contract/asks.js";
import { type AnswerResult, answerResultSchema, asksSchema } from "../../contract/daemon.js";
import { type HostedSessionEntry, hostedSessionsSchema } from "../../contract/hosted-sessions.js";
import { DaemonRefusal } from "../client/daemon-client.js";

export interface SentAnswer {
  /** "late": the ask was settled before, and `result` says how. */
  readonly verdict: "accepted" | "late";
  readonly result: AnswerResult;
}

export interface SessionClient {
  sessions(): Promise<HostedSessionEntry[]>;
  asks(): Promise<Ask[]>;
  /** Rejects with the daemon's words when the answer does not fit, or there is no such ask. */
  answer(askId: string, answer: { value: unknown } | { cancel: true }, by: string): Promise<SentAnswer>;
}

const ANSWER_MS_MAX = 10_000;
const LATE = 409;

export function createSessionClient(address: DaemonAddress): SessionClient {
  const signal = () => AbortSignal.timeout(ANSWER_MS_MAX);

  async function get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
    const answer = await askDaemonForJson(address, path, { signal: signal() });
    if (answer.status !== 200) throw new DaemonRefusal(answer.status, refusalWords(answer));
    return schema.parse(answer.body);
  }

  return {
    sessions: () => get("/sessions", hostedSessionsSchema),
    asks: () => get("/asks", asksSchema),
    async answer(askId, given, by) {
      const path = `/asks/${encodeURIComponent(askId)}/answer`;
      const body = { ...given, by };
      const answer = await askDaemonForJson(address, path, { method: "POST", body, signal: signal() });
      if (answer.status !== 200 && answer.status !== LATE) {
        throw new DaemonRefusal(answer.status, refusalWords(answer));
      }
      const verdict = answer.status === LATE ? "late" : "accepted";
      return { verdict, result: answerResultSchema.parse(answer.body) };
    },
  };
}
