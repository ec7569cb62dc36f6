// What the render machine owes: the tick and its state, the boundary between scrollback and live area, dialogs and
// their phases, permission previews, and the protocol behind them.
import { table } from "./table.js";

export const screen = table("render machine", {
  "screen.1": "A tick reduces, draws and applies effects in that order, and only the last stage reaches the terminal.",
  "screen.2":
    "The render state is the boundary, the first line that may still change and the phase of a confirmation, which takes its named values and no other.",
  "screen.3":
    "Every tick ends with the invariants checked: a breach throws in tests and development and is counted in production.",
  "screen.4": "The boundary of what is in the scrollback only moves forward.",
  "screen.5": "No row in the scrollback is drawn again.",
  "screen.6": "What is inserted is exactly the lines between the boundary and the first line that may still change.",
  "screen.7": "An insertion and the redraw below it are one frame.",
  "screen.8": "When an insertion fails half-way, what was written counts as written and the rest is tried again.",
  "screen.9":
    "While the person has scrolled up nothing is inserted, and the rows they read stay where they are as lines arrive.",
  "screen.10":
    "The boundary is kept by block, line and offset, so that a change of width neither repeats nor hides a line.",
  "screen.11":
    "A change of height keeps every line, and a terminal of twelve rows or fewer, or of no size at all, breaks nothing.",
  "screen.12": "Each frame is wrapped in one synchronized update.",
  "screen.13": "The cursor is hidden before an insertion begins and appears again only with the next frame.",
  "screen.14":
    "A confirmation turns from pending to active after one completed draw and one decision about the scrollback.",
  "screen.15":
    "A pending dialog takes neither keys nor pastes: they go on to the composer until the dialog becomes active.",
  "screen.16": "Confirmations that arrive together wait in a queue and each gets its own answer.",
  "screen.17":
    "A confirmation can be remembered, refused with a reason, opened to show the whole command, and looks different when it is dangerous.",
  "screen.18": "A text question can be masked or have several lines, and a choice can allow more than one item.",
  "screen.19":
    "Each side uses a feature only when both announced it, and the legacy texts stand in for preflight events in either direction.",
  "screen.20":
    "The three legacy permission texts are recognised, and are left as plain text once structured events were agreed on.",
  "screen.21":
    "A preview, its ready signal and the tool result belong together by id: a second ready is ignored, and a result that repeats a whole preview's diff does not show it again.",
  "screen.22":
    "A unified diff shows line numbers, markers and where it was cut, and takes its language from an explicit hint, else from the header, else from the path.",
  "screen.23":
    "An event of unknown type does no harm, a repeated sequence number is dropped and a gap in the numbers is reported.",
  "screen.24": "A stream of JSON lines survives any chunking, malformed lines and a reader that cannot keep up.",
  "screen.25": "A response finds its request by id, and one that is late or belongs to nobody changes nothing.",
  "screen.26":
    "A run is seen to wait for the person while it does, its end is known from its status, and a cancel is sent only once.",
  "screen.27":
    "What is typed during a run is queued with its attachments as they were at that moment, and /queue lists and edits it.",
  "screen.28":
    "Double-width and combining characters wrap without being split, continuation rows keep the hanging indent, and nothing is wrapped twice for one width and text.",
  "screen.29": "A tool, a compaction and a progress each own their rows and change them in place.",
  "screen.30": "An error shows one line of summary, and its details can be opened.",
  "screen.31":
    "Inline, full-screen and automatic mode can be chosen, a wrong choice fails before the terminal is touched, and cleaning up twice does no more than once.",
  "screen.32":
    "Esc acts on the innermost open thing first, and Ctrl+C pressed twice within its window leaves the program.",
  "screen.33": "Opening a session shows its history once, also when live events overlap with it.",
  "screen.34": {
    sentence: "A performance overlay shows frame time, hits of the wrap cache and the number of redraws.",
    declined:
      "An overlay draws frames in order to count frames. What a frame costs is measured from outside, by the benchmarks and the budgets.",
  },
  "screen.35": "The status shows a spinner while the agent works, and how full the context is.",
  "screen.theme-by-agent": {
    sentence: "The agent may name the theme at initialisation.",
    declined: "The colours are the person's: whoever could choose them could make a warning hard to see.",
  },
});
