// What an MCP server behind an agent wants to know from the user: a form, or a page to visit. The page is named in full and not
// opened from here. An answer that does not fit the server's schema is asked for again, with the problem.
import type { Ask } from "../../contract/asks.js";
import { answersOf, type ElicitedForm, problemsWith, readForm } from "./elicited-form.js";
import type { JsonObject } from "./frames/json-frame.js";
import { present } from "./frames/lenient-field.js";
import { type AskReply, isYes, type PendingAsks, type Reply } from "./pending-asks.js";

export type ElicitationRequest = {
  readonly message: string;
  readonly mode?: string | undefined;
  readonly url?: string | undefined;
  readonly requested_schema?: JsonObject | undefined;
  readonly property_order?: unknown;
  readonly mcp_server_name?: string | undefined;
};

export interface Elicitation {
  readonly askId: string;
  readonly request: ElicitationRequest;
  send(response: JsonObject): void;
  /** The form cannot be shown. */
  onProblem(problem: string): void;
}

/** A form that is still invalid after this many answers is cancelled; otherwise it could not be closed. */
export const ROUNDS_MAX = 9;

/** A form that is asked again is another ask, with an outcome of its own. These are the ids it may have. */
export function roundsOf(askId: string): string[] {
  return Array.from({ length: ROUNDS_MAX }, (_, place) => roundId(askId, place + 1));
}

export function raiseElicitation(asks: PendingAsks, { askId, request, send, onProblem }: Elicitation): void {
  const { message, mode, url, requested_schema, property_order } = request;
  const origin = { kind: "mcp" as const, ...present({ name: request.mcp_server_name }) };
  const raise = (question: Ask["question"], round: number, reply: Reply) =>
    asks.raise({ id: roundId(askId, round), origin, deadlineMs: null, question }, reply);
  const form = mode === "url" ? null : readForm({ ...requested_schema, property_order });
  if (form !== null && "problem" in form) {
    onProblem(form.problem);
    send({ action: "cancel" });
  } else if (form !== null && form.fields.length > 0) askForm({ title: message, form, raise, send });
  else {
    const opts = url === undefined ? {} : { opts: { confirm_label: "I was there", cancel_label: "no" } };
    const words = url === undefined ? message : `${message}\n${url}`;
    const title = url === undefined ? "May I continue?" : "Open this page in your browser";
    raise({ kind: "confirm", params: { title, message: words, ...opts } }, 1, (reply) => {
      const action = confirmAction(reply);
      send({ action, ...(url === undefined && action === "accept" ? { content: {} } : {}) });
    });
  }
}

export interface AskedForm {
  readonly title: string;
  readonly form: ElicitedForm;
  raise(question: Ask["question"], round: number, reply: Reply): void;
  send(response: JsonObject): void;
}

/** Asks until the answers are valid. */
export function askForm(asked: AskedForm, round = 1, problems: ReadonlyMap<string, string> = new Map()): void {
  const { title, form, raise, send } = asked;
  const fields = form.fields.map((field) => {
    const problem = problems.get(field.name);
    return problem === undefined ? field : { ...field, error: problem, description: problem };
  });
  raise({ kind: "form", params: { title, fields } }, round, (reply) => {
    const given = reply.kind === "answered" ? reply.value : null;
    if (given === false) return send({ action: "decline" });
    if (typeof given !== "object" || given === null) return send({ action: "cancel" });
    const content = answersOf(form, given as JsonObject);
    const found = problemsWith(form, content);
    if (found.size === 0) return send({ action: "accept", content });
    return round >= ROUNDS_MAX ? send({ action: "cancel" }) : askForm(asked, round + 1, found);
  });
}

export function roundId(askId: string, round: number): string {
  return round === 1 ? askId : `${askId}/${round}`;
}

export function confirmAction(reply: AskReply): "accept" | "decline" | "cancel" {
  if (reply.kind === "unanswered" || reply.value === null) return "cancel";
  return isYes(reply.value) ? "accept" : "decline";
}
