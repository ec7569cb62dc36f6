// Files that an agent reads, writes or mentions through us. A path is resolved through symbolic links as far as it exists, and
// exactly that place is read or written. Mentioned files become links; pictures are read if the agent takes them.
import { lstat, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { looksSecret } from "../../session/permission/secret-files.js";
import { readPlainFile, writePlainFile } from "../../system/plain-file.js";
import type { AcpEffect, FilePlace, FileText, MentionedFile, PathPlace } from "../dialects/acp/acp-effect.js";
import type { EffectResult } from "../dialects/dialect.js";

type Effect<Type extends AcpEffect["type"]> = Extract<AcpEffect, { type: Type }>;

/** Larger files are refused. */
const READ_BYTES_MAX = 16 * 1024 * 1024;

export async function readTextFile(effect: Effect<"file.read">): Promise<EffectResult> {
  const { path, realPath, line, limit } = effect;
  if ((await realPlace(path)) !== realPath) return elsewhere(path);
  const { size } = await stat(realPath);
  if (size > READ_BYTES_MAX)
    return { ok: false, message: `${path} has ${size} bytes; at most ${READ_BYTES_MAX} can be read` };
  const text = (await readPlainFile(realPath, READ_BYTES_MAX)).toString("utf8");
  return { ok: true, value: { text: someLines(text, line, limit) } satisfies FileText };
}

function elsewhere(path: string): EffectResult {
  return { ok: false, message: `${path} no longer leads where it did when it was allowed` };
}

function someLines(text: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return text;
  const from = Math.max(0, (line ?? 1) - 1);
  return text
    .split("\n")
    .slice(from, limit === null ? undefined : from + limit)
    .join("\n");
}

export async function locatePath({ path, workspace }: Effect<"path.locate">): Promise<EffectResult> {
  return { ok: true, value: await placeOf(path, workspace) };
}

async function placeOf(path: string, workspace: string): Promise<PathPlace> {
  const [realPath, home] = await Promise.all([realPlace(path), realPlace(workspace)]);
  const isInside = realPath === home || realPath.startsWith(home.endsWith(sep) ? home : home + sep);
  const exists = await lstat(realPath).then(
    () => true,
    () => false,
  );
  const place = isInside ? "inside" : "outside";
  const names = [relative(workspace, path), relative(home, realPath)];
  const isSecret = names.some((name) => looksSecret(name.split(sep).join("/")));
  return { realPath, exists, workspace: home, place, looksSecret: isSecret };
}

export async function inspectFile({ path, workspace }: Effect<"file.inspect">): Promise<EffectResult> {
  const place = await placeOf(path, workspace);
  const value: FilePlace = { ...place, ...(await contentOf(place.realPath)) };
  return { ok: true, value };
}

export async function writeTextFile(effect: Effect<"file.write">): Promise<EffectResult> {
  const { path, realPath, content, oldText } = effect;
  if ((await realPlace(path)) !== realPath) return elsewhere(path);
  if ((await contentOf(realPath)).oldText !== oldText) {
    return { ok: false, message: `${path} has changed since it was read; nothing was written` };
  }
  const folder = dirname(realPath);
  await mkdir(folder, { recursive: true });
  // The folder may have been replaced by a link meanwhile.
  if ((await realpath(folder)) !== folder) return elsewhere(path);
  await writePlainFile(realPath, content);
  return { ok: true, value: null };
}

/** More links than this are a cycle. */
const LINKS_MAX = 40;

/** Resolves symbolic links even if the end of the path does not exist. */
async function realPlace(path: string, linksLeft: number = LINKS_MAX): Promise<string> {
  const whole = resolve(path);
  const parent = dirname(whole);
  try {
    return await realpath(whole);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || parent === whole || linksLeft === 0) throw error;
    const target = await readlink(whole).catch(() => null);
    if (target !== null) return realPlace(resolve(await realPlace(parent), target), linksLeft - 1);
    return join(await realPlace(parent), basename(whole));
  }
}

// A file that is too large to show is refused, because a change to it could not be approved.
async function contentOf(path: string): Promise<Pick<FilePlace, "oldText" | "isText">> {
  try {
    const bytes = await readPlainFile(path, READ_BYTES_MAX);
    const oldText = bytes.toString("utf8");
    return { oldText, isText: Buffer.from(oldText, "utf8").equals(bytes) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { oldText: null, isText: true };
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

type MentionsEffect = Extract<AcpEffect, { type: "mentions.find" }>;

const PICTURE_BYTES_MAX = 5 * 1024 * 1024;

const pictureTypes: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

export async function findMentionedFiles({ names, workspace, pictures }: MentionsEffect): Promise<MentionedFile[]> {
  const found = await Promise.all(names.map((name) => mentionedFile(name, workspace, pictures)));
  return found.filter((file) => file !== null);
}

async function mentionedFile(
  name: string,
  workspace: string,
  pictures: MentionsEffect["pictures"],
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
