// The adapters for agent frameworks, run against the frameworks themselves. These are looked for in .cache/frameworks
// (npm install --prefix .cache/frameworks ai @openai/agents @langchain/langgraph); a test without its framework is skipped by name.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { projectRoot } from "./run-program.js";

type Permission = { tool: string; message?: string; remember?: boolean };

/** A user who gives these answers, one after the other. */
function userWith(...answers: unknown[]) {
  const asked: Permission[] = [];
  const next = async (request: Permission) => {
    asked.push(request);
    return answers.shift();
  };
  return { asked, ui: { permission: next, input: next, select: next, confirm: next } };
}

const yes = { ok: true, remember: false, reason: "" };
const always = { ok: true, remember: true, reason: "" };
const no = { ok: false, remember: false, reason: "not on a Friday" };

const adapter = (name: string) => import(pathToFileURL(join(projectRoot, "examples", "adapters", `${name}.mjs`)).href);
const frameworks = join(projectRoot, ".cache", "frameworks", "node_modules");
const framework = (path: string) => import(pathToFileURL(join(frameworks, path)).href);
const without = (name: string) => (existsSync(join(frameworks, name)) ? "" : ` (${name} is not installed)`);

describe("Claude Agent SDK: canUseTool", () => {
  const suggestions = [{ type: "addRules" }];

  test.each([
    [yes, { behavior: "allow", updatedInput: { command: "ls" } }],
    [always, { behavior: "allow", updatedInput: { command: "ls" }, updatedPermissions: suggestions }],
    [no, { behavior: "deny", message: "not on a Friday" }],
  ])("%j is %j", async (answer, result) => {
    const { canUseToolWith } = await adapter("claude-agent-sdk");
    const { ui, asked } = userWith(answer);
    const { signal } = new AbortController();
    expect(await canUseToolWith(ui)("Bash", { command: "ls" }, { signal, suggestions, toolUseID: "c1" })).toEqual(
      result,
    );
    expect(asked).toMatchObject([{ tool: "Bash", command: "ls", toolCallId: "c1", remember: true }]);
  });

  test("offers no always where the SDK wants none", async () => {
    const { canUseToolWith } = await adapter("claude-agent-sdk");
    const { ui, asked } = userWith(yes);
    await canUseToolWith(ui)("Bash", { command: "ls" }, { suggestions, suppressAlwaysAllowRule: true });
    expect(asked).toMatchObject([{ remember: false }]);
  });
});

const vercel = without("ai");

test.skipIf(vercel !== "")(
  `Vercel AI SDK: a tool runs only after a yes, and the model is told of a no${vercel}`,
  async () => {
    const { withPermission } = await adapter("vercel-ai");
    const { generateText, stepCountIs, jsonSchema } = await framework("ai/dist/index.mjs");
    const { MockLanguageModelV3 } = await framework("ai/dist/test/index.mjs");
    const ran: unknown[] = [];
    const deploy = {
      inputSchema: jsonSchema({ type: "object", properties: { to: { type: "string" } } }),
      execute: async ({ to }: { to: string }) => void ran.push(to),
    };
    const { ui, asked } = userWith(no, yes);
    let step = 0;
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const doGenerate = async () => {
      step += 1;
      const call = { type: "tool-call", toolCallId: `c${step}`, toolName: "deploy", input: '{"to":"prod"}' };
      const content = step <= 2 ? [call] : [{ type: "text", text: "done" }];
      return { content, finishReason: { unified: step <= 2 ? "tool-calls" : "stop" }, usage, warnings: [] };
    };
    const model = new MockLanguageModelV3({ doGenerate });
    const tools = { deploy: withPermission(ui, "deploy", deploy) };
    const { text, steps } = await generateText({ model, prompt: "deploy", tools, stopWhen: stepCountIs(5) });
    expect(text).toBe("done");
    expect(steps[0]?.toolResults[0]?.output).toBe("Denied by the user. not on a Friday");
    expect(ran).toEqual(["prod"]);
    expect(asked).toHaveLength(2);
  },
);

const openai = without("@openai/agents");

test.skipIf(openai !== "")(
  `OpenAI Agents: a run stops at an approval and goes on with the answer${openai}`,
  async () => {
    const { runWithApprovals } = await adapter("openai-agents");
    const { Agent, Runner, setTracingDisabled, tool, Usage } = await framework("@openai/agents/dist/index.mjs");
    setTracingDisabled(true);
    const ran: string[] = [];
    const deploy = tool({
      name: "deploy",
      description: "deploys",
      parameters: {
        type: "object",
        properties: { to: { type: "string" } },
        required: ["to"],
        additionalProperties: false,
      },
      needsApproval: true,
      execute: async ({ to }: { to: string }) => {
        ran.push(to);
        return "deployed";
      },
    });
    let step = 0;
    const model = {
      async getResponse() {
        step += 1;
        const call = {
          type: "function_call",
          callId: `c${step}`,
          name: "deploy",
          status: "completed",
          arguments: '{"to":"prod"}',
        };
        const said = {
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "done" }],
        };
        return { usage: new Usage(), output: [step <= 2 ? call : said] };
      },
    };
    const { ui, asked } = userWith(no, yes);
    const runner = new Runner({ tracingDisabled: true });
    const run = (agent: unknown, input: unknown) => runner.run(agent, input);
    const result = await runWithApprovals(ui, run, new Agent({ name: "deployer", model, tools: [deploy] }), "deploy");
    expect(result.finalOutput).toBe("done");
    expect(ran).toEqual(["prod"]);
    expect(asked).toMatchObject([{ tool: "deploy", message: '{"to":"prod"}' }, { tool: "deploy" }]);
  },
);

const langgraph = without("@langchain/langgraph");

test.skipIf(langgraph !== "")(
  `LangGraph: an interrupt is a question, and its answer resumes the graph${langgraph}`,
  async () => {
    const { invokeWithQuestions } = await adapter("langgraph");
    const { Annotation, Command, interrupt, MemorySaver, START, StateGraph } = await framework(
      "@langchain/langgraph/dist/index.js",
    );
    const State = Annotation.Root({ said: Annotation() });
    const graph = new StateGraph(State)
      .addNode("ask", () => ({
        said: `${interrupt("Your name?")} chose ${interrupt({ kind: "select", title: "Which?", options: ["a", "b"] })}`,
      }))
      .addEdge(START, "ask")
      .compile({ checkpointer: new MemorySaver() });
    const { ui, asked } = userWith("Ada", "b");
    const state = await invokeWithQuestions(ui, graph, { said: "" }, { Command, configurable: { thread_id: "1" } });
    expect(state.said).toBe("Ada chose b");
    expect(asked).toEqual([{ title: "Your name?" }, { title: "Which?", options: ["a", "b"] }]);
  },
);
