// The files of the page, as the build made them: one folder, no subfolders, no secrets, open to anyone who reaches the daemon. Names
// with a hash never change their content; everything else is asked for again each time, so that no browser keeps old code.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { HttpRefusal, type Route, type RouteGroup, type RouteRequest, TextAnswer } from "../http/route.js";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Compressed already, or too small to gain. */
const PLAIN = new Set([".ico", ".png", ".woff2"]);
const HASHED = /-[A-Z0-9]{8}\.\w+$/;
const FOREVER = "public, max-age=31536000, immutable";

const compressed = promisify(gzip);

/** Beside the bundle, wherever it was loaded from. Null when the page was not built. */
export function builtPage(): string | null {
  const places = ["page", "../page", "../../../dist/page"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((place) => existsSync(join(place, "index.html"))) ?? null;
}

export function pageRoutes(folder: string | null): RouteGroup {
  const files = new PageFiles(folder);
  return [
    fileRoute(files, "/", () => "index.html"),
    fileRoute(files, "/sw.js", () => "sw.js"),
    fileRoute(files, "/manifest.webmanifest", () => "manifest.webmanifest"),
    fileRoute(files, "/page/:file", ({ pathParams }) => pathParams["file"] ?? ""),
  ];
}

function fileRoute(files: PageFiles, path: string, nameOf: (request: RouteRequest) => string): Route {
  return {
    method: "GET",
    path,
    access: "open",
    summary: "A file of the page",
    answers: { 200: { description: "The file" }, 404: { description: "There is no such file" } },
    async handle(request) {
      if (files.folder === null) return NOT_BUILT;
      const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
      return files.response(nameOf(request), takesGzip ? "gzip" : "identity");
    },
  };
}

const NOT_BUILT = new TextAnswer(503, "This Palaver was built without its page: npm run build makes it.\n", {
  "content-type": "text/plain; charset=utf-8",
});

class PageFiles {
  readonly folder: string | null;
  private readonly packed = new Map<string, Promise<Buffer>>();

  constructor(folder: string | null) {
    this.folder = folder;
  }

  async response(name: string, encoding: "gzip" | "identity"): Promise<Response> {
    const content = await this.read(name);
    const type = extname(name);
    const isPacked = encoding === "gzip" && !PLAIN.has(type);
    const body = isPacked ? await this.pack(name, content) : content;
    return new Response(new Uint8Array(body), {
      headers: {
        "content-type": TYPES[type] ?? "application/octet-stream",
        "content-length": String(body.length),
        "cache-control": HASHED.test(name) ? FOREVER : "no-cache",
        vary: "accept-encoding",
        ...(isPacked ? { "content-encoding": "gzip" } : {}),
      },
    });
  }

  // Only what the folder lists: no path of a request reaches the file system.
  private async read(name: string): Promise<Buffer> {
    const folder = this.folder ?? "";
    const names = await readdir(folder);
    if (!names.includes(name)) throw new HttpRefusal(404, "the page has no such file");
    return readFile(join(folder, name));
  }

  // Files with a hash stay the same while the daemon runs; the others may be rebuilt.
  private pack(name: string, content: Buffer): Promise<Buffer> {
    if (!HASHED.test(name)) return compressed(content);
    const known = this.packed.get(name) ?? compressed(content);
    this.packed.set(name, known);
    return known;
  }
}
