// `npm run terminals [-- kitty,tmux --seeds 1,2 --variants mixed,burst,overlay,tiny,jumps --ascii --keep DIR]`: sets up the
// clone and tries the product in the real terminals of this machine; `--pictures DIR` takes a picture in each of them instead.
import "./script-help.mjs";
import { join } from "node:path";
import { root, setup } from "./setup.mjs";

const sources = join(root, "tools", "terminals");

try {
  await setup({ build: false });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// Only now is there surely an esbuild to import.
const { build } = await import("esbuild");
const folder = join(root, ".cache", "terminals");
await build({
  absWorkingDir: root,
  entryPoints: ["tools/terminals/terminals.ts", "tools/terminals/session-app.ts"],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  logLevel: "warning",
});

const { tryTerminals } = await import(join(folder, "terminals.mjs"));
process.exitCode = await tryTerminals({
  arguments: process.argv.slice(2),
  app: join(folder, "session-app.mjs"),
  sources,
  print: (line) => console.log(line),
});
