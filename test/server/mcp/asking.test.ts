// An agent asks the user through MCP, in both eras of the protocol, with the real client over real HTTP.
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { eras, openStage } from "./mcp-stage.js";

const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args });

describe.each(eras)("asking in the era of %s", (era) => {
  test("a choice comes back as the value of the option", async () => {
    const stage = await openStage();
    const client = await stage.connect(era, "a build agent");
    const options = ["npm", { label: "pnpm (found)", value: "pnpm", description: "there is a lock file" }];
    const answer = call(client, "ask_select", { title: "Which one?", options });
    const ask = await stage.answerNext("pnpm");
    expect(ask.origin).toEqual({ kind: "mcp", name: "a build agent" });
    expect(ask.question).toMatchObject({
      kind: "select",
      params: { title: "Which one?", options: [{ label: "npm", value: "npm" }, options[1]] },
    });
    expect(await answer).toMatchObject({
      content: [{ type: "text", text: "The user chose: pnpm" }],
      structuredContent: { outcome: "answered", value: "pnpm", ask_id: ask.id },
    });
  });

  test("yes, no and a cancelled confirmation are told apart", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const danger = { danger: "there is no copy", confirm_label: "keep it", cancel_label: "yes" };
    const confirm = () => call(client, "ask_confirm", { title: "Delete it?", ...danger });
    const yes = confirm();
    const ask = await stage.answerNext(true);
    const details = [
      { name: 'the agent calls "allow once"', value: "keep it" },
      { name: 'the agent calls "no"', value: "yes" },
    ];
    expect(ask.question.params.opts).toEqual({
      danger_level: "danger",
      danger: "the agent says: there is no copy",
      details,
    });
    expect(await yes).toMatchObject({ structuredContent: { outcome: "answered", value: true } });
    const no = confirm();
    await stage.answerNext(false);
    expect(await no).toMatchObject({ structuredContent: { outcome: "answered", value: false } });
    const cancelled = confirm();
    await stage.cancelNext();
    expect(await cancelled).toMatchObject({ structuredContent: { outcome: "cancelled", value: false } });
  });

  test("an empty text is an answer, and a cancel is null", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const empty = call(client, "ask_input", { title: "Name?" });
    await stage.answerNext("");
    expect(await empty).toMatchObject({ structuredContent: { outcome: "answered", value: "" } });
    const cancelled = call(client, "ask_input", { title: "Name?" });
    await stage.cancelNext();
    expect(await cancelled).toMatchObject({ structuredContent: { outcome: "cancelled", value: null } });
  });

  test("long texts and forms keep every character", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const text = "père\n日本語 👩‍👩‍👧\u2028end\n";
    const edited = call(client, "ask_editor", { title: "Message", prefill: "draft" });
    expect((await stage.answerNext(text)).question).toMatchObject({ kind: "editor", params: { prefill: "draft" } });
    expect(await edited).toMatchObject({ structuredContent: { value: text } });
    const fields = [
      { name: "port", kind: "number", min: 1 },
      { name: "host", label: "Host", kind: "text" },
    ];
    const filled = call(client, "ask_form", { title: "Where?", fields });
    expect((await stage.answerNext({ port: 80, host: "münchen" })).question).toMatchObject({
      params: { fields: [{ name: "port", label: "port" }, { label: "Host" }] },
    });
    expect(await filled).toMatchObject({ structuredContent: { value: { port: 80, host: "münchen" } } });
  });

  test("a secret reaches the agent and no record", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const answer = call(client, "ask_input", { title: "Token?", secret: true });
    await stage.answerNext("hunter2-hunter2");
    expect(await answer).toMatchObject({ structuredContent: { value: "hunter2-hunter2" } });
    expect(JSON.stringify([stage.audits, stage.server.calls()])).not.toContain("hunter2");
  });

  test("report_status asks for input and gives back what was typed, empty when it was cancelled", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const report = { status: "needs_input", prompt: "Which branch?\nIt has to exist.", message: "main is protected" };
    const typed = call(client, "report_status", report);
    const ask = await stage.answerNext("topic");
    expect(ask.question).toEqual({
      kind: "input",
      params: { title: "Which branch?", message: "It has to exist.\nmain is protected" },
    });
    expect(await typed).toMatchObject({
      content: [{ text: "User response: topic" }],
      structuredContent: { status: "needs_input", response: "topic", outcome: "answered" },
    });
    const cancelled = call(client, "report_status", { status: "needs_input" });
    await stage.cancelNext();
    expect(await cancelled).toMatchObject({ structuredContent: { response: "", outcome: "cancelled" } });
    expect(stage.statuses[0]).toEqual({ ...report, client: "tester" });
  });

  test("completed, error and notices are told to the program and wait for no one", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    expect(await call(client, "report_status", { status: "completed", message: "all green" })).toMatchObject({
      content: [{ text: "Status 'completed' reported successfully" }],
    });
    await call(client, "report_status", { status: "error", message: "no disk" });
    await call(client, "notify", { message: "halfway", level: "warning" });
    expect(stage.statuses).toEqual([
      { status: "completed", message: "all green", client: "tester" },
      { status: "error", message: "no disk", client: "tester" },
    ]);
    expect(stage.notices).toEqual([{ level: "warn", message: "halfway", client: "tester" }]);
    expect(stage.board.openAsks()).toEqual([]);
  });

  test("several questions wait in the order in which they came, and each gets its own answer", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const titles = ["first", "second", "third"];
    const answers: Promise<unknown>[] = [];
    for (const title of titles) {
      answers.push(call(client, "ask_input", { title }));
      await stage.waitForAsks(answers.length);
    }
    const asks = stage.board.openAsks();
    expect(asks.map(({ question }) => question.params.title)).toEqual(titles);
    expect(new Set(asks.map(({ id }) => id)).size).toBe(3);
    for (const title of titles) await stage.answerNext(`to the ${title}`);
    for (const [index, answer] of answers.entries()) {
      const value = `to the ${titles[index]}`;
      expect(await answer).toMatchObject({ structuredContent: { value, ask_id: asks[index]?.id } });
    }
  });

  test("a question with a time limit fails with words when no one answers", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    expect(await call(client, "ask_confirm", { title: "Now?", timeout_ms: 50 })).toMatchObject({
      isError: true,
      content: [{ text: "No one answered in time." }],
    });
  });

  test("every tool says what it takes, and a call that does not fit is refused with words", async () => {
    const stage = await openStage();
    const client = await stage.connect(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "report_status",
      "ask_select",
      "ask_confirm",
      "ask_input",
      "ask_editor",
      "ask_form",
      "notify",
    ]);
    for (const { inputSchema, outputSchema, description } of tools) {
      expect(inputSchema.type).toBe("object");
      expect(outputSchema?.type).toBe("object");
      expect(description?.length).toBeGreaterThan(40);
    }
    expect(await call(client, "ask_select", { title: "x", options: [] })).toMatchObject({ isError: true });
    expect(await call(client, "ask_select", { title: "x", options: ["a", "a"] })).toMatchObject({ isError: true });
    expect(await call(client, "report_status", { status: "bored" })).toMatchObject({ isError: true });
    await expect(call(client, "ask_nothing")).rejects.toMatchObject({ code: -32602 });
    expect(stage.board.openAsks()).toEqual([]);
  });

  test("a hundred clients ask at once and each gets its own answer", async () => {
    const stage = await openStage();
    const clients = await Promise.all(Array.from({ length: 10 }, () => stage.connect(era)));
    const calls = Array.from({ length: 100 }, (_, index) =>
      call(clients[index % 10] as Client, "ask_input", { title: `question ${index}` }),
    );
    for (const { id, question } of await stage.waitForAsks(100)) {
      stage.board.answer(id, { value: `answer to ${question.params.title}` }, "somebody");
    }
    for (const [index, answer] of (await Promise.all(calls)).entries()) {
      expect(answer.structuredContent).toMatchObject({ value: `answer to question ${index}` });
    }
  });

  test("more questions than one server may hold are refused with words, and the others stay", async () => {
    const stage = await openStage({ limits: { openAsksMax: 2 } });
    const client = await stage.connect(era);
    const open = ["a", "b"].map((title) => call(client, "ask_input", { title }));
    await stage.waitForAsks(2);
    expect(await call(client, "ask_input", { title: "c" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("2 questions are already open") }],
    });
    await stage.answerNext("1");
    await stage.answerNext("2");
    expect(await Promise.all(open)).toHaveLength(2);
  });

  test("when no one can be asked, the agent is told so", async () => {
    const asks = { ask: () => Promise.reject(new Error("nobody is here")), withdraw: () => undefined };
    const stage = await openStage({ asks });
    const client = await stage.connect(era);
    expect(await call(client, "ask_confirm", { title: "Go?" })).toMatchObject({
      isError: true,
      content: [{ text: "nobody is here" }],
    });
  });
});
