// The life of a session as the screen's own account sees it: startup, input, a confirmation that waits and then takes over,
// and its end.
import { describe, expect, test } from "vitest";
import type { Frame } from "../../../src/terminal/painter/frame.js";
import { unpainted } from "../../../src/terminal/painter/patch.js";
import { profileFor } from "../../../src/terminal/painter/profile.js";
import {
  activateConfirm,
  checkInvariants,
  drawFrame,
  INITIAL_RENDER_STATE,
  isInsertionDue,
  type RenderState,
  redrawn,
  reduceInputs,
  type ScreenInput,
  type ScreenModel,
  screenModel,
} from "../../../src/terminal/painter/stages.js";

const SIZE = { columns: 80, rows: 40 };
const LIVE: Frame = { rows: ["live", "› "], cursor: { row: 1, column: 2 } };

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

/** Steps through the stages and holds the invariants at every one of them. */
class Walk {
  model: ScreenModel = reduceInputs(screenModel(SIZE), [{ type: "live.changed", frame: LIVE, transcriptRows: 1 }]);

  take(next: (model: ScreenModel) => ScreenModel): RenderState {
    const previous = this.model.state;
    this.model = next(this.model);
    expect(checkInvariants(this.model.state, previous)).toEqual([]);
    return this.model.state;
  }

  input(...inputs: ScreenInput[]): RenderState {
    return this.take((model) => reduceInputs(model, inputs));
  }

  /** A frame is drawn, and the terminal took this many of the lines in it. */
  draw(lineCount = this.linesInFrame): RenderState {
    return this.take((model) => redrawn(model, lineCount));
  }

  get linesInFrame(): number {
    return drawFrame(this.model, unpainted(SIZE), profileFor({}, {})).insertedLines;
  }
}

describe("the render state", () => {
  test("goes through a whole session with every field accounted for", () => {
    const walk = new Walk();
    expect(walk.draw()).toEqual(INITIAL_RENDER_STATE);

    // Input is sent: ten lines settle, and the same frame inserts exactly these and draws what is below them.
    const sent = { insertedLines: 0, settledLines: 10, confirmPhase: "none" };
    expect(walk.input({ type: "lines.settled", lines: lines(10) })).toEqual(sent);
    expect(walk.linesInFrame).toBe(10);
    const inserted = { ...sent, insertedLines: 10 };
    expect(walk.draw()).toEqual(inserted);
    expect(walk.linesInFrame).toBe(0);

    // Pending, until one draw and one decision about the scrollback have happened.
    expect(walk.input({ type: "confirm.requested" })).toEqual({ ...inserted, confirmPhase: "pending" });
    expect(walk.take(activateConfirm)).toEqual({ ...inserted, confirmPhase: "pending" });
    expect(walk.draw()).toEqual({ ...inserted, confirmPhase: "drawn" });
    expect(walk.take(activateConfirm)).toEqual({ ...inserted, confirmPhase: "active" });
    expect(walk.draw()).toEqual({ ...inserted, confirmPhase: "active" });

    // Closed: what was shown for it settles, and the next input finds nothing left to do.
    walk.input({ type: "confirm.closed" }, { type: "lines.settled", lines: lines(18) });
    expect(walk.draw()).toEqual({ insertedLines: 28, settledLines: 28, confirmPhase: "none" });
    expect(isInsertionDue(walk.model)).toBe(false);
  });

  test("a confirmation does not become active while lines still wait for the scrollback", () => {
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: lines(4) }, { type: "confirm.requested" });
    expect(walk.draw(2).confirmPhase).toBe("pending");
    expect(walk.take(activateConfirm).confirmPhase).toBe("pending");
    walk.draw(2);
    expect(walk.take(activateConfirm).confirmPhase).toBe("active");
  });

  test("a confirmation that was seen whole is pending again while the window moves", () => {
    const walk = new Walk();
    walk.input({ type: "confirm.requested" });
    expect(walk.draw().confirmPhase).toBe("drawn");
    walk.input({ type: "window.changed", motion: "moving" });
    expect(walk.draw().confirmPhase).toBe("pending");
    expect(walk.take(activateConfirm).confirmPhase).toBe("pending");
  });

  test("an insertion that stops half-way keeps the rest for the next one", () => {
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: lines(5) });
    expect(walk.draw(3).insertedLines).toBe(3);
    expect(walk.linesInFrame).toBe(2);
    expect(walk.draw().insertedLines).toBe(5);
  });

  test("another width leaves the boundary where it is", () => {
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: ["x".repeat(100), "y".repeat(30)] });
    expect(walk.draw(1).insertedLines).toBe(1);
    expect(walk.input({ type: "size.changed", size: { columns: 20, rows: 40 } }).insertedLines).toBe(1);
  });

  test("nothing is inserted while the user looks elsewhere, and everything afterwards", () => {
    const walk = new Walk();
    walk.input({ type: "insertion.held" }, { type: "lines.settled", lines: lines(3) });
    expect(walk.linesInFrame).toBe(0);
    walk.input({ type: "insertion.released" });
    expect(walk.linesInFrame).toBe(3);
  });
});

describe("the invariants", () => {
  const state = (changes: Partial<RenderState>): RenderState => ({ ...INITIAL_RENDER_STATE, ...changes });

  test("say nothing about a good state", () => {
    expect(checkInvariants(INITIAL_RENDER_STATE, INITIAL_RENDER_STATE)).toEqual([]);
  });

  test.each<[number, string, Partial<RenderState>, Partial<RenderState>]>([
    [2, "a boundary that went back", { insertedLines: 1, settledLines: 3 }, { insertedLines: 2 }],
    [3, "a line inserted that may change", { insertedLines: 2, settledLines: 1 }, {}],
    [5, "a confirmation without a draw", { confirmPhase: "active" }, { confirmPhase: "pending" }],
    [5, "a confirmation that never waited", { confirmPhase: "active" }, {}],
  ])("number %i finds %s", (invariant, _, after, before) => {
    const found = checkInvariants(state(after), state(before));
    expect(found.map((violation) => violation.invariant)).toEqual([invariant]);
  });
});
