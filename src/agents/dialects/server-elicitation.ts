// What an MCP server behind an agent wants to know from the person: a form, or a page to visit. The page is named in full and
// never opened from here. An answer that does not fit the server's schema is asked for again, with what is wrong.
import { answersOf, type ElicitedForm, problemsWith, readForm } from "./elicited-form.js";
import type { JsonObject } from "./frames/json-frame.js";
import type { AskReply, PendingAsks } from "./pending-asks.js";

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

/** Asked again more often than this, it is cancelled: nobody gets out of such a form otherwise. */
const ROUNDS_MAX = 9;

/** One that is asked again is another question, with an outcome of its own. These are the ids it may have. */
export function roundsOf(askId: string): string[] {
  return Array.from({ length: ROUNDS_MAX }, (_, place) => roundId(askId, place + 1));
}

export function raiseElicitation(asks: PendingAsks, elicitation: Elicitation): void {
  const { request, send, onProblem } = elicitation;
  if (request.mode === "url") {
    raiseConfirm(asks, elicitation);
    return;
  }
  const form = readForm({ ...request.requested_schema, property_order: request.property_order });
  if ("problem" in form) {
    onProblem(form.problem);
    send({ action: "cancel" });
  } else if (form.fields.length === 0) raiseConfirm(asks, elicitation);
  else raiseForm(asks, elicitation, form, { round: 1, problems: new Map() });
}

function raiseConfirm(asks: PendingAsks, { askId, request, send }: Elicitation): void {
  const { message, url } = request;
  const opts = url === undefined ? {} : { opts: { confirm_label: "I was there", cancel_label: "no" } };
  const words = url === undefined ? message : `${message}\n${url}`;
  const title = url === undefined ? "May I go on?" : "Open this page in your browser";
  asks.raise(
    {
      id: askId,
      origin: originOf(request),
      deadlineMs: null,
      question: { kind: "confirm", params: { title, message: words, ...opts } },
    },
    (answer) => send({ action: confirmAction(answer), ...(url === undefined && isYes(answer) ? { content: {} } : {}) }),
  );
}

type Round = { readonly round: number; readonly problems: ReadonlyMap<string, string> };

function raiseForm(asks: PendingAsks, elicitation: Elicitation, form: ElicitedForm, { round, problems }: Round): void {
  const { askId, request, send } = elicitation;
  const fields = form.fields.map(({ field }) => {
    const problem = problems.get(field.name);
    return problem === undefined ? field : { ...field, error: problem, description: problem };
  });
  const question = { kind: "form" as const, params: { title: request.message, fields } };
  asks.raise({ id: roundId(askId, round), origin: originOf(request), deadlineMs: null, question }, (answer) => {
    const given = answer.kind === "answered" ? answer.value : null;
    if (typeof given !== "object" || given === null) return send({ action: "cancel" });
    const content = answersOf(form, given as JsonObject);
    const found = problemsWith(form, content);
    if (found.size === 0) return send({ action: "accept", content });
    if (round >= ROUNDS_MAX) return send({ action: "cancel" });
    return raiseForm(asks, elicitation, form, { round: round + 1, problems: found });
  });
}

function roundId(askId: string, round: number): string {
  return round === 1 ? askId : `${askId}/${round}`;
}

function originOf({ mcp_server_name }: ElicitationRequest) {
  return { kind: "mcp" as const, ...(mcp_server_name === undefined ? {} : { name: mcp_server_name }) };
}

function isYes(answer: AskReply): boolean {
  return answer.kind === "answered" && answer.value === true;
}

function confirmAction(answer: AskReply): "accept" | "decline" | "cancel" {
  if (answer.kind === "unanswered" || answer.value === null) return "cancel";
  return isYes(answer) ? "accept" : "decline";
}
