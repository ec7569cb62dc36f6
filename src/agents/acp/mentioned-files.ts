// The files that a prompt mentions with an @: those that exist become links, and pictures are read where the agent takes
// them. A word that is no file stays a word.
import { stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AcpEffect, MentionedFile } from "../dialects/acp/acp-effect.js";
import { readPlainFile } from "./plain-file.js";

type Effect = Extract<AcpEffect, { type: "mentions.find" }>;

const PICTURE_BYTES_MAX = 5 * 1024 * 1024;

const pictureTypes: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

export async function findMentionedFiles({ names, workspace, pictures }: Effect): Promise<MentionedFile[]> {
  const found = await Promise.all(names.map((name) => mentionedFile(name, workspace, pictures)));
  return found.filter((file) => file !== null);
}

async function mentionedFile(
  name: string,
  workspace: string,
  pictures: Effect["pictures"],
): Promise<MentionedFile | null> {
  const path = resolve(workspace, name);
  try {
    const facts = await stat(path);
    if (!facts.isFile() && !facts.isDirectory()) return null;
    const file = { name, path, uri: pathToFileURL(path).href, sizeBytes: facts.size };
    const mimeType = pictureTypes.get(extname(path).toLowerCase());
    if (pictures === "leave" || mimeType === undefined || facts.size > PICTURE_BYTES_MAX) return file;
    return { ...file, picture: { data: (await readPlainFile(path, PICTURE_BYTES_MAX)).toString("base64"), mimeType } };
  } catch {
    return null;
  }
}
