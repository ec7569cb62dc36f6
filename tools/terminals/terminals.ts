// `npm run terminals`: the same sessions in real terminals, once through the product and once by plain printing. It prints
// what each left in the scrollback, and fails when the product did worse.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Pair, type Row, tableHead, tableLine, worseThanPlain } from "./comparison.js";
import { Desk } from "./desk.js";
import { terminalKinds } from "./kinds/all-kinds.js";
import { takeSessionPicture } from "./session-picture.js";
import { type Mode, type RunResult, runSession } from "./session-run.js";
import { type SessionPlan, VARIANTS, type Variant } from "./session-script.js";
import type { TerminalKind } from "./terminal-kind.js";

interface Invocation {
  readonly arguments: readonly string[];
  /** The bundled program under test. */
  readonly app: string;
  /** The folder of this file, for the helper program beside it. */
  readonly sources: string;
  readonly print: (line: string) => void;
}

interface Choice {
  readonly kinds: readonly TerminalKind[];
  readonly plans: readonly SessionPlan[];
  /** Where scrollbacks, findings and journals are kept. */
  readonly keep: string | undefined;
  /** Take pictures into this folder instead of running the sessions. */
  readonly pictures: string | undefined;
}

const LINES = 350;
const RESIZES = 50;
const DEFAULT_VARIANTS = "mixed,burst,overlay,tiny";
const DEFAULT_SEEDS = "1,2";

/** Gives the exit code: 0 when the product did no worse anywhere, 1 when it did, 2 when the arguments make no sense. */
export async function tryTerminals(invocation: Invocation): Promise<number> {
  let choice: Choice;
  try {
    choice = chosen(invocation);
  } catch (error) {
    invocation.print(error instanceof Error ? error.message : String(error));
    return 2;
  }
  const desk = new Desk(mkdtempSync(join(tmpdir(), "palaver-")));
  const interrupt = () => void desk.close().then(() => process.kill(process.pid, "SIGINT"));
  process.once("SIGINT", interrupt);
  try {
    if (choice.pictures !== undefined) return await takePictures(desk, choice.kinds, choice.pictures, invocation);
    return await tryAll(desk, choice, invocation);
  } finally {
    process.off("SIGINT", interrupt);
    await desk.close();
    rmSync(desk.folder, { recursive: true, force: true });
  }
}

function chosen({ arguments: args, sources }: Invocation): Choice {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seeds: { type: "string", default: DEFAULT_SEEDS },
      variants: { type: "string", default: DEFAULT_VARIANTS },
      keep: { type: "string" },
      pictures: { type: "string" },
      ascii: { type: "boolean", default: false },
    },
  });
  const all = terminalKinds(sources);
  const names = positionals.length === 0 ? all.map(({ name }) => name) : positionals.flatMap((list) => list.split(","));
  const kinds = names.map((name) => {
    const kind = all.find((candidate) => candidate.name === name);
    if (kind === undefined) throw new Error(`No terminal "${name}": ${all.map((one) => one.name).join(", ")}.`);
    return kind;
  });
  const seeds = values.seeds.split(",").map(seedOf);
  const text = values.ascii ? ("ascii" as const) : ("wide" as const);
  const plans = values.variants
    .split(",")
    .map(variantOf)
    .flatMap((variant) => seeds.map((seed) => ({ seed, variant, lineCount: LINES, resizeCount: RESIZES, text })));
  return { kinds, plans, keep: values.keep, pictures: values.pictures };
}

function variantOf(name: string): Variant {
  const variant = VARIANTS.find((candidate) => candidate === name);
  if (variant === undefined) throw new Error(`No variant "${name}": ${VARIANTS.join(", ")}.`);
  return variant;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`No seed "${text}": a whole number.`);
  return seed;
}

