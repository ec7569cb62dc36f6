// The types of manual-page.mjs, for the test that calls it.
interface CommandWords {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly help: string;
}

export function manualPage(sources: {
  readonly version: string;
  readonly commands: readonly CommandWords[];
  readonly settings: readonly { readonly variable: string; readonly words: string }[];
}): string;

export function readmePage(page: string, commands: readonly CommandWords[]): string;
