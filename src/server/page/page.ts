// Everything that a daemon offers to browsers: the files of the page, devices and pairing, the overview of open asks, and
// notifications.

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { MessageKind } from "../../contract/handler-types.js";
import type { PairOutcome } from "../../contract/page.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import type { Elsewhere } from "../../host/asks/team.js";
import { Overview } from "../../host/overview.js";
import type { ServedSessions } from "../../host/served-session.js";
import type { Environment } from "../../session/user-folders.js";
import { DeviceRegistry } from "../devices/device-registry.js";
import { deviceOfCookies, deviceRoutes } from "../devices/device-routes.js";
import type { GuardPolicy } from "../http/request-guard.js";
import { HttpRefusal, type Route, type RouteGroup, type RouteRequest, TextAnswer } from "../http/route.js";
import { AskNotifier, commandWay, type NoticeWay, pushWay } from "../notify/ask-notifier.js";
import { PushSender, pushRoutes } from "../notify/push-sender.js";
import { overviewRoutes } from "./overview-routes.js";

export interface NotifyOptions {
  /** A program and its arguments, run for each ask. */
  readonly command?: readonly string[] | undefined;
  /** Whether push messages say what is asked. */
  readonly content?: boolean | undefined;
  /** Certificates of push services, besides the usual ones. */
  readonly ca?: string | undefined;
  /** Hosts of push services that may have a private address. */
  readonly pushHosts?: readonly string[] | undefined;
}

export interface PageOptions {
  readonly version: string;
  /** The sessions that the daemon runs; none if missing. */
  readonly sessions?: ServedSessions;
  /** Questions and sessions of other machines, which the page shows too. */
  readonly elsewhere?: Elsewhere | undefined;
  /** The folder of the built page; found beside this program if missing. */
  readonly pageFolder?: string | null;
  /** The session of a terminal, where that is all that there is. */
  readonly onlySession?: string | undefined;
  /** How the user is told of asks that wait, besides the page itself. */
  readonly notify?: NotifyOptions | undefined;
  readonly environment?: Environment;
  readonly heartbeatMs?: number;
}

export interface Page {
  readonly deviceOf: NonNullable<GuardPolicy["deviceOf"]>;
  /** Without a registry there is no overview. */
  routes(registry: AskRegistry | null): RouteGroup[];
  /** The address by which one browser can pair, and what came of it. */
  newPairCode(): { readonly url: string; readonly outcome: Promise<PairOutcome> };
  /** Where browsers reach the daemon; known once it listens. */
  reachedAt(origin: string): void;
  /** Ends every stream and every wait. */
  close(): void;
  /** All that was changed so far is on disk, or could not be. */
  flush(): Promise<void>;
}

/** Null keeps devices and subscriptions in memory only. */
interface PageFolder {
  readonly project: string;
  /** What the cookie is named after. */
  readonly cookieKey: string;
  readonly devicesPath: string | null;
  readonly pushPath: string | null;
}

interface PageSurroundings extends PageOptions {
  readonly folder: PageFolder;
  say(words: string, kind: MessageKind): void;
}

export async function openPage(options: PageSurroundings): Promise<Page> {
  const { folder, version, sessions = null, pageFolder = builtPage() } = options;
  const { project, cookieKey } = folder;
  const onProblem = (words: string) => options.say(words, "error");
  const devices = new DeviceRegistry({ path: folder.devicesPath, onError: (error) => onProblem(errorMessage(error)) });
  let origin = "";
  const push = new PushSender({
    path: folder.pushPath,
    subject: () => (origin.startsWith("https:") ? origin : "mailto:palaver@example.com"),
    isPaired: (id) => devices.list().some((device) => device.id === id),
    onProblem,
    ca: options.notify?.ca,
    privateHosts: options.notify?.pushHosts,
  });
  await Promise.all([devices.load(), push.load()]);
  const paired = deviceRoutes({
    ...{ devices, project, cookieKey, version, onlySession: options.onlySession },
    origin: () => origin,
    hasSession: (id) => sessions?.find(id) != null,
    push: ({ id }) => push.stateFor(id),
  });
  const heartbeat = options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs };
  const endings: (() => void)[] = [() => paired.close()];
  const overviewOf = (registry: AskRegistry): RouteGroup[] => {
    const overview = new Overview({ asks: registry, sessions, elsewhere: options.elsewhere ?? null });
    const notifier = new AskNotifier(
      overview,
      noticeWays(options, { push, overview, origin: () => origin, onProblem }),
    );
    endings.push(
      () => notifier.close(),
      () => overview.close(),
    );
    return [overviewRoutes(overview, heartbeat), pushRoutes(push)];
  };
  return {
    deviceOf: deviceOfCookies(devices, cookieKey),
    routes: (registry) => [pageRoutes(pageFolder), paired.routes, ...(registry === null ? [] : overviewOf(registry))],
    newPairCode: () => paired.newCode(),
    reachedAt(url) {
      origin = url;
    },
    close() {
      for (const end of endings) end();
    },
    flush: async () => void (await Promise.all([devices.flush(), push.flush()])),
  };
}

interface NoticeParts {
  readonly push: PushSender;
  readonly overview: Overview;
  origin(): string;
  onProblem(words: string): void;
}

function noticeWays(options: PageOptions, { push, overview, origin, onProblem }: NoticeParts): NoticeWay[] {
  const { notify = {}, environment = process.env } = options;
  const { command = [], content = false } = notify;
  const toDevices = pushWay({ sender: push, content, openCount: () => overview.openAsks().length });
  return command.length === 0 ? [toDevices] : [toDevices, commandWay({ command, environment, origin, onProblem })];
}

// The files of the page, as the build made them: one folder, no subfolders, no secrets, open to anyone who reaches the daemon. Names
// with a hash never change their content; everything else is asked for again each time, so that no browser keeps old code.

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
function builtPage(): string | null {
  const places = ["page", "../page", "../../../dist/page"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((place) => existsSync(join(place, "index.html"))) ?? null;
}

function pageRoutes(folder: string | null): RouteGroup {
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
