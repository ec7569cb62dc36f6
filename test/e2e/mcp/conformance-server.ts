// The server that the official conformance suite is run against: our own endpoint, with the tools that the suite wants to find
// on every server it judges. They answer nothing of ours; they are there so that our sessions, streams and notifications
// are exercised. What the suite asks for beyond tools is not offered, and `scripts/mcp-conformance.mjs` says why.
import { inputRequired, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { mcpAsks } from "../../../src/server/mcp/mcp-routes.js";
import { openRunServer, type RunServer } from "../../../src/server/mcp/run-server.js";

export function openConformanceServer(): Promise<RunServer> {
  return openRunServer({ version: "0", asks: mcpAsks(new AskRegistry()), onNotice: () => undefined, extend });
}

function extend(server: McpServer): void {
  server.server.registerCapabilities({ logging: {} });
  addContentTools(server);
  addTalkingTools(server);
  addAskingTools(server);
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const audio = { type: "audio" as const, data: SILENCE, mimeType: "audio/wav" };
const embedded = (uri: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "application/json", text: '{"test":"data","value":123}' },
});

function addContentTools(server: McpServer): void {
  const said = { description: "Answers with fixed content." };
  server.registerTool("test_simple_text", said, () => ({ content: [text("Plain words.")] }));
  server.registerTool("test_image_content", said, () => ({ content: [image] }));
  server.registerTool("test_audio_content", said, () => ({ content: [audio] }));
  server.registerTool("test_embedded_resource", said, () => ({ content: [embedded("test://embedded-resource")] }));
  server.registerTool("test_multiple_content_types", said, () => ({
    content: [text("Several kinds:"), image, embedded("test://mixed-content-resource")],
  }));
  server.registerTool("test_error_handling", said, () => {
    throw new Error("This tool fails on purpose.");
  });
}

function addTalkingTools(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "Logs thrice." }, logThrice);
  server.registerTool("test_logging_tool", { description: "Logs thrice." }, logThrice);
  server.registerTool("test_tool_with_progress", { description: "Tells its progress." }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    }
    return { content: [text("Done.")] };
  });
}

async function logThrice({ mcpReq }: ServerContext) {
  for (const words of ["begins", "goes on", "ends"]) await mcpReq.log("info", words);
  return { content: [text("Logged.")] };
}

const userSchema = {
  type: "object" as const,
  properties: {
    username: { type: "string" as const, description: "The name" },
    email: { type: "string" as const, description: "The address" },
  },
  required: ["username", "email"],
};

function addAskingTools(server: McpServer): void {
  const prompt = {
    description: "Has the client's model say something.",
    inputSchema: z.object({ prompt: z.string() }),
  };
  server.registerTool("test_sampling", prompt, async ({ prompt }, { mcpReq }) => {
    const messages = [{ role: "user" as const, content: text(prompt) }];
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] };
  });
  const message = { description: "Has the client ask its person.", inputSchema: z.object({ message: z.string() }) };
  server.registerTool("test_elicitation", message, async ({ message }, { mcpReq }) => {
    const answer = await mcpReq.elicitInput({ message, requestedSchema: userSchema });
    return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
  });
  const asks = { description: "Asks the client for something." };
  const user = inputRequired.elicit({ message: "Who?", requestedSchema: userSchema });
  server.registerTool("test_streaming_elicitation", asks, () => inputRequired({ inputRequests: { user } }));
  const messages = [{ role: "user" as const, content: text("Hello") }];
  const sample = inputRequired.createMessage({ messages, maxTokens: 10 });
  server.registerTool("test_missing_capability", asks, () => inputRequired({ inputRequests: { sample } }));
}
