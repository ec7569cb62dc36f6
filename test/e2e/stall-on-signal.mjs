// Loaded into Palaver by a test: SIGUSR2 keeps its only thread busy, as a slow piece of work would, until the file STALL_UNTIL
// is there. STALL_UNTIL with ".begun" behind it says that it has begun.
import { existsSync, writeFileSync } from "node:fs";

const path = process.env.STALL_UNTIL ?? "";
const pause = new Int32Array(new SharedArrayBuffer(4));

process.on("SIGUSR2", () => {
  writeFileSync(`${path}.begun`, "");
  while (!existsSync(path)) Atomics.wait(pause, 0, 0, 10);
});
