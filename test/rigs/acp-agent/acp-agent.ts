// An agent of our own for the tests: it speaks every method of the protocol, does in a turn what the prompt says, and
// misbehaves on demand. How it begins is said with arguments, how a turn goes with the prompt.
//
//   --greeting=ok|never|error|version-2|junk-first   --session=ok|locked|keyed|broken
//   --after-input=end|stay   --ready-file=PATH (where it writes its process id)
import { writeFileSync } from "node:fs";
import { type Frame, RpcError, RpcSide } from "./rpc-side.js";
import { readScript, type ScriptStep } from "./script.js";

type Session = { readonly id: string; readonly cwd: string; readonly told: Frame[]; cancel: (() => void) | null };

const flags = new Map(
  process.argv.slice(2).map((word) => {
    const [, name = "", value = ""] = /^--([\w-]+)=(.*)$/.exec(word) ?? [];
    return [name, value] as const;
  }),
);

const modes = { currentModeId: "ask", availableModes: ["ask", "auto"].map((id) => ({ id, name: id })) };

class TestAgent {
  readonly side: RpcSide;
  private readonly sessions = new Map<string, Session>();
  private isSignedIn = flags.get("session") === "keyed" ? hasKey() : flags.get("session") !== "locked";
  private nextSession = 1;

  constructor() {
    this.side = new RpcSide((line) => process.stdout.write(`${line}\n`), {
      request: (method, params) => this.request(method, params),
      notification: (method, params) => this.notification(method, params),
    });
  }

  private async request(method: string, params: Frame): Promise<unknown> {
    const sessionId = String(params["sessionId"]);
    switch (method) {
      case "initialize":
        return this.greet();
      case "authenticate":
        this.isSignedIn = params["methodId"] === "key" ? hasKey() : params["methodId"] === "open-sesame";
        if (!this.isSignedIn) throw new RpcError(-32603, "wrong word");
        return {};
      case "session/new":
        return this.open(`test-${this.nextSession++}`, String(params["cwd"]));
      case "session/load":
        return this.load(sessionId, String(params["cwd"]));
      case "session/list":
        return { sessions: [...this.sessions.values()].map(({ id, cwd }) => ({ sessionId: id, cwd, title: id })) };
      case "session/close":
        this.sessions.delete(sessionId);
        return {};
      case "session/set_mode":
        this.update(sessionId, { sessionUpdate: "current_mode_update", currentModeId: params["modeId"] });
        return {};
      case "session/prompt":
        return this.prompt(this.sessionOf(sessionId), readScript(params["prompt"]));
      default:
        throw new RpcError(-32601, `Method not found: ${method}`);
    }
  }

  private notification(method: string, params: Frame): void {
    if (method === "session/cancel") this.sessions.get(String(params["sessionId"]))?.cancel?.();
  }

