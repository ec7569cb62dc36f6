// The call `permission`: what an agent wants to do, and the whole choice of the user. It has its own words on the wires; inside
// Palaver it is a confirmation with the same facts.
import * as z from "zod";
import {
  commandOption,
  dangerOption,
  detailsOption,
  diffOption,
  pathOption,
  ruleOption,
  scopeOption,
} from "./dialog-options.js";
import type { DialogParams } from "./dialogs.js";
import { isRecord } from "./json-value.js";

export const permissionCallSchema = z
  .looseObject({
    tool: z.string().describe("The tool that needs the permission: read, edit, run, or the agent's own name for it."),
    title: z.string().optional().describe("The question. Default: the tool with its path or command."),
    message: z.string().nullish().describe("More text below the question."),
    tool_call_id: z.string().optional().describe("The call, if the tool was or will be reported under this id."),
    command: commandOption,
    path: pathOption,
    diff: diffOption,
    details: detailsOption,
    danger: dangerOption,
    remember: z.boolean().optional().describe("Offers `always`; then the agent keeps the rule."),
    rule: ruleOption,
    scope: scopeOption,
  })
  .meta({ id: "PermissionParams", description: "Asks before something is done. Send all of it: the user sees it." });

export const permissionChoiceSchema = z
  .looseObject({
    choice: z.enum(["once", "always", "no"]).describe("`always` only if `remember` was offered."),
    reason: z.string().optional().describe("Why not, in the user's words."),
  })
  .nullable()
  .meta({ id: "PermissionChoice", description: "Null is a cancel, which allows nothing." });

export const permissionExample = { tool: "run", command: "rm -r build", danger: "deletes 312 files", remember: true };

type PermissionCall = z.infer<typeof permissionCallSchema>;
type PermissionChoice = z.infer<typeof permissionChoiceSchema>;

const TITLE_CHARS_MAX = 60;

export function permissionTitle({
  tool,
  path,
  command = "",
}: Pick<PermissionCall, "tool" | "path" | "command">): string {
  const [line = "", ...more] = (path ?? command).split("\n");
  const isCut = more.length > 0 || line.length > TITLE_CHARS_MAX;
  return `${tool} ${line.slice(0, TITLE_CHARS_MAX)}${isCut ? "…" : ""}`.trim();
}

/** Fields that the contract does not know stay beside the others: they may change what runs, and are shown. */
export function confirmOfCall(call: PermissionCall): DialogParams<"confirm"> {
  const { title = permissionTitle(call), message, remember = false, ...rest } = call;
  const { tool, tool_call_id, command, path, diff, details, danger, rule, scope, ...unknown } = rest;
  const facts = { tool, tool_call_id, command, path, diff, details, danger, rule, scope };
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const level = danger === undefined ? {} : { danger_level: "danger" as const };
  return { ...unknown, title, message, opts: { ...given, ...level, allow_remember: remember, allow_reason: true } };
}

/** The call that says the same as this confirmation; null for one that is no permission. */
export function callOfConfirm({ title, message, opts = {} }: DialogParams<"confirm">): PermissionCall | null {
  const { tool, allow_remember = false, allow_reason, danger_level: _level, ...facts } = opts;
  return tool === undefined || allow_reason !== true
    ? null
    : { ...facts, tool, title, message, remember: allow_remember };
}

export function choiceOfAnswer(value: unknown): PermissionChoice {
  if (value === null) return null;
  const { ok, remember, reason } = isRecord(value) ? value : { ok: value };
  if (ok === true) return { choice: remember === true ? "always" : "once" };
  return { choice: "no", ...(typeof reason === "string" && reason !== "" ? { reason } : {}) };
}

/** A choice as the answer of a confirmation; null for a value that is not a choice. */
export function answerOfChoice(value: Readonly<Record<string, unknown>>) {
  const { choice, reason } = value;
  if (choice !== "once" && choice !== "always" && choice !== "no") return null;
  const ok = choice !== "no";
  return { ok, ...(ok ? { remember: choice === "always" } : {}), ...(typeof reason === "string" ? { reason } : {}) };
}
