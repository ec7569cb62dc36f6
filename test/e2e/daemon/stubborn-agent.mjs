// An agent that minds neither the end of its input nor a polite request to go: only what nobody can refuse ends it. It tells its
// own number, so that one can look whether it is still there.
import { stdin, stdout } from "node:process";

for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => undefined);
stdin.on("data", () => undefined).on("end", () => undefined);
stdout.on("error", () => undefined);
stdout.write(`${JSON.stringify({ type: "ready", protocol_version: "1", ui: true, active_session_id: "s1" })}\n`);
stdout.write(`${JSON.stringify({ type: "ui_notify", params: { level: "info", message: `I am ${process.pid}` } })}\n`);
setInterval(() => undefined, 60_000);