  private greet(): unknown {
    const how = flags.get("greeting") ?? "ok";
    if (how === "never") return new Promise(() => undefined);
    if (how === "error") throw new RpcError(1001, "this agent does not feel like it");
    if (how === "junk-first") this.side.raw("Welcome to the test agent!\n{broken json\n[1,2]");
    return {
      protocolVersion: how === "version-2" ? 2 : 1,
      agentInfo: { name: "test-agent", title: "Test Agent", version: "1.0.0" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true },
        sessionCapabilities: { list: {}, close: {} },
      },
      authMethods: [
        { id: "open-sesame", name: "Say the word" },
        { id: "key", type: "env_var", name: "A key", vars: [{ name: "TEST_AGENT_KEY", label: "Key" }] },
      ],
    };
  }

  private open(id: string, cwd: string): unknown {
    if (!this.isSignedIn) throw new RpcError(-32000, "Authentication required");
    if (flags.get("session") === "broken") throw new RpcError(-32603, "the disk is full");
    this.sessions.set(id, { id, cwd, told: [], cancel: null });
    return { sessionId: id, modes };
  }

  private load(id: string, cwd: string): unknown {
    const known = this.sessions.get(id);
    if (known === undefined) throw new RpcError(-32002, `Resource not found: ${id}`);
    for (const update of [...known.told]) this.side.notify("session/update", { sessionId: id, update });
    this.sessions.set(id, { ...known, cwd });
    return { modes };
  }

  private async prompt(session: Session, script: readonly ScriptStep[]): Promise<unknown> {
    let isCancelled = false;
    const cancelled = new Promise<void>((resolve) => {
      session.cancel = () => {
        isCancelled = true;
        resolve();
      };
    });
    for (const step of script) {
      if (isCancelled) break;
      const end = await this.act(session, step, cancelled);
      if (end !== null) return { stopReason: end };
    }
    return { stopReason: isCancelled ? "cancelled" : "end_turn" };
  }

  private async act(session: Session, step: ScriptStep, cancelled: Promise<void>): Promise<string | null> {
    if ("say" in step) this.chunk(session, "agent_message_chunk", step.say);
    else if ("think" in step) this.chunk(session, "agent_thought_chunk", step.think);
    else if ("sayMuch" in step) this.chunk(session, "agent_message_chunk", "x".repeat(step.sayMuch));
    else if ("update" in step) this.update(session.id, step.update);
    else if ("raw" in step) this.side.raw(step.raw);
    else if ("stderr" in step) process.stderr.write(step.stderr);
    else if ("ask" in step) await this.ask(session, step.ask, step.params);
    else if ("askAndTakeBack" in step) await this.takeBack(session, step.askAndTakeBack, step.params);
    else if ("run" in step) await this.run(session, step.run);
    else if ("leaveRunning" in step) await this.create(session, step.leaveRunning);
    else if ("hang" in step) await (step.hang === "ignore" ? new Promise(() => undefined) : cancelled);
    else if ("exit" in step) await die(step.exit);
    else if ("fail" in step) throw new RpcError(step.fail.code, step.fail.message);
    else return step.end;
    return null;
  }

  private async ask(session: Session, method: string, params: Frame): Promise<void> {
    const answer = this.side.request(method, { sessionId: session.id, ...params });
    this.chunk(session, "agent_message_chunk", `${JSON.stringify(await answer.catch(wordsOf))}\n`);
  }

  private async takeBack(session: Session, method: string, params: Frame): Promise<void> {
    const { id, answer } = this.side.requestWithId(method, { sessionId: session.id, ...params });
    this.side.notify("$/cancel_request", { requestId: id });
    this.chunk(session, "agent_message_chunk", `${JSON.stringify(await answer.catch(wordsOf))}\n`);
  }

  private create(session: Session, [command, ...args]: readonly string[]): Promise<Frame> {
    return this.side.request("terminal/create", { sessionId: session.id, command, args });
  }

  private async run(session: Session, command: readonly string[]): Promise<void> {
    const sessionId = session.id;
    const { terminalId } = await this.create(session, command);
    const call = { toolCallId: `run-${terminalId}`, title: command.join(" "), kind: "execute" };
    const content = [{ type: "terminal", terminalId }];
    this.update(sessionId, { sessionUpdate: "tool_call", ...call, status: "in_progress", content });
    const { exitCode } = await this.side.request("terminal/wait_for_exit", { sessionId, terminalId });
    const { output } = await this.side.request("terminal/output", { sessionId, terminalId });
    await this.side.request("terminal/release", { sessionId, terminalId });
    this.update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status: "completed" });
    this.chunk(session, "agent_message_chunk", `${JSON.stringify({ exitCode, output })}\n`);
  }

  private chunk(session: Session, sessionUpdate: string, text: string): void {
    const update = { sessionUpdate, content: { type: "text", text } };
    session.told.push(update);
    this.update(session.id, update);
  }

  private update(sessionId: string, update: Frame): void {
    this.side.notify("session/update", { sessionId, update });
  }

  private sessionOf(id: string): Session {
    const session = this.sessions.get(id);
    if (session === undefined) throw new RpcError(-32602, `no session ${id}`);
    return session;
  }
}

// Read once, when it starts, as agents do.
function hasKey(): boolean {
  return process.env["TEST_AGENT_KEY"] === "right";
}

function wordsOf(error: unknown): Frame {
  const { code, message } = error as RpcError;
  return { error: code, message };
}

// Nothing is left to wait for once the input is gone, so that the process ends as if it had crashed.
function die(code: number): Promise<never> {
  process.exitCode = code;
  process.stdin.destroy();
  return new Promise(() => undefined);
}

const agent = new TestAgent();
process.stdin.setEncoding("utf8").on("data", (chunk: string) => agent.side.push(chunk));
// An agent whose input is closed ends by itself, unless it was told to stay.
if (flags.get("after-input") === "stay") setInterval(() => undefined, 60_000);
const readyFile = flags.get("ready-file");
if (readyFile) writeFileSync(readyFile, String(process.pid));
