// `/export`: the transcript as a file, without secrets and without overwriting anything that was not named.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
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
  // What writes Markdown and HTML is large, and an export comes late in a session.
  const { exportTranscript } = await import("../terminal/painter/export/export-transcript.js");
  const redactor = createRedactor([...secretsIn(process.env), ...(options.secrets ?? [])]);
  const text = exportTranscript(journal.blocks, endings[ending], facts, redactor);
  try {
    if (options.path === "") return `written to ${writeNew(options.agent, now, ending, text)}`;
    const path = resolve(options.path.replace(/^~(?=\/)/, () => homedir()));
    writeNamed(path, text);
    return `written to ${realpathSync(path)}`;
  } catch (error) {
    return `not exported: ${errorMessage(error)}`;
  }
}

// An agent may have put something else in the place of the file: a link would lead the text elsewhere, and a pipe would wait
// for its reader.
function writeNamed(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const file = openNamed();
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a plain file`);
    ftruncateSync(file);
    fchmodSync(file, 0o600);
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }

  function openNamed(): number {
    try {
      return openSync(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW, 0o600);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ELOOP") throw new Error(`${path} is a link`);
      throw code === "ENXIO" ? new Error(`${path} is not a plain file`) : error;
    }
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
