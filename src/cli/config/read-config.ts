// The settings with all that reads files. Who draws a first frame loads this only when there is a file to read.
import { UsageError } from "../usage-error.js";
import { readConfigFile } from "./config-file.js";
import { type ConfigInput, configFrom, configPaths, type LoadedConfig } from "./load-config.js";

/**
 * Everything that is wrong is in the result, except a file of the user's own that cannot be understood: that is thrown. One of
 * a project is ignored with a warning, because a repository must not be able to stop every command in it.
 */
export function readConfig(input: ConfigInput): LoadedConfig {
  const paths = configPaths(input);
  const user = paths.user === null ? null : readConfigFile(paths.user, "links-followed");
  try {
    const project = paths.project === null ? null : readConfigFile(paths.project, "links-refused");
    return configFrom(input, { user, project });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const config = configFrom(input, { user, project: null });
    return { ...config, warnings: [`${error.message}; the file is ignored`, ...config.warnings] };
  }
}
