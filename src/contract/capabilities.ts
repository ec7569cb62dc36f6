// What each side can do, said once at the beginning: `initialize {ui_capabilities}` → `initialized {server_capabilities}`.
// A bit that is missing means no. Both sides must have a bit before either relies on it.
import * as z from "zod";
import { type DialogMethod, dialogMethods } from "./dialogs.js";

/** The version of the lines wire that this package speaks by default; it stands in `ready` and in `initialized`. */
export const PROTOCOL_VERSION = "2";

/** All versions that it speaks. */
export const protocolVersions = ["1", "2"] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** The version whose rules hold: "2.1" only adds to "2". Null for one that this package does not know. */
export function knownVersion(version: string): ProtocolVersion | null {
  const [major] = version.split(".", 1);
  return protocolVersions.find((known) => known === major) ?? null;
}

/** What an agent that began with `own` uses for a front end that knows `versions`: its own, or the newest below it. */
export function agreedVersion(own: ProtocolVersion, versions: readonly string[]): ProtocolVersion {
  const shared = protocolVersions.filter((known) => versions.some((version) => knownVersion(version) === known));
  return shared.includes(own) ? own : (shared.filter((known) => known < own).at(-1) ?? own);
}

export function unknownVersionWords(version: string): string {
  const known = protocolVersions.join(" and ");
  return `it uses version ${JSON.stringify(version.slice(0, 40))} of the lines protocol; this Palaver supports ${known}`;
}

function bit(description: string) {
  return z.boolean().optional().describe(description);
}

/** One bit for each kind of dialog. */
function dialogBits<Value>(value: Value) {
  const bits = dialogMethods.map((method) => [`supports_${method}`, value]);
  return Object.fromEntries(bits) as { [Method in DialogMethod as `supports_${Method}`]: Value };
}

/** Every dialog that there is, as Palaver's own front ends have them. */
export const allDialogs = dialogBits(true);

export const uiCapabilitiesSchema = z
  .looseObject({
    ...dialogBits(bit("This kind of question.")),
    supports_permission: bit("`permission` as a question of its own; without it, ask with `confirm`."),
    supports_multi_select: bit("`opts.multiple` of `select`."),
    supports_confirm_details: bit("`opts.details`, `command`, `diff` and `path` of `confirm` are shown."),
    supports_markdown: bit("Messages are shown as Markdown."),
    supports_images: bit("Images in messages are shown."),
    supports_permission_preflight_events: bit("`permission.preview` and `permission.ready` are understood."),
    supports_message_deltas: bit("`message_delta` is understood."),
  })
  .meta({ id: "UiCapabilities", description: "What the front end can show and ask." });

export const serverCapabilitiesSchema = z
  .looseObject({
    supports_sessions: bit(
      "`start_session`, `close_session`, `set_active_session`, `list_sessions` and `list_running_sessions`.",
    ),
    supports_models: bit("`list_models`."),
    supports_config: bit("`get_config` and `set_config`."),
    supports_save: bit("`save`."),
    supports_images: bit("`prompt` takes `images`."),
    supports_permission_preflight_events: bit("`permission.preview` and `permission.ready` are sent."),
    supports_message_deltas: bit("`message_delta` is sent."),
  })
  .meta({ id: "ServerCapabilities", description: "What the agent can do beyond prompt, abort, ping and quit." });

export type UiCapabilities = z.infer<typeof uiCapabilitiesSchema>;
export type ServerCapabilities = z.infer<typeof serverCapabilitiesSchema>;

/** True when both sides said yes; otherwise the legacy texts are sent. */
export function agreeOnPreflightEvents(ui: UiCapabilities, server: ServerCapabilities): boolean {
  return ui.supports_permission_preflight_events === true && server.supports_permission_preflight_events === true;
}

/** True when both sides said yes: a message is then sent as what was added to it, and whole only at its end. */
export function agreeOnMessageDeltas(ui: UiCapabilities, server: ServerCapabilities): boolean {
  return ui.supports_message_deltas === true && server.supports_message_deltas === true;
}

/** Commands of the agent's own, for completion after a slash; `/name` is sent to it as a prompt. */
export const agentCommandsSchema = z.array(
  z.object({ name: z.string(), summary: z.string(), hint: z.string().optional() }),
);
export type AgentCommands = z.infer<typeof agentCommandsSchema>;

/** The agent's modes, such as one that only reads. `set_config` with the key `mode` chooses one by its value. */
export const agentModesSchema = z.object({
  current: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string(), description: z.string().optional() })),
});
export type AgentModes = z.infer<typeof agentModesSchema>;
