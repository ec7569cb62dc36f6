// A dev daemon for a small TypeScript project: it watches and rebuilds, serves the result, runs the tests, and lets people
// see and change all of that from elsewhere. It needs esbuild (`npm install esbuild`). Start it and look at it from another terminal:
//
//   node examples/dev-daemon/daemon.mjs            palaver attach --project examples/dev-daemon/project
//                                                  palaver action Mode production --project …
// In the attached view d and p choose what is built for, m and M whether it is made small, r builds again, t runs the tests.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";
import { HeadlessTui, serveDaemon } from "palaver/daemon";

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("project", import.meta.url)));
const out = await mkdtemp(join(tmpdir(), "dev-daemon-"));
const tui = new HeadlessTui();
const options = { mode: "development", minify: "off" };
const served = { port: 0 };
const results = { tests: "not run yet" };

/** Something that only logs. A handler gets its log once, when it is added. */
class Voice {
  constructor(name) {
    this.name = () => name;
    this.say = () => {};
  }
  setLog(log) {
    this.say = log;
  }
}
const watch = new Voice("watch");
const server = new Voice("server");
const tests = new Voice("tests");

/** A choice among a few words; every word has a key that chooses it from anywhere. */
const choice = (name, label, field, words, onChange) => ({
  name: () => name,
  label: () => label,
  value: () => options[field],
  shortcuts: () => Object.entries(words).map(([key, word]) => ({ [key]: word })),
  async change(value) {
    const word = words[value] ?? value;
    const known = Object.values(words);
    if (!known.includes(word)) throw new Error(`${name} is one of ${known.join(", ")}, not ${value}`);
    if (word === options[field]) return;
    options[field] = word;
    await onChange();
  },
});

const run = (name, label, key, execute) => {
  return { name: () => name, label: () => label, shortcuts: () => [{ [key]: label }], execute };
};
const show = (name, content) => ({ name: () => name, label: () => name, content });

/** A conversation: it asks one thing after the other, and writes a module of the answers. */
const questions = ["Name of the module", "What it says"];
const talk = { asked: -1, answers: [] };
const newModule = {
  name: () => "New",
  label: () => questions[talk.asked] ?? "New module",
  value: () => "",
  waitingForUser: () => talk.asked >= 0,
  cancel: () => Object.assign(talk, { asked: -1 }),
  async change(answer) {
    if (talk.asked === 0 && !/^[a-z]+$/.test(answer)) throw new Error(`a name is a few small letters, not "${answer}"`);
    if (talk.asked >= 0) talk.answers[talk.asked] = answer;
    talk.asked += 1;
    if (talk.asked < questions.length) return;
    const [name, words] = talk.answers;
    await writeFile(join(folder, "src", `${name}.ts`), `export const ${name} = ${JSON.stringify(words)};\n`);
    watch.say(`src/${name}.ts is there`);
    talk.asked = -1;
  },
};

// One watcher at a time: a change of options ends the old one before the new one begins.
let watcher = null;
async function startWatching() {
  await watcher?.dispose();
  watcher = await context({
    entryPoints: [join(folder, "src", "main.ts")],
    outdir: out,
    bundle: true,
    format: "esm",
    minify: options.minify === "on",
    sourcemap: options.mode === "development",
    define: { MODE: JSON.stringify(options.mode) },
    logLevel: "silent",
    plugins: [{ name: "report", setup: ({ onEnd }) => onEnd(report) }],
  });
  const { port } = await watcher.serve({ servedir: out, host: "127.0.0.1", port: served.port });
  if (served.port === 0) server.say(`serving at http://127.0.0.1:${port}`);
  served.port = port;
  await watcher.watch();
}

function report({ errors, warnings }) {
  for (const { text, location } of errors) watch.say(`error: ${text} at ${location?.file}:${location?.line}`);
  if (errors.length === 0) watch.say(`rebuilt for ${options.mode}, ${warnings.length} warnings`);
  tui.refreshUI();
}

async function runTests() {
  tests.say("[... running the tests");
  const names = (await readdir(join(folder, "test"))).filter((name) => name.endsWith(".test.ts"));
  const entryPoints = names.map((name) => join(folder, "test", name));
  const built = { entryPoints, outdir: join(out, "tests"), outExtension: { ".js": ".mjs" } };
  await build({ ...built, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  const files = names.map((name) => join(out, "tests", name.replace(/\.ts$/, ".mjs")));
  const output = await outputOf(process.execPath, ["--test", "--test-reporter=tap", ...files]);
  for (const [line] of output.matchAll(/^not ok .*$/gm)) tests.say(line);
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)`, "m").exec(output)?.[1] ?? 0);
  results.tests = `${count("fail")} failed, ${count("pass")} passed`;
  tests.say(`...] ${results.tests}`);
}

function outputOf(command, args) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", fail).on("close", () => done(text));
  });
}

const tab = (title, description, color, ...handlers) => {
  const section = tui.newTabSection(title, description);
  for (const handler of handlers) tui.addHandler(handler, color, section);
};
const modes = choice("Mode", "Build for", "mode", { d: "development", p: "production" }, startWatching);
const sizes = choice("Minify", "Make it small", "minify", { m: "on", M: "off" }, startWatching);
const rebuild = run("Rebuild", "Build again", "r", () => watcher.rebuild());
tab("BUILD", "Watch and rebuild", "#6cb6ff", watch, modes, sizes, rebuild, newModule);
const address = show("Address", () => `http://127.0.0.1:${served.port}/main.js`);
tab("SERVER", "What is served", "#7ee787", server, address);
const result = show("Results", () => results.tests);
tab("TESTS", "The project's own tests", "#e3b341", tests, run("Test", "Run the tests", "t", runTests), result);

const daemon = await serveDaemon({ tui, folder, version: "1.0.0" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => daemon.stop());
await startWatching();
console.log(`The dev daemon of ${daemon.project} is at ${daemon.url}`);
await daemon.ended;
await watcher.dispose();
await rm(out, { recursive: true, force: true });
