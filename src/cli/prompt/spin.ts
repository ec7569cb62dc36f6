// `palaver ask spin`: shows a spinner while a command runs. The command's output appears line by line above the spinner, which
// has one line for itself.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { safeLine } from "../../text/safe.js";
import { UsageError } from "../exit-codes.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const CLEAR = "\r\x1b[K";

export async function spin(args: readonly string[]): Promise<number> {
  const dashes = args.indexOf("--");
  const [title, ...more] = args.slice(0, Math.max(dashes, 0));
  const [command, ...rest] = args.slice(dashes + 1);
  if (dashes < 0 || title === undefined || more.length > 0 || command === undefined) {
    throw new UsageError('ask spin needs a title and a command: palaver ask spin "Building" -- make');
  }
  const { code, problem = "" } = await ended(command, rest, safeLine(title)).catch((error) =>
    notStarted(command, error),
  );
  process.stderr.write(problem);
  return code;
}

interface SpinEnd {
  readonly code: number;
  readonly problem?: string;
}

async function ended(command: string, args: readonly string[], title: string): Promise<SpinEnd> {
  const isShown = process.stderr.isTTY && process.env["TERM"] !== "dumb";
  const output = isShown && process.stdout.isTTY ? "pipe" : "inherit";
  const child = spawn(command, args, { stdio: ["inherit", output, isShown ? "pipe" : "inherit"] });
  passSignals(child);
  const spinner = isShown ? new Spinner(title) : null;
  spinner?.showAbove(child.stdout, process.stdout);
  spinner?.showAbove(child.stderr, process.stderr);
  try {
    return { code: await exitCodeOf(child) };
  } finally {
    spinner?.stop();
  }
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    // A signal that may not be sent is an error, too.
    child.on("error", (error) => child.pid === undefined && reject(error));
    child.once("close", (status, signal) => resolve(status ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0)));
  });
}

function notStarted(command: string, { code, message }: NodeJS.ErrnoException): SpinEnd {
  const why = code === "ENOENT" ? "command not found" : message;
  return { code: code === "ENOENT" ? 127 : 126, problem: `palaver: ${safeLine(command)}: ${why}\n` };
}

// The command decides when we end. Ctrl+c reaches it from the terminal. A process that it left behind may keep its output open.
function passSignals(child: ChildProcess): void {
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (isOver) for (const output of [child.stdout, child.stderr]) output?.destroy();
      else if (signal !== "SIGINT") child.kill(signal);
    });
  }
}

class Spinner {
  private readonly title: string;
  private readonly timer = setInterval(() => this.draw(), FRAME_MS);
  private readonly rests: (() => void)[] = [];
  private frame = 0;

  constructor(title: string) {
    this.title = title;
    this.draw();
  }

  /** A line that is not ended waits for its end, or for the end of the command. */
  showAbove(output: Readable | null, terminal: NodeJS.WriteStream): void {
    let rest = Buffer.alloc(0);
    output?.on("data", (chunk: Buffer) => {
      const all = Buffer.concat([rest, chunk]);
      const end = all.lastIndexOf("\n") + 1;
      rest = all.subarray(end);
      if (end > 0) this.write(() => terminal.write(all.subarray(0, end)));
    });
    this.rests.push(() => terminal.write(rest));
  }

  stop(): void {
    clearInterval(this.timer);
    process.stderr.write(CLEAR);
    for (const write of this.rests) write();
  }

  private write(lines: () => void): void {
    process.stderr.write(CLEAR);
    lines();
    this.draw();
  }

  private draw(): void {
    process.stderr.write(`${CLEAR}${FRAMES[this.frame++ % FRAMES.length]} ${this.title}`);
  }
}
