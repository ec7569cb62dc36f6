// Set up before every file of end-to-end tests: the files share their workers, and each begins with an empty home and ends with
// nothing that still runs.
import { mkdirSync, rmSync } from "node:fs";
import { afterAll } from "vitest";
import { endPrograms } from "./daemon/daemon-process.js";
import { home } from "./pty-session.js";
import { aside } from "./run-program.js";

mkdirSync(home, { recursive: true });

afterAll(async () => {
  await endPrograms();
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
});
