// The scenes of `npm run pictures`, as data. Each has what is run, how large the window is, and steps: what is typed, and the
// words that must be on the screen before the next step, or the picture.

/** As kitty reads it: it takes escapes apart itself. */
const ENTER = "\\r";
const CTRL_O = "\\x0f";
const PAGE_UP = "\\x1b[5~";

/** The last words come when the question takes keys. */
const fix = [[`fix the failing test in parser.ts${ENTER}`, "up/down, enter"]];
const fixed = [...fix, ["y", "All 212 tests pass."]];
const paper = { theme: "paper", ground: "#ffffff", ink: "#24292f" };

export const scenes = [
  { name: "approval", columns: 84, rows: 40, steps: fix },
  { name: "paper", columns: 84, rows: 40, ...paper, steps: fix },
  { name: "ember", columns: 84, rows: 40, theme: "ember", ground: "#1d1713", steps: fix },
  { name: "moss", columns: 84, rows: 40, theme: "moss", ground: "#141a14", steps: fix },
  { name: "dawn", columns: 84, rows: 40, theme: "dawn", ground: "#faf4ed", ink: "#575279", steps: fix },
  { name: "narrow", columns: 40, rows: 10, steps: [[`fix the failing test${ENTER}`, "with a reason"]] },
  { name: "diff", columns: 84, rows: 30, steps: fixed },
  { name: "select", columns: 64, rows: 16, steps: [[`set it up${ENTER}`, "type to filter"]] },
  {
    name: "form",
    columns: 64,
    rows: 16,
    steps: [
      [`make a release${ENTER}`, "Tell everyone"],
      ["\\x15one\\x13", "must match"],
    ],
  },
  { name: "working", columns: 72, rows: 18, pace: 150, steps: [[`work${ENTER}`, "fix the separator  "]] },
  { name: "picture", columns: 64, rows: 20, steps: [[`draw${ENTER}`, "They get faster."]] },
  { name: "viewer", columns: 84, rows: 24, steps: [...fixed, [CTRL_O, "q close"], [`/parser${ENTER}`, "n next"]] },
  {
    name: "full",
    columns: 84,
    rows: 24,
    flags: ["--screen", "full"],
    steps: [["", "script-1"], ...fixed, [PAGE_UP, "lines below"]],
  },
  {
    name: "mini",
    columns: 72,
    rows: 16,
    command: ["prompt", "set it up"],
    env: { PALAVER_THEME: "harbour" },
    ready: "Which package manager",
    steps: [["", "type to filter"]],
  },
  {
    name: "attach",
    columns: 84,
    rows: 18,
    daemon: "examples/dev-daemon/daemon.mjs",
    command: ["attach", "--project", "examples/dev-daemon/project"],
    agent: [],
    ready: "rebuilt",
    steps: [["\\t\\t\\r", "passed"]],
  },
];
