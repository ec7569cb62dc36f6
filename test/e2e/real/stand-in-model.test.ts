// The model that real agents talk to in `npm run real-agents`: whichever API an agent uses and however it names its tools, the
// script that a prompt names is played, step by step.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StandInModel, startStandInModel } from "../../../tools/real-agents/stand-in-model.js";

let model: StandInModel;
beforeAll(async () => {
  model = await startStandInModel({
    work: [{ text: "I write.", deed: { do: "write", path: "/home/ada/a.txt", content: "x" } }, { text: "Done." }],
    refused: [{ status: 401, message: "unknown key" }],
    hang: [{ text: "And", ending: "hang" }],
  });
});
afterAll(() => model.close());

async function post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const init = signal === undefined ? {} : { signal };
  return fetch(`http://127.0.0.1:${model.port}${path}`, { method: "POST", body: JSON.stringify(body), ...init });
}

const required = ["file_path", "content", "mode"];
const properties = { file_path: { type: "string" }, content: { type: "string" }, mode: { enum: ["new", "old"] } };
const schema = { type: "object", properties, required };
const prompt = "<context>…</context> please [[work]] now";

describe("the stand-in model", () => {
  test("calls the write tool of an agent with OpenAI's API, whatever its arguments are called", async () => {
    const tools = [{ type: "function", function: { name: "write_file", parameters: schema } }];
    const messages = [{ role: "user", content: prompt }];
    const text = await (await post("/v1/chat/completions", { model: "m", stream: true, messages, tools })).text();
    expect(text).toContain('"content":"I write."');
    expect(text).toContain('"name":"write_file"');
    const pieces = [...text.matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => JSON.parse(`"${piece}"`));
    expect(JSON.parse(pieces.join(""))).toEqual({ file_path: "/home/ada/a.txt", content: "x", mode: "new" });
    expect(model.requests.at(-1)).toMatchObject({ api: "openai", scripts: ["work"], rounds: 0 });
  });

  test("continues with the script after a tool was called, with Anthropic's API", async () => {
    const tools = [{ name: "Write", input_schema: schema }];
    const messages = [
      { role: "user", content: [{ type: "text", text: prompt }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Write", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] },
    ];
    const ask = () => post("/v1/messages?beta=true", { model: "m", stream: true, messages, tools });
    const [first, second] = [await (await ask()).text(), await (await ask()).text()];
    expect(first).toContain('"text":"Done."');
    const name = (text: string) => /"message":\{"id":"(\w+)"/.exec(text)?.[1];
    expect(name(first)).not.toBe(name(second));
  });

  test("speaks as Gemini, gives data where data is wanted, and words where there are no tools", async () => {
    const contents = [{ role: "user", parts: [{ text: prompt }] }];
    const tools = [{ functionDeclarations: [{ name: "write_file", parametersJsonSchema: schema }] }];
    const streamed = await post("/v1beta/models/g:streamGenerateContent?alt=sse", { contents, tools });
    expect(await streamed.text()).toMatch(/"functionCall":\{"id":"call_1","name":"write_file"/);
    const wanted = { type: "object", properties: { next: { type: "string", enum: ["user"] } } };
    const judged = await post("/v1beta/models/g:generateContent", {
      contents,
      generationConfig: { responseJsonSchema: wanted },
    });
    expect(JSON.stringify(await judged.json())).toContain('{\\"next\\":\\"user\\"}');
    const titled = await post("/v1beta/models/g:generateContent", { contents });
    expect(JSON.stringify(await titled.json())).toContain("A stand-in's words");
  });

  test("refuses, falls silent, and has nothing on other paths", async () => {
    const tools = [{ name: "Write", input_schema: schema }];
    const messages = (name: string) => [{ role: "user", content: `[[${name}]]` }];
    const refused = await post("/v1/messages", { stream: true, messages: messages("refused"), tools });
    expect(refused.status).toBe(401);
    const leave = new AbortController();
    const hanging = await post("/v1/messages", { stream: true, messages: messages("hang"), tools }, leave.signal);
    const { value } = (await hanging.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('"text":"And"');
    leave.abort();
    expect((await post("/v1/other", {})).status).toBe(404);
  });

  test("answers as OpenAI's responses do, writes by a command where no tool does, and asks to leave the sandbox", async () => {
    const parameters = {
      properties: { cmd: { type: "string" }, sandbox_permissions: { type: "string" } },
      required: [],
    };
    const tools = [
      { type: "function", name: "exec_command", parameters },
      { type: "custom", name: "apply_patch" },
    ];
    const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }];
    const text = await (await post("/v1/responses", { stream: true, tools, input })).text();
    expect(text).toContain("event: response.completed");
    expect(text).toContain('"name":"exec_command"');
    expect(text).toContain("require_escalated");
    const called = [...input, { type: "function_call", name: "exec_command", call_id: "c" }];
    const after = await (await post("/v1/responses", { stream: true, tools, input: called })).text();
    expect(after).toContain("Done.");
  });
});
