// The page of a daemon at a hub: questions and sessions of the other daemons are in its overview, and are answered over the same route
// as its own, in the name of its member.
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { OVERVIEW_ASKS_MAX, type OverviewAsk, type OverviewChange } from "../../../src/contract/page.js";
import { historyEntryOf } from "../../../src/host/ask-history.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { bytesOf, HubLink } from "../../../src/host/asks/hub-link.js";
import { hubHistory } from "../../../src/host/asks/hub-view.js";
import { type Elsewhere, Team } from "../../../src/host/asks/team.js";
import { Overview } from "../../../src/host/overview.js";
import { askRoutes } from "../../../src/server/http/ask-routes.js";
import { createDaemonApp } from "../../../src/server/http/daemon-app.js";
import { AskNotifier } from "../../../src/server/notify/ask-notifier.js";
import { confirmQuestion, permissionQuestion } from "../../../src/session/approval-answers.js";
import { steadyNowMs } from "../../../src/system/timers.js";
import { requestsTo } from "../../rigs/daemon/app-requests.js";
import { FileHub } from "../../rigs/file-hub.js";
import { createManualTimers } from "../../server/manual-timers.js";
import { temporaryFolder } from "../../server/temporary-folder.js";
import { verifies } from "../../verifies.js";

function ask(id: string, question: Ask["question"] = { kind: "confirm", params: { title: "Deploy?" } }): Ask {
  return { id, sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null, question };
}

async function create() {
  const hub = new FileHub({ path: join(temporaryFolder(), "hub.jsonl") });
  const daemon = async (machine: string) => {
    const registry: AskRegistry = new AskRegistry({
      onAudit: (record) =>
        link.finished(historyEntryOf(record, { agent: "claude", workFolder: "/shop", nowMs: registry.nowMs })),
    });
    const link = new HubLink({
      ...{ address: { machine, daemon: "shop" }, asks: registry, project: "/shop", program: "palaver 1" },
      sessions: () => [],
      earlierRecord: () => null,
      redacted: (value) => value,
      onProblem: (words) => expect.unreachable(words),
    });
    await link.start(hub);
    onTestFinished(() => link.close());
    return { registry, link };
  };
  const [desk, laptop] = [await daemon("desk"), await daemon("laptop")];
  const team = new Team({ own: { machine: "desk", daemon: "shop" }, person: "ada" });
  const overview = new Overview({ asks: desk.registry, sessions: null, elsewhere: team });
  await team.start(hub);
  onTestFinished(async () => {
    overview.close();
    await team.close();
  });
  const groups = [askRoutes(desk.registry, { elsewhere: team })];
  const app = requestsTo(createDaemonApp({ groups, version: "1", onError: () => undefined }));
  const answer = (id: string, body: unknown) =>
    app.request(`/asks/${id}/answer`, { method: "POST", body: JSON.stringify(body) });
  const shown = () => overview.snapshot();
  /** As the page says that it has drawn it. */
  const seen = async (id: string) => (await app.request(`/asks/${id}/shown`, { method: "POST" })).status;
  return { hub, desk, laptop, overview, answer, shown, seen };
}

const AT_LAPTOP = "hub.laptop.shop.q1";

test("a question of another machine is in the overview once, and its answer is delivered under the member's name", async () => {
  const { desk, laptop, answer, shown } = await create();
  void desk.registry.ask(ask("own"));
  const outcome = laptop.registry.ask(ask("q1"));
  await Promise.all([desk.link.sync(), laptop.link.sync()]);
  await expect
    .poll(() =>
      shown()
        .asks.map((asked) => asked.ask.id)
        .sort(),
    )
    .toEqual([AT_LAPTOP, "own"]);
  const [asked] = shown().asks.filter(({ elsewhere }) => elsewhere !== undefined);
  expect(asked).toMatchObject({
    elsewhere: { machine: "laptop", answers: "here" },
    ask: { origin: { name: "laptop in /shop" } },
  });
  expect((await answer(AT_LAPTOP, { value: "maybe" })).status).toBe(400);
  expect(await answer(AT_LAPTOP, { value: true })).toMatchObject({ status: 200 });
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
  // A repeated request hears the same.
  expect(await answer(AT_LAPTOP, { value: true })).toMatchObject({ status: 200 });
  await expect
    .poll(() => shown().settled)
    .toMatchObject([{ id: AT_LAPTOP, outcome: { kind: "answered", by: "hub:ada" }, delivery: "delivered" }]);
  expect(shown().asks.map((one) => one.ask.id)).toEqual(["own"]);
});

