// Real agents as clients of `palaver mcp`, offline against a stand-in model that calls ask_confirm: one that asks with its own
// elicitation, and others whose question waits in the project's daemon. An agent that is neither on the PATH nor in
// .cache/frameworks (npm install --prefix .cache/frameworks @anthropic-ai/claude-agent-sdk @openai/codex opencode-ai) is skipped by name.
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { agentKinds, furnish } from "../../../tools/real-agents/agent-kinds.js";
import { startStandInModel } from "../../../tools/real-agents/stand-in-model.js";
import { startProgram, temporaryPlace } from "../daemon/daemon-process.js";
import { palaver, projectRoot, runPalaver, runProgram } from "../run-program.js";

const installed = join(projectRoot, ".cache", "frameworks", "node_modules");
const sdk = join(installed, "@anthropic-ai", "claude-agent-sdk", "sdk.mjs");

function programOf(name: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), join(installed, ".bin")];
  return folders.map((folder) => join(folder, name)).find(canRun) ?? null;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function createPlace(name: string) {
  const home = temporaryPlace();
  const project = join(home, "project");
  mkdirSync(project);
  const model = await startStandInModel({
    ask: [{ deed: { do: "ask", title: "Deploy?" } }, { text: "asked" }],
    write: [{ deed: { do: "write", path: join(project, "a.txt"), content: "hello" } }, { text: "written" }],
  });
  onTestFinished(() => model.close());
  const place = { url: `http://127.0.0.1:${model.port}`, key: "stand-in", home };
  const kind = agentKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`there is no ${name}`);
  furnish(kind, place);
  // opencode takes the folder from PWD; codex gives its servers HOME and little else.
  const own = { HOME: home, PWD: project, XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" };
  // Claude would look for the tool first; the others take settings of theirs in any case.
  const env = { ...own, ...kind.environment(place), ENABLE_TOOL_SEARCH: "false" };
  const toldBack = () => model.requests.map(({ lastTurn }) => lastTurn).join("\n");
  return { project, env, toldBack };
}

type Message = { type: string; result?: string };

async function asClaude(prompt: string, { project, env }: { project: string; env: object }, more: object) {
  const { query } = await import(pathToFileURL(sdk).href);
  const options = { cwd: project, env: { ...process.env, ...env }, model: "sonnet", settingSources: [], ...more };
  let result = "";
  for await (const message of query({ prompt, options }) as AsyncIterable<Message>) result = message.result ?? result;
  return result;
}

const claude = existsSync(sdk) ? "" : " (@anthropic-ai/claude-agent-sdk is not installed)";

test.skipIf(claude !== "")(`Claude asks with its own elicitation${claude}`, async () => {
  const place = await createPlace("claude");
  const elicited: { message: string }[] = [];
  const result = await asClaude("[[ask]]", place, {
    mcpServers: { palaver: { type: "stdio", command: process.execPath, args: [palaver, "mcp"], env: place.env } },
    canUseTool: async (_: string, input: object) => ({ behavior: "allow", updatedInput: input }),
    onElicitation: async (request: { message: string }) => {
      elicited.push(request);
      return { action: "accept", content: { answer: true } };
    },
  });
  expect(result).toBe("asked");
  expect(elicited).toMatchObject([{ message: "Deploy?" }]);
  expect(place.toldBack()).toMatch(/\\"outcome\\":\\"answered\\",\\"value\\":true/);
});

test.skipIf(claude !== "").each(["allow", "deny"])(
  `canUseTool of the Claude Agent SDK: %s${claude}`,
  async (behavior) => {
    const place = await createPlace("claude");
    const { canUseToolWith } = await import(
      pathToFileURL(join(projectRoot, "examples/adapters/claude-agent-sdk.mjs")).href
    );
    const asked: { tool: string; path?: string }[] = [];
    const permission = async (request: { tool: string }) => {
      asked.push(request);
      return { ok: behavior === "allow", remember: false, reason: "not on a Friday" };
    };
    expect(await asClaude("[[write]]", place, { canUseTool: canUseToolWith({ permission }) })).toBe("written");
    const path = join(place.project, "a.txt");
    expect(asked).toMatchObject([{ tool: "Write", path }]);
    expect(existsSync(path)).toBe(behavior === "allow");
    if (behavior === "deny") expect(place.toldBack()).toContain("not on a Friday");
  },
);

// codex exec cancels what it is asked by elicitation.
const server = `mcp_servers.palaver={command="${process.execPath}",args=["${palaver}","mcp","--daemon"],startup_timeout_sec=60,tool_timeout_sec=60}`;
const opencodeServer = { type: "local", command: [process.execPath, palaver, "mcp"], enabled: true };

const clients = [
  { name: "codex", args: ["exec", "--skip-git-repo-check", "-c", server, "[[ask]]"], settings: () => ({}) },
  {
    name: "opencode",
    args: ["run", "[[ask]]"],
    settings: ({ OPENCODE_CONFIG_CONTENT: given = "{}" }: Record<string, string>) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...JSON.parse(given), mcp: { palaver: opencodeServer } }),
    }),
  },
];

for (const { name, args, settings } of clients) {
  const program = programOf(name);
  const why = program === null ? ` (${name} is not installed)` : "";
  test.skipIf(program === null)(
    `a question of ${name} waits in the daemon, and its answer goes back${why}`,
    async () => {
      const place = await createPlace(name);
      const env = { ...place.env, ...settings(place.env) };
      await startProgram(palaver, { args: ["serve", "--json"], env, cwd: place.project });
      const running = runProgram(program ?? "", args, { env, cwd: place.project });
      const titles = async () => (await runPalaver(["asks"], { env, cwd: place.project })).stdout;
      await expect.poll(titles, { timeout: 50_000 }).toContain("Deploy?");
      const id = (await titles()).split(" ", 1)[0] ?? "";
      expect(await runPalaver(["answer", id, "--yes"], { env, cwd: place.project })).toMatchObject({ code: 0 });
      expect(await running).toMatchObject({ code: 0 });
      expect(place.toldBack()).toMatch(/outcome[\\":]*answered|The user said yes/);
    },
  );
}
