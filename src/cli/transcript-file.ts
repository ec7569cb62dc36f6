// `/export`: the transcript as a file, without secrets and without overwriting anything that was not named.

import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "../contract/plain-word.js";
import type { Journal } from "../session/transcript/journal.js";
import { createRedactor, secretsIn } from "../text/redact.js";

const endings = { md: "markdown", json: "json", html: "html" } as const;

/** Where it was written, or why not, in words. `secrets` are those that were typed: an agent may have repeated one. */
export async function exportToFile(
  journal: Journal,
  wish: { format: string; path: string; agent: string; secrets?: Iterable<string> },
): Promise<string> {
  const ending = wish.format in endings ? (wish.format as keyof typeof endings) : "md";
  const now = new Date();
  const path = resolve(wish.path || freeName(wish.agent, now, ending));
  const facts = {
    agent: wish.agent,
    exportedAt: now.toISOString(),
    palaver: PALAVER_VERSION,
    dropped: journal.dropped,
  };
  // Nobody exports in the first moment, and what writes Markdown and HTML is large.
  const { exportTranscript } = await import("../terminal/painter/export/export-transcript.js");
  const redactor = createRedactor([...secretsIn(process.env), ...(wish.secrets ?? [])]);
  const text = exportTranscript(journal.blocks, endings[ending], facts, redactor);
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    return `not exported: ${errorMessage(error)}`;
  }
  return `written to ${path}`;
}

function freeName(agent: string, now: Date, ending: string): string {
  const stem = `${agent.replace(/[^\w.-]+/g, "-")}-${now.toISOString().slice(0, 16).replace(/[:T]/g, "-")}`;
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.${ending}`;
    if (!existsSync(name)) return name;
  }
}
