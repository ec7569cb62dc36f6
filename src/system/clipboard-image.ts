// Reads an image from the clipboard with the desktop's own program. Text is pasted by the terminal itself.
import { execFile } from "node:child_process";
import { withoutOwnPrograms } from "./foreign-programs.js";

export type ClipboardImage =
  | { readonly data: string; readonly mime_type: "image/png" }
  /** Why there is none, in words. */
  | { readonly problem: string };

type Environment = Readonly<Record<string, string | undefined>>;

interface Reader {
  readonly command: string;
  readonly args: readonly string[];
  /** What to install when the command is missing. */
  readonly from: string;
}

const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
const READ_MS_MAX = 5_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
/** AppleScript prints the bytes as digits. */
const APPLE_HEAD = Buffer.from("«data PNGf");

export async function clipboardImage(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  folder = process.cwd(),
): Promise<ClipboardImage> {
  const readers = readersFor(environment, platform);
  if (readers.length === 0) return { problem: "the clipboard cannot be read here; name an image file with @" };
  const env = withoutOwnPrograms(environment, folder);
  let problem = "the clipboard has no image";
  for (const reader of readers) {
    const read = await output(reader, env);
    if (read === "missing") problem = `install ${reader.from} to paste images, or name an image file with @`;
    else if (read !== null) return judged(read);
    else problem = "the clipboard has no image";
  }
  return { problem };
}

function judged(bytes: Buffer): ClipboardImage {
  const digits = bytes.subarray(0, APPLE_HEAD.length).equals(APPLE_HEAD)
    ? /[0-9A-F]+/.exec(bytes.toString("latin1", APPLE_HEAD.length))
    : null;
  const image = digits === null ? bytes : Buffer.from(digits[0], "hex");
  if (!image.subarray(0, PNG.length).equals(PNG)) return { problem: "the clipboard has no image" };
  if (image.length > IMAGE_BYTES_MAX) return { problem: "the image is larger than 5 MB" };
  return { data: image.toString("base64"), mime_type: "image/png" };
}

function readersFor(environment: Environment, platform: NodeJS.Platform): Reader[] {
  if (platform === "darwin") {
    return [
      { command: "pngpaste", args: ["-"], from: "pngpaste" },
      { command: "osascript", args: ["-e", "get the clipboard as «class PNGf»"], from: "pngpaste" },
    ];
  }
  const wayland = { command: "wl-paste", args: ["--type", "image/png"], from: "wl-clipboard" };
  const x11 = { command: "xclip", args: ["-selection", "clipboard", "-t", "image/png", "-o"], from: "xclip" };
  return [...(environment["WAYLAND_DISPLAY"] ? [wayland] : []), ...(environment["DISPLAY"] ? [x11] : [])];
}

/** What the reader printed; null when it failed, as it does without an image. */
function output({ command, args }: Reader, env: Environment): Promise<Buffer | "missing" | null> {
  // Digits take two bytes each.
  const options = { cwd: "/", env, encoding: "buffer", maxBuffer: 3 * IMAGE_BYTES_MAX, timeout: READ_MS_MAX } as const;
  return new Promise((resolve) => {
    execFile(command, [...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else resolve(error.code === "ENOENT" ? "missing" : null);
    });
  });
}
