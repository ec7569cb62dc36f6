// A client that can ask the user itself is asked to do so, in both eras; what it returns is checked; secrets go elsewhere.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Era, eras, openStage } from "./mcp-stage.js";

type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, unknown> };

async function openClient(era: Era, answer: Answer) {
  const stage = await openStage({ elicitation: "first" });
  const asked: { message: string; requestedSchema?: unknown }[] = [];
  const client = new Client(
    { name: "elicitor", version: "1" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params as { message: string });
    return answer as never;
  });
  const requestInit = { headers: { authorization: `Bearer ${stage.server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(stage.server.url), { requestInit }));
  onTestFinished(() => client.close());
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  return { stage, asked, call };
}

describe.each(eras)("a client with elicitation in the era of %s", (era) => {
  test("is asked itself, and its choice is the answer", async () => {
    const { stage, asked, call } = await openClient(era, { action: "accept", content: { answer: "b" } });
    const result = await call("ask_select", { title: "Which?", options: [{ label: "A", value: "a" }, "b"] });
    expect(result.structuredContent).toMatchObject({ outcome: "answered", value: "b" });
    expect(asked).toMatchObject([
      { message: "Which?", requestedSchema: { properties: { answer: { enum: ["a", "b"], enumNames: ["A", "b"] } } } },
    ]);
    expect(stage.board.openAsks()).toEqual([]);
  });

  test("shows what is dangerous, and a declined question is not a yes", async () => {
    const { asked, call } = await openClient(era, { action: "decline" });
    const result = await call("ask_confirm", { title: "Deploy?", danger: "3 customers are online" });
    expect(result.structuredContent).toMatchObject({ outcome: "cancelled", value: false });
    expect(asked[0]?.message).toBe("Deploy?\n\nDanger: 3 customers are online");
  });

  test("cannot give an answer that does not fit the question", async () => {
    const { call } = await openClient(era, { action: "accept", content: { answer: "c" } });
    const result = await call("ask_select", { title: "Which?", options: ["a", "b"] });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("one of the") }] });
  });

  test("fills in a form", async () => {
    const { asked, call } = await openClient(era, { action: "accept", content: { port: 80, tags: ["x"] } });
    const fields = [
      { name: "port", kind: "number", integer: true, min: 1, required: true },
      { name: "tags", kind: "multi_select", options: [{ label: "X", value: "x" }] },
    ];
    const result = await call("ask_form", { title: "Service", fields });
    expect(result.structuredContent).toMatchObject({ value: { port: 80, tags: ["x"] } });
    expect(asked[0]?.requestedSchema).toMatchObject({
      properties: {
        port: { type: "integer", minimum: 1 },
        tags: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
      },
      required: ["port"],
    });
  });

  test("is never asked for a secret", async () => {
    const { stage, asked, call } = await openClient(era, { action: "accept", content: { answer: "x" } });
    const result = call("ask_input", { title: "Token", secret: true });
    await stage.answerNext("hunter2");
    expect((await result).structuredContent).toMatchObject({ value: "hunter2" });
    expect(asked).toEqual([]);
  });
});
