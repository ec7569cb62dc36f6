// Preloaded into a process whose memory is measured: on SIGUSR2 it collects, and writes what is still in use to HEAP_FILE.
import { renameSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const { HEAP_FILE: file } = process.env;

process.on("SIGUSR2", () => {
  collect();
  // What finalizers let go of is collected the second time.
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, String(heapUsed + external));
    renameSync(`${file}.new`, file);
  });
});
