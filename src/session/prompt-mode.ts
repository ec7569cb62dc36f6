// Prompt mode as a machine with two modes. In `cli` what the agent says is printed as it comes. In `mini-tui` a dialog has
// the terminal: what is said meanwhile is held back, and printed in order when the dialog is gone. When too much is held
// the agent is told to wait, so that nothing is lost and memory stays bounded.
//
//            dialog.opened                           print ──► hold, and pause the agent when full
//    cli ─────────────────────────► mini-tui ──────┘
//     ▲                                │
//     └── write what was held, resume ─┘ dialog.closed

export type InputMode = "cli" | "mini-tui";

export interface Piece {
  readonly stream: "out" | "err";
  readonly text: string;
}

/** More than is printed while a user reads one ask; a paused agent can say what is in its pipe, and no more. */
export const HELD_UNITS_MAX = 1024 * 1024;

/** The newest piece first; a list of two fields makes adding one cheap. */
type Held = { readonly piece: Piece; readonly before: Held } | null;

export type PromptModeState =
  | { readonly mode: "cli" }
  | {
      readonly mode: "mini-tui";
      readonly held: Held;
      readonly heldUnits: number;
      readonly agent: "flowing" | "paused";
    };

export type PromptModeInput =
  | { readonly type: "print"; readonly piece: Piece }
  | { readonly type: "dialog.opened" }
  | { readonly type: "dialog.closed" };

export type PromptModeEffect =
  | { readonly type: "write"; readonly pieces: readonly Piece[] }
  | { readonly type: "pause-agent" }
  | { readonly type: "resume-agent" }
  | { readonly type: "mode-changed"; readonly mode: InputMode };

export interface PromptModeStep {
  readonly state: PromptModeState;
  readonly effects: readonly PromptModeEffect[];
}

export const cliMode: PromptModeState = { mode: "cli" };

export function reducePromptMode(state: PromptModeState, input: PromptModeInput): PromptModeStep {
  switch (input.type) {
    case "print":
      return state.mode === "cli"
        ? { state, effects: [{ type: "write", pieces: [input.piece] }] }
        : hold(state, input.piece);
    case "dialog.opened": {
      if (state.mode === "mini-tui") return { state, effects: [] };
      const opened: PromptModeState = { mode: "mini-tui", held: null, heldUnits: 0, agent: "flowing" };
      return { state: opened, effects: [{ type: "mode-changed", mode: "mini-tui" }] };
    }
    case "dialog.closed":
      return state.mode === "cli" ? { state, effects: [] } : release(state);
  }
}

type Holding = Extract<PromptModeState, { mode: "mini-tui" }>;

function hold(state: Holding, piece: Piece): PromptModeStep {
  const heldUnits = state.heldUnits + piece.text.length;
  const isFull = heldUnits >= HELD_UNITS_MAX && state.agent === "flowing";
  const held = { piece, before: state.held };
  return {
    state: { ...state, held, heldUnits, agent: isFull ? "paused" : state.agent },
    effects: isFull ? [{ type: "pause-agent" }] : [],
  };
}

// The mode changes first: what is written from then on is the stream again.
function release({ held, agent }: Holding): PromptModeStep {
  const pieces: Piece[] = [];
  for (let each = held; each !== null; each = each.before) pieces.push(each.piece);
  return {
    state: cliMode,
    effects: [
      { type: "mode-changed", mode: "cli" },
      ...(pieces.length === 0 ? [] : [{ type: "write" as const, pieces: pieces.reverse() }]),
      ...(agent === "paused" ? [{ type: "resume-agent" as const }] : []),
    ],
  };
}
