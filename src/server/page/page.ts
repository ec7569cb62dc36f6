// Everything that a daemon has for browsers, in one place: the files of the page, devices and pairing, the overview of what waits, and
// how the user is told of it elsewhere.
import type { MessageKind } from "../../contract/daemon.js";
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
import type { RouteGroup } from "../http/route.js";
import { AskNotifier, type NoticeWay } from "../notify/ask-notifier.js";
import { commandWay, pushWay } from "../notify/notice-ways.js";
import { pushRoutes } from "../notify/push-routes.js";
import { PushSender } from "../notify/push-sender.js";
import { overviewRoutes } from "./overview-routes.js";
import { builtPage, pageRoutes } from "./page-routes.js";

export interface NotifyOptions {
  /** A program and its arguments, run for each ask. */
  readonly command?: readonly string[] | undefined;
  /** Whether push messages say what is asked. */
  readonly content?: boolean | undefined;
  /** Certificates of push services, besides the usual ones. */
  readonly ca?: string | undefined;
}

export interface PageOptions {
  readonly version: string;
  /** The sessions that the daemon runs; none if missing. */
  readonly sessions?: ServedSessions;
  /** Questions and sessions of other machines, which the page shows too. */
  readonly elsewhere?: Elsewhere | undefined;
  /** The folder of the built page; found beside this program if missing. */
  readonly pageFolder?: string | null;
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
  /** What the cookie is named after, where that is not the project. */
  readonly cookieKey?: string;
  readonly devicesPath: string | null;
  readonly pushPath: string | null;
}

interface PageSurroundings extends PageOptions {
  readonly folder: PageFolder;
  say(words: string, kind: MessageKind): void;
}

export async function openPage(options: PageSurroundings): Promise<Page> {
  const { folder, version, sessions = null, pageFolder = builtPage() } = options;
  const { project, cookieKey = project } = folder;
  const onProblem = (words: string) => options.say(words, "error");
  const devices = new DeviceRegistry({ path: folder.devicesPath, onError: (error) => onProblem(errorMessage(error)) });
  let origin = "";
  const push = new PushSender({
    path: folder.pushPath,
    subject: () => (origin.startsWith("https:") ? origin : "mailto:palaver@example.com"),
    isPaired: (id) => devices.list().some((device) => device.id === id),
    onProblem,
    ca: options.notify?.ca,
  });
  await Promise.all([devices.load(), push.load()]);
  const paired = deviceRoutes({
    ...{ devices, project, cookieKey, version },
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
