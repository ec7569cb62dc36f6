// `npm run pictures [-- NAME…]`: pictures of the main screens into docs/pictures, taken in a real kitty under Xvfb with the
// showcase agent. Needs kitty, Xvfb and ImageMagick's import; says so where they are missing.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, setup } from "./setup.mjs";

const DISPLAY = `:${90 + (process.pid % 9)}`;
const WAIT_LIMIT_MS = 60_000;
/** As kitty reads it: it takes escapes apart itself. */
const ENTER = "\\r";
const TITLE = "palaver-picture";

/** Each scene: what is typed, and the words that must be on the screen before the picture is taken. */
const scenes = [
  {
    name: "approval",
    columns: 84,
    rows: 40,
    type: ["fix the failing test in parser.ts", ENTER],
    until: "no, and say why",
  },
  { name: "select", columns: 64, rows: 14, type: ["set it up", ENTER], until: "type to filter" },
  { name: "form", columns: 64, rows: 16, type: ["make a release", ENTER], until: "Tell everybody" },
  { name: "working", columns: 72, rows: 18, type: ["work", ENTER], until: "mend the separator  " },
  { name: "narrow", columns: 40, rows: 10, type: ["fix the failing test", ENTER], until: "say why" },
  {
    name: "paper",
    columns: 84,
    rows: 40,
    theme: "paper",
    ground: "#ffffff",
    type: ["fix the failing test in parser.ts", ENTER],
    until: "no, and say why",
  },
  {
    name: "ember",
    columns: 84,
    rows: 40,
    theme: "ember",
    ground: "#1d1713",
    type: ["fix the failing test in parser.ts", ENTER],
    until: "no, and say why",
  },
];

const missing = ["kitty", "Xvfb", "import"].filter((tool) => spawnSync("which", [tool]).status !== 0);
if (missing.length > 0) {
  console.error(`pictures need ${missing.join(", ")}: apt-get install kitty xvfb imagemagick`);
  process.exit(2);
}
if (process.env.PALAVER_CLI === undefined) await setup();
const wanted = process.argv.slice(2);
const folder = join(root, "docs", "pictures");
mkdirSync(folder, { recursive: true });
const runtime = mkdtempSync(join(tmpdir(), "palaver-pictures-"));
const display = spawn("Xvfb", [DISPLAY, "-screen", "0", "1100x900x24", "-nolisten", "tcp"], { stdio: "ignore" });
try {
  for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    await take(scene);
    console.log(`docs/pictures/${scene.name}.png`);
  }
} finally {
  display.kill();
  rmSync(runtime, { recursive: true, force: true });
}

async function take({ name, columns, rows, type, until, theme = "harbour", ground = "#15191f" }) {
  const socket = join(runtime, `${name}.socket`);
  const options = {
    remember_window_size: "no",
    initial_window_width: `${columns}c`,
    initial_window_height: `${rows}c`,
    font_size: "11",
    background: ground,
    allow_remote_control: "yes",
    window_padding_width: "8",
    hide_window_decorations: "yes",
    cursor_blink_interval: "0",
  };
  const kitty = spawn(
    "kitty",
    [
      "--title",
      TITLE,
      "--listen-on",
      `unix:${socket}`,
      ...Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]),
      process.execPath,
      process.env.PALAVER_CLI ?? join(root, "dist", "cli.js"),
      "run",
      "--theme",
      theme,
      "--",
      process.execPath,
      join(root, "examples", "showcase", "agent.mjs"),
    ],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        DISPLAY,
        LIBGL_ALWAYS_SOFTWARE: "1",
        XDG_RUNTIME_DIR: runtime,
        HOME: runtime,
        XDG_STATE_HOME: join(runtime, "state"),
        LANG: "C.UTF-8",
        COLORTERM: "truecolor",
      },
    },
  );
  const remote = (...args) =>
    spawnSync("kitty", ["@", "--to", `unix:${socket}`, ...args], { encoding: "utf8" }).stdout ?? "";
  try {
    await shown(() => existsSync(socket) && remote("get-text").includes("showcase:script-1"), name);
    for (const text of type) remote("send-text", text);
    await shown(() => remote("get-text").includes(until), name);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const window = spawnSync("xdotool", ["search", "--name", TITLE], {
      encoding: "utf8",
      env: { ...process.env, DISPLAY },
    }).stdout?.trim();
    spawnSync("import", ["-window", window || "root", join(folder, `${name}.png`)], {
      env: { ...process.env, DISPLAY },
    });
  } finally {
    kitty.kill();
    await new Promise((resolve) => kitty.once("exit", resolve));
  }
}

async function shown(isSo, name) {
  const untilMs = performance.now() + WAIT_LIMIT_MS;
  while (performance.now() < untilMs) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(`the screen for ${name} never came`);
}
