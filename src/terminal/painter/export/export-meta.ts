// What an export says about itself before its first block.

export interface ExportMeta {
  readonly title: string;
  /** Short facts in their order: the model, the date, the version. */
  readonly details: readonly string[];
}
