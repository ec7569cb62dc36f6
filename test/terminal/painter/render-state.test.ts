// The life of a session as the accounting sees it: startup, input, a preview, a confirmation that waits and then takes over,
// and its end. Every field is looked at after every step.
import { describe, expect, test } from "vitest";
import type { Frame } from "../../../src/terminal/painter/frame.js";
import { checkInvariants } from "../../../src/terminal/painter/invariants.js";
import type { RenderState } from "../../../src/terminal/painter/render-state.js";
import {
  activateConfirm,
  computeLayout,
  inserted,
  redrawn,
  reduceInputs,
  type ScreenInput,
  type ScreenModel,
  screenModel,
} from "../../../src/terminal/painter/stages.js";
import { verifies } from "../../verifies.js";

const COMPOSER = ["› ", "  status"];

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

function live(transcriptRows: number): ScreenInput {
  const frame: Frame = { rows: [...lines(transcriptRows), ...COMPOSER], cursor: { row: transcriptRows, column: 2 } };
  return { type: "live.changed", frame, transcriptRows };
}

/** The seven fields, without what they rest on. */
function fields({ proof: _, ...seven }: RenderState): Omit<RenderState, "proof"> {
  return seven;
}

/** Steps through the stages and holds the invariants at every one of them. */
class Walk {
  model: ScreenModel = screenModel({ columns: 80, rows: 40 });

  take(next: (model: ScreenModel) => ScreenModel): Omit<RenderState, "proof"> {
    const previous = this.model.state;
    this.model = next(this.model);
    expect(checkInvariants(this.model.state, previous)).toEqual([]);
    return fields(this.model.state);
  }

  input(...inputs: ScreenInput[]): Omit<RenderState, "proof"> {
    return this.take((model) => computeLayout(reduceInputs(model, inputs)));
  }
}

describe("the render state", () => {
  test("goes through a whole session with every field accounted for", () => {
    verifies("screen.1", "screen.2", "screen.5", "screen.6", "screen.7", "screen.14", "invariant.1", "invariant.5");
    const walk = new Walk();
    const quiet = { syncPhase: "idle", confirmPhase: "none", cursorPhase: "visibleAtComposer" };

    // Startup: the first frame shows eight rows that may all still change.
    const startup = { wrappedTotal: 8, visibleStart: 0, visibleEnd: 8, insertedUntil: 0, ...quiet };
    expect(walk.input(live(8))).toEqual(startup);
    expect(walk.take(redrawn)).toEqual(startup);

    // Input is sent: ten rows settle, fourteen are live.
    const sent = { wrappedTotal: 24, visibleStart: 10, visibleEnd: 24, insertedUntil: 0 };
    expect(walk.input({ type: "lines.settled", lines: lines(10) }, live(14))).toEqual({
      ...sent,
      ...quiet,
      syncPhase: "needsInsert",
    });
    expect(walk.take((model) => inserted(model, 10))).toEqual({
      ...sent,
      insertedUntil: 10,
      syncPhase: "insertedNeedsRedraw",
      confirmPhase: "none",
      cursorPhase: "hiddenDuringScrollbackInsert",
    });
    expect(walk.take(redrawn)).toEqual({ ...sent, insertedUntil: 10, ...quiet });

    // A preview of what is to be approved grows the live part; the request comes with it.
    const preview = { wrappedTotal: 28, visibleStart: 10, visibleEnd: 28, insertedUntil: 10 };
    expect(walk.input(live(18))).toEqual({ ...preview, ...quiet });
    expect(walk.take(redrawn)).toEqual({ ...preview, ...quiet });
    expect(walk.input({ type: "confirm.requested" })).toEqual({ ...preview, ...quiet, confirmPhase: "pending" });

    // Pending, until one draw and one decision about the scrollback have happened.
    expect(walk.take(activateConfirm)).toEqual({ ...preview, ...quiet, confirmPhase: "pending" });
    expect(walk.take(redrawn)).toEqual({ ...preview, ...quiet, confirmPhase: "pending" });
    expect(walk.take(activateConfirm)).toEqual({ ...preview, ...quiet, confirmPhase: "active" });

    // Closed: what was shown for it settles, and the next input finds an idle screen.
    const closed = { wrappedTotal: 30, visibleStart: 28, visibleEnd: 30, insertedUntil: 10 };
    expect(walk.input({ type: "confirm.closed" }, { type: "lines.settled", lines: lines(18) }, live(2))).toEqual({
      ...closed,
      ...quiet,
      syncPhase: "needsInsert",
    });
    walk.take((model) => inserted(model, 18));
    expect(walk.take(redrawn)).toEqual({ ...closed, insertedUntil: 28, ...quiet });
    expect(walk.input(live(3))).toEqual({ ...closed, insertedUntil: 28, wrappedTotal: 31, visibleEnd: 31, ...quiet });
  });

  test("a confirmation does not become active while lines still wait for the scrollback", () => {
    verifies("screen.14", "invariant.5");
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: lines(4) }, { type: "confirm.requested" });
    walk.take((model) => inserted(model, 2));
    expect(walk.take(redrawn)).toMatchObject({ syncPhase: "needsInsert", confirmPhase: "pending" });
    expect(walk.take(activateConfirm).confirmPhase).toBe("pending");
    walk.take((model) => inserted(model, 2));
    walk.take(redrawn);
    expect(walk.take(activateConfirm).confirmPhase).toBe("active");
  });

  test("an insertion that stops half-way keeps the rest for the next one", () => {
    verifies("screen.8");
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: lines(5) }, live(0));
    expect(walk.take((model) => inserted(model, 3))).toMatchObject({ insertedUntil: 3, visibleStart: 5 });
    expect(walk.model.state.proof.inserted).toEqual({ block: 0, line: 3, offset: 0 });
    walk.take(redrawn);
    walk.input(live(0));
    expect(walk.take((model) => inserted(model, 2))).toMatchObject({ insertedUntil: 5, visibleStart: 5 });
    expect(walk.model.state.proof.inserted).toEqual({ block: 1, line: 0, offset: 0 });
  });

  test("another width gives other row numbers and the same boundary", () => {
    verifies("screen.10", "invariant.2");
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: ["x".repeat(100), "y".repeat(30)] }, live(0));
    expect(walk.take((model) => inserted(model, 2)).insertedUntil).toBe(3);
    walk.take(redrawn);
    const { inserted: boundary } = walk.model.state.proof;
    expect(walk.input({ type: "size.changed", size: { columns: 20, rows: 40 } }, live(0)).insertedUntil).toBe(7);
    expect(walk.input({ type: "size.changed", size: { columns: 200, rows: 40 } }, live(0)).insertedUntil).toBe(2);
    expect(walk.model.state.proof.inserted).toEqual(boundary);
  });

  test("nothing is inserted while the person looks elsewhere, and everything afterwards", () => {
    verifies("screen.9");
    const walk = new Walk();
    walk.input({ type: "insertion.held" }, { type: "lines.settled", lines: lines(3) }, live(1));
    expect(fields(walk.model.state)).toMatchObject({ syncPhase: "idle", insertedUntil: 0, visibleStart: 3 });
    expect(walk.input({ type: "insertion.released" })).toMatchObject({ syncPhase: "needsInsert" });
  });

  test("a reset starts the numbers again, forgets no waiting line and keeps the confirmation", () => {
    verifies("screen.4");
    const walk = new Walk();
    walk.input({ type: "lines.settled", lines: lines(3) }, live(0), { type: "confirm.requested" });
    walk.take((model) => inserted(model, 2));
    walk.take(redrawn);
    expect(walk.input({ type: "transcript.reset" }, live(2))).toEqual({
      wrappedTotal: 3,
      visibleStart: 1,
      visibleEnd: 3,
      insertedUntil: 0,
      syncPhase: "needsInsert",
      confirmPhase: "pending",
      cursorPhase: "visibleAtComposer",
    });
  });
});

