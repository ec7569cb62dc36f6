// A question as the lines and rpc wires carry it, as an ask. A permission is a confirmation that shows all that is known of it.
import type { Ask } from "../../contract/asks.js";
import type { UiRequest } from "../../contract/lines-outputs.js";
import { confirmOfCall } from "../../contract/permission-call.js";
import type { RpcRequest } from "../../contract/rpc.js";
import { inputDetails } from "./tool-inputs.js";

export function wireQuestion(request: UiRequest | RpcRequest): Ask["question"] {
  if (request.method !== "confirm" && request.method !== "permission") {
    return { kind: request.method, params: request.params } as Ask["question"];
  }
  const params = request.method === "permission" ? confirmOfCall(request.params) : request.params;
  // Unknown fields may describe what is approved, so they are shown.
  const unknown = inputDetails(params, ["title", "message", "opts"]);
  if (unknown.length === 0) return { kind: "confirm", params };
  const { details = [], ...opts } = params.opts ?? {};
  return { kind: "confirm", params: { ...params, opts: { ...opts, details: [...details, ...unknown] } } };
}
