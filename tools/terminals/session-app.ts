// The program that runs inside the terminal under test: it plays a scripted session, either through the product's own
// inline screen and terminal port, or by plain printing, which is what the screen is compared with.

import { closeSync, openSync, writeSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { onLines, type Report, send } from "./conversation.js";
import { InlineProgram } from "./inline-program.js";
import { PlainProgram } from "./plain-program.js";
import type { AppOptions, Program, ProgramPorts } from "./program.js";
import { END_MARK, type SessionScript, sessionScript } from "./session-script.js";

const QUIET_MS = 400;

class Session {
  private readonly options: AppOptions;
  private readonly socket: Socket;
  private readonly script: SessionScript;
  private readonly journal: number | undefined;
  private bytes = 0;
  private goneUpTo = -1;
  private onGone: () => void = () => undefined;

  constructor(options: AppOptions, socket: Socket) {
    this.options = options;
    this.socket = socket;
    this.script = sessionScript(options);
    this.journal = options.journal === undefined ? undefined : openSync(options.journal, "w");
    onLines(socket, (line) => {
      this.goneUpTo = (JSON.parse(line) as { checkpoint: number }).checkpoint;
      this.onGone();
    });
  }

  async run(): Promise<void> {
    const ports: ProgramPorts = {
      write: (bytes) => this.write(bytes),
      onResize: (size) => {
        this.note({ resized: size });
        this.tell({ type: "resized", size });
      },
    };
    process.stdout.write(`${this.script.shell.join("\r\n")}\r\n`);
    const { mode, liveText } = this.options;
    const program: Program = mode === "inline" ? new InlineProgram(ports, liveText) : new PlainProgram(ports);
    await program.start();
    const { columns = 0, rows = 0 } = process.stdout;
    this.tell({ type: "ready", profile: program.profileName, size: { columns, rows } });
    await this.play(program);
    if (this.options.pauseAtPiece !== undefined) return;
    await pause(QUIET_MS);
    program.end();
    process.stdout.write(`${END_MARK}\r\n`);
    if (this.journal !== undefined) closeSync(this.journal);
    this.tell({ type: "done", bytes: this.bytes, frames: program.frames });
  }

  private async play(program: Program): Promise<void> {
    const { pieces, moments, checkpoints } = this.script;
    let checkpoint = 0;
    for (let at = 0; at < Math.min(pieces.length, this.options.pauseAtPiece ?? pieces.length); at++) {
      if (checkpoints[checkpoint]?.atPiece === at) {
        await this.gone(checkpoint - 1);
        this.note({ reached: checkpoint });
        this.tell({ type: "reached", checkpoint });
        checkpoint += 1;
      }
      for (const moment of moments.get(at) ?? []) program.moment(moment);
      program.stream(pieces[at] ?? "");
      await pause(this.options.pieceMs);
    }
    if (this.options.pauseAtPiece === undefined) await this.gone(checkpoints.length - 1);
  }

  // The stream may run while the window changes, but never so far ahead that it ends before the last change.
  private gone(checkpoint: number): Promise<void> {
    if (this.goneUpTo >= checkpoint) return Promise.resolve();
    return new Promise((resolve) => {
      this.onGone = () => {
        if (this.goneUpTo >= checkpoint) resolve();
      };
    });
  }

  private write(bytes: string): boolean {
    this.bytes += Buffer.byteLength(bytes);
    this.note({ wrote: bytes });
    return process.stdout.write(bytes);
  }

  private note(what: object): void {
    if (this.journal === undefined) return;
    writeSync(this.journal, `${JSON.stringify({ atMs: Math.round(performance.now()), ...what })}\n`);
  }

  private tell(report: Report): void {
    send(this.socket, report);
  }
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

// The window closes when its program ends, so the program stays until the driver has read everything.
const options = JSON.parse(process.argv[2] ?? "{}") as AppOptions;
const socket = connect(options.socket);
socket.on("close", () => process.stdin.destroy());
new Session(options, socket).run().catch((error: unknown) => {
  send(socket, { type: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
});
