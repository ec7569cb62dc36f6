// The hub behind the attached view: questions of two machines as dialogs, oldest first, sessions as lines of their machine's tab,
// and answers that are told to be too late, or not taken yet.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHubClient } from "../../../src/cli/attach/hub-client.js";
import type { Ask } from "../../../src/contract/asks.js";
import { historyEntryOf } from "../../../src/host/ask-history.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { bytesOf, HubLink } from "../../../src/host/asks/hub-link.js";
import { hubHistory } from "../../../src/host/asks/hub-view.js";
import type { AttachNews } from "../../../src/views/attach/attach-daemon.js";
import { FileHub } from "../../rigs/file-hub.js";
import { temporaryFolder } from "../../server/temporary-folder.js";

const WALL_MS = Date.parse("2026-01-31T09:30:00Z");

function confirm(id: string, title: string): Ask {
  const about = { id, sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
  return { ...about, question: { kind: "confirm", params: { title } } };
}

async function create() {
  const hub = new FileHub({ path: join(temporaryFolder(), "hub.jsonl") });
  let wallMs = WALL_MS;
  const machine = async (name: string) => {
    const registry: AskRegistry = new AskRegistry({
      onAudit: (record) =>
        link.finished(historyEntryOf(record, { agent: "claude", workFolder: "/shop", nowMs: registry.nowMs })),
    });
    const link = new HubLink({
      ...{ address: { machine: name, daemon: "shop" }, asks: registry, project: "/shop", program: "palaver 1" },
      sessions: () => [],
      earlierRecord: () => null,
      redacted: (value) => value,
      wallMs: () => (wallMs += 1_000),
      onProblem: (words) => expect.unreachable(words),
    });
    await link.start(hub);
    onTestFinished(() => link.close());
    return { registry, link };
  };
  const news: AttachNews[] = [];
  const leaving = new AbortController();
  const client = createHubClient({ hub, login: { user: "ada" }, clock: { nowMs: () => 0 }, wallMs: () => wallMs });
  const followed = client.follow((one) => news.push(one), leaving.signal);
  onTestFinished(() => {
    leaving.abort();
    return followed;
  });
  const said = () =>
    news.flatMap((one) => (one.type === "line" ? [`${one.entry.tab_title}: ${one.entry.content}`] : []));
  const titles = async () => (await client.asks()).map(({ question }) => question.params.title);
  return { hub, machine, client, said, titles };
}

test("questions of all machines are listed oldest first, each with its machine, also where two have the same id", async () => {
  const { hub, machine, client, titles } = await create();
  const [laptop, build] = [await machine("laptop"), await machine("build-1")];
  const outcome = build.registry.ask(confirm("q1", "Deploy?"));
  await build.link.sync();
  void laptop.registry.ask(confirm("q1", "Delete?"));
  await laptop.link.sync();
  await expect.poll(titles).toEqual(["Deploy?", "Delete?"]);
  const [deploy] = await client.asks();
  expect(deploy?.origin.name).toBe("build-1 in /shop");
  await client.shown(deploy?.id ?? "");
  await client.answer(deploy?.id ?? "", { kind: "answered", value: true, by: "here" });
  expect(await outcome).toEqual({ kind: "answered", value: true, by: "hub:ada" });
  await expect.poll(titles).toEqual(["Delete?"]);
  expect((await client.state())?.map(({ tab_title }) => tab_title)).toEqual(["build-1", "laptop"]);
  await expect.poll(() => hubHistory(hub, 1)).toMatchObject([{ shown: [{ person: "ada", view: "attach" }] }]);
});

test("an answer that comes too late says who was first", async () => {
  const { machine, client, titles, said } = await create();
  const { registry, link } = await machine("laptop");
  void registry.ask(confirm("q1", "Deploy?"));
  await link.sync();
  await expect.poll(titles).toEqual(["Deploy?"]);
  const [ask] = await client.asks();
  registry.answer("q1", { value: false }, "inline");
  await expect(client.answer(ask?.id ?? "", { kind: "answered", value: true, by: "here" })).rejects.toThrow(
    "inline already answered it",
  );
  await expect.poll(said).toContain("laptop: answered by inline: Deploy?");
});

test("a secret is asked on its machine only, and the view says where", async () => {
  const { machine, client, said } = await create();
  const { registry, link } = await machine("laptop");
  const params = { title: "Password?", opts: { secret: true } };
  void registry.ask({ ...confirm("q1", ""), question: { kind: "input", params } });
  await link.sync();
  await expect.poll(said).toContainEqual(expect.stringMatching(/^laptop: Password\?: .* on laptop only: a secret/));
  expect(await client.asks()).toEqual([]);
});

test("a session is a line of its machine's tab whenever its state changes, and its daemon may be away", async () => {
  const { hub, said } = await create();
  const subject = { kind: "session", machine: "laptop", daemon: "shop", session: "s1" } as const;
  const entry = {
    ...{ id: "s-1f2e", name: "claude", agent: "claude", protocol: "claude", cwd: "/shop", state: "working" },
    ...{ created_at_ms: 0, active_at_ms: 0, front_ends: [], open_asks: 1, exit_code: null },
  };
  const at = new Date(WALL_MS - 200_000).toISOString();
  await hub.set(subject, bytesOf(entry));
  await hub.set(subject, bytesOf({ ...entry, active_at_ms: 5 }));
  await hub.set(subject, bytesOf({ ...entry, state: "idle", open_asks: 0 }));
  await hub.set(
    { kind: "daemon", machine: "laptop", daemon: "shop" },
    bytesOf({ version: 1, project: "/shop", program: "palaver", at }),
  );
  await hub.set(subject, bytesOf({ ...entry, state: "idle", open_asks: 0 }));
  expect(said()).toEqual([
    "laptop: working · 1 question · /shop",
    "laptop: idle · /shop",
    "laptop: its daemon is away · /shop",
  ]);
});
