// What codex asks: approvals that show what it will do and offer what it takes, questions, what MCP servers ask.
import { describe, expect, test } from "vitest";
import { scriptIn } from "../../../../src/agents/dialects/codex/codex-script.js";
import { enteredAsk } from "../../../../src/agents/entered-ask.js";
import type { Ask } from "../../../../src/contract/asks.js";
import { verifies } from "../../../verifies.js";
import type { DialectTalk } from "../dialect-talk.js";
import { FOLDER, notice, request, running, started } from "./codex-frames.js";

const RUN = "item/commandExecution/requestApproval";
const CHANGE = "item/fileChange/requestApproval";
const PERMISSIONS = "item/permissions/requestApproval";
const ELICIT = "mcpServer/elicitation/request";

function asked(
  frame: object,
  ...before: readonly object[]
): { talking: DialectTalk; ask: Ask; params: Ask["question"]["params"] } {
  const talking = running();
  talking.hear(...before, frame);
  const ask = talking.asked.at(-1);
  if (ask === undefined) throw new Error("nothing was asked");
  return { talking, ask, params: ask.question.params };
}

const choice = (choiceId: string) => ({ choiceId });
const rule = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "log now"] } };

describe("an approval to run a command", () => {
  test("shows the script that runs, the shell, another folder and every field that is not known", () => {
    verifies("approvals.show-all");
    const { ask, params } = asked(
      request(0, RUN, {
        command: "/bin/bash -lc 'ls; pwd'",
        cwd: "/srv",
        reason: "to look",
        commandActions: [{ type: "read", command: "harmless" }],
        additionalPermissions: { network: true },
        networkApprovalContext: null,
      }),
    );
    expect(ask).toMatchObject({ id: "#0", origin: { kind: "tool", name: "run" }, question: { kind: "permission" } });
    expect(params).toMatchObject({
      title: "run ls; pwd",
      tool: "run",
      toolCallId: "c1",
      command: "ls; pwd",
      performedBy: "agent",
      message: "The agent says: to look",
      details: [
        { name: "shell", value: "/bin/bash -lc" },
        { name: "folder", value: "/srv" },
        { name: "additionalPermissions", value: '{\n  "network": true\n}' },
      ],
    });
    expect(JSON.stringify(params)).not.toContain("harmless");
  });

  test("offers the decisions that codex lists, in our words and our order, and sends the chosen one back unchanged", () => {
    const host = { applyNetworkPolicyAmendment: { network_policy_amendment: { host: "x.y", action: "deny" } } };
    const availableDecisions = ["cancel", host, rule, "accept", "acceptTwice", { odd: 1 }];
    const { talking, params } = asked(request(0, RUN, { command: "git log now", availableDecisions }));
    expect(params).toMatchObject({
      choices: [
        { id: "accept", label: "allow once", choice: "allow_once" },
        { id: "acceptWithExecpolicyAmendment-2", label: "always allow git 'log now'", choice: "allow_always" },
        { id: "cancel", label: "no, and stop", choice: "reject_once" },
        { id: "applyNetworkPolicyAmendment-1", label: "never allow x.y", choice: "reject_always" },
      ],
    });
    expect(talking.answer("#0", choice("acceptWithExecpolicyAmendment-2"))).toEqual([
      { id: 0, result: { decision: rule } },
    ]);
    const faults = talking.events.flatMap((event) => (event.type === "fault.reported" ? [event.fault.message] : []));
    expect(faults).toEqual(["unknown decision: acceptTwice", "unknown decision: odd"]);
  });

  test.each<[unknown, string]>([
    [choice("accept"), "accept"],
    [choice("acceptForSession"), "acceptForSession"],
    [choice("cancel"), "cancel"],
    [choice("nonsense"), "decline"],
    [true, "decline"],
    [null, "decline"],
  ])("the answer %j becomes %s", (value, decision) => {
    const { talking } = asked(request(0, RUN, { command: "ls" }));
    expect(talking.answer("#0", value)).toEqual([{ id: 0, result: { decision } }]);
  });

  test("that is dangerous says so, and loses its “always”", () => {
    verifies("approvals.name-danger", "approvals.danger-is-asked-every-time");
    const plain = asked(request(0, RUN, { command: "/bin/bash -lc 'ls'" })).ask;
    expect(enteredAsk(plain, { folder: FOLDER, performedBy: "agent" })).toEqual(plain);
    const { ask } = asked(request(0, RUN, { command: "/bin/bash -lc 'rm -rf ~'" }));
    const { params } = enteredAsk(ask, { folder: FOLDER, performedBy: "agent" }).question;
    expect(params).toMatchObject({
      danger: expect.any(String),
      choices: [{ id: "accept" }, { id: "decline" }, { id: "cancel" }],
    });
  });

  test("about the network names the host", () => {
    const network = { networkApprovalContext: { host: "x.y", protocol: "https" }, command: "curl x.y" };
    expect(asked(request(0, RUN, network)).params).toMatchObject({
      title: "reach x.y",
      tool: "network",
      command: "curl x.y",
      details: [
        { name: "host", value: "x.y" },
        { name: "protocol", value: "https" },
      ],
    });
    expect(asked(request(0, RUN, { kind: "writeStdin", command: "python" })).params).toMatchObject({
      title: "type into python",
    });
  });

  test.each([
    ["/bin/bash -lc 'ls'", "ls"],
    ["/usr/bin/zsh -c ls", "ls"],
    [`/bin/sh -c "cat 'a b' \\$HOME \\"x\\""`, `cat 'a b' $HOME "x"`],
    ["/bin/bash -lc 'a'\"'\"'b'", "a'b"],
    ["/bin/bash -lc 'a' b", null],
    ["/bin/bash -lc", null],
    ['/bin/bash -lc "$(x)"', null],
    ["/tmp/bash -lc 'ls'", null],
    ["bash -lc 'ls'", null],
    ["/bin/bash -x -c 'ls'", null],
    ["/bin/bash -lc 'ls'\n", null],
  ])("of %s runs %s", (command, script) => {
    expect(scriptIn(command)?.script ?? null).toBe(script);
  });
});

