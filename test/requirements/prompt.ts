// What prompt mode owes: the MCP server an agent asks through, the mini dialog over a stream, the child process behind
// it, and clean output for scripts.
import { table } from "./table.js";

export const prompt = table("prompt mode", {
  "prompt.1": "The MCP server listens on loopback, on a port the system picked, and has a health route.",
  "prompt.2":
    "Every MCP request carries the token in its address or header, a foreign Origin is refused and no page may read across origins.",
  "prompt.3":
    "MCP initialisation settles on a version, ping is answered, and a notification gets 202 with an empty body.",
  "prompt.4":
    "Unreadable JSON, a malformed request and wrong parameters are answered with -32700, -32600 and -32602 respectively.",
  "prompt.5": "Each tool publishes the schema of its arguments and refuses a call that does not fit it.",
  "prompt.6":
    "Requests for input that arrive together are asked one after another, oldest first, and each keeps its id.",
  "prompt.7": "Cancelling and sending an empty text are different answers, unless the old meaning of empty was chosen.",
  "prompt.8": "A client that goes away while it waits takes its request along and closes the dialog.",
  "prompt.9":
    "A request for input waits without limit unless it names one, and tells the client meanwhile that it lives.",
  "prompt.10": "A request for input opens its dialog at once, even when the child prints nothing.",
  "prompt.11":
    "The command line starts its own server and writes a config file for this run alone, private to its owner, which no way of ending leaves behind.",
  "prompt.12": "The change from streaming to dialog and back can be observed.",
  "prompt.13": "Output that arrives during a dialog is kept and appears afterwards, complete and in order.",
  "prompt.14": "The dialog is centred in any size of terminal, wraps its question and scrolls a long answer sideways.",
  "prompt.15":
    "The answer is edited by whole characters with Home, End, Delete and word moves, takes a paste as one piece, and may have several lines.",
  "prompt.16": "In the dialog Enter sends and both Esc and Ctrl+C cancel; outside of it Ctrl+C goes to the child.",
  "prompt.17": "The terminal is restored after an exception, a signal and an exit, and restoring it twice is harmless.",
  "prompt.18":
    "Without a terminal on the standard streams the controlling terminal is used, else a line is asked for, else the request fails with words.",
  "prompt.19": "The dialog is drawn anew, and in its place, when the terminal changes its size.",
  "prompt.20": "The child's flags come in a fixed order, and its program is found once and remembered.",
  "prompt.21":
    "The child's JSON lines are read through any chunking, with unknown types and lists as content, and text that also came as deltas is printed once.",
  "prompt.22":
    "Session id, resuming, cost, failure and exit code are taken from the child, and its standard error is read while it runs.",
  "prompt.23":
    "Standard output holds the agent's text and nothing else, notices go to standard error, and a pipe gets no colour.",
  "prompt.24": "A child that is silent for too long or runs for too long is ended together with all it started.",
  "prompt.25": "The server counts its calls and remembers the 50 newest events.",
  "prompt.26": {
    sentence:
      "Reading a project artifact never leaves its folder, and asking for a missing one suggests those that exist.",
    declined:
      "Spec, plan and task files are one project's way of working. An agent reads files with tools of its own, and those of the built-in agent stay in the workspace.",
  },
  "prompt.27": {
    sentence: "Completing a task changes its one line in the task file and never leaves a half-written file.",
    declined:
      "There is no task file of Palaver's own: plans are shown as the agent tells them, and files are changed by edits that somebody has seen.",
  },
  "prompt.28": "The full terminal UI consumes the very events the mini dialog does.",
  "prompt.29": "A secret answer is masked while typed and printed nowhere afterwards.",
  "prompt.30": "The dialog and the child program can both be replaced by scripted ones in tests.",
  "prompt.wait-at-daemon":
    "A question that nobody here can answer is left at the daemon on request, answered from there, and withdrawn when the run is gone.",
  "prompt.held-back":
    "An agent that says more behind a dialog than is kept is held back in its pipe, and nothing of it is lost or mixed.",
});
