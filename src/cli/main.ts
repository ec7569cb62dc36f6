#!/usr/bin/env node
// The command `palaver`. The version is answered here, before anything else is loaded; everything else is one lazy
// import per command, so that nobody pays for what he does not use.

import { makeRuntimeModest } from "../tui/terminal/modest-runtime.js";

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
    process.stderr.write(`palaver: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
