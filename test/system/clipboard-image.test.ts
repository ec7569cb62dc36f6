// Images from the clipboard: programs of the desktop, played by scripts on a PATH of the test's own.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clipboardImage } from "../../src/system/clipboard-image.js";

const PNG = Buffer.from("89504e470d0a1a0a0000", "hex");

function desktop(programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-clipboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "image.png"), PNG);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd "${folder}"\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const found = { data: PNG.toString("base64"), mime_type: "image/png" };
const read = "/bin/cat image.png";

test.skipIf(process.platform === "win32").for([
  ["wl-paste", { "wl-paste": read }, { WAYLAND_DISPLAY: "wayland-0" }, "linux", found],
  [
    "xclip, where Wayland has no image",
    { "wl-paste": "exit 1", xclip: read },
    { WAYLAND_DISPLAY: "w", DISPLAY: ":0" },
    "linux",
    found,
  ],
  ["pngpaste", { pngpaste: read }, {}, "darwin", found],
  ["osascript", { osascript: `echo '«data PNGf${PNG.toString("hex").toUpperCase()}»'` }, {}, "darwin", found],
  ["text", { xclip: "echo words" }, { DISPLAY: ":0" }, "linux", { problem: "the clipboard has no image" }],
  [
    "no program",
    {},
    { DISPLAY: ":0" },
    "linux",
    { problem: "install xclip to paste images, or name an image file with @" },
  ],
  ["no display", {}, {}, "linux", { problem: "the clipboard cannot be read here; name an image file with @" }],
] as const)("%s", async ([, programs, variables, platform, expected]) => {
  const environment = { ...variables, PATH: desktop(programs) };
  expect(await clipboardImage(environment, platform)).toEqual(expected);
});

test.skipIf(process.platform === "win32").for([
  ["xclip", { DISPLAY: ":0" }, "linux"],
  ["wl-paste", { WAYLAND_DISPLAY: "wayland-0" }, "linux"],
  ["pngpaste", {}, "darwin"],
  ["osascript", {}, "darwin"],
] as const)("%s of the project is never started, even if PATH points into it", async ([name, variables, platform]) => {
  const project = desktop({ [name]: "/usr/bin/touch started; /bin/cat image.png" });
  const outside = desktop({ [name]: "exit 1" });
  for (const PATH of [project, [project, ".", "", outside].join(delimiter)]) {
    const image = await clipboardImage({ ...variables, PATH }, platform, project);
    expect(image).toHaveProperty("problem");
  }
  expect(existsSync(join(project, "started"))).toBe(false);
});

test.skipIf(process.platform === "win32")("nor is one of the repository around the folder", async () => {
  const repository = desktop({ xclip: "/usr/bin/touch started; /bin/cat image.png" });
  const folder = join(repository, "packages", "web");
  for (const path of [join(repository, ".git"), join(folder, ".git")]) mkdirSync(path, { recursive: true });
  const image = await clipboardImage({ DISPLAY: ":0", PATH: repository }, "linux", folder);
  expect(image).toHaveProperty("problem");
  expect(existsSync(join(repository, "started"))).toBe(false);
});
