// Bundles a tool or a rig and imports it: the long runs are TypeScript like everything else, and start from a fresh clone.
import { dirname, join } from "node:path";
import { root, setup } from "./setup.mjs";

/** Sets the clone up, then gives the module; what cannot be set up ends the process with words. */
export async function tool(entry, { build }) {
  return import(await bundled(entry, { build }));
}

/** The same, as the path of a program. */
export async function bundled(entry, { build: builds }) {
  try {
    await setup({ build: builds });
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  // Only now is there surely an esbuild to import.
  const { build } = await import("esbuild");
  const outfile = join(root, ".cache", `${entry.slice(0, -".ts".length)}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: dirname(outfile),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@lydell/node-pty"],
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "warning",
  });
  return outfile;
}
