// Many sessions from one seed, until enough ticks have passed or one of them fails. A failure is shrunk and told in full:
// which seed, which tick, what was expected and seen, and a script that shows it again.

import { type ProfileName, parseScript, type Script, scriptText } from "./action.js";
import { generateScript } from "./generator.js";
import { SeededRandom } from "./seeded-random.js";
import { type Failure, playScript } from "./session.js";
import { shrink } from "./shrink.js";

const SESSION_TICKS_MIN = 40;
const SESSION_TICKS_MAX = 400;
const SHRINK_TRIES_MAX = 3000;

export interface SimulationOptions {
  readonly seed: number;
  readonly ticks: number;
  readonly profile?: ProfileName | undefined;
  /** Called after each session. */
  readonly onProgress?: (ticks: number) => void;
}

export interface SimulationReport {
  readonly ticks: number;
  readonly sessions: number;
  /** Sessions that ended early because the terminal itself damages plainly printed lines there. */
  readonly excused: number;
  readonly failure?: ScriptFailure;
}

export interface ScriptFailure extends Failure {
  readonly sessionSeed: number;
  readonly script: Script;
}

export function simulate({ seed, ticks, profile, onProgress }: SimulationOptions): SimulationReport {
  const random = new SeededRandom(seed);
  let done = 0;
  let excused = 0;
  for (let sessions = 1; ; sessions++) {
    const wanted = Math.min(ticks - done, random.integer(SESSION_TICKS_MIN, SESSION_TICKS_MAX));
    const sessionSeed = random.integer(1, 2 ** 31);
    const script = generateScript({ seed: sessionSeed, ticks: wanted, profile });
    const outcome = playScript(script);
    done += wanted;
    if (outcome.result === "failed")
      return { ticks: done, sessions, excused, failure: { ...outcome.failure, sessionSeed, script } };
    if (outcome.result === "excused") excused += 1;
    onProgress?.(done);
    if (done >= ticks) return { ticks: done, sessions, excused };
  }
}

/** The smallest script found that fails in the same way. */
export function shrunk({ script, fault, tick }: ScriptFailure, triesMax: number = SHRINK_TRIES_MAX): Script {
  const start = { ...script, actions: script.actions.slice(0, tick) };
  const fails = (candidate: Script): boolean => {
    const outcome = playScript(candidate);
    return outcome.result === "failed" && outcome.failure.fault.rule === fault.rule;
  };
  return shrink(fails(start) ? start : script, { fails, triesMax });
}

export function replay(source: string): { readonly result: "passed" | "excused" | "failed"; readonly text: string } {
  const script = parseScript(source);
  const outcome = playScript(script);
  const text = outcome.result === "passed" ? `passed, ${script.actions.length} ticks` : failureText(outcome.failure);
  return { result: outcome.result, text };
}

export function failureText({ fault, tick }: Failure): string {
  const rows = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    |${line}|`)];
  return [
    `tick ${tick}: ${fault.rule}: ${fault.message}`,
    ...rows("expected", fault.expected),
    ...rows("seen", fault.seen),
  ].join("\n");
}

export { profileName } from "./action.js";
export { scriptText };
