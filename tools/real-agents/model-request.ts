// What an agent asks its model, whichever of three APIs it uses: which words were said by whom, and which tools there are.
// Agents put much around a prompt; the name of the script stands in double brackets, so that it is found in all of it.

export type ModelApi = "openai" | "anthropic" | "gemini";

export type OfferedTool = { readonly name: string; readonly schema: Fields };

export type ModelRequest = {
  readonly api: ModelApi;
  readonly model: string;
  readonly streams: boolean;
  readonly tools: readonly OfferedTool[];
  /** The names of all scripts in the conversation, oldest first. */
  readonly scripts: readonly string[];
  /** The newest message as JSON, with whatever a tool has answered in it. */
  readonly lastTurn: string;
  /** How many rounds of tool calls came after the last of them. */
  readonly rounds: number;
  /** A schema that the answer has to fit, when the agent wants data instead of words. */
  readonly answerSchema: Fields | null;
};

export type Fields = Readonly<Record<string, unknown>>;

type Turn = { readonly role: "person" | "model"; readonly text: string; readonly callsTools: boolean };

const SCRIPT_NAME = /\[\[([\w-]+)\]\]/g;

export function apiOf(url: string): ModelApi | null {
  if (/:(?:stream)?generateContent/i.test(url)) return "gemini";
  if (/\/messages(?:\?|$)/.test(url)) return "anthropic";
  return /\/chat\/completions(?:\?|$)/.test(url) ? "openai" : null;
}

export function readModelRequest(api: ModelApi, url: string, body: Fields): ModelRequest {
  const turns = api === "gemini" ? geminiTurns(body) : chatTurns(body);
  const named = turns.flatMap(({ role, text }, index) =>
    role === "person" ? [...text.matchAll(SCRIPT_NAME)].map(([, name = ""]) => ({ name, index })) : [],
  );
  const last = named.at(-1)?.index ?? -1;
  return {
    api,
    model: String(body["model"] ?? /models\/([^:]+):/.exec(url)?.[1] ?? "stand-in"),
    streams: api === "gemini" ? /:stream/i.test(url) : body["stream"] === true,
    tools: offeredTools(api, body),
    scripts: named.map(({ name }) => name),
    lastTurn: JSON.stringify(listOf(api === "gemini" ? body["contents"] : body["messages"]).at(-1) ?? null),
    rounds: turns.slice(last + 1).filter(({ callsTools }) => callsTools).length,
    answerSchema: answerSchemaOf(body),
  };
}

function chatTurns({ messages }: Fields): Turn[] {
  return listOf(messages).map((message) => {
    const { role, content, tool_calls } = message;
    const parts = typeof content === "string" ? [{ text: content }] : listOf(content);
    const isToolUse = parts.some((part) => "type" in part && part["type"] === "tool_use");
    return {
      role: role === "user" ? "person" : "model",
      text: textOf(parts),
      callsTools: role === "assistant" && (isToolUse || listOf(tool_calls).length > 0),
    };
  });
}

function geminiTurns({ contents }: Fields): Turn[] {
  return listOf(contents).map(({ role, parts }) => ({
    role: role === "model" ? "model" : "person",
    text: textOf(listOf(parts)),
    callsTools: role === "model" && listOf(parts).some((part) => "functionCall" in part),
  }));
}

function offeredTools(api: ModelApi, { tools }: Fields): OfferedTool[] {
  const declared =
    api === "gemini" ? listOf(tools).flatMap((tool) => listOf(tool["functionDeclarations"])) : listOf(tools);
  return declared.map((tool) => {
    const inner = fieldsOf(tool["function"] ?? tool);
    const schema = inner["parametersJsonSchema"] ?? inner["parameters"] ?? inner["input_schema"];
    return { name: String(inner["name"]), schema: fieldsOf(schema) };
  });
}

function answerSchemaOf(body: Fields): Fields | null {
  const { responseJsonSchema, responseSchema } = fieldsOf(body["generationConfig"]);
  const wanted = fieldsOf(fieldsOf(body["response_format"])["json_schema"])["schema"];
  const schema = responseJsonSchema ?? responseSchema ?? wanted;
  return schema === undefined ? null : fieldsOf(schema);
}

function textOf(parts: readonly Fields[]): string {
  return parts.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
