// `npm start`: sets the clone up and opens Palaver. Without a terminal it never hangs and never fails: one prompt from
// standard input is streamed to standard output, and with no input a short text is printed instead.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, setup } from "./setup.mjs";

try {
  await setup();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const interactive = process.stdin.isTTY && process.stdout.isTTY;
const args = process.argv.slice(2);
const cli = [join(root, "dist", "cli.js"), ...(args.length > 0 ? args : interactive ? [] : ["demo"])];
const child = spawn(process.execPath, cli, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0) : (code ?? 1);
});
