// Several daemons of one project behind one attached view. The tabs, keys and ids of `palaver serve` stay as they are; those of
// other programs carry the name of the program, so that two of them may have the same.
//
//   | DAEMON  dev.mjs BUILD 2  dev.mjs DEPLOY  claude      ?:help |

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { hasKey, type LogEntry, type StateEntry } from "../../contract/daemon.js";
import { messageTypes } from "../../contract/handler-types.js";
import { PALAVER } from "../../server/project/daemon-folder.js";
import type { HostedSession } from "../../session/attach/attach-state.js";
import type { RemoteConnection } from "../../session/engine/source.js";
import type { AttachDaemon, AttachNews } from "../../views/attach/attach-daemon.js";

export interface MemberDaemon {
  readonly program: string;
  readonly daemon: AttachDaemon;
}

export function daemonsAsOne(members: readonly MemberDaemon[]): AttachDaemon {
  return new SeveralDaemons(members);
}

class Member {
  readonly program: string;
  readonly daemon: AttachDaemon;
  state: "away" | "here" = "away";
  entries: readonly StateEntry[] = [];

  constructor({ program, daemon }: MemberDaemon) {
    this.program = program;
    this.daemon = daemon;
  }

  tab(title: string): string {
    return this.program === PALAVER ? title : `${this.program} ${title}`;
  }

  /** For keys and ids. */
  name(id: string): string {
    return this.program === PALAVER ? id : `${this.program}/${id}`;
  }

  async load(): Promise<StateEntry[] | null> {
    const entries = await this.daemon.state();
    this.entries = entries ?? [];
    const renamed = (entry: StateEntry): StateEntry => {
      return { ...entry, tab_title: this.tab(entry.tab_title), shortcut: this.name(entry.shortcut) };
    };
    return entries === null ? null : entries.map(renamed);
  }
}

/** Something of one daemon, by the name that it has there. */
interface Place {
  readonly member: Member;
  readonly id: string;
}

class SeveralDaemons implements AttachDaemon {
  private readonly members: readonly Member[];
  private readonly asked = new Map<string, Place>();
  private readonly hosted = new Map<string, Place>();
  private lines = 0;

  constructor(members: readonly MemberDaemon[]) {
    this.members = members.map((member) => new Member(member));
  }

  async state(): Promise<readonly StateEntry[] | null> {
    const states = await this.fromAll((member) => member.load());
    return states.every((entries) => entries === null) ? null : states.flatMap((entries) => entries ?? []);
  }

  async asks(): Promise<readonly Ask[]> {
    const all = await this.fromAll(async (member) => placed(member, await member.daemon.asks(), this.asked));
    return all.flat();
  }

  async sessions(): Promise<readonly HostedSession[]> {
    const all = await this.fromAll(async (member) => placed(member, await member.daemon.sessions(), this.hosted));
    return all.flat();
  }

  async answer(askId: string, outcome: AskOutcome): Promise<void> {
    const place = this.asked.get(askId);
    await place?.member.daemon.answer(place.id, outcome);
  }

  async shown(askId: string): Promise<void> {
    const place = this.asked.get(askId);
    await place?.member.daemon.shown(place.id);
  }

  openSession(sessionId: string): RemoteConnection {
    const place = this.hosted.get(sessionId);
    if (place === undefined) throw new Error(`there is no session ${sessionId}`);
    return place.member.daemon.openSession(place.id);
  }

  async act(key: string, value: string): Promise<void> {
    const { member, id } = this.keyPlace(key);
    await member.daemon.act(id, value);
  }

  async cancel(key: string): Promise<void> {
    const { member, id } = this.keyPlace(key);
    await member.daemon.cancel(id);
  }

  async showTab(title: string): Promise<void> {
    const isTheirs = (member: Member) => member.program !== PALAVER && title.startsWith(member.tab(""));
    const theirs = this.members.find(isTheirs) ?? this.members.find(({ program }) => program === PALAVER);
    await theirs?.daemon.showTab(title.slice(theirs.tab("").length));
  }

  async follow(onNews: (news: AttachNews) => void, signal: AbortSignal): Promise<void> {
    const followed = this.members.map((member) => {
      return member.daemon.follow((news) => this.hear(member, news, onNews), signal);
    });
    await Promise.all(followed);
  }

  private hear(member: Member, news: AttachNews, onNews: (news: AttachNews) => void): void {
    switch (news.type) {
      case "line":
      case "lost":
        onNews({ type: news.type, entry: this.renumbered(member, news.entry) });
        return;
      case "connected":
        member.state = "here";
        onNews(news);
        return;
      case "disconnected":
        this.lost(member, news, onNews);
        return;
      default:
        onNews(news);
    }
  }

  // The view stays with the others, and says so in front.
  private lost(member: Member, news: AttachNews, onNews: (news: AttachNews) => void): void {
    const isNew = member.state === "here";
    member.state = "away";
    if (this.members.every(({ state }) => state === "away")) onNews(news);
    else if (isNew) {
      const words = { content: `the daemon of ${member.program} is gone; looking for it`, type: messageTypes.warning };
      const at = { timestamp: new Date().toLocaleTimeString("sv-SE"), at_ms: Date.now() };
      const whose = { tab_title: "DAEMON", handler_name: "daemon", handler_color: "", handler_type: 0 };
      onNews({ type: "lost", entry: this.renumbered(member, { id: "", ...words, ...at, ...whose }) });
      onNews({ type: "refresh" });
      onNews({ type: "asks" });
    }
  }

  // Ids grow from line to line, in each daemon for itself.
  private renumbered(member: Member, entry: LogEntry): LogEntry {
    this.lines += 1;
    return { ...entry, id: String(this.lines), tab_title: member.tab(entry.tab_title) };
  }

  // What is typed has no name of a program in front; the first daemon that has the key is meant, as with a shortcut.
  private keyPlace(key: string): Place {
    const named = this.members
      .filter((member) => member.program !== PALAVER && key.startsWith(member.name("")))
      .map((member) => ({ member, id: key.slice(member.name("").length) }));
    const bare = this.members.map((member) => ({ member, id: key }));
    const has = ({ member, id }: Place) => member.entries.some((entry) => hasKey(entry, id));
    const place = [...named, ...bare].find(has) ?? named[0] ?? bare[0];
    if (place === undefined) throw new Error("there is no daemon");
    return place;
  }

  // One that is away has nothing to show; without any the view has to know why.
  private async fromAll<Part>(read: (member: Member) => Promise<Part>): Promise<Part[]> {
    const parts = await Promise.allSettled(this.members.map(read));
    const answers = parts.filter((part) => part.status === "fulfilled").map(({ value }) => value);
    const [refused] = parts.filter((part) => part.status === "rejected");
    if (answers.length === 0 && refused !== undefined) throw refused.reason;
    return answers;
  }
}

function placed<Item extends { readonly id: string }>(
  member: Member,
  items: readonly Item[],
  places: Map<string, Place>,
): Item[] {
  return items.map((item) => {
    const name = member.name(item.id);
    places.set(name, { member, id: item.id });
    return { ...item, id: name };
  });
}