describe("the invariants", () => {
  const good = computeLayout(reduceInputs(screenModel({ columns: 80, rows: 24 }), [live(4)])).state;
  const proof = (changes: Partial<RenderState["proof"]>) => ({ proof: { ...good.proof, ...changes } });
  const at = (block: number) => ({ block, line: 0, offset: 0 });

  test("say nothing about a good state", () => {
    expect(checkInvariants(good, good)).toEqual([]);
  });

  test.each<[number, string, Partial<RenderState>, Partial<RenderState>]>([
    [1, "rows out of order", { insertedUntil: 5, visibleStart: 4 }, {}],
    [1, "more shown than there is", { visibleEnd: 9, wrappedTotal: 4 }, {}],
    [
      2,
      "a boundary that went back",
      proof({ inserted: at(1), settled: at(3) }),
      proof({ inserted: at(2), settled: at(3) }),
    ],
    [3, "a line inserted that may change", proof({ inserted: at(2), settled: at(1) }), {}],
    [4, "a cursor shown after an insertion", { syncPhase: "insertedNeedsRedraw", ...proof({ insertions: 1 }) }, {}],
    [4, "a cursor hidden for no reason", { cursorPhase: "hiddenDuringScrollbackInsert" }, {}],
    [4, "a second follow-up redraw", proof({ insertions: 1, followUpRedraws: 2 }), {}],
    [5, "a confirmation without a draw", { confirmPhase: "active" }, { confirmPhase: "pending" }],
    [
      5,
      "a confirmation that never waited",
      { confirmPhase: "active", ...proof({ confirmDrawn: true, confirmSynced: true }) },
      {},
    ],
  ])("number %i finds %s", (invariant, _, state, previous) => {
    verifies("screen.3");
    const found = checkInvariants({ ...good, ...state }, { ...good, ...previous });
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
  });

  test("a reset may take the boundary back", () => {
    const before = { ...good, ...proof({ inserted: at(2), settled: at(3) }) };
    const after = { ...good, ...proof({ inserted: at(0), settled: at(3), resets: 1 }) };
    expect(checkInvariants(after, before)).toEqual([]);
  });
});
