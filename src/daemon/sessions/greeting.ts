// How a daemon greets an agent. Whoever looks at the session later can show everything that Palaver has, so that is what it says.
import type { LinesCommand } from "../../contract/lines-commands.js";

export const greeting: LinesCommand = {
  type: "initialize",
  protocol_version: "1",
  client: { name: "palaver" },
  ui_capabilities: {
    supports_select: true,
    supports_confirm: true,
    supports_input: true,
    supports_editor: true,
    supports_form: true,
    supports_multi_select: true,
    supports_message_deltas: true,
    supports_confirm_details: true,
    supports_markdown: true,
    supports_permission_preflight_events: true,
  },
};
