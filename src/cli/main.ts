#!/usr/bin/env node
// The command `palaver`. The version is answered here, before anything else is loaded; everything else is one lazy
// import per command, so that nobody pays for what he does not use.

import { makeRuntimeModest } from "../terminal/device/modest-runtime.js";

const [first] = process.argv.slice(2);

if (first === "--version" || first === "-V") {
  process.stdout.write(`${PALAVER_VERSION}\n`);
} else {
  makeRuntimeModest();
  try {
    const { runCommandLine } = await import("./command-line.js");
    process.exitCode = await runCommandLine(process.argv.slice(2));
  } catch (error) {
    // Not even our own files could be opened: too many are open, or they were replaced meanwhile.
    const { code, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : (new Error(String(error)) as NodeJS.ErrnoException);
    const words = code === "EMFILE" ? "too many files are open; ulimit -n sets how many may be (EMFILE)" : message;
    process.stderr.write(`palaver: ${words}\n`);
    // Whatever was half open could keep the process alive, with nothing left to end it.
    process.exit(1);
  }
}
