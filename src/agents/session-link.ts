// Opens an agent on any wire: session events come out, commands go in. Wires other than lines are loaded on demand. A new wire
// is a folder in dialects/ that holds its schemas and exports its `wire`, and three lines: a row here, a row in
// contract/wire-names.ts, and the test in early-output.ts that recognises it. A preview of what an agent will ask about waits
// here for its question.
import { resolve } from "node:path";
import type { Ask } from "../contract/asks.js";
import type { DialogParams } from "../contract/dialogs.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { WireName } from "../contract/wire-names.js";
import type { AgentCommand, StartAgent } from "./agent-process.js";
import { openDialectLink, type SessionLink, withoutEffects } from "./dialect-link.js";
import type { SessionHistory, Wire } from "./dialects/dialect.js";
import { present } from "./dialects/frames/lenient-field.js";
import { wire as linesWire } from "./dialects/lines/lines-dialect.js";
import { type Entering, enteredEvent } from "./entered-ask.js";
import { awaitedLink } from "./link-relay.js";

export type SessionLinkOptions = {
  onEvent(event: SessionEvent): void;
  /** The clock of all deadlines. */
  nowMs(): number;
  /** The lines wire by default. "detect" decides when the agent starts. */
  protocol?: WireName | "detect";
  /** A session of the agent to resume. */
  resume?: string;
  /** What was said in it, for an agent that does not repeat it. */
  history?: SessionHistory;
  /** MCP servers for the agent, as ACP writes them; some wires ignore them. */
  mcpServers?: readonly Readonly<Record<string, unknown>>[];
  /** Whether a program that turns out to be no agent may be used as one that is typed into. */
  plainPrograms?: "typed into" | "refused";
  /** Who performs what is approved. */
  performedBy?: Entering["performedBy"];
  /** Uses a running process instead of starting one. */
  start?: StartAgent;
};

export type OpenLink = (command: AgentCommand, options: SessionLinkOptions) => SessionLink;

const wires: Readonly<Record<Exclude<WireName, "lines"> | "detect", () => Promise<OpenLink>>> = {
  acp: async () => (await import("./acp/acp-link.js")).openAcpLink,
  claude: async () => opener((await import("./dialects/claude/claude-dialect.js")).wire),
  pi: async () => opener((await import("./dialects/pi/pi-dialect.js")).wire),
  codelia: async () => opener((await import("./dialects/codelia/codelia-dialect.js")).wire),
  codex: async () => opener((await import("./dialects/codex/codex-dialect.js")).wire),
  rpc: async () => opener((await import("./dialects/rpc/rpc-dialect.js")).wire),
  plain: async () => (await import("./plain-link.js")).openPlainLink,
  detect: async () => (await import("./detected-link.js")).openDetectedLink,
};

/** For a wire without effects of its own. */
function opener({ create, args }: Wire): OpenLink {
  return (command, options) => {
    const { resume, history, mcpServers } = options;
    const workspace = resolve(command.cwd ?? process.cwd());
    const dialect = create({
      clientVersion: PALAVER_VERSION,
      workspace,
      args: command.args,
      ...present({ resume, history, mcpServers }),
    });
    const started = { ...command, args: args(command.args, present({ resume })) };
    return openDialectLink(started, dialect, withoutEffects, options);
  };
}

export function openSessionLink(command: AgentCommand, given: SessionLinkOptions): SessionLink {
  const { protocol = "lines", performedBy = "agent" } = given;
  const entering = { folder: command.cwd ?? process.cwd(), performedBy };
  const previews = new AskPreviews();
  const onEvent = (event: SessionEvent) => {
    const passed = previews.take(event);
    if (passed !== null) given.onEvent(enteredEvent(passed, entering));
  };
  const options = { ...given, onEvent };
  if (protocol === "lines") return opener(linesWire)(command, options);
  return awaitedLink(wires[protocol]().then((open) => open(command, options)));
}

// Some agents send what a tool would do before they ask. That preview is kept here until its question comes and becomes part
// of it, so that danger is judged and an answer is given on everything that is shown. A preview belongs to a question about
// the same tool call. Any other one is shown in the question as the agent's words; the question's own diff and command are
// never replaced.

