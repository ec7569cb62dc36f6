// The settings of a running terminal UI: a change applies at once, and is saved in the user's file.

import { errorMessage } from "../contract/plain-word.js";
import { isSettingKey, type SettingRow, type Settings, settingTable } from "../session/settings/setting-table.js";
import type { Environment } from "../session/user-folders.js";
import { settingChoices } from "./config/config-report.js";

export class LiveSettings {
  settings: Settings;
  /** Resolves when the changes so far are saved, or could not be. */
  saved: Promise<void> = Promise.resolve();
  /** What could not be saved, in words. */
  readonly unsaved: string[] = [];
  private readonly environment: Environment;

  constructor(settings: Settings, environment: Environment) {
    this.settings = settings;
    this.environment = environment;
  }

  choices(): ReturnType<typeof settingChoices> {
    return settingChoices(this.settings);
  }

  /** Applies a change at once and saves it, unless it is only tried; a message when the value is invalid. */
  change(key: string, typed: string, use?: "tried"): string | null {
    if (!isSettingKey(key)) return `there is no setting ${key}`;
    const { kind }: SettingRow = settingTable[key];
    const judged = kind.fromText === null ? null : kind.judge(kind.fromText(typed));
    if (judged === null || !judged.ok) return `${key} must be ${judged?.words ?? "set in your file"}`;
    this.settings = { ...this.settings, [key]: judged.value };
    if (use !== "tried") this.saved = this.saved.then(() => this.keep(key, typed));
    return null;
  }

  // Loaded on demand, which fails after an update replaced the files.
  private async keep(key: string, typed: string): Promise<void> {
    try {
      const { persistTyped } = await import("./config/persist-setting.js");
      persistTyped(this.environment, key, typed);
    } catch (error) {
      this.unsaved.push(`${key} applies to this session only: ${errorMessage(error)}`);
    }
  }
}
