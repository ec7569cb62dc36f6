// The settings with all that reads files. Who draws a first frame loads this only when there is a file to read.
import { readConfigFile } from "./config-file.js";
import { type ConfigInput, configFrom, configPaths, type LoadedConfig } from "./load-config.js";

/** Everything that is wrong is in the result, except a file that is no TOML: that is thrown. */
export function readConfig(input: ConfigInput): LoadedConfig {
  const paths = configPaths(input);
  const read = (path: string | null) => (path === null ? null : readConfigFile(path));
  return configFrom(input, { user: read(paths.user), project: read(paths.project) });
}
