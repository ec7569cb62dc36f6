#!/usr/bin/env node
// The command `palaver`. The version is answered here, before anything else is loaded; everything else is one lazy
// import per command, so that nobody pays for what he does not use.

const [first] = process.argv.slice(2);

if (first === "--version" || first === "-V") {
  process.stdout.write(`${PALAVER_VERSION}\n`);
} else {
  const { runCommandLine } = await import("./command-line.js");
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
