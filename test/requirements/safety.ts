// What a person can rely on while untrusted programs talk to them through their terminal.
import { table } from "./table.js";

export const safety = table("design", {
  "safety.text-cannot-move-cursor":
    "Text from outside can neither move the cursor nor change a cell outside of its place.",
  "safety.text-cannot-set-title-or-clipboard":
    "Text from outside can set neither the window's title nor the clipboard.",
  "safety.text-cannot-change-modes":
    "Text from outside can change no mode of the terminal and can make it report nothing.",
  "safety.text-cannot-draw-dialogs": "Text from outside cannot imitate a dialog of Palaver.",
  "safety.all-outside-strings":
    "Agent text, tool output, titles, labels, file names and log lines all go through the same cleaning.",
  "safety.every-field":
    "No field of any event, frame, log line or state entry can do more to a terminal than stand there as text.",
  "safety.look-alike":
    "An approval says in plain words which command, path or rule is not written with the letters it seems to be.",
  "safety.danger-in-words":
    "What is dangerous about a command or a path is said in words in every approval, whichever agent asks and whichever view shows it.",
  "safety.no-always-for-danger":
    "What is dangerous cannot be allowed for good: not in a dialog, not over HTTP, not from a file of answers.",
  "safety.approval-says-who-performs":
    "An approval says when it is a go-ahead to the agent, whose own acts Palaver does not see; an agent cannot claim otherwise.",
  "safety.every-input-shown":
    "Every input of a tool call that is approved is shown, also those that no field of the dialog is made for.",
  "safety.title-is-ours":
    "The title of a tool's approval is made from what would run or change; the agent's own title is told as its words.",
  "safety.approval-names-its-file": "An approval names every file it is about, whatever its title says.",
  "safety.no-second-command":
    "A yes covers what was shown, once: no second command, no other surroundings, no other contents.",
  "safety.answers-say-what-they-do":
    "The words of an answer come from what it does; what the agent calls it is told beside it.",
  "safety.composer-shows-all": "What an agent puts into the composer is shown whole before it can be sent.",
  "safety.approval-is-seen":
    "An approval takes no yes while the window has no row for what is approved, or for the count of what is cut.",
  "safety.suggestion-is-no-command":
    "A text that an agent suggests is sent as a prompt, never read as a command, unless the user typed the sign of the command.",
  "safety.draft-is-the-users":
    "An agent neither replaces nor empties what the user is writing, and what vanished without a key still counts as a draft.",
  "safety.project-file":
    "A repository's own files bring no permissions, run nothing, reach nothing outside of it and cannot speak to the terminal.",
  "safety.opening-runs-nothing":
    "Opening a folder runs no program that the folder or its repository names: no git, no hook, no filter, no script.",
  "safety.home-absolute":
    "Settings and state are never looked for in the folder at hand, whatever HOME and the XDG variables say.",
  "safety.export-inert": "An exported conversation runs nothing, loads nothing and sends nothing when it is opened.",
  "safety.plain-files-only":
    "What is read or written for an agent is a plain file: no pipe, device, terminal, other name or late link.",
  "safety.bidi-visible": "Bidirectional controls and look-alike white space are visible in an approval.",
  "safety.terminal-given-back":
    "The terminal is given back on a normal exit, an exception, a signal, a dead child and a closed stdin.",
  "safety.terminal-after-kill": "After a SIGKILL a watchdog resets the modes of the terminal.",
  "safety.suspend-and-resume":
    "Suspending gives the terminal to the shell, and resuming takes it back and draws the screen.",
  "safety.nobody-left-behind":
    "Whatever ends Palaver, SIGKILL included, ends the agents, commands and editors that it started.",
  "safety.poor-terminals":
    "A dumb terminal, 16 colours, a locale without UTF-8 and a window of 10 by 3 are served readably, without a stray byte.",
  "safety.approval-shows-all": "An approval shows all of what it approves, or says what is cut and opens it whole.",
  "safety.daemon-loopback": "The daemon listens on loopback and refuses another address without an explicit flag.",
  "safety.daemon-token":
    "Every route of the daemon needs the token, which lies in a file private to its owner and is compared in constant time.",
  "safety.lock-one-holder":
    "A lock between processes has at most one holder, in whatever order takers and crashes come.",
  "safety.lock-dead-holder":
    "A lock whose holder is gone is taken over, whatever the clock, the host name, a torn file or a folder in its place says.",
  "safety.daemon-proves-itself":
    "No command sends the token on a connection whose other end has not proved that it knows the token, nor a signal to a process that has not.",
  "safety.daemon-token-renewed": "Every daemon has a new token, and the token of an earlier one opens nothing.",
  "safety.daemon-room-for-owner":
    "However many connections without the token are held open, the owner gets an answer, and the oldest of the others give way.",
  "safety.daemon-host-and-origin": "The daemon refuses a request with a foreign Host or Origin.",
  "safety.secrets-masked": "A secret input is masked and is neither echoed nor logged.",
  "safety.secrets-never-stored": "What is typed into a secret question reaches the agent alone and is in no file.",
  "safety.secrets-in-every-sink":
    "Every known shape of a secret is redacted in every file that is written: recordings, exports, logs, transcripts, sessions, records.",
  "safety.secrets-redacted":
    "Known shapes of secrets are redacted before anything goes to disk or to a remote front end.",
  "safety.paths-real":
    "A path counts as inside the workspace only when the place it really leads to is, whatever links and dots are on the way.",
  "safety.always-means-this":
    "An answer for good remembers a command word by word, or a form whose other arguments are known to be harmless.",
  "safety.allow-is-narrow":
    "A rule that allows commands covers plain words only: no expansion, no wrapper, no code in arguments, no other blank.",
  "safety.denial-is-wide":
    "A rule that denies a command finds its words in their order, whatever blanks, flags and other words stand between them.",
  "safety.denial-unchecked-asks":
    "A command that a denial cannot be checked against is never allowed without a question.",
  "safety.nothing-told-unasked":
    "A tool tells a model nothing about a file that it may not read: no contents, no names, not whether it is there.",
  "safety.run-is-what-was-approved":
    "What runs is what was approved: a file or a link that has changed since stops it, and nothing is written.",
});
