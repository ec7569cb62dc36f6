// Some agents send what a tool would do before they ask. That preview is kept here until its question comes and becomes part
// of it, so that danger is judged and an answer is given on everything that is shown. A preview belongs to a question about
// the same tool call. Any other one is shown in the question as the agent's words; the question's own diff and command are
// never replaced.
import type { Ask } from "../contract/asks.js";
import type { DialogParams } from "../contract/dialogs.js";
import type { SessionEvent } from "../contract/session-events.js";

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
