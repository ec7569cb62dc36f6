// The attached view on this process's terminal, as its settings want it. It is loaded while the daemon is already answering.
import { createKeymap } from "../../session/keymap.js";
import { glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import { createSwitchableStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, type GroundHints, themeFor } from "../../terminal/painter/style/theme-choice.js";
import type { AttachDaemon } from "../../views/attach/attach-daemon.js";
import { type AttachPorts, runAttach } from "../../views/attach/run-attach.js";
import { lookOf } from "../../views/inline/app-look.js";
import { editorCommand } from "../../views/inline/external-editor.js";
import type { LoadedConfig } from "../config/load-config.js";
import { processClock } from "../process-clock.js";
import { exportToFile } from "../transcript-file.js";

/** Resolves when the user has left; rejects when the daemon refuses us. */
export function openAttach(daemon: AttachDaemon, config: LoadedConfig): Promise<void> {
  return withoutWarnings(() => runAttach(daemon, portsOf(config)));
}

function portsOf({ settings, environment }: LoadedConfig): AttachPorts {
  let hints: GroundHints = { colorfgbg: environment["COLORFGBG"] };
  const style = createSwitchableStyle({
    theme: themeFor(settings.theme, hints),
    depth: colourDepthOf(environment, settings.colour),
  });
  return {
    input: process.stdin,
    output: process.stdout,
    events: process,
    environment,
    folder: process.cwd(),
    clock: processClock,
    wallMs: Date.now,
    look: { style, glyphs: glyphsFor(environment), ...lookOf(settings) },
    keymap: createKeymap(settings.keys).keymap,
    editor: editorCommand(settings.editor, environment),
    typingGuardMs: settings.typing_guard_ms,
    onGround(hint) {
      hints = { ...hints, ...hint };
      style.switchTo({ theme: themeFor(settings.theme, hints) });
    },
    exportTranscript: (journal, format, path) => exportToFile(journal, { format, path, agent: "session" }),
  };
}

// Node writes its warnings into the middle of the screen; they wait until it is gone.
async function withoutWarnings(work: () => Promise<void>): Promise<void> {
  const kept: string[] = [];
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => kept.push(`${name}: ${message}\n`));
  try {
    await work();
  } finally {
    process.stderr.write(kept.join(""));
  }
}
