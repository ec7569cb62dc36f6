// A daemon that can be killed, an agent that writes down the answers it got, and a browser whose every shown answer state is recorded.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER_ARGS, browserPath, firstLine } from "../page-stage.mjs";
import { root } from "../setup.mjs";

const AGENT = join(root, "test", "e2e", "page", "page-agent.mjs");
const WAIT_MS_MAX = 20_000;

export class ChaosStage {
  /** What the page showed: `{ title, words }`, in order. */
  shown = [];
  page = null;

  static async start() {
    const stage = new ChaosStage();
    stage.place = mkdtempSync(join(tmpdir(), "palaver-chaos-"));
    stage.cwd = join(stage.place, "parser");
    stage.answersPath = join(stage.place, "answers");
    mkdirSync(stage.cwd);
    writeFileSync(stage.answersPath, "");
    writeFileSync(join(stage.cwd, ".palaver.toml"), "");
    await stage.startDaemon(["--port", "0"]);
    stage.browser = await chromium.launch({ executablePath: browserPath(), args: BROWSER_ARGS });
    stage.context = await stage.browser.newContext({ viewport: { width: 1440, height: 4_000 } });
    stage.context.setDefaultTimeout(WAIT_MS_MAX);
    await stage.context.exposeFunction("recordAnswerState", (title, words) => stage.shown.push({ title, words }));
    await stage.context.addInitScript(recordAnswerStates);
    stage.page = await stage.context.newPage();
    await stage.page.goto((await stage.request("POST", "/pair/codes")).url);
    await stage.page.getByLabel("name of this device").fill("phone");
    await stage.page.getByRole("button", { name: "pair this device" }).click();
    await stage.page.locator(".home .row, .home .empty").first().waitFor();
    return stage;
  }

  async startDaemon(further) {
    const args = [join(root, "dist", "cli.js"), "serve", "--json", "--allow-start", "--protocol", "lines", ...further];
    const env = {
      ...process.env,
      HOME: this.place,
      XDG_STATE_HOME: join(this.place, "state"),
      PALAVER_SANDBOX: "off",
      PAGE_AGENT_LOG: this.answersPath,
    };
    this.daemon = spawn(process.execPath, args, { cwd: this.cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const { url, token_file } = JSON.parse(await firstLine(this.daemon));
    this.url = url;
    this.authorization = `Bearer ${readFileSync(token_file, "utf8").trim()}`;
  }

  async killDaemon() {
    const { daemon } = this;
    const closed = new Promise((resolve) => daemon.once("close", resolve));
    daemon.kill("SIGKILL");
    await closed;
  }

  restartDaemon() {
    return this.startDaemon(["--port", new URL(this.url).port]);
  }

  async request(method, path, body) {
    const headers = { authorization: this.authorization, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(this.url + path, { method, headers, ...sent })).json();
  }

  newSession() {
    return this.request("POST", "/sessions", { command: [process.execPath, AGENT], protocol: "lines" });
  }

  intent(id, intent) {
    return this.request("POST", `/sessions/${id}/intents?by=desk`, { intent });
  }

  async open(id) {
    await this.page.goto(`${this.url}/#session=${encodeURIComponent(id)}`);
    await this.page.locator(".session-view").waitFor();
  }

  /** The tab goes without a word to its page, and another one opens the same session. A crashed renderer would block Playwright. */
  async killTab(id) {
    const dead = this.page;
    this.page = await this.context.newPage();
    await dead.close({ runBeforeUnload: false });
    await this.open(id);
  }

  async setLifecycle(state) {
    const cdp = await this.context.newCDPSession(this.page);
    await cdp.send("Page.setWebLifecycleState", { state });
    await cdp.detach();
  }

  /** What the agent got, by the title of the question. */
  answers() {
    const lines = readFileSync(this.answersPath, "utf8").split("\n").filter(Boolean);
    return new Map(lines.map((line) => JSON.parse(line)).map(({ title, result }) => [title, result]));
  }

  async stop() {
    await this.browser?.close();
    await this.killDaemon();
    rmSync(this.place, { recursive: true, force: true, maxRetries: 5 });
  }
}

function recordAnswerStates() {
  let last = "";
  const look = () => {
    const title = document.querySelector("#question-title")?.textContent ?? "";
    const words = document.querySelector(".answer-state")?.textContent ?? "";
    if (words === "" || `${title}\n${words}` === last) return;
    last = `${title}\n${words}`;
    globalThis.recordAnswerState(title, words);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}
