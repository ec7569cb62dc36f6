// Runs inside the pty: starts one renderer and then does what the benchmark says. Only the renderer is loaded before its
// first frame, so that the time until then is its own.
import { pathToFileURL } from "node:url";

const [adapterPath, socketPath] = process.argv.slice(2);
const { create, meta } = await import(pathToFileURL(adapterPath).href);
const adapter = await create({
  cols: process.stdout.columns,
  rows: process.stdout.rows,
  variant: process.env.BENCH_VARIANT ?? "text",
});
await adapter.start();

const { serve } = await import("./commands.mjs");
serve(adapter, meta, socketPath);