test("a question that was answered there goes away here, and a later answer is refused", async () => {
  const { laptop, answer, shown } = await create();
  void laptop.registry.ask(ask("q1"));
  await expect.poll(() => shown().asks).toHaveLength(1);
  laptop.registry.answer("q1", { value: false }, "terminal");
  await expect.poll(() => shown().settled).toMatchObject([{ id: AT_LAPTOP, outcome: { by: "terminal" } }]);
  expect((await answer(AT_LAPTOP, { value: true })).status).toBe(404);
});

test("a secret, or files of another machine, are shown and answered there only", async () => {
  const { laptop, answer, shown } = await create();
  void laptop.registry.ask(ask("q1", { kind: "input", params: { title: "Token?", opts: { secret: true } } }));
  await expect.poll(() => shown().asks).toMatchObject([{ elsewhere: { machine: "laptop", answers: "there" } }]);
  expect((await answer(AT_LAPTOP, { value: "hunter2" })).status).toBe(400);
});

test("sessions of another machine are listed with its name, and go away", async () => {
  const { hub, shown } = await create();
  const entry = {
    ...{ id: "s1", name: "claude", agent: "claude", protocol: "acp", cwd: "/shop", state: "working" },
    ...{ created_at_ms: 1, active_at_ms: 1, front_ends: [], open_asks: 0, exit_code: null },
  };
  const subject = { kind: "session", machine: "laptop", daemon: "shop", session: "s1" } as const;
  await hub.set(subject, bytesOf(entry));
  expect(shown().sessions).toMatchObject([{ id: "hub.laptop.shop.s1", machine: "laptop", last_line: "" }]);
  // It rests since 1970, and is not shown as if it had just worked; a clock that is ahead is not believed.
  expect(shown().sessions[0]?.active_at_ms).toBeLessThan(1_000_000);
  await hub.set(subject, bytesOf({ ...entry, active_at_ms: 9e15 }));
  expect(shown().sessions[0]?.active_at_ms).toBeLessThanOrEqual(steadyNowMs());
  const beat = { version: 1, project: "/shop", program: "palaver 1", at: new Date(0).toISOString() };
  await hub.set({ kind: "daemon", machine: "laptop", daemon: "shop" }, bytesOf(beat));
  expect(shown().sessions).toMatchObject([{ last_line: "its daemon is away" }]);
  await hub.set(subject, null);
  expect(shown().sessions).toEqual([]);
});

test("a machine that floods the hub with sessions leaves room for those of others", async () => {
  const { hub } = await create();
  const told: NonNullable<Parameters<typeof hub.watch>[0]["onNow"]>[] = [];
  const flooded = new Team({ own: { machine: "desk", daemon: "shop" }, person: "ada" });
  onTestFinished(() => flooded.close());
  const watch: typeof hub.watch = (listener) => {
    told.push(listener.onNow);
    return hub.watch(listener);
  };
  await flooded.start(Object.assign(Object.create(hub), { watch }));
  const entry = {
    ...{ id: "s1", name: "claude", agent: "claude", protocol: "acp", cwd: "/shop", state: "working" },
    ...{ created_at_ms: 1, active_at_ms: 1, front_ends: [], open_asks: 0, exit_code: null },
  };
  const says = (machine: string, session: string) =>
    told[0]?.({ kind: "session", machine, daemon: "shop", session }, bytesOf(entry));
  for (let at = 0; at < 2_100; at += 1) says("mallory", `s${at}`);
  says("laptop", "s1");
  expect(flooded.sessions()).toHaveLength(2_001);
  expect(flooded.sessions().at(-1)).toMatchObject({ machine: "laptop" });
});

// What a machine says of its question is not believed: the bytes are its own.
async function forged(question: unknown) {
  const stage = await create();
  const at = { machine: "laptop", daemon: "shop", ask: "q1" } as const;
  const body = { version: 1, ask: { ...ask("q1"), question }, project: "/shop", askedAt: new Date().toISOString() };
  await stage.hub.put({ kind: "question", ...at }, bytesOf({ ...body, onlyThere: null }));
  await stage.hub.set({ kind: "open", ...at }, bytesOf({ version: 1 }));
  await expect.poll(() => stage.shown().asks).toHaveLength(1);
  const [asked] = stage.shown().asks;
  if (asked === undefined) throw new Error("no question");
  return { ...stage, asked };
}

