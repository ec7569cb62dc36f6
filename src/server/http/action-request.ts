// What an action asks for, wherever it stands: in the query, in a form, in JSON. Scripts send all three, and what `curl -d`
// sends as a form is often JSON, so that the text itself decides. What the body says comes before the query.

import { actionParamsSchema } from "../../contract/daemon.js";
import { isRecord } from "../../contract/json-value.js";
import { problemOf } from "../../contract/schema-problem.js";
import { HttpRefusal, type RouteRequest } from "./route.js";

export interface ActionRequest {
  readonly key: string;
  readonly value: string;
  readonly intent: "act" | "cancel";
}

export async function readAction(request: RouteRequest): Promise<ActionRequest> {
  const given = { ...Object.fromEntries(request.url.searchParams), ...fieldsOf(await request.text(), request.headers) };
  const params = actionParamsSchema.safeParse({ key: "", ...given, cancel: isTrue(given["cancel"]) });
  if (!params.success) {
    const { where, what } = problemOf(params.error);
    throw new HttpRefusal(400, `${where}: ${what}`);
  }
  const { key, value = "", cancel } = params.data;
  if (key === "") throw new HttpRefusal(400, "an action needs a key");
  return { key, value: String(value), intent: cancel === true ? "cancel" : "act" };
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === "1";
}

function fieldsOf(text: string, headers: Headers): Record<string, unknown> {
  if (text.trim() === "") return {};
  const type = headers.get("content-type") ?? "";
  if (text.trimStart().startsWith("{") || /\bjson\b/i.test(type)) return jsonFields(text);
  if (type === "" || /^application\/x-www-form-urlencoded\b/i.test(type)) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  throw new HttpRefusal(415, "an action is JSON, a form, or in the query");
}

function jsonFields(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, "the body is not JSON");
  }
  if (isRecord(value)) return value;
  throw new HttpRefusal(400, 'the body has to be an object such as {"key":"…","value":"…"}');
}
