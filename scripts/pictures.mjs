// `npm run pictures [-- NAME…]`: pictures of the main screens into docs/pictures, taken in a real kitty under Xvfb with the
// showcase agent. Needs kitty, Xvfb, xdotool and ImageMagick's import; says so where they are missing.
import "./script-help.mjs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeWorkspace } from "./demo/workspace.mjs";
import { scenes } from "./picture-scenes.mjs";
import { root, setup } from "./setup.mjs";

const DISPLAY = `:${90 + (process.pid % 9)}`;
const WAIT_LIMIT_MS = 60_000;
/** For the cursor, the last frame and the software that draws it. */
const SETTLE_MS = 600;
const TITLE = "palaver-picture";
const TOOLS = ["kitty", "Xvfb", "xdotool", "import"];

const missing = TOOLS.filter((tool) => spawnSync("which", [tool]).status !== 0);
if (missing.length > 0) {
  console.error(`pictures need ${missing.join(", ")}: apt-get install kitty xvfb xdotool imagemagick`);
  process.exit(2);
}
if (process.env.PALAVER_CLI === undefined) await setup();
const cli = process.env.PALAVER_CLI ?? join(root, "dist", "cli.js");
const wanted = process.argv.slice(2);
const folder = process.env.PICTURES_FOLDER ?? join(root, "docs", "pictures");
mkdirSync(folder, { recursive: true });
const runtime = mkdtempSync(join(tmpdir(), "palaver-pictures-"));
const workspace = makeWorkspace(runtime);
const environment = {
  ...process.env,
  DISPLAY,
  LIBGL_ALWAYS_SOFTWARE: "1",
  XDG_RUNTIME_DIR: runtime,
  HOME: runtime,
  XDG_STATE_HOME: join(runtime, "state"),
  XDG_CONFIG_HOME: join(runtime, "config"),
  LANG: "C.UTF-8",
  COLORTERM: "truecolor",
};
const display = spawn("Xvfb", [DISPLAY, "-screen", "0", "1100x900x24", "-nolisten", "tcp"], { stdio: "ignore" });
try {
  for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    await take(scene);
    console.log(join(folder, `${scene.name}.png`));
  }
} finally {
  display.kill();
  rmSync(runtime, { recursive: true, force: true });
}

async function take(scene) {
  const { name, ready = "showcase:script-1", steps } = scene;
  const daemon = scene.daemon === undefined ? null : await startDaemon(scene.daemon);
  const socket = join(runtime, `${name}.socket`);
  const kitty = spawn("kitty", [...kittyArguments(scene, socket), process.execPath, cli, ...commandOf(scene)], {
    stdio: "ignore",
    cwd: daemon === null ? workspace : root,
    env: { ...environment, SHOWCASE_PACE_MS: String(scene.pace ?? 25), ...scene.env },
  });
  const remote = (...args) =>
    spawnSync("kitty", ["@", "--to", `unix:${socket}`, ...args], { encoding: "utf8" }).stdout ?? "";
  try {
    await shown(() => existsSync(socket) && remote("get-text").includes(ready), name);
    for (const [typed, words] of steps) {
      if (typed !== "") remote("send-text", typed);
      await shown(() => remote("get-text").includes(words), `${name}: ${words}`);
    }
    await pause(SETTLE_MS);
    const window = spawnSync("xdotool", ["search", "--name", TITLE], { encoding: "utf8", env: environment });
    const id = window.stdout?.trim() || "root";
    spawnSync("import", ["-window", id, join(folder, `${name}.png`)], { env: environment });
  } finally {
    kitty.kill();
    await once(kitty, "exit");
    daemon?.kill();
  }
}

function commandOf({ command, theme = "harbour", flags = [], agent }) {
  const showcase = ["--", process.execPath, join(root, "examples", "showcase", "agent.mjs")];
  return [...(command ?? ["run", "--theme", theme, ...flags]), ...(agent ?? showcase)];
}

function kittyArguments({ columns, rows, ground = "#15191f", ink = "#d7dde5" }, socket) {
  const options = {
    remember_window_size: "no",
    initial_window_width: `${columns}c`,
    initial_window_height: `${rows}c`,
    font_size: "11",
    background: ground,
    foreground: ink,
    cursor: ink,
    allow_remote_control: "yes",
    window_padding_width: "8",
    hide_window_decorations: "yes",
    cursor_blink_interval: "0",
  };
  const flags = Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  return ["--config", "NONE", "--title", TITLE, "--listen-on", `unix:${socket}`, ...flags];
}

/** It has said where it is when its first line comes. */
async function startDaemon(path) {
  const daemon = spawn(process.execPath, [join(root, path)], { stdio: ["ignore", "pipe", "ignore"], env: environment });
  await once(daemon.stdout, "data");
  return daemon;
}

async function shown(isSo, name) {
  const untilMs = performance.now() + WAIT_LIMIT_MS;
  while (performance.now() < untilMs) {
    if (isSo()) return;
    await pause(150);
  }
  throw new Error(`the screen for ${name} never came`);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
