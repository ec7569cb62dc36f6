// What it takes to get along with the agents that people use. The surprises are habits that real agents were seen to have; the
// pitfalls are mistakes that a front end makes with them. Numbers follow the list in which they were first written down.
import { table } from "./table.js";

export const agents = table("agents", {
  "wires.surprise-1":
    "A tool call that is first seen in its permission request, or only ever updated, is one tool call.",
  "wires.surprise-2":
    "A tool call that never finishes is closed when its turn ends, or when the agent goes on after a no.",
  "wires.surprise-3": "Output of a terminal that the agent runs itself is shown, wherever the agent puts it.",
  "wires.surprise-4": "A missing file reads as empty for agents that could not create it otherwise.",
  "wires.surprise-5": "A write that nobody was asked about is asked about by us before it happens.",
  "wires.surprise-6": "Content of a tool call replaces what was there, and arguments on their way are not its output.",
  "wires.surprise-7": "A permission in other words than its tool call is asked in its own words and erases nothing.",
  "wires.surprise-8":
    "Options of a permission are told apart by their kind and shown in one order, whatever the agent's.",
  "wires.surprise-9": "Private requests are refused by name; private notifications cost nothing.",
  "wires.surprise-10":
    "Updates before the answer that names their session, or after the end of the turn, are not lost.",
  "wires.surprise-11": "Errors without an id are reported, and ids of an agent may be of any kind and overlap ours.",
  "wires.surprise-12": "An agent hears initialize first, and never a blank line or an array.",
  "wires.surprise-13": "A session that is not there is told in words, whichever code says so.",
  "wires.surprise-14": "Modes and models are one list, wherever an agent keeps them, and change without its word.",
  "wires.surprise-15": "An agent that refuses its own mode as root is asked for the ordinary one.",
  "wires.surprise-16": "An agent behind a wrapper is ended with everything it started.",
  "wires.surprise-17": "Text that an agent has blacked out is shown as it is.",
  "wires.surprise-18": "A banner before any prompt is a message of its own, and an empty chunk is none.",
  "wires.surprise-19": "An agent that fails its greeting with a code of its own is given up with its words.",

  "agents.crash-cause": "An agent that crashed is told of with the line of its standard error that names the error.",
  "agents.restart-is-bounded":
    "An agent that asks to be started again at once, several times in a row, is left, and the person is told.",
  "agents.restart-cuts-turn":
    "An agent that asks to be started again in the middle of a turn has that turn reported as cut off.",
  "agents.silence-after-refusal":
    "A prompt whose agent says nothing readable for 30 s after a refused frame fails with what was wrong with the frame.",
  "agents.silence-is-mentioned":
    "An agent that is silent for 30 s in a turn of palaver prompt is mentioned once, and may take as long as it needs.",
  "agents.answer-without-start":
    "An answer whose turn was not announced is printed; a turn that ends with neither start nor answer has failed.",
  "agents.failed-start-leaves":
    "Where Palaver itself cannot start, for want of files to open, it ends with words and gives the terminal back.",
  "agents.plain-program":
    "A program that speaks no wire is ended with words, and nothing is typed into one that printed text first.",

  "wires.acp-published-schema":
    "Whatever the published schema of ACP allows is understood; a field that makes no sense costs that field.",
  "wires.pitfall-1": "Frames are found by their newline byte, on every version of Node.",
  "wires.pitfall-2": "A word that a published list does not have costs that word and nothing else.",
  "wires.pitfall-3": "Capabilities that are offered are exactly those that are kept.",
  "wires.pitfall-4": "A stop cancels what is asked, goes on reading, and does not wait for ever.",
  "wires.pitfall-5":
    "A prompt that fails ends in words, and one that is not answered is said to be silent and can be stopped.",
  "wires.pitfall-6":
    "What a server asks for is checked before it is sent, names its server, and opens no page unasked.",
  "wires.pitfall-7": "No string of an agent can do anything to the terminal.",
  "wires.pitfall-8": "Our server of tools serves clients of both eras.",
  "wires.pitfall-9": "A slow agent gets a minute for its greeting, and the last words of one that fails are shown.",
  "wires.pitfall-10": "Every folder that an agent is given is absolute.",
  "wires.pitfall-11": "A new file is a new file, whether its old text is null, absent or empty.",

  "wires.acp-answered-once": "Every request of an agent is answered exactly once, whatever happens in between.",
  "wires.request-answered-once": "On every wire a question of the agent finds exactly one end.",
  "wires.partial-shown-once": "What an agent says twice, in pieces and whole, is shown once.",
  "wires.recordings-replay":
    "A recorded session of any dialect becomes blocks, questions and ends of turns; what nobody knows is reported.",
  "safety.acp-read-gate":
    "An agent cannot read a file through us that is outside of the workspace or looks like a secret, unless the person allows it.",
  "safety.acp-write-gate": "An agent cannot write a file through us that the person did not allow.",
  "safety.acp-command-gate": "An agent cannot run a command through us that the person did not allow.",

  "links.detect": "An agent of which nobody said how it speaks is found out on its one process.",
  "links.ask-server":
    "Our own server of tools is offered to each agent that takes one, and its questions reach the person.",
  "links.mcp-servers": "Servers of tools in the settings reach the agents that take them, also those of a daemon.",
  "links.no-process-left": "Whichever way an agent ends, no process of it is left.",
  "links.env-var-sign-in":
    "A secret that an agent reads at its start is asked for, is recorded nowhere, and the agent starts again with it.",
});
