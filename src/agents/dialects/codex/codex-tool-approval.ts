// Approvals to call a tool of an MCP server. codex asks them in the form of an elicitation without fields; here they are
// approvals that show what the tool is called with.
import type { PermissionParams } from "../../../contract/asks.js";
import type { CodexRequest } from "../../../contract/codex.js";
import { objectOf } from "../../../contract/json-value.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AskReply } from "../pending-asks.js";
import { inputDetails } from "../tool-inputs.js";
import { approvalOf } from "./codex-approvals.js";
import { type Decision, decided } from "./codex-decisions.js";
import type { McpCall } from "./codex-tools.js";

type Request = CodexRequest<"mcpServer/elicitation/request">;

export function isToolApproval({ _meta: meta }: Request): boolean {
  return meta?.["codex_approval_kind"] === "mcp_tool_call";
}

/** How long codex remembers a yes, in words. */
const scopes: ReadonlyMap<unknown, string> = new Map([
  ["session", "this session; remembered by codex"],
  ["always", "every session; remembered by codex"],
]);

const accepted = { action: "accept", content: {}, _meta: null };
const declined = { action: "decline", content: null, _meta: null };

function decisionsOf({ _meta: meta = {} }: Request): Decision<JsonObject>[] {
  const always = [meta["persist"]].flat().flatMap((persist): Decision<JsonObject>[] => {
    const description = scopes.get(persist);
    if (typeof persist !== "string" || description === undefined) return [];
    const choice = { id: persist, label: "always allow", choice: "allow_always" as const, description };
    return [{ answer: { ...accepted, _meta: { persist } }, choice }];
  });
  return [
    { answer: accepted, choice: { id: "allow", label: "allow once", choice: "allow_once" } },
    ...always,
    { answer: declined, choice: { id: "reject", label: "no", choice: "reject_once" } },
  ];
}

export function toolParams(request: Request, call: McpCall | null): PermissionParams {
  const { _meta: meta = {}, serverName, message } = request;
  const named = { title: `use ${call?.tool ?? "a tool"} of ${serverName}`, tool: call?.tool ?? "tool" };
  const asked = { itemId: call?.id ?? "", reason: message };
  const details = inputDetails(objectOf(meta["tool_params"]));
  return approvalOf(asked, { ...named, decisions: decisionsOf(request) }, { details });
}

export function toolReply(request: Request, reply: AskReply): JsonObject {
  return decided(decisionsOf(request), reply, { ...declined, action: "cancel" });
}
