// The package as it is published, in a folder of its own: what the guides and the examples are run with.
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.js";

/** Packs the project, and unpacks it into `node_modules` of the folder. Its path. */
export async function installPackage(folder: string): Promise<string> {
  const packed = await runProgram("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
  if (packed.code !== 0) throw new Error(packed.stderr);
  const unpacked = await runProgram("tar", ["-xzf", join(folder, packed.stdout.trim()), "-C", folder]);
  if (unpacked.code !== 0) throw new Error(unpacked.stderr);
  const place = join(folder, "node_modules", "palaver");
  mkdirSync(join(place, ".."), { recursive: true });
  renameSync(join(folder, "package"), place);
  return place;
}
