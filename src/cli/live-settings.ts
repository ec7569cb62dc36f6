// The settings while everything runs: what was loaded, and what the person has changed since. A change holds at once and is
// kept for the next time; where it cannot be kept it still holds, and words say why.
import { isSettingKey, type SettingRow, type Settings, settingTable } from "../session/settings/setting-table.js";
import type { Environment } from "../session/user-folders.js";
import { settingChoices } from "./config/config-report.js";

export class LiveSettings {
  settings: Settings;
  private readonly environment: Environment;

  constructor(settings: Settings, environment: Environment) {
    this.settings = settings;
    this.environment = environment;
  }

  choices(): ReturnType<typeof settingChoices> {
    return settingChoices(this.settings);
  }

  /** Words when something is wrong; null when all is well. */
  change(key: string, typed: string): string | null {
    if (!isSettingKey(key)) return `${key} is no setting`;
    const { kind }: SettingRow = settingTable[key];
    const judged = kind.fromText === null ? null : kind.judge(kind.fromText(typed));
    if (judged === null || !judged.ok) return `${key} must be ${judged?.words ?? "set in your file"}`;
    this.settings = { ...this.settings, [key]: judged.value };
    void this.keep(key, typed);
    return null;
  }

  // Loaded when it is needed: nobody changes a setting in the first moment.
  private async keep(key: string, typed: string): Promise<void> {
    const { persistTyped } = await import("./config/persist-setting.js");
    try {
      persistTyped(this.environment, key, typed);
    } catch {
      // A home that cannot be written to: it holds for this run.
    }
  }
}
