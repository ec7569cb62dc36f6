// Approvals to run a command and to change files. The title is ours, what is shown is what codex says it will do, and its own
// words are told as its words. codex performs all of it itself.
import type { PermissionParams } from "../../../contract/asks.js";
import type { CodexPatch, CodexRequest } from "../../../contract/codex.js";
import { shownPath } from "../acp/paths.js";
import { firstLine } from "../acp/run-line.js";
import { type InputDetail, inputDetails } from "../tool-inputs.js";
import type { Decision } from "./codex-decisions.js";
import { changesIn, patchDetails } from "./codex-patch.js";
import { scriptIn } from "./codex-script.js";

type Asked = { readonly itemId: string; readonly reason?: string | undefined };

/** What an approval shows besides its title and choices; what is empty is left out. */
type Shown = {
  readonly command?: string;
  readonly path?: string | undefined;
  readonly changes?: NonNullable<PermissionParams["changes"]>;
  readonly details?: InputDetail[];
  readonly dangers?: readonly string[];
};

type Named = { readonly title: string; readonly tool: string; readonly decisions: readonly Decision[] };

export function approvalOf({ itemId, reason = "" }: Asked, { title, tool, decisions }: Named, shown: Shown) {
  const { command = "", path, changes = [], details = [], dangers = [] } = shown;
  const params: PermissionParams = {
    title,
    tool,
    choices: decisions.map(({ choice }) => choice),
    performedBy: "agent",
    ...(itemId === "" ? {} : { toolCallId: itemId }),
    ...(reason === "" ? {} : { message: `The agent says: ${reason}` }),
    ...(command === "" ? {} : { command }),
    ...(path === undefined ? {} : { path }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(details.length === 0 ? {} : { details }),
    ...(dangers.length === 0 ? {} : { danger: dangers.join("; ") }),
  };
  return params;
}

/** Fields of a request that are shown as what they are, or say nothing about what runs. */
const KNOWN = [
  ...["kind", "threadId", "turnId", "itemId", "startedAtMs", "approvalId", "environmentId", "reason", "command", "cwd"],
  // The actions are codex's reading of the command; the rules are among the choices.
  ...["commandActions", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"],
  ...["networkApprovalContext", "grantRoot"],
];

/** Every other field of a request: one that is not known may still change what runs. */
function otherFields(request: Readonly<Record<string, unknown>>): InputDetail[] {
  return inputDetails(request, [...KNOWN, ...Object.keys(request).filter((name) => request[name] === null)]);
}

export function commandParams(
  request: CodexRequest<"item/commandExecution/requestApproval">,
  decisions: readonly Decision[],
  folder: string,
): PermissionParams {
  const { command: line = "", cwd, kind, networkApprovalContext: network } = request;
  const isTyped = kind === "writeStdin";
  const read = isTyped ? null : scriptIn(line);
  const command = read?.script ?? line;
  const subject = firstLine(command) || "a command";
  const title = network !== undefined ? `reach ${network.host}` : isTyped ? `type into ${subject}` : `run ${subject}`;
  const details = [
    ...(read === null ? [] : [{ name: "shell", value: read.shell }]),
    ...(network === undefined ? [] : inputDetails(network)),
    ...(cwd === undefined || cwd === folder ? [] : [{ name: "folder", value: cwd }]),
    ...otherFields(request),
  ];
  const tool = network === undefined ? "run" : "network";
  return approvalOf(request, { title, tool, decisions }, { command, details });
}

/** `patches` is null when codex asks about a change that it has not shown. */
export function changeParams(
  request: CodexRequest<"item/fileChange/requestApproval">,
  decisions: readonly Decision[],
  patches: readonly CodexPatch[] | null,
  folder: string,
): PermissionParams {
  const [first, ...others] = patches ?? [];
  const { grantRoot } = request;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const title = `edit ${first === undefined ? "files" : shownPath(first.path, folder)}${more}`;
  const root = grantRoot === undefined ? [] : [{ name: "folder", value: grantRoot }];
  const dangers = [
    ...(first === undefined ? ["codex does not say what it would change"] : []),
    ...(grantRoot === undefined ? [] : [`a yes allows every write below ${grantRoot}`]),
  ];
  const details = [...patchDetails(patches ?? []), ...root, ...otherFields(request)];
  const shown = { path: first?.path, changes: changesIn(patches ?? []), details, dangers };
  return approvalOf(request, { title, tool: "edit", decisions }, shown);
}
