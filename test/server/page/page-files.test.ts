// The files of the page: served to anyone, with the headers that keep foreign code out, and nothing but these files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveDaemon } from "../../../src/server/serve-daemon.js";
import { verifies } from "../../verifies.js";
import { temporaryFolder } from "../temporary-folder.js";

async function served(
  files: Readonly<Record<string, string>> | null,
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const folder = temporaryFolder();
  const pageFolder = files === null ? null : join(folder, "page");
  if (pageFolder !== null) mkdirSync(pageFolder);
  for (const [name, text] of Object.entries(files ?? {})) writeFileSync(join(pageFolder ?? "", name), text);
  writeFileSync(join(folder, "secret.txt"), "secret");
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const daemon = await serveDaemon({ tui: null, version: "1", folder, environment, pageFolder });
  onTestFinished(() => daemon.stop());
  return (path, init) => fetch(daemon.url + path, init);
}

const files = {
  "index.html": "<!doctype html><title>Palaver</title>",
  "sw.js": "// worker",
  "manifest.webmanifest": "{}",
  "app-AB12CD34.js": "1;".repeat(2_000),
  "app.css": "body{}",
};

test("index, worker and manifest are at the root, everything else under /page/, each with its type", async () => {
  const get = await served(files);
  const types = await Promise.all(
    ["/", "/sw.js", "/manifest.webmanifest", "/page/app-AB12CD34.js", "/page/app.css"].map(async (path) => {
      const { status, headers } = await get(path);
      return [status, headers.get("content-type")?.split(";")[0], headers.get("cache-control")];
    }),
  );
  expect(types).toEqual([
    [200, "text/html", "no-cache"],
    [200, "text/javascript", "no-cache"],
    [200, "application/manifest+json", "no-cache"],
    [200, "text/javascript", "public, max-age=31536000, immutable"],
    [200, "text/css", "no-cache"],
  ]);
});

test("every response forbids foreign code, frames and sinks for text, refusals included", async () => {
  verifies("page.strict-policy");
  const get = await served(files);
  for (const path of ["/", "/page/nothing.js", "/state", "/prove?nonce=zz"]) {
    const { headers } = await get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("no path leads out of the folder", async () => {
  const get = await served(files);
  for (const path of ["/page/..%2fsecret.txt", "/page/%2e%2e%2fsecret.txt", "/page/secret.txt", "/page/.", "/page/"]) {
    const response = await get(path);
    expect([400, 401, 404]).toContain(response.status);
    expect(await response.text()).not.toBe("secret");
  }
});

test("what a browser can unpack is packed", async () => {
  const get = await served(files);
  const packed = await get("/page/app-AB12CD34.js", { headers: { "accept-encoding": "gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(Number(packed.headers.get("content-length"))).toBeLessThan(200);
  expect(await packed.text()).toBe(files["app-AB12CD34.js"]);
});

test("a daemon without the built page says so", async () => {
  const get = await served(null);
  const response = await get("/");
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm run build")]);
});
