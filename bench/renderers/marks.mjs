// What every adapter puts into its live area, so that the judge can tell it from the transcript; and the wait for a
// terminal that is slower than the renderer.

export const STATUS_MARK = "§STATUS§";
export const OVERLAY_MARK = "§OVERLAY§";
export const STATUS = `  ${STATUS_MARK} model-x · 12.3k tok · ctrl+c to quit`;
export const OVERLAY_ITEMS = [`${OVERLAY_MARK} yes`, "no", "always", "never"];
export const CHROME_WITH_BORDERS = { chrome: { status: 1, borders: 2 } };

/** Frames per second where every frame is forced; undefined leaves the library its own pace. */
export const forcedFps = process.env.BENCH_FORCED ? 1000 : undefined;

export async function drained() {
  if (process.stdout.writableLength > 0) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
