// The page in a real Chromium, on a real daemon with an agent that does what it is told. Everything that a page must not do is
// collected: broken policies, requests to other origins, errors of scripts.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { withoutCommand } from "../../../src/session/approval.js";
import { ask, type ReadyProgram, startProgram, temporaryPlace } from "../daemon/daemon-process.js";
import { palaver } from "../run-program.js";

const AGENT = fileURLToPath(new URL("page-agent.mjs", import.meta.url));
const ARGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
/** Under load, a page takes its time; a wait that is longer names what did not come. */
const WAIT_MS_MAX = 12_000;
const PHONE = { width: 360, height: 740 };
/** In this browser the name points to this machine. */
export const REBOUND = "rebound.example";
const FURTHER_ARGS = ["--disable-component-update", "--disable-sync", `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`];

/** Null where there is no browser to test with. */
export function browserPath(): string | null {
  const named = process.env["CHROME_PATH"];
  if (named !== undefined && existsSync(named)) return named;
  for (const name of ["chromium", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  return null;
}

export class PageStage {
  readonly origin: string;
  readonly sessionId: string;
  private readonly place: Place;
  private readonly browser: Browser;
  private daemon: RunningDaemon;

  private constructor(place: Place, browser: Browser, daemon: RunningDaemon, sessionId: string) {
    this.place = place;
    this.browser = browser;
    this.daemon = daemon;
    this.origin = daemon.url;
    this.sessionId = sessionId;
  }

  /** The folder of the session. */
  get cwd(): string {
    return this.place.cwd;
  }

  static async start(further: Readonly<Record<string, string>> = {}): Promise<PageStage> {
    const root = temporaryPlace();
    const cwd = join(root, "parser");
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, ".palaver.toml"), "");
    writeFileSync(join(cwd, "notes.txt"), "");
    const config = join(root, "config");
    mkdirSync(join(config, "palaver"), { recursive: true });
    const agent = `command = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(AGENT)}]\nprotocol = "lines"`;
    writeFileSync(
      join(config, "palaver", "config.toml"),
      `[agents.obedient]\n${agent}\n[notify]\npush_hosts = ["127.0.0.1"]\n`,
    );
    const folders = { XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: config };
    const env = { ...folders, PALAVER_SANDBOX: "off", ...further };
    const place = { cwd, env };
    const daemon = await startedIn(place, ["--", process.execPath, AGENT]);
    const [session] = JSON.parse((await ask(daemon, "/sessions")).body) as { id: string }[];
    const executablePath = browserPath() ?? "";
    const browser = await chromium.launch({ executablePath, args: [...ARGS.split(" "), ...FURTHER_ARGS] });
    return new PageStage(place, browser, daemon, session?.id ?? "");
  }

  /** The daemon is killed, and another one takes its place. */
  async restart(whileAway: () => Promise<void>): Promise<void> {
    const { child, exited, url } = this.daemon;
    child.kill("SIGKILL");
    await exited;
    await whileAway();
    this.daemon = await startedIn(this.place, ["--port", new URL(url).port]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }

  /** A device with a name that is paired by hand, with this daemon or another one. */
  async device(name: string, size = PHONE, daemon: Reached = this.daemon): Promise<Device> {
    const device = await this.visitor(size, daemon.url);
    const { page } = device;
    const { body } = await ask(daemon, "/pair/codes", { method: "POST" });
    await page.goto((JSON.parse(body) as { url: string }).url);
    await page.getByLabel("name of this device").fill(name);
    await page.getByRole("button", { name: "pair this device" }).click();
    await page.locator(".home .row, .home .empty").first().waitFor();
    return device;
  }

  /** A browser that no daemon knows. */
  async visitor(size = PHONE, origin = this.origin): Promise<Device> {
    const context = await this.browser.newContext({ viewport: size });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const device = new Device(context, await context.newPage(), origin);
    await device.watch();
    return device;
  }

  /** What a user at a terminal would type. */
  async prompt(text: string): Promise<void> {
    const body = JSON.stringify({ intent: { type: "submit", text } });
    const headers = { "content-type": "application/json" };
    const answer = await ask(this.daemon, `/sessions/${this.sessionId}/intents?by=terminal`, {
      method: "POST",
      headers,
      body,
    });
    expect(answer.status).toBe(200);
  }

  request(method: string, path: string): ReturnType<typeof ask> {
    return ask(this.daemon, path, { method });
  }

  /** The agent asks, and the question is opened on the page. */
  async asks(page: Page, method: string, params: AskedParams): Promise<void> {
    await page.goto(`${this.origin}/#home`);
    await this.prompt(`ask ${method} ${JSON.stringify(params)}`);
    const { command = "" } = (params["opts"] ?? {}) as { readonly command?: string };
    const title = withoutCommand(params.title, command).slice(0, 20);
    await page.locator(".asks .row.ask", { hasText: title }).click();
    await page.locator("[data-answers]").waitFor();
  }

  /** Waits until the session has said this. */
  async heard(page: Page, text: string): Promise<void> {
    await page.goto(`${this.origin}/#session=${encodeURIComponent(this.sessionId)}`);
    await page.locator(".transcript").getByText(text, { exact: false }).last().waitFor();
  }
}

export type AskedParams = Readonly<Record<string, unknown>> & { readonly title: string };

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

type Reached = Parameters<typeof ask>[0];
type RunningDaemon = ReadyProgram & Reached;

async function startedIn(place: Place, further: readonly string[]): Promise<RunningDaemon> {
  const args = ["serve", "--json", "--allow-start", "--protocol", "lines", ...further];
  const program = await startProgram(palaver, { args, ...place });
  const { url, token_file } = JSON.parse(program.firstLine) as { url: string; token_file: string };
  return { ...program, url, token: readFileSync(token_file, "utf8").trim() };
}

export class Device {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What must not have happened. */
  readonly faults: string[] = [];
  private readonly origin: string;

  constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.origin = origin;
  }

  async watch(): Promise<void> {
    const { page, faults, origin } = this;
    await this.context.exposeFunction("reportFault", (words: string) => faults.push(words));
    await this.context.addInitScript(() => {
      const report = (globalThis as unknown as { reportFault(words: string): void }).reportFault;
      document.addEventListener("securitypolicyviolation", (event) =>
        report(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      );
    });
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith("blob:") && !url.startsWith("data:"))
        faults.push(`request: ${url}`);
    });
  }

  get answers(): Locator {
    return this.page.locator("[data-answers]");
  }

  /** Taps an answer as soon as it counts. */
  async answer(name: string | RegExp): Promise<void> {
    const button = this.answers.getByRole("button", { name }).first();
    // A scroll lets the answers wait again; its event comes with the next frame.
    await button.scrollIntoViewIfNeeded();
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await this.answers.locator(".answer.settling").first().waitFor({ state: "detached" });
    await button.click();
  }

  async delivered(words = "delivered to the agent"): Promise<void> {
    await this.page.locator(".answer-state").getByText(words, { exact: false }).waitFor();
  }
}
