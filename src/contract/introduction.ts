// How Palaver's own front ends introduce themselves to an agent on the lines wire: their name, and what they can show and ask.
import { allDialogs, PROTOCOL_VERSION } from "./capabilities.js";
import type { LinesCommand } from "./lines-commands.js";

export const introduction: LinesCommand = {
  type: "initialize",
  protocol_version: PROTOCOL_VERSION,
  client: { name: "palaver" },
  ui_capabilities: {
    ...allDialogs,
    supports_multi_select: true,
    supports_confirm_details: true,
    supports_markdown: true,
    supports_message_deltas: true,
    supports_permission_preflight_events: true,
  },
};
