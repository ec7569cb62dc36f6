// What an agent asks its model, whichever of four APIs it uses: which words were said by whom, and which tools there are.
// Agents put much around a prompt; the name of the script stands in double brackets, so that it is found in all of it.

export type ModelApi = "openai" | "anthropic" | "gemini" | "responses";

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
  if (/\/responses(?:\?|$)/.test(url)) return "responses";
  return /\/chat\/completions(?:\?|$)/.test(url) ? "openai" : null;
}

export function readModelRequest(api: ModelApi, url: string, body: Fields): ModelRequest {
  const said = {
    gemini: body["contents"],
    responses: body["input"],
    openai: body["messages"],
    anthropic: body["messages"],
  };
  const turns = api === "gemini" ? geminiTurns(body) : chatTurns({ messages: said[api] });
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
    lastTurn: JSON.stringify(listOf(said[api]).at(-1) ?? null),
    rounds: turns.slice(last + 1).filter(({ callsTools }) => callsTools).length,
    answerSchema: answerSchemaOf(body),
  };
}

function chatTurns({ messages }: Fields): Turn[] {
  return listOf(messages).map((message) => {
    const { type, role, content, tool_calls } = message;
    const parts = typeof content === "string" ? [{ text: content }] : listOf(content);
    const isToolUse = parts.some((part) => "type" in part && part["type"] === "tool_use");
    return {
      role: role === "user" ? "person" : "model",
      text: textOf(parts),
      callsTools: type === "function_call" || (role === "assistant" && (isToolUse || listOf(tool_calls).length > 0)),
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
  return declaredTools(api, listOf(tools)).map((tool) => {
    const inner = fieldsOf(tool["function"] ?? tool);
    const schema = inner["parametersJsonSchema"] ?? inner["parameters"] ?? inner["input_schema"];
    return { name: String(inner["name"]), schema: fieldsOf(schema) };
  });
}

// Responses have tools of servers in namespaces; here such a tool is called `namespace/name`.
function declaredTools(api: ModelApi, tools: readonly Fields[]): Fields[] {
  if (api === "gemini") return tools.flatMap((tool) => listOf(tool["functionDeclarations"]));
  if (api !== "responses") return [...tools];
  return tools.flatMap((tool) => {
    const inside = listOf(tool["tools"]).map((each) => ({ ...each, name: `${tool["name"]}/${each["name"]}` }));
    return tool["type"] === "function" ? [tool] : inside;
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
