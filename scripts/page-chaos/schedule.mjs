// One schedule: a session of its own, a handful of steps that its seed decides, everything healed, and the comparison.
import { randomFrom } from "./random.mjs";

const STEPS_MIN = 4;
const STEPS_MAX = 10;
const WAIT_MS_MAX = 20_000;
const PIECES = 60;

export async function runSchedule(stage, seed) {
  const run = new Run(stage, seed);
  try {
    await run.play();
  } catch (error) {
    run.faults.push(`stuck: ${String(error.cause?.message ?? error.message).split("\n")[0]}`);
    await run.heal().catch(() => undefined);
  }
  return run;
}

class Run {
  steps = [];
  faults = [];
  backMs = [];
  events = 0;
  delivered = 0;
  said = 0;
  openAsk = null;
  isFrozen = false;
  isOffline = false;
  isDown = false;
  wasDown = false;
  /** Which answer this page gave, by title. */
  given = new Map();

  constructor(stage, seed) {
    this.stage = stage;
    this.seed = seed;
    this.random = randomFrom(seed);
  }

  get isAway() {
    return this.isFrozen || this.isOffline;
  }

  async play() {
    const { stage, random } = this;
    stage.shown = [];
    this.id = (await stage.newSession()).id;
    await stage.open(this.id);
    const count = random.integer(STEPS_MIN, STEPS_MAX);
    for (let at = 0; at < count; at++) await this.step(random.pick(this.possible()));
    await this.heal();
    await this.check();
    await stage.request("DELETE", `/sessions/${this.id}`);
    await stage.request("DELETE", `/sessions/${this.id}`);
  }

  possible() {
    if (this.isDown) return ["restart"];
    const away = this.isFrozen ? ["wake"] : this.isOffline ? ["online", "kill daemon"] : null;
    const calm = ["sleep", "offline", "kill tab", "kill daemon"];
    const ask = this.openAsk === null ? ["ask"] : ["desk answers", ...(this.isFrozen ? [] : ["tap"])];
    return ["say", "say", "tell", ...ask, ...(away ?? calm)];
  }

  async step(name) {
    this.steps.push(name);
    await this.deeds[name]();
  }

  deeds = {
    say: () => this.say(),
    // Piece by piece, while the next steps are taken.
    tell: () => this.submit(`tell ${PIECES} p-${this.seed}-${++this.said}`),
    ask: async () => {
      const title = `q-${this.seed}-${++this.said}`;
      await this.submit(`ask confirm ${JSON.stringify({ title })}`);
      await this.until(async () => (await this.asks()).length === 1, "the host has the question");
      this.openAsk = title;
    },
    tap: () => this.tap(),
    "desk answers": async () => {
      const [ask] = await this.asks();
      this.openAsk = null;
      if (ask !== undefined) await this.stage.intent(this.id, { type: "answer", askId: ask.id, value: true });
    },
    sleep: async () => {
      await this.stage.setLifecycle("frozen");
      this.isFrozen = true;
    },
    wake: async () => {
      await this.say();
      const startMs = performance.now();
      await this.stage.setLifecycle("active");
      this.isFrozen = false;
      await this.back(startMs);
    },
    offline: async () => {
      await this.stage.context.setOffline(true);
      this.isOffline = true;
    },
    online: async () => {
      await this.say();
      const startMs = performance.now();
      await this.stage.context.setOffline(false);
      this.isOffline = false;
      await this.back(startMs);
    },
    "kill tab": () => this.stage.killTab(this.id),
    "kill daemon": async () => {
      await this.stage.killDaemon();
      this.isDown = true;
      this.wasDown = true;
      this.openAsk = null;
    },
    restart: async () => {
      await this.stage.restartDaemon();
      this.isDown = false;
      await this.until(async () => (await this.entry())?.state === "idle", "the agent runs again");
    },
  };

  async say() {
    this.last = `m-${this.seed}-${++this.said}`;
    await this.submit(`say ${this.last}`);
    // While a question is open, the message is queued.
    if (this.openAsk !== null) return;
    await this.until(async () => texts(await this.log()).includes(this.last), `the host has ${this.last}`);
  }

