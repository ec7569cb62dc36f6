// A day of work through everything at once: an agent in a daemon that is on a hub, followed by a terminal and by a page, with questions
// that are answered at the hub, in the terminal's daemon and on the page. An hour is as short as the machine allows. What counts is what
// is still in use after a collection, in each process: it must not grow with the hours.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER_ARGS, browserPath, firstLine } from "../scripts/page-stage.mjs";
import { root } from "../scripts/setup.mjs";
import { PROMPT_HINT, shows } from "./agent-ui/front.mjs";
import { WatchedTerminal } from "./renderers/watched-terminal.mjs";

export const title = "A day through daemon, terminal, page and hub at once";

const HOURS = 24;
/** By then everything that is kept up to a bound is full. */
const FULL_AFTER_HOURS = 12;
/** What is kept of ten questions of an hour, up to 4,000 of them, is in it. */
const GROWN_KB_PER_HOUR_MAX = 100;
const LIMIT_MS = 300_000;
const WAYS = ["answerOverHttp", "answerAtHub", "answerOnPage"];
const CLI = join(root, "dist", "cli.js");
const PROBE = join(import.meta.dirname, "whole-day", "heap-probe.mjs");
const AGENT = join(import.meta.dirname, "whole-day", "agent.mjs");

export async function run() {
  const nats = spawnSync(process.execPath, [join(root, "scripts", "nats-server.mjs")], { encoding: "utf8" });
  if (browserPath() === null) return [row("all of it", "no Chromium", "apt-get install chromium", true)];
  if (nats.status !== 0) return [row("all of it", "no nats-server", "apt-get install nats-server", true)];
  const day = new Day(nats.stdout.trim());
  try {
    await day.begin();
    const hours = [];
    for (let hour = 1; hour <= HOURS; hour += 1) {
      hours.push(await day.hour(hour));
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Khour ${hour}`);
    }
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
    return ["daemon", "terminal", "page"].map((part) => growth(part, hours)).concat(day.counts());
  } finally {
    await day.end();
  }
}

/** The slope of a line through the hours, so that one that is out of line does not decide. */
function growth(part, hours) {
  const used = hours.slice(FULL_AFTER_HOURS).map((heaps) => heaps[part] / 1024);
  const middle = (used.length - 1) / 2;
  const mean = used.reduce((sum, kb) => sum + kb, 0) / used.length;
  const above = used.reduce((sum, kb, at) => sum + (at - middle) * (kb - mean), 0);
  const below = used.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  const slope = above / below;
  const mb = [0, FULL_AFTER_HOURS, HOURS - 1].map((at) => (hours[at][part] / 1024 ** 2).toFixed(1)).join(" → ");
  return row(
    `${part}: in use after hours 1, ${FULL_AFTER_HOURS + 1} and ${HOURS} (${mb} MB), growth an hour`,
    `${slope.toFixed(0)} kB`,
    `≤ ${GROWN_KB_PER_HOUR_MAX} kB`,
    slope <= GROWN_KB_PER_HOUR_MAX,
  );
}

function row(what, value, goal, met) {
  return { what, value, goal, met };
}

class Day {
  #nats;
  #place = realpathSync(mkdtempSync(join(tmpdir(), "palaver-day-")));
  #port;
  #broker;
  #daemon;
  #terminal;
  #browser;
  #page;
  #cdp;
  #url;
  #headers;
  #session;
  #answered = [0, 0, 0];

  constructor(nats) {
    this.#nats = nats;
  }

  async begin() {
    await this.#startHub();
    await this.#startDaemon();
    this.#terminal = new WatchedTerminal({
      file: process.execPath,
      args: ["--import", PROBE, CLI, "attach", "--project", this.#project],
      env: this.#env("laptop", "terminal"),
    });
    await this.#terminalShows(PROMPT_HINT);
    this.#browser = await chromium.launch({ executablePath: browserPath(), args: BROWSER_ARGS });
    this.#page = await this.#browser.newPage();
    await this.#page.goto((await this.#request("POST", "/pair/codes")).url);
    await this.#page.getByLabel("name of this device").fill("desk");
    await this.#page.getByRole("button", { name: "pair this device" }).click();
    await this.#page.locator(".row.session").first().waitFor();
    this.#cdp = await this.#page.context().newCDPSession(this.#page);
    await this.#cdp.send("Performance.enable");
    const [{ id }] = await this.#request("GET", "/sessions");
    this.#session = id;
    await this.#openSession();
  }

  /** What each process has in use after it. */
  async hour(hour) {
    const intent = { type: "submit", text: `hour ${hour}` };
    await this.#request("POST", `/sessions/${this.#session}/intents?by=day`, { intent });
    const over = `Hour ${hour} is over.`;
    let isOver = false;
    const seen = this.#page.locator(".transcript").getByText(over, { exact: true }).waitFor({ timeout: LIMIT_MS });
    const ended = Promise.all([seen, this.#terminalShows(over)]).finally(() => {
      isOver = true;
    });
    const answering = async () => {
      while (!isOver) await this.#answerOne();
    };
    await Promise.all([ended, answering()]);
    return {
      daemon: await this.#heapOf("daemon"),
      terminal: await this.#heapOf("terminal"),
      page: await this.#pageHeap(),
    };
  }

  counts() {
    const all = this.#answered.reduce((sum, count) => sum + count);
    return [
      row(
        "questions answered over HTTP, at the hub, on the page",
        this.#answered.join(", "),
        "10 an hour",
        all === 10 * HOURS,
      ),
    ];
  }

  async end() {
    await this.#browser?.close();
    this.#terminal?.dispose();
    for (const child of [this.#daemon, this.#broker]) {
      if (child === undefined || child.exitCode !== null) continue;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
    }
    rmSync(this.#place, { recursive: true, force: true, maxRetries: 5 });
  }

  // By turns: over HTTP, by a member of the hub, on the page.
  async #answerOne() {
    const [ask] = await this.#request("GET", "/asks");
    if (ask === undefined) return pause(20);
    const way = this.#answered.reduce((sum, count) => sum + count) % WAYS.length;
    await this[WAYS[way]](ask);
    while ((await this.#request("GET", "/asks")).some(({ id }) => id === ask.id)) await pause(20);
    this.#answered[way] += 1;
  }

  answerOverHttp({ id }) {
    return this.#request("POST", `/asks/${id}/answer`, { value: true });
  }

  async answerAtHub({ id }) {
    while (!this.#palaver("ada", "asks", "--hub", "--json").includes(id)) await pause(20);
    this.#palaver("ada", "answer", "--hub", id, "--yes");
  }

  /** A button takes no tap before it was to be seen for a moment. */
  async answerOnPage({ id }) {
    await this.#page.goto(`${this.#url}/#ask=${encodeURIComponent(id)}`);
    const yes = this.#page.getByRole("button", { name: /^yes/ });
    await yes.waitFor();
    await pause(1_000);
    await yes.click();
    await this.#page.getByText("delivered").first().waitFor();
    await this.#openSession();
  }

  #openSession() {
    return this.#page.goto(`${this.#url}/#session=${encodeURIComponent(this.#session)}`);
  }

  async #startHub() {
    this.#port = await freePort();
    const folder = join(this.#place, "hub");
    const hub = (...args) => this.#palaver(null, "hub", ...args, "--folder", folder, "--port", String(this.#port));
    hub("init");
    hub("users", "add", "ada");
    hub("users", "add", "laptop", "--machine");
    this.#broker = spawn(this.#nats, ["-c", join(folder, "hub.conf")], { stdio: "ignore" });
    while (!(await accepts(this.#port))) await pause(20);
    hub("init");
    for (const user of ["ada", "laptop"]) {
      mkdirSync(join(this.#place, user, "config", "palaver"), { recursive: true });
      const settings = { url: `nats://127.0.0.1:${this.#port}`, user, key: join(folder, "keys", `${user}.nk`) };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
      writeFileSync(join(this.#place, user, "config", "palaver", "config.toml"), `[hub]\n${lines.join("\n")}\n`);
    }
  }

  async #startDaemon() {
    mkdirSync(this.#project);
    writeFileSync(join(this.#project, ".palaver.toml"), "");
    const args = [
      "--import",
      PROBE,
      CLI,
      "serve",
      "--json",
      "--hub",
      "--protocol",
      "lines",
      "--",
      process.execPath,
      AGENT,
    ];
    const env = this.#env("laptop", "daemon");
    this.#daemon = spawn(process.execPath, args, { cwd: this.#project, env, stdio: ["ignore", "pipe", "inherit"] });
    const { url, token_file } = JSON.parse(await firstLine(this.#daemon));
    this.#url = url;
    this.#headers = { authorization: `Bearer ${readFileSync(token_file, "utf8").trim()}` };
  }

  get #project() {
    return join(this.#place, "parser");
  }

  #env(user, part) {
    const { CI, NO_COLOR, FORCE_COLOR, NODE_OPTIONS, TMUX, TERM_PROGRAM, ...env } = process.env;
    const home = user === null ? this.#place : join(this.#place, user);
    const places = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
    return { ...env, ...places, TERM: "xterm-256color", COLORTERM: "truecolor", HEAP_FILE: this.#heapFile(part) };
  }

  #heapFile(part) {
    return join(this.#place, `${part}.heap`);
  }

  #palaver(user, ...args) {
    const options = { encoding: "utf8", env: this.#env(user, "none") };
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    if (status !== 0) throw new Error(`palaver ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  async #request(method, path, body) {
    const headers = { ...this.#headers, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await fetch(this.#url + path, { method, headers, body: body && JSON.stringify(body) });
    return answer.json();
  }

  async #terminalShows(text) {
    if ((await this.#terminal.waitUntil(shows(text), LIMIT_MS)) !== undefined) return;
    throw new Error(`the terminal never showed ${text}:\n${this.#terminal.shownRows().join("\n")}`);
  }

  async #heapOf(part) {
    const file = this.#heapFile(part);
    rmSync(file, { force: true });
    process.kill(part === "daemon" ? this.#daemon.pid : this.#terminal.pid, "SIGUSR2");
    for (;;) {
      const text = readIfThere(file);
      if (text !== null) return Number(text);
      await pause(20);
    }
  }

  async #pageHeap() {
    await this.#cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await this.#cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "JSHeapUsedSize").value;
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end() && resolve(true));
    socket.once("error", () => resolve(false));
  });
}
