// Content blocks as text. Pictures keep a form of their own; sound and attachments become a short note.

import { objectOf } from "../../../contract/json-value.js";
import type { AcpContent } from "./acp-frames.js";

export type ReadContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "picture"; readonly data: string; readonly mimeType: string }
  | { readonly kind: "unknown" };

export function readContent(content: AcpContent): ReadContent {
  switch (content.type) {
    case "text":
      return typeof content.text === "string" ? { kind: "text", text: content.text } : { kind: "unknown" };
    case "image":
      return readPicture(content);
    case "audio":
      return { kind: "text", text: `(sound, ${wordOf(content.mimeType, "unknown kind")})` };
    case "resource_link": {
      const uri = wordOf(content.uri, "");
      return { kind: "text", text: `[${wordOf(content.title, wordOf(content.name, uri))}](${uri})` };
    }
    case "resource":
      return readResource(objectOf(content.resource));
    default:
      return { kind: "unknown" };
  }
}

/** The text of several blocks; blocks without text are left out. */
export function contentText(blocks: readonly AcpContent[]): string {
  return blocks
    .map(readContent)
    .map((read) => (read.kind === "text" ? read.text : ""))
    .filter(Boolean)
    .join("\n");
}

function readPicture({ data, mimeType, uri }: AcpContent): ReadContent {
  if (typeof data === "string" && data !== "") {
    return { kind: "picture", data, mimeType: wordOf(mimeType, "image/png") };
  }
  return { kind: "text", text: `(picture ${wordOf(uri, "without an address")})` };
}

function readResource({ text, uri, mimeType }: Readonly<Record<string, unknown>>): ReadContent {
  if (typeof text === "string") return { kind: "text", text };
  return {
    kind: "text",
    text: `(attachment ${wordOf(uri, "without an address")}, ${wordOf(mimeType, "unknown kind")})`,
  };
}

function wordOf(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
