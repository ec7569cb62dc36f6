// What Palaver promises, one sentence each. A test says which promise it proves with `verifies("asks.first-answer-wins")`;
// `test/requirements.test.ts` sees to it that each has such a test. What can be left out without a reader missing it is not here.

export const requirements = {
  "asks.first-answer-wins": "The first answer to an ask counts, and a second one is told who answered.",
  "asks.exactly-one-outcome": "No sequence of events leaves an ask without an outcome or gives it two.",
  "asks.late-view-sees-them": "A view that joins late is shown every open ask.",
  "asks.withdrawn-with-their-turn": "When a turn ends, its open asks are withdrawn everywhere and their dialogs close.",
  "asks.withdrawn-with-their-agent":
    "When the agent goes, its open asks are withdrawn everywhere and their dialogs close.",
  "asks.expire-at-their-deadline": "An ask that is not answered by its deadline expires everywhere.",
  "asks.typing-never-answers":
    "Text typed with a key every second or faster, at any moment, answers nothing, opens nothing and loses no letter.",
  "asks.key-stands-alone": "One key answers only with silence before and after it, and with no draft in the composer.",
  "asks.enter-after-a-move": "Enter answers an approval only 300 ms after its selection was moved.",
  "asks.yes-is-never-a-default":
    "A yes is never a default: not without a terminal, not after a timeout, not from a flag or a form.",
  "composer.suggestion-is-no-command":
    "A text that an agent suggests is sent as a prompt, never read as a command, unless the user typed its sign.",
  "composer.draft-is-the-users":
    "An agent neither replaces nor empties a draft, and one that vanished without a key still counts as a draft.",
  "asks.cancel-is-a-value": "A cancelled dialog returns null, or false for a confirm, and never an error.",
  "asks.request-answered-once": "On every wire a request of the agent is answered exactly once.",

  "text.cannot-act":
    "No field of any event, frame, log line or state entry does anything to a terminal but stand there as text.",
  "text.cannot-draw-dialogs": "Text from outside cannot imitate a dialog of Palaver.",
  "text.look-alikes-named":
    "An approval names every command, path or rule that is not written with the letters it seems to have.",

  "approvals.show-all": "An approval shows all of what it approves, or says what is cut and opens it whole.",
  "approvals.say-who-performs":
    "An approval says when it is only a go-ahead to the agent, whose own acts Palaver does not see.",
  "approvals.name-danger": "What is dangerous about a command or a path is said in words, whichever agent asks.",
  "approvals.danger-is-asked-every-time": "What is dangerous cannot be allowed for good.",
  "approvals.cover-what-was-shown":
    "A yes covers what was shown, once: no second command, no other contents, no other surroundings.",
  "approvals.are-kept": "What runs is what was approved: a file or a link that has changed since stops it.",
  "acp.nothing-ungranted": "An ACP agent reads, writes and runs nothing through Palaver that was not allowed.",

  "rules.allow-is-narrow":
    "A rule that allows commands covers plain words only: no expansion, no wrapper, no code in arguments.",
  "rules.denial-is-wide": "A rule that denies a command finds its words in their order, whatever stands between them.",
  "rules.nothing-told-unasked":
    "A tool tells a model nothing about a file that it may not read, not even whether it exists.",
  "rules.paths-are-real": "A path counts as inside the workspace only when the place it really leads to is.",

  "sandbox.writes-inside-only":
    "A command in the sandbox writes in the workspace and in a private /tmp, and nowhere else.",
  "sandbox.sees-no-secrets": "A command in the sandbox sees no home folder, no secret file and no secret variable.",
  "sandbox.no-network": "A command in the sandbox reaches no network that was not allowed.",
  "sandbox.never-unboxed": "Where a sandbox was asked for and does not work, nothing runs.",

  "projects.opening-runs-nothing": "Opening a folder runs no program that the folder or its repository names.",
  "projects.grant-nothing": "A repository's own files bring no permissions and reach nothing outside of it.",

  "secrets.in-no-file": "Every known shape of a secret is redacted in every file that is written.",
  "secrets.reach-the-agent-alone": "What is typed into a secret question reaches the agent and no file.",
  "exports.are-inert": "An exported conversation runs, loads and sends nothing when it is opened.",

  "terminal.given-back":
    "The terminal is restored on a normal exit, an exception, a signal, a dead agent and a closed input.",
  "terminal.reset-after-kill": "After a SIGKILL a watchdog resets the modes of the terminal.",
  "terminal.poor-ones-served":
    "A dumb terminal, 16 colours, a locale without UTF-8 and a window of 10 by 3 are readable.",
  "processes.none-left": "Whatever ends Palaver, SIGKILL included, ends the agents, commands and editors it started.",

  "screen.exactly-once": "Scrollback and screen hold every settled line once and in order, whatever happens.",
  "screen.settled-never-changes": "Only lines that can no longer change go into the scrollback.",
  "screen.idle-writes-nothing": "A screen on which nothing changes writes no byte.",
  "screen.copies-without-breaks": "Code, commands, paths and tool output are copied without added line breaks.",
  "screen.any-size": "A change of size keeps every line, and a terminal of no size at all breaks nothing.",
  "screen.full-leaves-the-transcript": "After the full screen every line of the transcript is in the scrollback.",
  "reader.only-appends": "The screen reader's view never moves the cursor and draws nothing again.",

  "wires.any-chunking": "A stream gives the same frames however its bytes are cut.",
  "wires.bad-frame-is-a-fault": "A malformed frame is reported with what is wrong, and the stream goes on.",
  "wires.sent-frames-fit": "Every frame Palaver sends fits its published schema.",
  "wires.schemas-are-the-contract": "The published JSON Schemas are exactly what the contract declares.",
  "wires.recordings-replay": "Recorded sessions of every dialect become blocks, asks and turns.",
  "wires.bounded": "Every queue and buffer has a named maximum, and reaching it is reported.",
  "wires.detected": "Without --protocol, Palaver detects how an agent speaks from its one process.",

  "daemon.needs-the-token": "Every route of the daemon needs the token, which only its owner can read.",
  "daemon.proves-itself": "No command sends the token to a process that has not proved that it knows it.",
  "daemon.refuses-foreign-pages": "The daemon refuses a request with a foreign Host or Origin.",
  "page.pairs-once": "A pairing code is exchanged for the cookie of one device, once.",
  "page.pairing-is-limited": "An address that sends many wrong pairing codes has to wait, and keeps no right code out.",
  "page.secrets-are-digests": "The secrets of devices are on disk as digests only, in a file for the owner alone.",
  "page.device-is-not-owner": "A paired device cannot pair others, stop the daemon, or start commands.",
  "page.cookie-needs-own-page": "A cookie changes something only from the daemon's own page.",
  "page.revoked-at-once": "A revoked device loses its open streams and every right at once.",
  "page.share-is-read-only": "A shared link shows one session and allows nothing else.",
  "page.encrypted-or-local": "The daemon leaves this machine encrypted, or not at all unless its owner says so.",
  "page.push-without-content": "A push message is encrypted and says nothing of the ask unless the owner allows it.",
  "page.push-to-public-addresses": "A device cannot make the daemon send requests into its machine or private network.",
  "page.push-failures-are-shown": "A push message that was not delivered is shown to its device.",
  "page.notify-runs-no-agent-words": "The user's notification program is run without a shell; no word of an agent is.",
  "page.known-attacks": "What went wrong in other web front ends of agents is refused here, each by name.",
  "page.shared-run-has-no-secrets": "A terminal that is opened to a browser sends no secret there.",
  "page.access-log": "The access log names the caller of every request, and holds no secret.",
  "page.strict-policy": "No response of the daemon allows foreign code, frames, or text as code.",
  "page.delivered-is-delivered": "An answer is called delivered only when the agent has it.",
  "page.continues-or-says-gap": "A stream says whether it continues where a client was, or begins with a snapshot.",
  "daemon.one-lock-holder":
    "A lock between processes has at most one holder, in whatever order takers and crashes come.",
  "daemon.slow-reader-hurts-none": "A client too slow for the log loses lines, is told how many, and holds no one up.",
  "daemon.sessions-survive": "A daemon that is started again resumes its sessions with what was said before.",
  "daemon.late-view-misses-nothing":
    "A view that joins a long session gets all of it, nothing lost and nothing doubled.",

  "prompt.stdout-is-the-answer": "Standard output holds the agent's text and nothing else, and a pipe gets no colour.",
  "prompt.dialog-keeps-output": "Output that arrives during a dialog appears afterwards, complete and in order.",
  "prompt.time-limits-end-all": "A run that is silent or lasts too long is ended together with all it started.",
  "builtin.history-stays-valid": "However a turn ends, every tool call is answered before the next message.",
  "builtin.kill-loses-one-turn": "A built-in agent that is killed loses at most the turn it was in.",
  "settings.flag-beats-file": "A flag beats the environment, which beats the project's file, which beats the user's.",
  "sdk.dialogs-return-values": "Select, confirm, input and editor resolve to what the user gave.",
} as const;
