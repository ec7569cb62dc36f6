// What each side can do, said once at the beginning: `initialize {ui_capabilities}` → `initialized {server_capabilities}`.
// A bit that is missing means no. Both sides must have a bit before either relies on it.
import * as z from "zod";
import { type DialogMethod, dialogMethods } from "./dialogs.js";

/** The version of the lines wire that this package speaks; it stands in `ready` and in `initialized`. */
export const PROTOCOL_VERSION = "1";

/** One bit for each kind of dialog. */
function dialogBits<Value>(value: Value) {
  const bits = dialogMethods.map((method) => [`supports_${method}`, value]);
  return Object.fromEntries(bits) as { [Method in DialogMethod as `supports_${Method}`]: Value };
}

/** Every dialog that there is, as Palaver's own front ends have them. */
export const allDialogs = dialogBits(true);

export const uiCapabilitiesSchema = z
  .looseObject({
    ...dialogBits(z.boolean().optional()),
    supports_multi_select: z.boolean().optional(),
    supports_confirm_details: z.boolean().optional(),
    supports_markdown: z.boolean().optional(),
    supports_images: z.boolean().optional(),
    supports_permission_preflight_events: z.boolean().optional(),
    supports_message_deltas: z.boolean().optional(),
  })
  .meta({ id: "UiCapabilities", description: "What the front end can show and ask." });

export const serverCapabilitiesSchema = z
  .looseObject({
    supports_sessions: z.boolean().optional(),
    supports_models: z.boolean().optional(),
    supports_config: z.boolean().optional(),
    supports_save: z.boolean().optional(),
    supports_permission_preflight_events: z.boolean().optional(),
    supports_message_deltas: z.boolean().optional(),
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
