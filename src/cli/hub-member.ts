// The daemon of this project as a member of a hub. It joins when the hub can be reached, and keeps trying; a hub that would lose data
// is refused at once.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { AskHistoryEntry } from "../contract/ask-history.js";
import { errorMessage } from "../contract/plain-word.js";
import { askHistoryFolder, readAskHistory } from "../host/ask-history.js";
import type { AskRegistry } from "../host/asks/ask-registry.js";
import { HubLink } from "../host/asks/hub-link.js";
import { Team } from "../host/asks/team.js";
import type { SessionHost } from "../host/session-host.js";
import { type Hub, LossyHubError } from "../hub/hub.js";
import type { HubLogin } from "../hub/nats/connection.js";
import type { Settings } from "../session/settings/setting-table.js";
import type { Redactor } from "../text/redact.js";
import { hubLogin, openHub } from "./hub-connection.js";

export interface HubMemberOptions {
  readonly url: string;
  readonly settings: Settings;
  readonly project: string;
  readonly registry: AskRegistry;
  readonly host: SessionHost;
  readonly redactor: Redactor;
}

/** Of the history, for asks that ended while the hub was away and this daemon was killed then. */
const HISTORY_MAX = 5_000;
const TRY_AGAIN_MS = 2_000;

export class HubMember {
  private readonly login: HubLogin;
  private readonly person: HubLogin | null;
  private readonly link: HubLink;
  /** The other machines, for the page; undefined where no member answers here. */
  readonly team: Team | undefined;
  private state: "open" | "joined" | "left" = "open";
  private connection: "lost" | "back" = "back";
  private readonly retries = new Set<NodeJS.Timeout>();
  private say: (words: string) => void = () => undefined;
  /** What was said last about why it has not joined. */
  private complaint = "";
  private readonly options: HubMemberOptions;

  /** Throws a UsageError where address or key are missing. */
  constructor(options: HubMemberOptions) {
    const { url, settings, project, registry: asks, host, redactor } = options;
    this.options = options;
    this.login = hubLogin(url, settings);
    const address = { machine: this.login.user, daemon: daemonName(project) };
    this.person = settings["hub.member"] === "" ? null : hubLogin(url, settings, "member");
    if (this.person !== null) this.team = new Team({ own: address, person: this.person.user });
    this.link = new HubLink({
      ...{ asks, project, program: `palaver ${PALAVER_VERSION}`, address },
      sessions: () => host.list(),
      earlierRecord,
      redacted: (value) => redactor.value(value),
      onProblem: (words) => this.say(words),
    });
  }

  get isJoined(): boolean {
    return this.state === "joined" && this.connection === "back";
  }

  finished(entry: AskHistoryEntry): void {
    this.link.finished(entry);
  }

  /** Rejects when the hub would lose data; a hub that cannot be reached is tried again and again. */
  async join(say: (words: string) => void): Promise<void> {
    this.say = say;
    const { login, link, person, team, options } = this;
    await this.attempt(async () => {
      await opened(login, async (hub) => {
        await link.start(hub);
        hub.onConnection((is) => this.connectionIs(is));
      });
      this.state = "joined";
      options.host.subscribe(() => void link.sync());
      // Whether a session works is no news for its list, but for people elsewhere.
      options.host.follow((_, changes) => {
        if (changes.some((change) => change.type === "facts" && change.facts.phase !== undefined)) void link.sync();
      });
      say(`joined the hub at ${login.url} as ${login.user}`);
    });
    if (person === null || team === undefined) return;
    await this.attempt(async () => {
      await opened(person, (hub) => team.start(hub));
      say(`the page shows all machines, and answers as ${person.user}`);
    });
  }

  private connectionIs(is: "lost" | "back"): void {
    if (is === this.connection || this.state === "left") return;
    this.connection = is;
    const { url } = this.login;
    this.say(is === "lost" ? `lost the hub at ${url}; open questions wait, reconnecting` : `back at the hub at ${url}`);
  }

  async leave(): Promise<void> {
    this.state = "left";
    for (const retry of this.retries) clearTimeout(retry);
    await Promise.all([this.link.close(), this.team?.close()]);
  }

  /** The first time a hub that would lose data ends the daemon; later the daemon has questions, and waits for a better hub. */
  private async attempt(work: () => Promise<void>, time: "first" | "again" = "first"): Promise<void> {
    try {
      await work();
    } catch (error) {
      const words = errorMessage(error);
      if (time === "first" && error instanceof LossyHubError) throw error;
      if (this.state === "left") return;
      if (words !== this.complaint) this.say(`${words}; trying again`);
      this.complaint = words;
      const retry = setTimeout(() => {
        this.retries.delete(retry);
        void this.attempt(work, "again");
      }, TRY_AGAIN_MS);
      this.retries.add(retry);
    }
  }
}

async function opened(login: HubLogin, start: (hub: Hub) => Promise<void>): Promise<void> {
  const hub = await openHub(login);
  try {
    await start(hub);
  } catch (error) {
    await hub.close();
    throw error;
  }
}

function earlierRecord(askId: string): AskHistoryEntry | null {
  const folder = askHistoryFolder(process.env);
  const entries = folder === null ? [] : readAskHistory(folder, HISTORY_MAX);
  return entries.findLast((entry) => entry.askId === askId) ?? null;
}

/** Two projects of the same name on one machine are two daemons. */
function daemonName(project: string): string {
  const digest = createHash("sha256").update(project).digest("hex").slice(0, 8);
  return `${
    basename(project)
      .replace(/[^\w-]+/g, "_")
      .slice(0, 40) || "root"
  }-${digest}`;
}
