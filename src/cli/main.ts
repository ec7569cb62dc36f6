#!/usr/bin/env node
// The command `palaver`. The version is printed before anything is loaded; each command is one lazy import.

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
    // The folder is gone, or loading our own files failed: too many files are open, or they were replaced.
    const { code, syscall, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : (new Error(String(error)) as NodeJS.ErrnoException);
    const isGone = syscall === "uv_cwd";
    const words = code === "EMFILE" ? "too many open files; raise the limit with ulimit -n (EMFILE)" : message;
    process.stderr.write(`palaver: ${isGone ? "this folder no longer exists; change to another one" : words}\n`);
    // Open handles could keep the process alive.
    process.exit(1);
  }
}
