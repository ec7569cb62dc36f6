// Ten thousand turns in one terminal UI: what a turn costs in memory and time at the end, beside what it cost at the beginning.
// The transcript that can be opened again is kept (bounded), so that memory grows by the text itself and by nothing else.
import { withFront } from "./agent-ui/front.mjs";

export const title = "Ten thousand turns in one session";

const TURNS = 10_000;
const EARLY = 2_000;
/** What the text of a turn takes when it is kept to be read again. */
const KEPT_BYTES_PER_TURN_MAX = 4_000;
const LIMIT_MS = 400_000;

export async function run() {
  return withFront(async (front) => {
    await front.settled();
    front.send(`turns ${TURNS}`);
    const start = await at(front, 1_000);
    const early = await at(front, EARLY);
    const late = await at(front, TURNS - 1_000);
    const end = await at(front, TURNS);
    const slope = (end.cpu - late.cpu) / (early.cpu - start.cpu);
    const perTurn = ((end.rss - early.rss) * 1024 * 1024) / (TURNS - EARLY);
    return [
      { what: "CPU of the last thousand ÷ of the second", value: slope.toFixed(2), goal: "≤ 1.3", met: slope <= 1.3 },
      {
        what: `memory per turn (${early.rss.toFixed(0)} → ${end.rss.toFixed(0)} MB)`,
        value: `${perTurn.toFixed(0)} B`,
        goal: `≤ ${KEPT_BYTES_PER_TURN_MAX} B, the kept text`,
        met: perTurn <= KEPT_BYTES_PER_TURN_MAX,
      },
    ];
  });
}

async function at(front, turns) {
  await front.shows(`TURNS ${turns}`, LIMIT_MS);
  return { cpu: front.cpuSeconds(), rss: front.rssMb() };
}
