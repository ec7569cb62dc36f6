// Work that two commands must not do at the same time, such as `npm ci`, which empties the folder that the other one fills.
// Whoever comes second waits until the first is done or gone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 100;

/** Does the work while the file at this path holds our process id. */
export async function oneAtATime(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  while (!isTaken(path)) await pause(LOOK_EVERY_MS);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function isTaken(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (!isAtWork(path)) rmSync(path, { force: true });
  return false;
}

// A file without a number is one that is being written.
function isAtWork(path) {
  try {
    const holder = Number(readFileSync(path, "utf8"));
    return holder === 0 || process.kill(holder, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
