// The page of a daemon at a hub: questions and sessions of the other daemons are in its overview, and are answered over the same route
// as its own, in the name of its member.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { historyEntryOf } from "../../../src/host/ask-history.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { bytesOf, HubLink } from "../../../src/host/asks/hub-link.js";
import { Team } from "../../../src/host/asks/team.js";
import { Overview } from "../../../src/host/overview.js";
import { FileHub } from "../../../src/hub/file-hub.js";
import { askRoutes } from "../../../src/server/http/ask-routes.js";
import { createDaemonApp } from "../../../src/server/http/daemon-app.js";
import { requestsTo } from "../../rigs/daemon/app-requests.js";
import { temporaryFolder } from "../../server/temporary-folder.js";

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
  return { hub, desk, laptop, overview, answer, shown };
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
  const beat = { version: 1, project: "/shop", program: "palaver 1", at: new Date(0).toISOString() };
  await hub.set({ kind: "daemon", machine: "laptop", daemon: "shop" }, bytesOf(beat));
  expect(shown().sessions).toMatchObject([{ last_line: "its daemon is away" }]);
  await hub.set(subject, null);
  expect(shown().sessions).toEqual([]);
});
