// How Palaver's own front ends introduce themselves to an agent on the lines wire: their name, and what they can show and ask.
import { allDialogs } from "./capabilities.js";
import type { LinesCommand } from "./lines-commands.js";
import { PROTOCOL_VERSION, protocolVersions } from "./protocol-versions.js";

/** `version` is the one in the agent's `ready`: an agent of version 1 finds its own there. */
export function introduction(version: string = PROTOCOL_VERSION): Extract<LinesCommand, { type: "initialize" }> {
  return {
    type: "initialize",
    protocol_version: version,
    protocol_versions: [...protocolVersions],
    client: { name: "palaver" },
    ui_capabilities: {
      ...allDialogs,
      supports_permission: true,
      supports_multi_select: true,
      supports_confirm_details: true,
      supports_markdown: true,
      supports_message_deltas: true,
      supports_permission_preflight_events: true,
    },
  };
}
