// `npm run manual`: writes man/palaver.1, and the commands in the README, from the tables of commands and settings.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { manualPage, readmePage } from "./manual-page.mjs";
import { root } from "./setup.mjs";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const bundle = join(root, ".cache", "manual", "tables.mjs");
await build({
  stdin: {
    contents: `export { commandTable } from "./src/cli/command-table.ts";
export { settingKeys, settingTable, settingVariable } from "./src/session/settings/setting-table.ts";`,
    resolveDir: root,
  },
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  define: { PALAVER_VERSION: JSON.stringify(version) },
  logLevel: "warning",
});
const { commandTable, settingKeys, settingTable, settingVariable } = await import(pathToFileURL(bundle).href);
rmSync(join(bundle, ".."), { recursive: true });

const commands = await Promise.all(
  commandTable.map(async ({ name, usage, summary, load }) => ({ name, usage, summary, help: (await load()).help })),
);
const settings = settingKeys.flatMap((key) => {
  const variable = settingVariable(key);
  return variable === null ? [] : [{ variable, words: settingTable[key].words }];
});
mkdirSync(join(root, "man"), { recursive: true });
writeFileSync(join(root, "man", "palaver.1"), manualPage({ version, commands, settings }));
const readme = join(root, "README.md");
writeFileSync(readme, readmePage(readFileSync(readme, "utf8"), commands));
