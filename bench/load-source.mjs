// Loads a module of src/ for a benchmark, bundled as the product is, so that what is measured is what is shipped.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../scripts/setup.mjs";

export async function loadSource(path) {
  const outfile = join(root, ".cache", "bench", `${path.replaceAll("/", "-")}.mjs`);
  mkdirSync(join(outfile, ".."), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [path],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifySyntax: true,
  });
  return import(outfile);
}
