// What the embedded agent promises whoever lets it work in a folder of theirs.
import { table } from "./table.js";

export const agent = table("design", {
  "agent.tools-bounded":
    "A tool reads, prints and keeps only so much, whatever it is pointed at, and says what it left out.",
  "agent.bash-leaves-nothing":
    "A command that ends, is stopped or runs out of time leaves no process behind, nor does the end of the agent.",
  "agent.history-always-valid":
    "However a turn ends, every tool call is answered before anybody speaks again, in memory and in the file.",
  "agent.kill-loses-one-turn": "An agent that is killed loses at most the turn it was in.",
  "agent.turn-end-durable": "A turn that is said to be over is on the disk, also when the prompt goes on.",
  "agent.bytes-linear": "A long answer costs bytes in proportion to its length, with deltas and without.",
  "agent.work-linear": "A byte of a long answer costs as much work as a byte of a short one.",
  "agent.deny-ends-turn": "A denial without a reason ends the turn; with a reason the model hears it and goes on.",
  "sandbox.writes-inside-only":
    "A command in the sandbox writes in the workspace and in a private /tmp, and nowhere else.",
  "sandbox.no-code-outside-later":
    "A command in the sandbox cannot change git's own files, nor settings that run code outside of it later.",
  "sandbox.sees-no-secrets":
    "A command in the sandbox sees no home folder, no file that looks like a secret, and no variable that holds one.",
  "sandbox.no-network": "A command in the sandbox reaches no network, no server of the machine and no socket outside.",
  "sandbox.no-processes-outside": "A command in the sandbox sees, signals and traces no process outside of it.",
  "sandbox.outside-is-asked":
    "A command leaves the sandbox only after an approval of its own, which shows it whole and is never remembered.",
  "sandbox.never-unboxed": "Where a sandbox was asked for and does not work, nothing runs.",
});
