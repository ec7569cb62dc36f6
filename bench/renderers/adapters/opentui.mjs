// OpenTUI in its split-footer mode: finished lines are rendered off screen and committed to the scrollback, the footer
// below keeps the unfinished line, the status and the editor.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CHROME_WITH_BORDERS, forcedFps, OVERLAY_ITEMS, STATUS } from "../marks.mjs";

export const meta = { name: "OpenTUI", markdown: false };

const FOOTER_ROWS = 12;
const FRAME_LIMIT_MS = 500;
const FRAMES_MAX = 2_000;

// By its file, because the package's entry for Node cannot be named from another folder.
const entry = join(process.env.BENCH_PEER, "node_modules", "@opentui", "core", "index.node.js");
const { BoxRenderable, createCliRenderer, TextareaRenderable, TextRenderable } = await import(
  pathToFileURL(entry).href
);

export async function create() {
  let renderer;
  let live;
  let open = "";
  let overlay;
  const settle = (text) => {
    const surface = renderer.createScrollbackSurface({ startOnNewLine: true });
    surface.root.add(new TextRenderable(surface.renderContext, { content: text, wrapMode: "word", width: "100%" }));
    surface.render();
    surface.commitRows(0, surface.height, { trailingNewline: true });
    surface.destroy();
  };
  const flush = async () => {
    for (let frame = 0; frame < FRAMES_MAX; frame += 1) {
      await nextFrame(renderer);
      if (!renderer.externalOutputQueue?.size) return;
    }
  };
  return {
    caps: CHROME_WITH_BORDERS,
    async start() {
      renderer = await openRenderer();
      live = buildFooter(renderer);
      await flush();
    },
    commit: (lines) => settle(lines.join("\n")),
    append(token) {
      const text = open + token;
      const end = text.lastIndexOf("\n");
      if (end >= 0) settle(text.slice(0, end));
      open = text.slice(end + 1);
      live.content = open;
    },
    request: () => renderer.requestRender(),
    flush,
    openOverlay() {
      overlay = buildOverlay(renderer);
    },
    closeOverlay() {
      renderer.root.remove(overlay);
      overlay.destroyRecursively?.();
    },
  };
}

function openRenderer() {
  return createCliRenderer({
    screenMode: "split-footer",
    footerHeight: FOOTER_ROWS,
    externalOutputMode: "capture-stdout",
    consoleMode: "disabled",
    exitOnCtrlC: false,
    useMouse: false,
    targetFps: forcedFps ?? 30,
    maxFps: forcedFps ?? 60,
  });
}

function buildFooter(renderer) {
  const column = new BoxRenderable(renderer, {
    width: "100%",
    height: "100%",
    flexDirection: "column",
    justifyContent: "flex-end",
  });
  const live = new TextRenderable(renderer, { content: "", wrapMode: "word", width: "100%" });
  const frame = new BoxRenderable(renderer, { border: true, borderStyle: "rounded", width: "100%", height: 3 });
  const editor = new TextareaRenderable(renderer, { width: "100%", height: 1 });
  frame.add(editor);
  for (const part of [live, new TextRenderable(renderer, { content: STATUS, height: 1 }), frame]) column.add(part);
  renderer.root.add(column);
  editor.focus();
  return live;
}

function buildOverlay(renderer) {
  const place = { position: "absolute", left: 20, top: 1, width: 50, height: 6, zIndex: 10 };
  const box = new BoxRenderable(renderer, { border: true, flexDirection: "column", ...place });
  for (const item of OVERLAY_ITEMS) box.add(new TextRenderable(renderer, { content: item, height: 1 }));
  renderer.root.add(box);
  return box;
}

// Nothing says whether a frame is on its way, so one that does not come is not waited for.
function nextFrame(renderer) {
  return new Promise((done) => {
    const timer = setTimeout(done, FRAME_LIMIT_MS);
    renderer.once("frame", () => {
      clearTimeout(timer);
      done();
    });
    renderer.requestRender();
  });
}