type Preview = Extract<SessionEvent, { type: "permission.previewed" }>;
type ConfirmParams = DialogParams<"confirm">;

const PREVIEWS_MAX = 32;
const CUT = "only the beginning of the diff was sent";

export class AskPreviews {
  private previews: readonly Preview[] = [];

  /** The event to pass on; null for a preview, which is kept, and for the news that a question follows. */
  take(event: SessionEvent): SessionEvent | null {
    switch (event.type) {
      case "permission.previewed":
        this.previews = [...this.previews, event].slice(-PREVIEWS_MAX);
        return null;
      case "permission.readied":
        return null;
      case "tool.started":
      case "tool.finished":
        this.drop(({ toolCallId }) => toolCallId === undefined || toolCallId === event.toolCallId, event.sessionId);
        return event;
      case "prompt.finished":
        this.drop(() => true, event.sessionId);
        return event;
      case "ask.raised":
        return { ...event, ask: this.withPreview(event.ask) };
      default:
        return event;
    }
  }

  // A preview that comes after its question stays here: what is open does not change under the eyes of a user.
  private withPreview(ask: Ask): Ask {
    const { question } = ask;
    if (question.kind !== "confirm") return ask;
    const { tool_call_id: id, tool, path } = question.params.opts ?? {};
    const here = this.previews.filter(({ sessionId }) => sessionId === ask.sessionId || ask.sessionId === null);
    const own = here.findLast(({ toolCallId }) => toolCallId !== undefined && toolCallId === id);
    const loose = here.filter(({ toolCallId }) => toolCallId === undefined || id === undefined);
    const preview = own ?? loose.at(-1);
    if (preview === undefined) return ask;
    const isUsed = own !== undefined || preview.toolCallId === undefined;
    if (isUsed) this.previews = this.previews.filter((other) => other !== preview);
    const isNext = preview.toolCallId === undefined && tool === preview.tool && loose.length === 1;
    const isElsewhere = path !== undefined && preview.filePath !== undefined && path !== preview.filePath;
    const isOwn = (own !== undefined || isNext) && !isElsewhere;
    const params = isOwn ? completed(question.params, preview) : quoting(question.params, preview, wordsOf(preview));
    return { ...ask, question: { ...question, params } };
  }

  private drop(isOver: (preview: Preview) => boolean, sessionId: string | null): void {
    if (this.previews.length === 0) return;
    this.previews = this.previews.filter((one) => (one.sessionId !== sessionId && sessionId !== null) || !isOver(one));
  }
}

function completed(params: ConfirmParams, preview: Preview): ConfirmParams {
  const { diff: own = "", command = "", path } = params.opts ?? {};
  const { diff = "", filePath, truncated } = preview;
  if (own === "" && command === "" && diff !== "") {
    const where = path === undefined && filePath !== undefined ? { path: filePath } : {};
    const opts = { ...params.opts, diff, ...where };
    return quoting({ ...params, opts }, preview, [preview.summary ?? "", truncated ? CUT : ""]);
  }
  const isSame = diff === "" || diff.trim() === own.trim();
  const words = isSame ? [preview.summary ?? "", truncated ? CUT : ""] : wordsOf(preview);
  return quoting(params, preview, words);
}

function wordsOf({ diff = "", summary = "", truncated }: Preview): string[] {
  return [summary, diff, truncated ? CUT : ""];
}

// The message of a question is marked as the agent's words where it enters.
function quoting(params: ConfirmParams, { tool }: Preview, words: readonly string[]): ConfirmParams {
  const { title, opts = {} } = params;
  const message = params.message ?? "";
  const said = [message, title, opts.command ?? "", opts.diff ?? ""];
  const news = words.filter((one) => one.trim() !== "" && !said.some((known) => known.includes(one.trim())));
  if (news.length === 0) return params;
  const about = opts.tool === undefined || opts.tool === tool ? "" : `${tool}: `;
  return { ...params, message: [message, about + news.join("\n")].filter(Boolean).join("\n") };
}
