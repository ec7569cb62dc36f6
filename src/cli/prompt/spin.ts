// `palaver ask spin`: runs a command and shows that it works. Its output is its own; what it writes to standard error is shown at its
// end, so that the spinner has one line for itself.
import { spawn } from "node:child_process";
import { constants } from "node:os";
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
  const spinner = startSpinner(safeLine(title));
  const child = spawn(command, rest, { stdio: ["inherit", "inherit", "pipe"] });
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => (spinner === null ? process.stderr.write(chunk) : said.push(chunk)));
  // A signal to us alone is for the command too; ctrl+c reaches both by itself.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, pass);
  const code = await new Promise<number>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      said.push(Buffer.from(`palaver: ${command}: ${error.code === "ENOENT" ? "command not found" : error.message}\n`));
      resolve(error.code === "ENOENT" ? 127 : 126);
    });
    child.once("close", (status, signal) => resolve(status ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0)));
  });
  spinner?.stop();
  process.stderr.write(Buffer.concat(said));
  return code;
}

function startSpinner(title: string): { stop(): void } | null {
  if (!process.stderr.isTTY || process.env["TERM"] === "dumb") return null;
  let at = 0;
  const draw = () => process.stderr.write(`${CLEAR}${FRAMES[at++ % FRAMES.length]} ${title}`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      process.stderr.write(CLEAR);
    },
  };
}
