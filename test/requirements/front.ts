// What the front end and the agent's bridge owe each other: the UI adapters, the session server on JSON lines, and the
// terminal UI with its dialogs, sessions, settings and themes.
import { table } from "./table.js";

export const front = table("front end", {
  "front.1": "The UI contract has its twelve calls, and a context wraps any implementation and passes each of them on.",
  "front.2": "The rpc adapter works over any pair of streams.",
  "front.3": "The lines adapter sends typed envelopes, and its responses are pushed in from outside.",
  "front.4": "The headless adapter answers every dialog with its cancel value and writes notices to a log.",
  "front.5":
    "A failed dialog says which kind of failure it was, and each adapter's rule for a response with both result and error is documented and holds.",
  "front.6": "A dialog's own time limit ends the wait of the caller and of the request at the same moment.",
  "front.7": "When a dialog times out or is aborted, the other side is told to close it.",
  "front.8": "End of input, a failing reader and a shutdown each settle every waiting dialog with a code of their own.",
  "front.9":
    "Answers out of order, repeated, with unknown or null ids, of ten megabytes or in bursts of thousands reach the right dialog or none.",
  "front.10": "Options meant for this side never go over the wire, and what goes is always an object.",
  "front.11": "The editor's text is answered from a cache that each change refreshes.",
  "front.12":
    "The agent's bridge understands each of its eighteen commands, and every frame it sends fits its published schema.",
  "front.13": "The first frame says which version of the protocol is spoken.",
  "front.14":
    "Several sessions run side by side, one of them is active, events name their session, and a session that dies is reported.",
  "front.15": "Events are numbered per session, and a missing number is noticed and reported.",
  "front.16":
    "Values without a JSON form, such as functions, references and tagged structures, are encoded to something readable instead of failing.",
  "front.17": "A line that is not JSON is taken as a prompt for the active session.",
  "front.18": "Settings of the agent can be read and set over the wire, and an unknown key is refused by name.",
  "front.19": "An agent started without a UI asks nothing and answers its own dialogs with their cancel values.",
  "front.20":
    "The front end starts the agent, restarts it unseen when it ends with code 75, and stops it by asking, then by signal.",
  "front.21":
    "Messages get stable ids, content is taken as text or as blocks, an image leaves a placeholder and thinking is shown dim.",
  "front.22": "The result of a tool that is not to be trusted is marked as such.",
  "front.23": "An unknown event and an event without data are survived and shown for what they are.",
  "front.24":
    "Dialogs are asked in the order of their arrival, one at a time, name the session they come from, and one that closes lets the next open.",
  "front.25":
    "Select, confirm, input and editor give what the person chose, and Esc or Ctrl+C gives null, or false for a confirm.",
  "front.26": "Notices have four levels, warn means warning, and past notices can be read again.",
  "front.27":
    "Status, widgets of one line or many and their removal, the working message, a harmless title and the editor's text can all be set by the agent.",
  "front.28": "Slash commands and paths are completed while typing.",
  "front.completion-follows-text":
    "The completion menu is the one for the text on the line after every edit, and Enter runs only what is drawn.",
  "front.29":
    "Keys do what the help says, and a key that must be pressed twice forgets the first press after its window.",
  "front.30": "Sessions can be switched, begun with chosen folder and model, resumed and closed from within the UI.",
  "front.31": "Tokens and cost are summed for each session by itself.",
  "front.32":
    "Tools show what they do in words of their own, their partial results and the progress of a task while they run.",
  "front.33": "Search, statistics, help and settings open as overlays and close again without a trace.",
  "front.34": "Five themes can be switched while everything stays on screen, and the choice is there next time.",
  "front.35":
    "A flag beats the environment, which beats the project's file, which beats the person's; a broken file is named with its line; and a .env file never overrides what is set.",
  "front.36": "The status shows the git branch, read from git's files without running git, and nothing waits for it.",
  "front.37": "No text of an agent reaches the terminal with control sequences in it.",
  "front.38": "Screens are proven on an emulated terminal against a scripted agent.",
  "front.images":
    "A picture is drawn once, in room of its own, where the terminal can; what is no picture, damaged or too large never reaches it, and words name it everywhere.",
  "full.nothing-lost-on-leaving":
    "Whoever leaves the full screen finds every line of the transcript in the scrollback, once and in order.",
  "reader.append-only":
    "The screen reader's mode only appends text: nothing moves the cursor, and nothing that was said is drawn again.",
  "reader.no-accidental-answer":
    "In the screen reader's mode a line that was begun before a question came is a message, never its answer.",
  "front.record-replay":
    "A session can be recorded in both directions, without its secrets, and played again in the same UI at any speed.",
});