describe("an approval to change files", () => {
  const patches = [
    {
      path: `${FOLDER}/old.ts`,
      kind: { type: "update", move_path: "/etc/new.ts" },
      diff: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9 +9 @@\n-x\n+y\n\\ No newline at end of file\n",
    },
    { path: `${FOLDER}/gone.ts`, kind: { type: "delete" }, diff: "bye\n" },
    { path: `${FOLDER}/new.ts`, kind: { type: "add" }, diff: "hi\n" },
    { path: `${FOLDER}/odd.ts`, kind: { type: "update" }, diff: "no hunk" },
  ];

  test("shows every change of its item, what is deleted and moved, and what cannot be read as it is", () => {
    verifies("approvals.show-all");
    const item = started("fileChange", { id: "c1", changes: patches, status: "inProgress" });
    const { params, talking } = asked(request(0, CHANGE, { reason: null }), item);
    expect(params).toMatchObject({
      title: "edit old.ts and 3 more",
      tool: "edit",
      path: `${FOLDER}/old.ts`,
      performedBy: "agent",
      changes: [
        { path: `${FOLDER}/old.ts`, oldText: "a\nb\n", newText: "a\nc\n" },
        { path: `${FOLDER}/old.ts`, oldText: "x\n", newText: "y\n" },
        { path: `${FOLDER}/gone.ts`, oldText: "bye\n", newText: "" },
        { path: `${FOLDER}/new.ts`, oldText: null, newText: "hi\n" },
      ],
      details: [
        { name: "move", value: `${FOLDER}/old.ts` },
        { name: "to", value: "/etc/new.ts" },
        { name: "delete", value: `${FOLDER}/gone.ts` },
        { name: `diff of ${FOLDER}/odd.ts`, value: "no hunk" },
      ],
    });
    expect(talking.answer("#0", choice("acceptForSession"))).toEqual([
      { id: 0, result: { decision: "acceptForSession" } },
    ]);
  });

  test("of a sub-agent shows its changes, and one that was changed later the later ones", () => {
    const item = { type: "fileChange", id: "c1", changes: patches.slice(2, 3), status: "inProgress" };
    const below = { method: "item/started", params: { threadId: "t9", item } };
    expect(asked(request(0, CHANGE, { threadId: "t9" }), below).params).toMatchObject({ title: "edit new.ts" });
    const later = notice("item/fileChange/patchUpdated", { itemId: "c1", changes: patches.slice(1, 2) });
    expect(asked(request(0, CHANGE, {}), started("fileChange", item), later).params).toMatchObject({
      title: "edit gone.ts",
    });
  });

  test("that codex has not shown, or that allows a whole folder, is dangerous", () => {
    expect(asked(request(0, CHANGE, { itemId: "nowhere" })).params).toMatchObject({
      title: "edit files",
      danger: "codex does not say what it would change",
    });
    const item = started("fileChange", { id: "c1", changes: patches.slice(2, 3), status: "inProgress" });
    expect(asked(request(0, CHANGE, { grantRoot: "/srv" }), item).params).toMatchObject({
      danger: "a yes allows every write below /srv",
      details: [{ name: "folder", value: "/srv" }],
    });
  });
});

describe("an approval of more permissions", () => {
  const permissions = {
    network: { enabled: true },
    fileSystem: {
      read: ["/etc"],
      write: ["/srv/out", `${FOLDER}/out`],
      entries: [
        { path: { type: "path", path: "/etc" } },
        { path: { type: "special", value: "root" }, access: "write" },
      ],
    },
  };

  test("names each of them and what is dangerous, and gives them whole or not at all", () => {
    const frame = request(0, PERMISSIONS, { cwd: FOLDER, reason: "need it", permissions });
    const { params, talking } = asked(frame);
    expect(params).toMatchObject({
      title: "have more permissions",
      message: "The agent says: need it",
      danger: "outside the workspace: /srv/out; it may use the network; it may reach more than named files",
      choices: [{ id: "turn" }, { id: "session", choice: "allow_always" }, { id: "reject" }],
    });
    const names = (params as { details?: { name: string }[] }).details?.map(({ name }) => name);
    expect(names).toEqual(["write", "write", "read", "network", "entries"]);
    expect(talking.answer("#0", choice("turn"))).toMatchObject([{ result: { permissions, scope: "turn" } }]);
    const no = asked(frame).talking.answer("#0", choice("reject"));
    expect(no).toEqual([{ id: 0, result: { permissions: {}, scope: "turn" } }]);
  });
});

