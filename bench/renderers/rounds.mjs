// Measures a workload on every renderer in turns, forwards and backwards, so that a busy moment of the machine does not
// fall on the same one each time; and makes one result of the rounds.
import { WORKLOADS } from "./workloads.mjs";

/** What noise can only make larger, so that the smallest is the truest; of everything else the worst counts. */
const SMALLEST = new Set([
  "cpuMs",
  "perToken",
  "perAppend1000",
  "perAppend10000",
  "perAppend100000",
  "p50Ms",
  "p99Ms",
  "firstFrameMs",
]);

/** For each renderer its figures, or `absence`: why it has none. */
export async function measureInTurns(id, renderers, { onMeasure, env = () => ({}) }) {
  const { rounds, measure } = WORKLOADS[id];
  const taking = id === "start" ? [bareNode(renderers), ...renderers] : renderers;
  const results = new Map(taking.map((renderer) => [renderer.id, []]));
  const absences = new Map();
  for (let round = 0; round < Math.max(...Object.values(rounds)); round += 1) {
    const turn = taking.filter((renderer) => round < roundsOf(rounds, renderer) && !absences.has(renderer.id));
    for (const renderer of round % 2 === 0 ? turn : turn.reverse()) {
      onMeasure(id, renderer, round);
      try {
        results.get(renderer.id).push(await measure(renderer, env(id, renderer)));
      } catch (error) {
        absences.set(renderer.id, error.message.split("\n")[0]);
      }
    }
  }
  return Object.fromEntries(
    taking.map(({ id }) => [id, absences.has(id) ? { absence: absences.get(id) } : merged(results.get(id))]),
  );
}

function merged(results) {
  const names = Object.keys(results[0]);
  return Object.fromEntries(
    names.map((name) => [
      name,
      mergedValue(
        name,
        results.map((result) => result[name]),
      ),
    ]),
  );
}

function mergedValue(name, values) {
  if (SMALLEST.has(name)) return Math.min(...values);
  return typeof values[0] === "number" ? Math.max(...values) : values.at(-1);
}

// The floor of a first frame is the Node that ours runs on.
function bareNode(renderers) {
  return { id: "bare", name: "bare node", node: renderers.find(({ id }) => id === "palaver").node };
}

function roundsOf(rounds, { id }) {
  if (id === "palaver") return rounds.ours;
  const isFloor = id === "plain" || id === "bare";
  return isFloor ? (rounds.floor ?? rounds.peers) : rounds.peers;
}
