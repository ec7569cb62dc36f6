// The types of manual-page.mjs, for the test that calls it.
export function manualPage(sources: {
  readonly version: string;
  readonly commands: readonly {
    readonly name: string;
    readonly usage: string;
    readonly summary: string;
    readonly help: string;
  }[];
  readonly settings: readonly { readonly variable: string; readonly words: string }[];
}): string;
