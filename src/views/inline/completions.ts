// What the composer completes: our commands and the agent's after a slash, files of the project after an @, paths after Tab.
// pi-tui knows how a completion is put into the text; which there are for an @ is found here, without any other program.
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  CombinedAutocompleteProvider,
  type SlashCommand,
} from "@earendil-works/pi-tui";
import { isCommandName } from "../../session/slash-command.js";
import type { FileFinder } from "../../terminal/painter/dialogs/file-finder.js";
import { safeLine } from "../../text/safe.js";
import { shortenMiddle } from "../../text/shorten.js";

const FILES_SHOWN_MAX = 20;
/** An @ at the start of a word, and what follows it up to the cursor; in quotes it may hold spaces. */
const MENTION = /(?:^|[\s(["'=])(@(?:"([^"]*)|([^\s"]*)))$/;

type Asked = Parameters<AutocompleteProvider["getSuggestions"]>;

/** A text with a cursor in it, as a value that can be compared. */
export function completionPlace(lines: readonly string[], line: number, column: number): string {
  return `${line}:${column}:${lines.join("\n")}`;
}

export class Completions implements AutocompleteProvider {
  /** The text and cursor of the latest list. */
  computedFor: string | null = null;
  private readonly names: ReadonlySet<string>;
  private readonly inner: CombinedAutocompleteProvider;
  private readonly files: Pick<FileFinder, "find">;
  private readonly roomCells: () => number;

  /** `roomCells`: how wide a row of the list may be. */
  constructor(
    commands: readonly SlashCommand[],
    folder: string,
    files: Pick<FileFinder, "find">,
    roomCells: () => number,
  ) {
    this.names = new Set(commands.map(({ name }) => name));
    this.inner = new CombinedAutocompleteProvider([...commands], folder, null);
    this.files = files;
    this.roomCells = roomCells;
  }

  async getSuggestions(...[lines, line, column, options]: Asked): Promise<AutocompleteSuggestions | null> {
    const place = completionPlace(lines, line, column);
    const found = await this.suggestions(lines, line, column, options);
    this.computedFor = place;
    return found;
  }

  private async suggestions(...[lines, line, column, options]: Asked): Promise<AutocompleteSuggestions | null> {
    const before = (lines[line] ?? "").slice(0, column);
    // pi-tui would find a command for "/a/b", too, and put it in without a slash.
    if (/^\/\S*\//.test(before)) return null;
    if (this.isUnavailable(before)) return null;
    const mention = MENTION.exec(before);
    if (mention === null) return meant(before, madeSafe(await this.inner.getSuggestions(lines, line, column, options)));
    const [, prefix = "", quoted, plain = ""] = mention;
    const found = await this.files.find(quoted ?? plain, FILES_SHOWN_MAX);
    // The editor's list would cut a path at its end, where its name is.
    const room = this.roomCells();
    const items = found.map((path) => ({ value: mentionOf(path), label: shortenMiddle(path, room) }));
    return items.length === 0 ? null : { items, prefix };
  }

  // The name of a command that this agent lacks: Enter says so, and runs no command with a similar name.
  private isUnavailable(before: string): boolean {
    const name = before.slice(1);
    return before.startsWith("/") && isCommandName(name) && !this.names.has(name);
  }

  applyCompletion(
    ...[lines, line, column, item, prefix]: Parameters<AutocompleteProvider["applyCompletion"]>
  ): ReturnType<AutocompleteProvider["applyCompletion"]> {
    return this.inner.applyCompletion(lines, line, column, item, prefix);
  }

  shouldTriggerFileCompletion(lines: string[], line: number, column: number): boolean {
    return this.inner.shouldTriggerFileCompletion(lines, line, column);
  }
}

function mentionOf(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

// pi-tui also finds names that only have the typed letters somewhere in this order, and Enter runs the first: "/login" would
// run /reload-plugins.
function meant(before: string, suggestions: AutocompleteSuggestions | null): AutocompleteSuggestions | null {
  const name = /^\/(\S+)$/.exec(before)?.[1]?.toLowerCase();
  if (suggestions === null || name === undefined) return suggestions;
  const items = suggestions.items.filter(({ value }) => value.toLowerCase().includes(name));
  return items.length === 0 ? null : { ...suggestions, items };
}

// File names and an agent's commands are untrusted text. What cannot be shown as it is cannot be chosen.
function madeSafe(suggestions: AutocompleteSuggestions | null): AutocompleteSuggestions | null {
  if (suggestions === null) return null;
  const items = suggestions.items.flatMap((item) => (isSafe(item) ? [described(item)] : []));
  return items.length === 0 ? null : { ...suggestions, items };
}

function isSafe({ value, label }: AutocompleteItem): boolean {
  return safeLine(value) === value && safeLine(label) === label;
}

function described({ value, label, description }: AutocompleteItem): AutocompleteItem {
  return description === undefined ? { value, label } : { value, label, description: safeLine(description) };
}
