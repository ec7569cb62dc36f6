// What `palaver serve` adds for the page: the address under which browsers reach the daemon, the agents they can start, and the files
// they can name.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { findProgram } from "../agents/found-program.js";
import type { StartableAgent } from "../contract/page.js";
import { errorMessage } from "../contract/plain-word.js";
import type { TlsFiles } from "../server/http/http-server.js";
import { steadyNowMs } from "../system/timers.js";
import type { FileFinder } from "../terminal/painter/dialogs/file-finder.js";
import { finderAt } from "../views/inline/file-list.js";
import { EMBEDDED, listAgents, type OwnAgents } from "./commands/agents-command.js";
import { UsageError } from "./exit-codes.js";

interface PageFlags {
  readonly "tls-cert"?: string | undefined;
  readonly "tls-key"?: string | undefined;
  readonly "public-url"?: string | undefined;
}

/** How browsers elsewhere reach the daemon, from the flags. */
export function pageAddress(values: PageFlags): { tls: TlsFiles | undefined; publicUrl: string | undefined } {
  const { "tls-cert": cert, "tls-key": key, "public-url": url } = values;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError("--tls-cert and --tls-key go together");
  const tls = cert === undefined || key === undefined ? undefined : { cert: fileText(cert), key: fileText(key) };
  return { tls, publicUrl: url === undefined ? undefined : publicOrigin(url) };
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

function publicOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "https:" && `${url.origin}/` === url.href) return url.origin;
  throw new UsageError(`--public-url takes an address such as https://box.example, not "${text}"`);
}

/** As the terminal completes an @. */
export function fileSearch(): (folder: string, query: string, countMax: number) => Promise<readonly string[]> {
  const finders = new Map<string, FileFinder>();
  return (folder, query, countMax) => {
    const finder = finders.get(folder) ?? finderAt({ folder, host: hostname() }, steadyNowMs);
    finders.set(folder, finder);
    return finder.find(query, countMax);
  };
}

/** The built-in agent and every agent known by name. */
export function startableAgents(own: OwnAgents): StartableAgent[] {
  const listed = listAgents(own, (name) => findProgram(name, process.env));
  const named = listed.map(({ name, title, path }) => ({ name, title, installed: path !== null }));
  return [{ name: EMBEDDED, title: "Palaver's own agent", installed: true }, ...named];
}
