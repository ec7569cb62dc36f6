// `/export`: the transcript as a file, without secrets and without overwriting anything that was not named.

import { closeSync, constants, openSync, realpathSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "../contract/plain-word.js";
import type { Journal } from "../session/transcript/journal.js";
import { createRedactor, secretsIn } from "../text/redact.js";

/** So many files of one minute are tried before the export is refused. */
const NAMES_MAX = 100;

const endings = { md: "markdown", json: "json", html: "html" } as const;

/** Where it was written, or why not, in words. `secrets` are those that were typed: an agent may have repeated one. */
export async function exportToFile(
  journal: Journal,
  options: { format: string; path: string; agent: string; secrets?: Iterable<string> },
): Promise<string> {
  const ending = options.format in endings ? (options.format as keyof typeof endings) : "md";
  const now = new Date();
  const facts = {
    agent: options.agent,
    exportedAt: now.toISOString(),
    palaver: PALAVER_VERSION,
    dropped: journal.dropped,
  };
  // Nobody exports in the first moment, and what writes Markdown and HTML is large.
  const { exportTranscript } = await import("../terminal/painter/export/export-transcript.js");
  const redactor = createRedactor([...secretsIn(process.env), ...(options.secrets ?? [])]);
  const text = exportTranscript(journal.blocks, endings[ending], facts, redactor);
  try {
    if (options.path === "") return `written to ${writeNew(options.agent, now, ending, text)}`;
    // A link that an agent has put there would lead the text elsewhere.
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
    const file = openSync(resolve(options.path), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    return `written to ${realpathSync(resolve(options.path))}`;
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === "ELOOP";
    return `not exported: ${isLink ? `${resolve(options.path)} is a link` : errorMessage(error)}`;
  }
}

// The file must not be there before: a link that an agent has put in its place would lead the text elsewhere.
function writeNew(agent: string, now: Date, ending: string, text: string): string {
  const stem = `${agent.replace(/[^\w.-]+/g, "-")}-${now.toISOString().slice(0, 16).replace(/[:T]/g, "-")}`;
  for (let number = 1; ; number += 1) {
    const path = resolve(`${stem}${number === 1 ? "" : `-${number}`}.${ending}`);
    try {
      writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || number >= NAMES_MAX) throw error;
    }
  }
}
