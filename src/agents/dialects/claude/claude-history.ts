// A session from Claude's own file, as the frames that it sent then: Claude does not repeat them when it resumes. Lines for the
// model alone, of sub-agents and of calls that never ended are left out.
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import { type ClaudeFrame, claudeFrameSchemas } from "./claude-frames.js";
import { blocksOf } from "./claude-tools.js";

type PastFrame =
  | { readonly type: "assistant"; readonly frame: ClaudeFrame<"assistant"> }
  | { readonly type: "user"; readonly frame: ClaudeFrame<"user"> };

const FRAMES_MAX = 400;

/** What a command of Claude leaves in a user message. */
const FOR_THE_MODEL = /^\s*(?:<(?:command|local-command|system|bash|task)-|Caveat:)/;

/** `isCut`: there was more. */
export function pastFrames(lines: readonly JsonObject[]): { frames: PastFrame[]; isCut: boolean } {
  const all = lines.flatMap(frameOf);
  const frames = all.slice(-FRAMES_MAX);
  const ended = new Set(frames.flatMap(resultsIn));
  const whole = frames.map((past) => (past.type === "user" ? past : withoutOpenCalls(past, ended)));
  return { frames: whole, isCut: frames.length < all.length };
}

function frameOf(line: JsonObject): PastFrame[] {
  const { type, isSidechain, isMeta, isCompactSummary, isApiErrorMessage, toolUseResult } = line;
  if ([isSidechain, isMeta, isCompactSummary, isApiErrorMessage].includes(true)) return [];
  if (type === "assistant") {
    const frame = claudeFrameSchemas.assistant.safeParse(line).data;
    return frame === undefined ? [] : [{ type, frame }];
  }
  if (type !== "user") return [];
  const frame = claudeFrameSchemas.user.safeParse({ ...line, tool_use_result: toolUseResult }).data;
  return frame === undefined || isForTheModel(frame) ? [] : [{ type, frame }];
}

function isForTheModel({ message: { content } }: ClaudeFrame<"user">): boolean {
  const texts = typeof content === "string" ? [content] : content.map(({ text }) => plainWord(text ?? ""));
  return texts.some((text) => FOR_THE_MODEL.test(text));
}

function resultsIn(past: PastFrame): unknown[] {
  if (past.type === "assistant") return [];
  const { content } = past.frame.message;
  return typeof content === "string" ? [] : content.map(({ tool_use_id }) => tool_use_id);
}

function withoutOpenCalls(past: Extract<PastFrame, { type: "assistant" }>, ended: ReadonlySet<unknown>): PastFrame {
  const { message } = past.frame;
  const content = blocksOf(message).filter(({ type, id }) => type !== "tool_use" || ended.has(id));
  return { ...past, frame: { ...past.frame, message: { ...message, content } } };
}
