// An MCP client as a program of its own: it connects, calls one tool once for each list of arguments it is given, one after the
// other, and prints each result as a line of JSON. It prints nothing else, and between calls it is as silent as can be.
//
//   mcp-client.mjs ERA http URL TOOL ARGUMENTS…          (the token is in MCP_TOKEN)
//   mcp-client.mjs ERA stdio TOOL ARGUMENTS… -- COMMAND…
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [era, kind, ...rest] = process.argv.slice(2);
const [transport, [tool, ...calls]] = kind === "http" ? overHttp(rest) : overStdio(rest);

const mode = era === "2026-07-28" ? { pin: era } : "legacy";
const client = new Client({ name: "a silent agent", version: "1" }, { versionNegotiation: { mode } });
await client.connect(transport);
for (const args of calls) {
  const result = await client.callTool({ name: tool, arguments: JSON.parse(args) }, { timeout: 120_000 });
  process.stdout.write(`${JSON.stringify(result.structuredContent ?? result)}\n`);
}
await client.close();

function overHttp([url, ...call]) {
  const requestInit = { headers: { authorization: `Bearer ${process.env.MCP_TOKEN}` } };
  return [new StreamableHTTPClientTransport(new URL(url), { requestInit }), call];
}

function overStdio(args) {
  const dashes = args.indexOf("--");
  const [command, ...commandArgs] = args.slice(dashes + 1);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "MCP_TOKEN"));
  return [new StdioClientTransport({ command, args: commandArgs, env, stderr: "ignore" }), args.slice(0, dashes)];
}