describe("a question", () => {
  const questions = [
    {
      id: "colour",
      header: "Colour",
      question: "Which?",
      isOther: true,
      options: [{ label: "Red", description: "warm" }],
    },
    { id: "key", header: "Key", question: "Your key?", isSecret: true, options: null },
  ];

  test("is a form with options, own words and secrets, and its answers go back by id", () => {
    const { ask, params, talking } = asked(
      request(4, "item/tool/requestUserInput", { questions, autoResolutionMs: 500 }),
    );
    expect(ask).toMatchObject({ question: { kind: "form" }, deadlineMs: 1_500 });
    expect(params).toMatchObject({
      title: "2 questions",
      fields: [
        { name: "q1", kind: "select", options: [{ value: "Red", description: "warm" }] },
        { name: "q1_other", kind: "text" },
        { name: "q2", kind: "secret" },
      ],
    });
    expect(talking.answer("#4", { q1: "Red", q1_other: " ", q2: "hush" })).toEqual([
      { id: 4, result: { answers: { colour: { answers: ["Red"] }, key: { answers: ["hush"] } } } },
    ]);
    const none = asked(request(4, "item/tool/requestUserInput", { questions })).talking.answer("#4", null);
    expect(none).toEqual([{ id: 4, result: { answers: {} } }]);
  });
});

describe("a server's question", () => {
  const requestedSchema = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };

  test("is a form that is asked again until it fits, and names its server", () => {
    const { ask, talking } = asked(
      request(0, ELICIT, { serverName: "tt", mode: "form", message: "How many?", requestedSchema }),
    );
    expect(ask).toMatchObject({ origin: { kind: "mcp", name: "tt" }, question: { kind: "form" } });
    expect(talking.answer("#0", { n: 0 })).toEqual([]);
    expect(talking.answer("#0/2", { n: 2 })).toEqual([
      { id: 0, result: { action: "accept", content: { n: 2 }, _meta: null } },
    ]);
  });

  test("that is withdrawn after its first round closes the second", () => {
    const { talking } = asked(
      request(0, ELICIT, { serverName: "tt", mode: "form", message: "How many?", requestedSchema }),
    );
    talking.answer("#0", { n: 0 });
    expect(talking.hear(notice("serverRequest/resolved", { requestId: 0 }))).toMatchObject([
      { type: "ask.withdrawn", askId: "#0/2", reason: "agent_cancelled" },
    ]);
  });

  test("to use its tool is an approval that shows what the tool is called with", () => {
    const call = started("mcpToolCall", { id: "c7", server: "tt", tool: "paint", arguments: { wall: "left" } });
    const meta = {
      codex_approval_kind: "mcp_tool_call",
      persist: ["session", "always", "never"],
      tool_params: { wall: "left" },
    };
    const frame = request(0, ELICIT, { serverName: "tt", mode: "form", message: "May it?", _meta: meta });
    const { params, talking } = asked(frame, call);
    expect(params).toMatchObject({
      title: "use paint of tt",
      toolCallId: "c7",
      message: "The agent says: May it?",
      details: [{ name: "wall", value: "left" }],
      choices: [{ id: "allow" }, { id: "session" }, { id: "always" }, { id: "reject" }],
    });
    expect(talking.answer("#0", choice("session"))).toMatchObject([
      { result: { action: "accept", _meta: { persist: "session" } } },
    ]);
    expect(asked(frame).params).toMatchObject({ title: "use a tool of tt" });
    expect(asked(frame).talking.answer("#0", null)).toMatchObject([{ result: { action: "decline" } }]);
  });
});

describe("a request", () => {
  test("that another client answered is withdrawn, and nothing is sent for it", () => {
    const { talking } = asked(request("0", RUN, { command: "ls" }), request(0, RUN, { command: "pwd" }));
    const from = talking.sent.length;
    expect(talking.hear(notice("serverRequest/resolved", { requestId: 0 }))).toMatchObject([
      { type: "ask.withdrawn", askId: "#0" },
    ]);
    expect(talking.sent).toHaveLength(from);
    expect(talking.answer("0", choice("accept"))).toHaveLength(1);
    expect(talking.hear(notice("serverRequest/resolved", { requestId: "0" }))).toEqual([]);
  });

  test("that no one knows or that does not fit is refused, and reported", () => {
    verifies("asks.request-answered-once");
    const talking = running();
    talking.hear(request(0, "attestation/generate", {}), request(1, RUN, { itemId: 7 }));
    expect(talking.sent.slice(-2)).toMatchObject([
      { id: 0, error: { code: -32601 } },
      { id: 1, error: { code: -32602 } },
    ]);
    expect(talking.events.filter(({ type }) => type === "fault.reported")).toHaveLength(2);
  });
});