  // A question can be settled elsewhere or be withdrawn while the finger comes down.
  async tap() {
    const title = this.openAsk;
    const { page } = this.stage;
    const answers = page.locator("[data-answers]");
    const isHere = () => page.locator("#question-title", { hasText: title }).isVisible();
    if (!this.isOffline) await this.until(isHere, "the page shows the question");
    // An answer that was given offline is on its way; there is nothing left to tap.
    if (!(await isHere()) || this.given.has(title)) return;
    const name = this.random.chance(0.5) ? "yes" : "no";
    await answers.locator(".answer.settling").first().waitFor({ state: "detached" });
    await answers.getByRole("button", { name: new RegExp(`^${name}`) }).click();
    this.given.set(title, name === "yes");
    this.openAsk = this.isOffline ? this.openAsk : null;
  }

  // Only what came before the question is in the transcript at once.
  async back(startMs) {
    if (this.openAsk !== null || this.isAway) return;
    await this.stage.page.locator(".transcript").getByText(this.last, { exact: true }).waitFor();
    this.backMs.push(performance.now() - startMs);
  }

  async heal() {
    if (this.isDown) await this.step("restart");
    if (this.isFrozen) await this.step("wake");
    if (this.isOffline) await this.step("online");
    await this.until(async () => {
      const [ask] = await this.asks();
      if (ask !== undefined) await this.stage.intent(this.id, { type: "answer", askId: ask.id, value: true });
      return ask === undefined && (await this.entry())?.state === "idle";
    }, "the agent is idle");
    this.openAsk = null;
    await this.say();
    await this.stage.page.locator(".transcript").getByText(this.last, { exact: true }).waitFor();
  }

  async check() {
    const log = (await this.log()).map(({ block }) => block);
    const items = await this.stage.page
      .locator(".transcript .item")
      .evaluateAll((all) => all.map((item) => ({ id: item.dataset.id, text: item.innerText.trim() })));
    const shown = items.map(({ id }) => id);
    const known = new Set(log.map(({ id }) => id));
    const here = shown.filter((id) => known.has(id));
    const strange = shown.filter((id) => !known.has(id));
    this.events = log.length;
    if (new Set(shown).size < shown.length) this.faults.push(`doubled: ${shown.join(" ")}`);
    const lost = log.filter(({ id }) => !shown.includes(id));
    if (lost.length > 0) this.faults.push(`lost: ${lost.map((block) => JSON.stringify(block)).join(" ")}`);
    else if (here.join() !== log.map(({ id }) => id).join()) this.faults.push(`out of order: ${here.join(" ")}`);
    // What a killed daemon had not written is on the page alone.
    if (strange.length > 0 && !this.wasDown) this.faults.push(`unknown to the host: ${strange.join(" ")}`);
    for (const { id, kind, text } of log) {
      const item = items.find((one) => one.id === id);
      if ((kind === "prose" || kind === "prompt") && item !== undefined && item.text !== text.trim())
        this.faults.push(`another text: ${JSON.stringify(text)} is shown as ${JSON.stringify(item.text)}`);
    }
    this.checkAnswers();
  }

  checkAnswers() {
    const answers = this.stage.answers();
    for (const { title, words } of this.stage.shown) {
      if (!words.includes("delivered to the agent")) continue;
      this.delivered += 1;
      if (!answers.has(title)) this.faults.push(`${title} was shown as delivered, and the agent got nothing`);
      const isOwn = words.startsWith("delivered");
      if (isOwn && answers.get(title) !== this.given.get(title))
        this.faults.push(`${title} was shown as delivered, and the agent got another answer`);
    }
  }

  async submit(text) {
    const { result } = await this.stage.intent(this.id, { type: "submit", text });
    if (result !== "accepted" && result !== "delivered") throw new Error(`the daemon refused: ${text}`);
  }

  async asks() {
    const { asks } = { asks: await this.stage.request("GET", "/asks") };
    return asks.filter(({ sessionId }) => sessionId === this.id);
  }

  async entry() {
    return (await this.stage.request("GET", "/sessions")).find(({ id }) => id === this.id);
  }

  async log() {
    return (await this.stage.request("GET", `/sessions/${this.id}/transcript?chars=4000000`)).items;
  }

  async until(isSo, what) {
    const endMs = performance.now() + WAIT_MS_MAX;
    while (!(await isSo())) {
      if (performance.now() > endMs) throw new Error(`not so after ${WAIT_MS_MAX} ms: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function texts(items) {
  return items.map(({ block }) => block.text);
}
