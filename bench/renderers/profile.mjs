// Where the processor time of a measured piece of work went, function by function, when a file to write to is named.
import { writeFileSync } from "node:fs";

const SAMPLE_EVERY_US = 100;
const HOT_FUNCTIONS = 12;

export async function profiled(path, work) {
  if (path === undefined) return work();
  // Loaded only now, because it would add to the memory that is measured otherwise.
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
  await session.post("Profiler.start");
  const result = await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  writeFileSync(path, JSON.stringify(profile));
  return { ...result, hot: hotFunctions(profile) };
}

function hotFunctions({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const selfUs = new Map();
  let totalUs = 0;
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = byId.get(id);
    if (functionName === "(idle)") continue;
    const name = `${functionName || "(anonymous)"} ${url.split("/").at(-1)}:${lineNumber + 1}`;
    totalUs += timeDeltas[index];
    selfUs.set(name, (selfUs.get(name) ?? 0) + timeDeltas[index]);
  }
  return [...selfUs]
    .sort((a, b) => b[1] - a[1])
    .slice(0, HOT_FUNCTIONS)
    .map(([name, us]) => `${((100 * us) / totalUs).toFixed(1).padStart(5)} %  ${name}`);
}
