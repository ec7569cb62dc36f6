// The terminal UI wired to this process: its streams, its clock, its settings. `run`, `replay` and plain `palaver` open it.

import { errorMessage } from "../contract/plain-word.js";
import type { AgentConnection, ConnectedAgent } from "../host/agent-connection.js";
import { createKeymap } from "../session/keymap.js";
import type { Settings } from "../session/settings/setting-table.js";
import type { Environment } from "../session/user-folders.js";
import { glyphsFor } from "../terminal/painter/blocks/glyphs.js";
import { createSwitchableStyle } from "../terminal/painter/style/style.js";
import { colourDepthOf, type GroundHints, themeFor } from "../terminal/painter/style/theme-choice.js";
import { lookOf } from "../views/inline/app-look.js";
import { callWayFor } from "../views/inline/attention-caller.js";
import { editorCommand } from "../views/inline/external-editor.js";
import { type RunPorts, runInTerminal, type ViewedAgent } from "../views/inline/run-in-terminal.js";
import { isDumbTerminal } from "../views/reader/dumb-terminal.js";
import type { LoadedConfig } from "./config/load-config.js";
import { UsageError } from "./exit-codes.js";
import { LiveSettings } from "./live-settings.js";
import { processClock } from "./process-clock.js";
import type { RunPairing } from "./run-pairing.js";
import { exportToFile } from "./transcript-file.js";

/** Resolves with the session that was active, when something was said in it. */
export async function openTerminal(
  agent: ConnectedAgent,
  config: LoadedConfig,
  start: Pick<RunPorts, "welcome" | "firstPrompt" | "saved" | "first"> = {},
): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError('the terminal UI needs a terminal on stdin and stdout; without one: echo "…" | palaver');
  }
  const printWarnings = keepWarnings();
  const { environment } = config;
  const live = new LiveSettings(config.settings, environment);
  const { settings } = live;
  let hints: GroundHints = { colorfgbg: environment["COLORFGBG"] };
  const style = createSwitchableStyle({
    theme: themeFor(settings.theme, hints),
    depth: colourDepthOf(environment, settings.colour),
  });
  const look = { style, glyphs: glyphsFor(environment), ...lookOf(settings) };
  const restyle = () => {
    const { theme, colour } = live.settings;
    style.switchTo({ theme: themeFor(theme, hints), depth: colourDepthOf(environment, colour) });
    Object.assign(look, lookOf(live.settings));
  };
  const run = await runnerFor(screenFor(config));
  const secrets = new Set<string>();
  const viewed = viewedAgent(agent, screenFor(config), secrets);
  await run(viewed, {
    input: process.stdin,
    output: process.stdout,
    events: process,
    environment,
    folder: process.cwd(),
    clock: processClock,
    look,
    screen: screenFor(config),
    typingGuardMs: settings.typing_guard_ms,
    callWay: settings.notifications === "auto" ? callWayFor(environment) : settings.notifications,
    keymap: createKeymap(settings.keys).keymap,
    editor: editorCommand(settings.editor, environment),
    warnings: config.warnings,
    ...start,
    settings: () => live.choices(),
    change(key, value, use) {
      const trouble = live.change(key, value, use);
      restyle();
      return trouble;
    },
    onGround(hint) {
      hints = { ...hints, ...hint };
      restyle();
    },
    exportTranscript: (journal, format, path) => exportToFile(journal, { format, path, agent: agent.name, secrets }),
    pair: (say) => void viewed.pair(say, environment, live.settings),
  });
  await Promise.all([viewed.endPairing(), live.saved]);
  printWarnings();
  for (const words of live.unsaved) process.stderr.write(`palaver: ${words}\n`);
  return viewed.lastSession();
}

// The connection is loaded after the first frame, so that the prompt is there at once.
function viewedAgent(agent: ConnectedAgent, by: string, secrets: Set<string>) {
  let connected: AgentConnection | null = null;
  let pairing: Promise<RunPairing> | null = null;
  return {
    name: agent.name,
    /** Loaded with the first `/pair`. */
    async pair(say: (words: string) => void, environment: Environment, settings: Settings): Promise<void> {
      const connection = connected;
      if (connection === null) return;
      const place = { port: settings["pair.port"], publicUrl: settings["pair.public_url"] };
      const about = { connection, agent: agent.name, folder: process.cwd(), environment, secrets, ...place };
      pairing ??= import("./run-pairing.js").then(({ openRunPairing }) => openRunPairing(about));
      try {
        await (await pairing).pair(say);
      } catch (error) {
        pairing = null;
        say(`the session could not be opened to a browser: ${errorMessage(error)}`);
      }
    },
    async endPairing(): Promise<void> {
      const opened = await pairing?.catch(() => null);
      await opened?.close();
    },
    lastSession(): string | null {
      if (connected === null) return null;
      const { sessions, active } = connected.source.state;
      const blocks = sessions.find(({ id }) => id === active)?.journal.blocks ?? [];
      return blocks.some(({ kind }) => kind === "prompt") ? active : null;
    },
    async connect(ports: Parameters<ViewedAgent["connect"]>[0]) {
      const [{ AgentConnection }, { keepAsks }] = await Promise.all([
        import("../host/agent-connection.js"),
        import("./keep-asks.js"),
      ]);
      const onSecret = (secret: string) => {
        secrets.add(secret);
        pairing?.then(
          ({ redactor }) => redactor.declare(secret),
          () => undefined,
        );
      };
      const audit = keepAsks(agent.name, () => secrets);
      const connection = new AgentConnection(agent, { ...ports, by, onSecret, audit });
      connected = connection;
      return connection;
    },
  };
}

/** A terminal that can only append gets the reader, unless a screen is chosen. */
function screenFor({ settings, origins, environment }: LoadedConfig): LoadedConfig["settings"]["screen"] {
  return (origins.get("screen") ?? []).length === 0 && isDumbTerminal(environment) ? "reader" : settings.screen;
}

async function runnerFor(screen: ReturnType<typeof screenFor>): Promise<typeof runInTerminal> {
  return screen === "reader" ? (await import("../views/reader/run-reader.js")).runReader : runInTerminal;
}

// Node would write its warnings into the middle of the screen; they are printed when the screen is closed.
function keepWarnings(): () => void {
  const kept: string[] = [];
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => kept.push(`${name}: ${message}`));
  return () => {
    for (const warning of kept) process.stderr.write(`${warning}\n`);
  };
}
