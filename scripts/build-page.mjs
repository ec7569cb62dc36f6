// Builds the page: one script that is loaded at once, chunks that are loaded when they are needed, a style sheet with the themes, and
// the files that a browser asks for by fixed names. Names with a hash never change their content.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transform } from "esbuild";

const shared = {
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
};

/** Writes `folder`, and returns the paths of what went into it. */
export async function buildPage({ root, folder, version, plugins }) {
  mkdirSync(folder, { recursive: true });
  const page = await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: { app: "src/page/main.tsx" },
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: folder,
    splitting: true,
    metafile: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins,
    define: { PALAVER_VERSION: JSON.stringify(version) },
  });
  await build({
    ...shared,
    absWorkingDir: root,
    entryPoints: { sw: "src/page/worker.ts" },
    format: "iife",
    outdir: folder,
  });
  const script = Object.keys(page.metafile.outputs)
    .find((path) => /\/app-[A-Z0-9]+\.js$/.test(path))
    ?.split("/")
    .at(-1);
  const style = await writeStyle(root, folder);
  const html = readFileSync(join(root, "src/page/index.html"), "utf8");
  writeFileSync(join(folder, "index.html"), html.replace("app.css", style).replace("app.js", script));
  for (const file of ["manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png"]) {
    cpSync(join(root, "src/page", file), join(folder, file));
  }
  return Object.keys(page.metafile.inputs);
}

async function writeStyle(root, folder) {
  const { themeSheet } = await bundled(join(root, "src/page/theme-sheet.ts"));
  const sheets = ["base", "columns", "question", "diff", "session", "other"].map((name) =>
    readFileSync(join(root, "src/page/styles", `${name}.css`), "utf8"),
  );
  const source = [themeSheet(), ...sheets].join("\n");
  const { code } = await transform(source, { loader: "css", minify: true });
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 8).toUpperCase();
  const name = `app-${hash}.css`;
  writeFileSync(join(folder, name), code);
  return name;
}

/** A module of the source, loaded into this process. */
async function bundled(path) {
  const { outputFiles } = await build({ ...shared, entryPoints: [path], write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
