// ink as its own documentation would have it for long output: finished lines go to <Static>, only the unfinished line
// and the chrome are rendered again, and incremental rendering is on.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { CHROME_WITH_BORDERS, drained, forcedFps, OVERLAY_ITEMS, STATUS } from "../marks.mjs";

export const meta = { name: "ink", markdown: false };

const { resolve } = createRequire(`${process.env.BENCH_PEER}/`);
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { default: React } = await load("react");
const { Box, render, Static, Text, useInput } = await load("ink");
const element = React.createElement;

const Composer = React.memo(function Composer() {
  const [typed, setTyped] = React.useState("");
  useInput((input, key) => {
    if (key.backspace || key.delete) setTyped((text) => text.slice(0, -1));
    else if (!key.ctrl && !key.meta) setTyped((text) => text + input);
  });
  return element(Box, { borderStyle: "round", width: "100%" }, element(Text, null, `> ${typed}`));
});

// Without the memo every commit would mark <Static> as changed, and that goes around ink's limit of frames per second.
const Transcript = React.memo(function Transcript({ items }) {
  return element(Static, { items }, ({ key, text }) => element(Text, { key }, text));
});

const Overlay = () =>
  element(
    Box,
    { borderStyle: "single", flexDirection: "column", width: 50 },
    ...OVERLAY_ITEMS.map((item) => element(Text, { key: item }, item)),
  );

const App = ({ items, live, isAsking }) =>
  element(
    React.Fragment,
    null,
    element(Transcript, { items }),
    element(
      Box,
      { flexDirection: "column" },
      live === "" ? null : element(Text, null, live),
      isAsking ? element(Overlay) : null,
      element(Text, null, STATUS),
      element(Composer),
    ),
  );

export async function create() {
  let state = { items: [], live: "", isAsking: false };
  let instance;
  const change = (part) => {
    state = { ...state, ...part };
  };
  const settle = (text) => change({ items: [...state.items, { key: state.items.length, text }] });
  const request = () => instance.rerender(element(App, state));
  const flush = async () => {
    request();
    await instance.waitUntilRenderFlush();
    await drained();
  };
  return {
    caps: CHROME_WITH_BORDERS,
    start() {
      const limits = forcedFps === undefined ? {} : { maxFps: forcedFps };
      const options = { exitOnCtrlC: false, patchConsole: false, incrementalRendering: true, ...limits };
      instance = render(element(App, state), options);
      return flush();
    },
    commit: (lines) => settle(lines.join("\n")),
    append(token) {
      const text = state.live + token;
      const end = text.lastIndexOf("\n");
      if (end >= 0) settle(text.slice(0, end));
      change({ live: text.slice(end + 1) });
    },
    request,
    flush,
    openOverlay: () => change({ isAsking: true }),
    closeOverlay: () => change({ isAsking: false }),
  };
}