async function takePictures(desk: Desk, kinds: readonly TerminalKind[], folder: string, { app, print }: Invocation) {
  mkdirSync(folder, { recursive: true });
  for (const kind of kinds) {
    if (kind.name === "tmux" || !(await isInstalled(desk, kind))) continue;
    const path = resolve(folder, `${kind.name}.png`);
    await takeSessionPicture(desk, kind, app, path);
    if (!existsSync(path)) {
      print(`${kind.name}: no picture; it takes ImageMagick: apt-get install --no-install-recommends imagemagick`);
      return 1;
    }
    print(path);
  }
  return 0;
}

async function tryAll(desk: Desk, { kinds, plans, keep }: Choice, { app, print }: Invocation): Promise<number> {
  if (keep !== undefined) mkdirSync(keep, { recursive: true });
  const worse: string[] = [];
  let sessions = 0;
  print(tableHead());
  for (const kind of kinds) {
    if (!(await isInstalled(desk, kind))) {
      print(`${kind.name}  not installed: apt-get install --no-install-recommends ${kind.packages.join(" ")}`);
      continue;
    }
    const pairs: Pair[] = [];
    for (const plan of plans) {
      sessions += 1;
      const pair = await tryPair(desk, { kind, plan, app, keep, print });
      if (typeof pair === "string") worse.push(pair);
      else pairs.push(pair);
    }
    worse.push(...worseThanPlain(pairs));
  }
  print("");
  for (const finding of worse) print(`✕ ${finding}`);
  print(worse.length === 0 ? `${sessions} sessions, no worse than plain printing` : `${sessions} sessions`);
  return worse.length === 0 ? 0 : 1;
}

interface Trial {
  readonly kind: TerminalKind;
  readonly plan: SessionPlan;
  readonly app: string;
  readonly keep: string | undefined;
  readonly print: (line: string) => void;
}

/** Runs both modes; gives a sentence when one of them could not be read. */
async function tryPair(desk: Desk, trial: Trial): Promise<Pair | string> {
  const name = `${trial.kind.name} ${trial.plan.variant} ${trial.plan.seed}`;
  let mode: Mode = "plain";
  try {
    const plain = await tryOne(desk, trial, mode);
    mode = "inline";
    const inline = await tryOne(desk, trial, mode);
    return { name, plain: plain.faults, inline: inline.faults };
  } catch (error) {
    return `${name}: ${mode}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function tryOne(desk: Desk, { kind, plan, app, keep, print }: Trial, mode: Mode): Promise<Row> {
  const name = `${kind.name}-${plan.variant}-${plan.seed}-${mode}`;
  const journal = keep === undefined ? {} : { journal: resolve(keep, `${name}.journal`) };
  const result = await runSession(desk, { kind, plan, mode, app, ...journal });
  if (keep !== undefined) save(join(keep, name), result);
  if (!result.verdict.isComplete) throw new Error("the end of the session is not in the scrollback");
  const { faults } = result.verdict;
  const row: Row = {
    terminal: kind.name,
    variant: plan.variant,
    seed: plan.seed,
    mode,
    faults,
    resizes: result.sizes.length,
  };
  print(tableLine(row));
  return row;
}

function save(path: string, { rows, verdict, sizes }: RunResult): void {
  writeFileSync(`${path}.rows`, `${rows.join("\n")}\n`);
  writeFileSync(`${path}.findings`, `${verdict.details.join("\n")}\n`);
  writeFileSync(`${path}.sizes`, `${sizes.map(({ columns, rows: high }) => `${columns}x${high}`).join("\n")}\n`);
}

export async function isInstalled(desk: Desk, { programs, probe }: TerminalKind): Promise<boolean> {
  const folders = (process.env["PATH"] ?? "").split(":");
  const isThere = (program: string) =>
    folders.some((folder) => existsSync(join(folder, program))) || existsSync(program);
  if (!programs.every(isThere)) return false;
  if (probe === undefined) return true;
  const [command = "", ...args] = probe;
  return new Promise((tell) => execFile(command, args, { cwd: desk.folder }, (error) => tell(error === null)));
}
