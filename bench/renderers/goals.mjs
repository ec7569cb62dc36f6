// The rows of the table and the goals in them: each compares our figure with a number, with the floor, or with the best
// peer of the same run. What could not be measured is never counted as reached.

const OURS = "palaver";
const NOT_PEERS = new Set([OURS, "plain", "bare"]);
const FIRST_FRAME_EXTRA_MS = 25;

const ms = (digits) => (value) => value.toFixed(digits);
const whole = (value) => String(Math.round(value));
const kilobytes = (value) => `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} KB`;
const marks = (values) => values.join("/");

const ROWS = [
  row("start", "first frame, ms", (r) => r.firstFrameMs, whole, notMuchBeyondBareNode()),
  row("W1", "CPU ms a token", (r) => r.perToken, ms(3), shareOfBestPeer(8)),
  row("W1", "bytes per useful byte", (r) => r.bytesPerUseful, ms(1), atMost(6)),
  row("W1", "faults", (r) => r.faults, whole, atMost(0)),
  row("W1r", "CPU ms", (r) => r.cpuMs, whole, shareOfBestPeer(2)),
  row("W1r", "bytes per useful byte", (r) => r.bytesPerUseful, ms(1), atMost(4)),
  row("W1r", "faults", (r) => r.faults, whole, atMost(0)),
  row("W1m", "CPU ms a token", (r) => r.perToken, ms(3), shareOfBestPeer(15)),
  row("W1m", "bytes per useful byte", (r) => r.bytesPerUseful, ms(1)),
  row("W1m", "faults", (r) => r.faults, whole, atMost(0)),
  row("W2", "CPU ms an append at 1k lines", (r) => r.perAppend1000, ms(3)),
  row("W2", "CPU ms an append at 10k lines", (r) => r.perAppend10000, ms(3)),
  row("W2", "CPU ms an append at 100k lines", (r) => r.perAppend100000, ms(3)),
  row("W2", "cost at 100k ÷ at 1k", (r) => r.perAppend100000 / r.perAppend1000, ms(2), atMost(1.2)),
  row("W2", "peak memory, MB", (r) => r.rssMb, whole, atMost(90)),
  row("W2", "faults", (r) => r.faults, whole, atMost(0)),
  row("W3", "key to screen p50, ms", (r) => r.p50Ms, ms(1), timesPlain(2)),
  row("W3", "key to screen p99, ms", (r) => r.p99Ms, ms(1), timesPlain(3)),
  row("W3", "bytes a key", (r) => r.bytesPerKey, ms(1), atMost(20)),
  row("W3", "faults", (r) => r.faults, whole, atMost(0)),
  row("W4", "lost/doubled/order/ghost/blank/shell", lineFaults, marks, allZero()),
  row("W4", "mangled", (r) => r.mangled, whole, timesPlain(1)),
  row("W4", "clears (2J, 3J)", (r) => r.clears, whole, atMost(0)),
  row("W4", "cells erased in sight", (r) => r.erasedUnsynced, whole, atMost(0)),
  row("W4", "bytes", (r) => r.bytes, kilobytes, atMost(80_000)),
  row("W5", "faults and blanks", (r) => r.faults + r.blanks, whole, atMost(0)),
  row("W5", "CPU ms", (r) => r.cpuMs, whole),
  row("W5", "bytes per useful byte", (r) => r.bytesPerUseful, ms(2), atMost(1.5)),
];

/** The rows of the workloads that ran, each with its cells, how we compare, and whether the goal was met. */
export function judgeGoals(results) {
  return ROWS.filter(({ workload }) => workload in results).map((definition) => {
    const { workload, what, read, format, goal } = definition;
    const figures = figuresOf(results[workload], read);
    const cells = Object.fromEntries(
      Object.entries(figures).map(([id, value]) => [id, value === undefined ? "–" : format(value)]),
    );
    return { workload, what, cells, ...verdictOf(figures, goal, format) };
  });
}

function verdictOf(figures, goal, format) {
  if (goal === undefined) return { verdict: "none", goal: "", compared: "" };
  if (figures[OURS] === undefined) return { verdict: "missed", goal: goal.text, compared: "not measured" };
  const judged = goal.judge(figures[OURS], figures, format);
  if (judged === undefined) return { verdict: "open", goal: goal.text, compared: "nothing to compare with" };
  return { verdict: judged.met ? "met" : "missed", goal: goal.text, compared: judged.compared ?? "" };
}

function figuresOf(results, read) {
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => [id, result.absence === undefined ? read(result) : undefined]),
  );
}

function row(workload, what, read, format, goal) {
  return { workload, what, read, format, goal };
}

function lineFaults({ lost, doubled, misordered, ghosts, blanks, shellLost }) {
  return [lost, doubled, misordered, ghosts, blanks, shellLost];
}

function atMost(limit) {
  return {
    text: limit === 0 ? "0" : `≤ ${limit >= 10_000 ? kilobytes(limit) : limit}`,
    judge: (ours) => ({ met: ours <= limit }),
  };
}

function allZero() {
  return { text: "all 0", judge: (ours) => ({ met: ours.every((count) => count === 0) }) };
}

function timesPlain(factor) {
  return {
    text: factor === 1 ? "≤ plain" : `≤ ${factor} × plain`,
    judge(ours, { plain }) {
      if (plain === undefined) return undefined;
      return { met: ours <= factor * plain, compared: factor === 1 ? "" : `${(ours / plain).toFixed(2)} × plain` };
    },
  };
}

function shareOfBestPeer(parts) {
  return {
    text: `≤ 1/${parts} of the best peer`,
    judge(ours, figures) {
      const peers = Object.entries(figures).filter(([id, value]) => !NOT_PEERS.has(id) && value !== undefined);
      if (peers.length === 0) return undefined;
      const [id, best] = peers.reduce((a, b) => (b[1] < a[1] ? b : a));
      return { met: ours <= best / parts, compared: `1/${(best / ours).toFixed(1)} of ${id}` };
    },
  };
}

function notMuchBeyondBareNode() {
  return {
    text: `≤ bare node + ${FIRST_FRAME_EXTRA_MS} ms`,
    judge(ours, { bare }) {
      if (bare === undefined) return undefined;
      return { met: ours - bare <= FIRST_FRAME_EXTRA_MS, compared: `bare ${whole(bare)} + ${whole(ours - bare)}` };
    },
  };
}