test("a machine cannot hide a danger, offer always for it, or swap the words of the answers", async () => {
  verifies("approvals.name-danger");
  const choices = [
    { id: "1", label: "no", choice: "allow_once" },
    { id: "2", label: "allow once", choice: "reject_once" },
    { id: "3", label: "always allow", choice: "allow_always" },
  ];
  const params = { title: "bash", tool: "bash", command: "sudo rm -rf /srv", choices };
  const { asked, answer } = await forged({ kind: "permission", params });
  const { question } = asked.ask;
  if (question.kind !== "permission") throw new Error("not a permission");
  expect(question.params.danger).toContain("runs as another user");
  expect(permissionQuestion(question.params).answers.map(({ label, detail }) => [label, detail])).toEqual([
    ["allow once", 'the machine calls it "no"'],
    ["no", 'the machine calls it "allow once"'],
  ]);
  expect((await answer(AT_LAPTOP, { value: { choiceId: "3" } })).status).toBe(400);
});

test("a yes or no of a machine has our words, and its danger too", async () => {
  const opts = { tool: "bash", command: "rm -rf /srv", confirm_label: "no", cancel_label: "yes", allow_remember: true };
  const { asked } = await forged({ kind: "confirm", params: { title: "bash", opts } });
  const { question } = asked.ask;
  if (question.kind !== "confirm") throw new Error("not a confirm");
  expect(confirmQuestion(question.params)).toMatchObject({
    approval: { danger: expect.stringContaining("deletes folders") },
    answers: [{ label: "allow once" }, { label: "no" }],
  });
});

test.each([
  ["a line", { kind: "input", params: { title: "Password?", opts: { secret: true } } }],
  ["a form", { kind: "form", params: { title: "Login", fields: [{ name: "p", label: "Password", kind: "secret" }] } }],
])("a machine cannot have a secret sent through the hub: %s", async (_, question) => {
  const { asked, answer } = await forged(question);
  expect(asked.elsewhere?.answers).toBe("there");
  expect((await answer(AT_LAPTOP, { value: question.kind === "form" ? { p: "hunter2" } : "hunter2" })).status).toBe(
    400,
  );
});

test("the page tells the machine that asked when it showed the question, and the daemon itself for its own", async () => {
  const { hub, desk, laptop, answer, seen } = await create();
  void laptop.registry.ask(ask("q1"));
  const own = desk.registry.ask(ask("own"));
  await Promise.all([desk.link.sync(), laptop.link.sync()]);
  await expect.poll(() => seen(AT_LAPTOP)).toBe(204);
  expect(await seen("own")).toBe(204);
  expect(await seen("unknown")).toBe(204);
  await expect.poll(async () => (await answer(AT_LAPTOP, { value: true })).status).toBe(200);
  desk.registry.answer("own", { value: true }, "inline");
  await own;
  await expect.poll(() => hubHistory(hub, 10)).toHaveLength(2);
  const history = await hubHistory(hub, 10);
  const moment = expect.stringMatching(/^\d{4}-/) as unknown;
  expect(history.find(({ askId }) => askId === "q1")).toMatchObject({
    shownAt: moment,
    shown: [{ person: "ada", view: "page", from: hostname(), at: moment }],
  });
  expect(history.find(({ askId }) => askId === "own")).toMatchObject({ shownAt: moment, shown: [] });
});

test("a machine that floods the hub hides no question of this daemon, and silences none", async () => {
  const { desk } = await create();
  const floods: OverviewAsk[] = Array.from({ length: OVERVIEW_ASKS_MAX }, (_, at) => ({
    ...{ ask: ask(`hub.mallory.shop.q${at}`), session: null, asked_at_ms: 0 },
    elsewhere: { machine: "mallory", answers: "here" },
  }));
  const listeners: ((change: OverviewChange) => void)[] = [];
  const mallory: Elsewhere = {
    ...{ openAsks: () => floods, sessions: () => [], answer: async () => ({ kind: "unknown" }) },
    shown: () => undefined,
    subscribe: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const flooded = new Overview({ asks: desk.registry, sessions: null, elsewhere: mallory });
  onTestFinished(() => flooded.close());
  const told: string[] = [];
  const timers = createManualTimers();
  const way = { raised: (asked: OverviewAsk) => void told.push(asked.ask.id), settled: () => undefined };
  const notifier = new AskNotifier(flooded, [way], timers);
  onTestFinished(() => notifier.close());
  for (const flood of floods) for (const tell of listeners) tell({ type: "ask.raised", ask: flood });
  void desk.registry.ask(ask("own"));
  expect(flooded.snapshot()).toMatchObject({ asks_more: 1 });
  expect(flooded.snapshot().asks.map((one) => one.ask.id)).toContain("own");
  timers.advance(3_000);
  expect(told).toHaveLength(101);
  expect(told).toContain("own");
});
