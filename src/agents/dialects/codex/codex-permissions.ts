// Approvals of more permissions than codex's sandbox has: files to read or write, the network. What was asked for is given
// whole, or nothing is.
import type { PermissionParams } from "../../../contract/asks.js";
import type { CodexRequest } from "../../../contract/codex.js";
import { objectOf } from "../../../contract/json-value.js";
import { isInside, tidyPath } from "../acp/paths.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { AskReply } from "../pending-asks.js";
import { inputDetails } from "../tool-inputs.js";
import { approvalOf } from "./codex-approvals.js";
import { type Decision, decided } from "./codex-decisions.js";

type Request = CodexRequest<"item/permissions/requestApproval">;

const decisions: readonly Decision<"turn" | "session" | null>[] = [
  { answer: "turn", choice: { id: "turn", label: "allow for this turn", choice: "allow_once" } },
  {
    answer: "session",
    choice: { id: "session", label: "always allow", choice: "allow_always", description: "this session" },
  },
  { answer: null, choice: { id: "reject", label: "no", choice: "reject_once" } },
];

export function permissionsParams(request: Request, folder: string): PermissionParams {
  const { network, fileSystem, ...others } = request.permissions;
  const { read = [], write = [], entries = [], ...rest } = fileSystem ?? {};
  const listed = new Set([...read, ...write]);
  const unlisted = entries.filter((entry) => !listed.has(String(objectOf(entry["path"])["path"])));
  const outside = write.filter((path) => !isInside(tidyPath(path), folder));
  const details = [
    ...write.map((value) => ({ name: "write", value })),
    ...read.map((value) => ({ name: "read", value })),
    ...(network === undefined ? [] : [{ name: "network", value: network.enabled === true ? "on" : "off" }]),
    ...(unlisted.length === 0 ? [] : inputDetails({ entries: unlisted })),
    ...inputDetails({ ...others, ...rest }),
  ];
  const dangers = [
    ...(outside.length === 0 ? [] : [`outside of the workspace: ${outside.join(", ")}`]),
    ...(network?.enabled === true ? ["it may use the network"] : []),
    ...(unlisted.length === 0 ? [] : ["it may reach more than named files"]),
  ];
  const tool = write.length > 0 ? "write" : "permissions";
  const path = write[0] ?? read[0];
  return approvalOf(request, { title: "have more permissions", tool, decisions }, { path, details, dangers });
}

export function permissionsReply({ permissions }: Request, reply: AskReply): JsonObject {
  const scope = decided(decisions, reply, null);
  return scope === null ? { permissions: {}, scope: "turn" } : { permissions, scope };
}
