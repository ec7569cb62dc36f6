// `node scripts/fuzz.mjs [NAME…] [--seconds N] [--seed S] [--round R]`: tries to break every decoder with hostile inputs.
// A failure prints its seed, its round and the smallest input that shows it. Each fuzzer runs in a thread of its own, so that
// one that hangs is noticed and named.
import "./script-help.mjs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { root, setup } from "./setup.mjs";

const HANG_MS = 30_000;
const bundle = join(root, ".cache", "fuzz", "fuzz.mjs");
const corpusFolder = join(root, "test", "fuzz", "corpus");

if (isMainThread) await main();
else await work();

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "20" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      round: { type: "string" },
    },
  });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  await setup({ build: false });
  await load();
  const { fuzzTargets } = await import(bundle);
  const known = fuzzTargets.map(({ name }) => name);
  const stranger = positionals.find((name) => !known.includes(name));
  if (stranger !== undefined || !(seconds > 0) || !Number.isSafeInteger(seed)) {
    console.error(
      `usage: node scripts/fuzz.mjs [NAME…] [--seconds N] [--seed S] [--round R]\nnames: ${known.join(" ")}`,
    );
    process.exitCode = 2;
    return;
  }
  console.log(`seed ${seed}, ${seconds} s each`);
  const names = positionals.length > 0 ? positionals : known;
  for (const name of names) {
    const verdict = await inThread({
      name,
      seed,
      seconds,
      round: values.round === undefined ? null : Number(values.round),
    });
    if (verdict !== "passed") process.exitCode = 1;
  }
}

// The thread counts its rounds where we can see them; a count that stands still for long is a hang.
function inThread(job) {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...job, progress } });
  return new Promise((resolve) => {
    let seen = -1;
    const watch = setInterval(() => {
      const round = Atomics.load(progress, 0);
      if (round === seen) {
        console.log(`✕ ${job.name}: seed ${job.seed}, round ${round} has not ended for ${HANG_MS / 1000} s`);
        void worker.terminate().then(() => end("failed"));
      }
      seen = round;
    }, HANG_MS);
    const end = (verdict) => {
      clearInterval(watch);
      resolve(verdict);
    };
    worker.on("message", ({ rounds, text }) => {
      console.log(text === null ? `✓ ${job.name}  ${rounds} inputs` : `✕ ${text}`);
      end(text === null ? "passed" : "failed");
    });
    worker.on("error", (error) => {
      console.log(`✕ ${job.name}: seed ${job.seed}, round ${Atomics.load(progress, 0)}: ${error.stack}`);
      end("failed");
    });
  });
}

async function work() {
  const { name, seed, seconds, round: only, progress } = workerData;
  const { fuzzTargets, readCorpus, fuzz, failureText, inputOf } = await import(bundle);
  const target = fuzzTargets.find((one) => one.name === name);
  const corpus = readCorpus(corpusFolder, name);
  if (only !== null) {
    const input = inputOf(target, corpus, seed, only);
    console.log(JSON.stringify(new TextDecoder().decode(input)));
    await target.check(input);
  }
  const endMs = performance.now() + seconds * 1000;
  const { rounds, failure } = await fuzz(target, corpus, {
    seed,
    isOver(round) {
      Atomics.store(progress, 0, round);
      return performance.now() > endMs;
    },
  });
  parentPort.postMessage({ rounds, text: failure === null ? null : failureText(failure) });
}

async function load() {
  const { build } = await import("esbuild");
  mkdirSync(join(bundle, ".."), { recursive: true });
  const modules = ["all-targets", "corpus-files", "fuzz-run"].map(
    (name) => `export * from "./test/rigs/fuzz/${name}.ts";`,
  );
  await build({
    stdin: { contents: modules.join("\n"), resolveDir: root, loader: "ts" },
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Bundled CommonJS modules still ask for Node's own ones with `require`.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    define: { PALAVER_VERSION: '"0"' },
  });
}
