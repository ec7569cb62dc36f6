// How the tests run: one pool of forks, sentences for names, and no retries that would hide a flaky test. Files share the workers of
// their project, because loading everything again costs more than testing it.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };

export default defineConfig({
  define: { PALAVER_VERSION: JSON.stringify(version) },
  test: {
    dir: "test",
    setupFiles: ["test/fixed-seed.ts"],
    pool: "forks",
    isolate: false,
    // Most of them wait for programs; two more workers than cores use the time.
    maxWorkers: 4,
    // On a busy machine programs start slowly; a test that hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default"],
    projects: [
      {
        extends: true,
        test: { name: "rooms", include: ["**/*.test.ts"], exclude: ["**/e2e/**", "**/simulator/**"] },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["**/e2e/**/*.test.ts", "**/simulator/**/*.test.ts"],
          setupFiles: ["test/e2e/empty-places.ts"],
        },
      },
    ],
  },
});
