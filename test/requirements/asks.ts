// The life of an ask: from the moment an agent wants something of the person until exactly one outcome is recorded.
import { table } from "./table.js";

export const asks = table("design", {
  "asks.one-life-cycle":
    "An ask is queued, pending and active before it is answered, cancelled, expired or withdrawn, and takes no other way.",
  "asks.identity": "An ask carries its id, session, turn and origin, and its deadline and default when it has them.",
  "asks.first-answer-wins": "The first answer settles an ask, and whoever answers second is told so.",
  "asks.late-front-end": "A front end that joins late is shown every open ask.",
  "asks.withdrawn-on-cancel": "When the agent cancels an ask it is withdrawn everywhere and its dialog closes.",
  "asks.steady-deadlines": "A clock of the machine that is set back or forward moves no deadline of an ask.",
  "asks.expired-on-deadline": "When its deadline passes an ask expires everywhere and its dialog closes.",
  "asks.withdrawn-on-disconnect":
    "When the agent disconnects its asks are withdrawn everywhere and their dialogs close.",
  "asks.withdrawn-on-turn-end":
    "When the turn ends the asks of that turn are withdrawn everywhere and their dialogs close.",
  "asks.one-audit-record": "Every outcome of an ask leaves exactly one audit record.",
  "asks.never-lost": "No sequence of events leaves an ask without an outcome or gives it two.",
  "asks.id-used-again":
    "An id may be used again once its question is settled; while the question is open a second one is refused at once.",
  "asks.active-after-draw-and-sync":
    "An ask becomes active only after one completed draw and one decision about the scrollback.",
  "asks.typing-guard":
    "An ask becomes active only after a quiet moment without typing, 800 ms unless a longer one is set.",
  "asks.typing-never-answers":
    "Text typed with a key every second or faster, at any moment of an ask's life, answers nothing, opens nothing and loses no letter.",
  "asks.answer-stands-alone":
    "One key answers only with a quiet moment before it, nothing within a second after it, and no draft in the composer.",
  "asks.enter-after-a-move":
    "Enter answers an approval only 300 ms after its selection was moved; before, it sends the draft or says how to answer.",
  "asks.draft-keeps-keys":
    "Beside a draft every key but Esc and the focus key belongs to the composer: arrows, Tab and Enter never answer.",
  "asks.list-needs-a-choice":
    "Enter alone never sends what an agent filled in: a list, a text or a form is moved in or typed into first.",
  "asks.stall-is-no-silence":
    "Time in which the process read no keys is no silence: a key that was held then goes to the composer.",
  "asks.keys-stay-with-composer": "Keys typed before an ask is active reach the composer and never the dialog.",
  "asks.no-default-yes":
    "A yes is never a default: not without a terminal, not after a timeout, not from a flag or a form's own defaults.",
  "asks.no-default-allow": "No approval has allow as its preselected button.",
  "asks.successor-takes-no-key":
    "A question that takes the place of another takes no key for a quiet moment, whoever took the first one away.",
  "asks.escape-cancels": "Esc and Ctrl+C cancel the active ask.",
  "asks.cancel-is-a-value":
    "A cancelled select, input or editor is null and a cancelled confirm is false, never an error.",
});
