// One agent in one terminal, from start to end: takes the terminal, opens the link, keeps both together, gives the terminal
// back however it ends. An agent that exits with code 75 wants to be started again, and is, without a word.
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { AgentCommand, AgentExit } from "../../links/agent-process.js";
import { openSessionLink } from "../../links/session-link.js";
import { asciiGlyphs, unicodeGlyphs } from "../../screen/blocks/glyphs.js";
import { RESCUE_BYTES } from "../../screen/handover.js";
import type { Environment } from "../../screen/profile.js";
import { ERASE_BELOW } from "../../screen/sequences.js";
import { colourDepthOf } from "../../screen/style/colour-depth.js";
import { createStyle } from "../../screen/style/style.js";
import { humanDuration } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { ExitGuard } from "../terminal/exit-guard.js";
import { KeyStream } from "../terminal/key-stream.js";
import { GIVE_KEYBOARD_BACK } from "../terminal/modes.js";
import { OwnedTerminal } from "../terminal/owned-terminal.js";
import type { InputStream, OutputStream, ProcessEvents } from "../terminal/streams.js";
import { startWatchdog, type Watchdog } from "../terminal/watchdog.js";
import { historyPath, openHistory } from "./history-file.js";
import { TerminalApp } from "./terminal-app.js";

export interface RunPorts {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly events: ProcessEvents;
  readonly environment: Environment;
  readonly folder: string;
  readonly clock: { nowMs(): number; after(delayMs: number, run: () => void): () => void };
}

/**
 * What the watchdog writes when we could not: the live area goes, and every mode is as it was. The shell may have written
 * its prompt already; then the cursor stands behind that, and what is erased below it is still only ours.
 */
const AFTER_KILL = `${ERASE_BELOW}${RESCUE_BYTES}${GIVE_KEYBOARD_BACK}`;

/** "Start me again", as an exit code. */
const RESTART_CODE = 75;

const initialize: LinesCommand = {
  type: "initialize",
  protocol_version: "1",
  client: { name: "palaver" },
  ui_capabilities: {
    supports_select: true,
    supports_confirm: true,
    supports_input: true,
    supports_editor: true,
    supports_confirm_details: true,
    supports_markdown: true,
    supports_permission_preflight_events: true,
  },
};

/** Resolves when the person has left and the agent is gone. */
export function runInTerminal(command: AgentCommand, ports: RunPorts): Promise<void> {
  return new Promise((resolve) => {
    const session = new TerminalSession(command, ports, resolve);
    session.start();
  });
}

class TerminalSession {
  private readonly command: AgentCommand;
  private readonly ports: RunPorts;
  private readonly onLeft: () => void;
  private readonly terminal: OwnedTerminal;
  private readonly guard: ExitGuard;
  private readonly keys: KeyStream;
  private readonly app: TerminalApp;
  private watchdog: Watchdog | null = null;
  private link: ReturnType<typeof openSessionLink> | null = null;
  private openedAtMs = 0;
  private state: "running" | "restarting" | "leaving" = "running";

  constructor(command: AgentCommand, ports: RunPorts, onLeft: () => void) {
    this.command = command;
    this.ports = ports;
    this.onLeft = onLeft;
    const { input, output, environment, clock } = ports;
    this.terminal = new OwnedTerminal(
      { input, output, environment, timers: clock, windowEvents: ports.events },
      {
        onKeyboard: (protocol) => {
          this.keys.protocol = protocol;
        },
        onResize: (size) => this.app.resize(size),
        onProfile: (profile) => {
          this.app.screen.setProfile(profile);
          this.app.draw("now");
        },
        onDrained: () => this.app.drained(),
        onInputClosed: () => void this.leave(),
      },
    );
    this.app = new TerminalApp(
      {
        agent: agentName(command),
        folder: ports.folder,
        history: openHistory(historyPath(environment)),
        style: createStyle({ theme: "harbour", depth: colourDepthOf(environment) }),
        glyphs: /utf-?8/i.test(localeOf(environment)) ? unicodeGlyphs : asciiGlyphs,
      },
      {
        clock,
        terminal: this.terminal,
        send: (frame) => void this.link?.send(frame),
        leave: () => void this.leave(),
        restart: () => void this.restart(),
      },
    );
    this.keys = new KeyStream((sequence) => (keyIsSuspend(sequence) ? this.guard.stop() : this.app.key(sequence)));
    this.guard = new ExitGuard(ports.events, {
      giveBack: () => {
        this.app.screen.suspend();
        this.terminal.write(RESCUE_BYTES);
        this.terminal.stop();
        this.watchdog?.dismiss();
      },
      takeAgain: () => {
        this.terminal.start();
        // The window may have changed while we were away, and resuming begins with its width.
        this.app.resize(this.terminal.size);
        this.app.screen.resume();
        this.watchdog = startWatchdog(AFTER_KILL);
      },
      timers: clock,
    });
  }

  start(): void {
    this.guard.arm();
    this.terminal.start();
    this.terminal.onInput((chunk) => this.keys.read(chunk));
    this.app.draw("now");
    this.open();
    this.watchdog = startWatchdog(AFTER_KILL);
  }

  private open(): void {
    this.state = "running";
    this.openedAtMs = this.ports.clock.nowMs();
    this.app.linkChanged("opened", []);
    const link = openSessionLink(this.command, {
      onEvent: (event) => this.hear(event),
      nowMs: () => this.ports.clock.nowMs(),
    });
    this.link = link;
    void link.exited.then((exit) => this.closed(exit));
  }

  private hear(event: SessionEvent): void {
    if (event.type === "agent.readied") this.link?.send(initialize);
    this.app.hear(event);
  }

  private closed(exit: AgentExit): void {
    this.link = null;
    if (this.state === "leaving") return;
    const wantsAgain = this.state === "restarting" || exit.code === RESTART_CODE;
    this.app.linkChanged("closed", wantsAgain ? [] : this.lastWords(exit));
    if (wantsAgain) this.open();
  }

  private lastWords(exit: AgentExit): string[] {
    const took = humanDuration(this.ports.clock.nowMs() - this.openedAtMs);
    const name = safeLine(agentName(this.command));
    const head =
      exit.error === null
        ? `${name} ended with code ${exit.code} after ${took}`
        : `${name} could not be started: ${exit.error}`;
    const stderr = exit.stderrTail.trimEnd().split("\n").slice(-5).filter(Boolean);
    return [head, ...stderr, "/restart starts it again, /quit leaves"];
  }

  private async restart(): Promise<void> {
    if (this.link === null) return this.open();
    this.state = "restarting";
    await this.link.stop();
  }

  private async leave(): Promise<void> {
    if (this.state === "leaving") return;
    this.state = "leaving";
    const { link } = this;
    this.app.close();
    await this.terminal.whenAnswered();
    this.terminal.stop();
    this.keys.close();
    this.guard.disarm();
    this.watchdog?.dismiss();
    await link?.stop();
    this.onLeft();
  }
}

function keyIsSuspend(sequence: string): boolean {
  return sequence === "\x1a";
}

function agentName({ command, args }: AgentCommand): string {
  const words = [command, ...args].map((word) => word.split("/").at(-1) ?? word);
  if (words[1] === "cli.js" && words[2] === "agent") return "palaver";
  const isInterpreter = /^(?:node|python3?|ruby|bash|sh|deno|bun)$/.test(words[0] ?? "");
  return (isInterpreter ? words[1] : words[0]) ?? command;
}

function localeOf(environment: Environment): string {
  return environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "UTF-8";
}
