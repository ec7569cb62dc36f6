// The versions of Node that Palaver is tried with: the oldest it promises to work on, the one most people have, the newest. They
// come from the npm registry, once, into a folder of their own outside of the project.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const NODE_VERSIONS: readonly string[] = ["20.19.0", "22", "26"];

/** Gives the folder that holds the program `node`. Throws an Error that says what npm said. */
export function installNode(version: string, cacheFolder: string): string {
  const folder = join(cacheFolder, `node-${version}`);
  const programs = join(folder, "node_modules", "node", "bin");
  if (existsSync(join(programs, "node"))) return programs;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${version}`];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0 || !existsSync(join(programs, "node"))) {
    throw new Error(
      `node@${version} could not be installed: ${`${stdout}${stderr}`.trim() || `npm ended with ${status}`}`,
    );
  }
  return programs;
}
