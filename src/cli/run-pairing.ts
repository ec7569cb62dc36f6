// `/pair` in a terminal: opens its session to a browser. All of it is loaded when the user wants it, and ends with the terminal.
import type { AgentConnection } from "../host/agent-connection.js";
import { shareRun } from "../host/shared-run.js";
import { openRunPage } from "../server/page/run-page.js";
import { createRedactor, type Redactor, secretsIn } from "../text/redact.js";
import { pairText } from "./commands/pair-commands.js";

export interface RunPairingOptions {
  readonly connection: AgentConnection;
  readonly agent: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Secrets that were typed so far; what shows a code is added. */
  readonly secrets: Set<string>;
}

export interface RunPairing {
  readonly redactor: Redactor;
  /** Shows a new address; `say` gets words for the user, now and when the device has paired. */
  pair(say: (words: string) => void): Promise<void>;
  close(): Promise<void>;
}

export async function openRunPairing(options: RunPairingOptions): Promise<RunPairing> {
  const { connection, agent, folder, environment, secrets } = options;
  const redactor = createRedactor([...secretsIn(environment), ...secrets]);
  const shared = shareRun({ connection, redaction: redactor, agent, folder });
  const say = (words: string) => connection.source.dispatch({ type: "notice", level: "warn", text: words });
  const page = await openRunPage({ sessions: shared, version: PALAVER_VERSION, project: folder, onProblem: say });
  let isOpen = true;
  return {
    redactor,
    async pair(show) {
      const { url, outcome } = page.newPairCode();
      const text = pairText(url, "plain");
      // The code is for those at this terminal, and not for views elsewhere or an exported transcript.
      redactor.declare(text);
      secrets.add(text);
      show(text);
      const result = await outcome;
      if (!isOpen) return;
      show(result.state === "paired" ? `paired: ${result.device.name}` : "no device has paired; the code has expired");
    },
    async close() {
      isOpen = false;
      await page.close();
      await shared.close();
    },
  };
}
