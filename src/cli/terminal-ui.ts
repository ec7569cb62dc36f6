// The terminal UI wired to this process: its streams, its clock, its settings. `run`, `replay` and plain `palaver` open it.
import { createKeymap } from "../core/keymap.js";
import { asciiGlyphs, unicodeGlyphs } from "../screen/blocks/glyphs.js";
import type { Environment } from "../screen/profile.js";
import { colourDepthOf } from "../screen/style/colour-depth.js";
import { createStyle } from "../screen/style/style.js";
import { callWayFor } from "../tui/app/attention-bytes.js";
import { editorCommand } from "../tui/app/external-editor.js";
import { type Partner, runInTerminal } from "../tui/app/run-in-terminal.js";
import { UsageError } from "./usage-error.js";

export async function openTerminal(partner: Partner): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError('the terminal UI needs a terminal on stdin and stdout; without one: echo "…" | palaver');
  }
  const printWarnings = keepWarnings();
  const environment = process.env;
  await runInTerminal(partner, {
    input: process.stdin,
    output: process.stdout,
    events: process,
    environment,
    folder: process.cwd(),
    clock: {
      nowMs: () => performance.now(),
      after(delayMs, run) {
        const timer = setTimeout(run, Math.min(delayMs, DELAY_MS_MAX));
        return () => clearTimeout(timer);
      },
    },
    look: {
      style: createStyle({ theme: "harbour", depth: colourDepthOf(environment) }),
      glyphs: /utf-?8/i.test(localeOf(environment)) ? unicodeGlyphs : asciiGlyphs,
      wrap: "words",
      thinking: "shown",
      motion: "full",
      outputLinesMax: 5,
    },
    callWay: callWayFor(environment),
    keymap: createKeymap({}).keymap,
    editor: editorCommand("", environment),
    settings: () => [],
    change: () => null,
    exportTranscript: () => "not yet",
  });
  printWarnings();
}

/** A longer delay overflows the platform's timer and would end at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

// Node writes its warnings straight to stderr, into the middle of the screen. They wait until the screen is gone.
function keepWarnings(): () => void {
  const kept: string[] = [];
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => kept.push(`${name}: ${message}`));
  return () => {
    for (const warning of kept) process.stderr.write(`${warning}\n`);
  };
}

function localeOf(environment: Environment): string {
  return environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "UTF-8";
}
