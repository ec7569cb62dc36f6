// What each side can do, said once at the beginning: `initialize {ui_capabilities}` → `initialized {server_capabilities}`.
// A bit that is missing means no. Both sides must have a bit before either relies on it.
import * as z from "zod";
import { type DialogMethod, dialogMethods } from "./dialogs.js";

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
    supports_reset: bit("`reset`, and the conversation is empty for the next `prompt`."),
    supports_stats: bit("`stats`. If it is missing, front ends offer the command; if it is false, they do not."),
    supports_debug: bit("`debug`. If it is missing, front ends offer the command; if it is false, they do not."),
    supports_images: bit("`prompt` takes `images`."),
    supports_permission_preflight_events: bit("`permission.preview` and `permission.ready` are sent."),
    supports_message_deltas: bit("`message_delta` is sent."),
  })
  .meta({ id: "ServerCapabilities", description: "What the agent can do beyond prompt, abort, ping and quit." });

export type UiCapabilities = z.infer<typeof uiCapabilitiesSchema>;
export type ServerCapabilities = z.infer<typeof serverCapabilitiesSchema>;

/** Commands of the agent's own, for completion after a slash; `/name` is sent to it as a prompt. */
export const agentCommandsSchema = z.array(
  z.object({
    name: z.string().describe("Without the slash."),
    summary: z.string().describe("One line about it."),
    hint: z.string().optional().describe("What to type behind it, such as `[file]`."),
  }),
);
export type AgentCommands = z.infer<typeof agentCommandsSchema>;

/** What the user can choose for a setting of the agent. */
export const settingOptionsSchema = z.array(
  z.object({
    value: z.string().describe("What `set_config` gets."),
    label: z.string().describe("What the user sees."),
    description: z.string().optional().describe("More about it."),
  }),
);

/** The agent's modes, such as one that only reads. `set_config` with the key `mode` chooses one by its value. */
export const agentModesSchema = z.object({
  current: z.string().describe("The value of one of the options."),
  options: settingOptionsSchema.describe("All modes."),
});
export type AgentModes = z.infer<typeof agentModesSchema>;
