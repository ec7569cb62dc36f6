// How the tests run: one pool of forks, sentences for names, and no retries that would hide a flaky test.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };

export default defineConfig({
  define: { PALAVER_VERSION: JSON.stringify(version) },
  test: {
    dir: "test",
    setupFiles: ["test/fixed-seed.ts"],
    include: ["**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
