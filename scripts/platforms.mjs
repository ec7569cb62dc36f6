// `npm run platforms [-- 22 26 …]`: the whole suite on other versions of Node, each in a copy of the project with packages of its
// own. The Nodes come from the npm registry, once, into PALAVER_NODES_DIR (else ~/.cache/palaver-nodes).
import "./script-help.mjs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.mjs";
import { tool } from "./tool.mjs";

const { tryPlatforms } = await tool("tools/platforms/platforms.ts", { build: false });
process.exitCode = await tryPlatforms({
  versions: process.argv.slice(2),
  root,
  cacheFolder: process.env.PALAVER_NODES_DIR ?? join(homedir(), ".cache", "palaver-nodes"),
  print: (line) => console.log(line),
});
