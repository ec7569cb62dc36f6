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
  "safety.bidi-visible": "Bidirectional controls and look-alike white space are visible in an approval.",
  "safety.terminal-given-back":
    "The terminal is given back on a normal exit, an exception, a signal, a dead child and a closed stdin.",
  "safety.terminal-after-kill": "After a SIGKILL a watchdog resets the modes of the terminal.",
  "safety.suspend-and-resume":
    "Suspending gives the terminal to the shell, and resuming takes it back and draws the screen.",
  "safety.approval-shows-all": "An approval shows all of what it approves, or says what is cut and opens it whole.",
  "safety.daemon-loopback": "The daemon listens on loopback and refuses another address without an explicit flag.",
  "safety.daemon-token":
    "Every route of the daemon needs the token, which lies in a file private to its owner and is compared in constant time.",
  "safety.daemon-host-and-origin": "The daemon refuses a request with a foreign Host or Origin.",
  "safety.secrets-masked": "A secret input is masked and is neither echoed nor logged.",
  "safety.secrets-redacted":
    "Known shapes of secrets are redacted before anything goes to disk or to a remote front end.",
});
