// Who sits here, in a few words, for those who look at the same daemon from elsewhere: the person's name and the terminal, so
// that one can tell two windows of the same person apart.
import { readlinkSync } from "node:fs";
import { userInfo } from "node:os";

/** Such as "ada at pts/3". */
export function seatName(): string {
  return `${userName()} at ${terminalName()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A number without a name, as in some containers.
    return "somebody";
  }
}

// Where the system does not say which terminal this is, the process tells the windows apart.
function terminalName(): string {
  try {
    return readlinkSync("/proc/self/fd/0").replace(/^\/dev\//, "");
  } catch {
    return `process ${process.pid}`;
  }
}
