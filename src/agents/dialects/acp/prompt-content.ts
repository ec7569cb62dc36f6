// A prompt as blocks of content: the words as they are, a link for every file that is mentioned with an @, the picture
// itself where the file is one and the agent takes pictures, and pictures that came along.
import { objectOf } from "../../../contract/json-value.js";
import type { LinesCommand } from "../../../contract/lines-commands.js";
import type { MentionedFile } from "./acp-effect.js";

export type Prompt = Extract<LinesCommand, { type: "prompt" }>;

/** More than this nobody mentions by hand; the words still say the rest. */
const MENTIONS_MAX = 64;

/** Names after an @ at the beginning of a word: `@src/a.ts`, or `@"a name with spaces"`. */
export function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(/(?<![\w@/.])@(?:"([^"\n]+)"|([^\s"'`,;()[\]{}<>]+))/g)].map(
    ([, quoted, plain = ""]) => quoted ?? plain.replace(/[.:!?]+$/, ""),
  );
  return [...new Set(names.filter(Boolean))].slice(0, MENTIONS_MAX);
}

export function promptBlocks(prompt: Prompt, files: readonly MentionedFile[]): Record<string, unknown>[] {
  return [{ type: "text", text: prompt.text }, ...files.map(blockOf), ...attachedPictures(prompt)];
}

function blockOf({ name, uri, sizeBytes, picture }: MentionedFile): Record<string, unknown> {
  if (picture !== undefined) return { type: "image", data: picture.data, mimeType: picture.mimeType, uri };
  return { type: "resource_link", uri, name: name.split(/[/\\]/).at(-1) ?? name, size: sizeBytes };
}

// A front end may send pictures along in the form in which the lines wire has them in messages.
function attachedPictures(prompt: Prompt): Record<string, unknown>[] {
  const { images } = prompt;
  if (!Array.isArray(images)) return [];
  return images.map(objectOf).flatMap(({ data, mime_type }) => {
    if (typeof data !== "string") return [];
    return [{ type: "image", data, mimeType: typeof mime_type === "string" ? mime_type : "image/png" }];
  });
}
