// `palaver ask spin`: shows a spinner while a command runs. The command's output appears line by line above the spinner, which
// has one line for itself.
import { spawn } from "node:child_process";
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
  const spinner = process.stderr.isTTY && process.env["TERM"] !== "dumb" ? new Spinner(safeLine(title)) : null;
  const output = spinner !== null && process.stdout.isTTY ? "pipe" : "inherit";
  const child = spawn(command, rest, { stdio: ["inherit", output, spinner === null ? "inherit" : "pipe"] });
  spinner?.showAbove(child.stdout, process.stdout);
  spinner?.showAbove(child.stderr, process.stderr);
  // A signal to us alone is for the command too; ctrl+c reaches both by itself.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, pass);
  const { code, problem = "" } = await new Promise<{ code: number; problem?: string }>((resolve) => {
    child.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const why = code === "ENOENT" ? "command not found" : message;
      resolve({ code: code === "ENOENT" ? 127 : 126, problem: `palaver: ${command}: ${why}\n` });
    });
    child.once("close", (status, signal) => {
      resolve({ code: status ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0) });
    });
  });
  spinner?.stop();
  process.stderr.write(problem);
  return code;
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
