// Work that two commands must not do at the same time, such as `npm ci`, which empties the folder that the other one fills.
// Whoever comes second waits until the first is done or gone.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 100;
/** No install takes that long; the number in an older file belongs to somebody else by now. */
const OLD_MS = 10 * 60_000;

/** Does the work while the file at this path holds our process id. */
export async function oneAtATime(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  while (take(path) === "taken") await pause(LOOK_EVERY_MS);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return "ours";
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (!isAtWork(path)) rmSync(path, { force: true });
  return "taken";
}

// A file without a number is one that is being written.
function isAtWork(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > OLD_MS) return false;
    const holder = Number(readFileSync(path, "utf8"));
    return holder === 0 || process.kill(holder, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
