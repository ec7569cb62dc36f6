// The goals of the renderer benchmark: what was not measured is never reached, and the best peer is the one to beat.
import { describe, expect, test } from "vitest";
import { type Figures, judgeGoals } from "../../bench/renderers/goals.mjs";

function rowOf(what: string, workload: string, figures: Readonly<Record<string, Figures>>) {
  const row = judgeGoals({ [workload]: figures }).find((candidate) => candidate.what === what);
  if (row === undefined) throw new Error(`no row ${what}`);
  return row;
}

describe("the goals of the renderer benchmark", () => {
  const stream = (perToken: number) => ({ perToken, bytesPerUseful: 5, faults: 0 });

  test("compare our processor time with the cheapest peer, whichever it is, and never with plain printing", () => {
    const figures = { plain: stream(0.01), palaver: stream(0.1), pi: stream(2), opentui: stream(0.9) };
    const row = rowOf("CPU ms a token", "W1", figures);
    expect(row).toMatchObject({ verdict: "met", compared: "1/9.0 of opentui" });
    expect(rowOf("CPU ms a token", "W1", { ...figures, opentui: stream(0.7) }).verdict).toBe("missed");
  });

  test("are open where no peer was measured and missed where we were not", () => {
    const absent = { absence: "took longer than 120 s" };
    expect(rowOf("CPU ms a token", "W1", { palaver: stream(0.1), pi: absent }).verdict).toBe("open");
    const row = rowOf("faults", "W1", { palaver: absent, pi: stream(1) });
    expect(row).toMatchObject({ verdict: "missed", cells: { palaver: "–", pi: "0" } });
  });

  test("hold us to the limit itself", () => {
    const at = (bytesPerUseful: number) => ({ palaver: { perToken: 0.1, bytesPerUseful, faults: 0 } });
    expect(rowOf("bytes per useful byte", "W1", at(6)).verdict).toBe("met");
    expect(rowOf("bytes per useful byte", "W1", at(6.01)).verdict).toBe("missed");
  });

  test("miss the resize goal on a single fault of any kind", () => {
    const clean = { lost: 0, doubled: 0, misordered: 0, ghosts: 0, blanks: 0, shellLost: 0, mangled: 2, clears: 0 };
    const figures = { ...clean, erasedUnsynced: 0, bytes: 30_000 };
    const what = "lost/doubled/order/ghost/blank/shell";
    expect(rowOf(what, "W4", { palaver: figures })).toMatchObject({
      verdict: "met",
      cells: { palaver: "0/0/0/0/0/0" },
    });
    for (const fault of ["lost", "doubled", "misordered", "ghosts", "blanks", "shellLost"]) {
      expect(rowOf(what, "W4", { palaver: { ...figures, [fault]: 1 } }).verdict).toBe("missed");
    }
    expect(rowOf("mangled", "W4", { palaver: figures, plain: { ...figures, mangled: 1 } }).verdict).toBe("missed");
  });

  test("measure the first frame from where Node alone would be", () => {
    const figures = (firstFrameMs: number) => ({ bare: { firstFrameMs: 70 }, palaver: { firstFrameMs } });
    expect(rowOf("first frame, ms", "start", figures(95))).toMatchObject({ verdict: "met", compared: "bare 70 + 25" });
    expect(rowOf("first frame, ms", "start", figures(96)).verdict).toBe("missed");
  });

  test("leave out the workloads that were not asked for", () => {
    expect(judgeGoals({ W1: { palaver: stream(0.1) } }).map(({ workload }) => workload)).toEqual(["W1", "W1", "W1"]);
  });
});
