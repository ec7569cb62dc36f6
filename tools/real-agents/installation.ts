// Installs the real agents once, at their pinned versions, into a folder outside the project, and with the Node they need:
// npm picks versions by the Node it runs under, and would take older agents without a word.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NODE_PACKAGE = "node@24";

export class Installation {
  readonly folder: string;
  private readonly print: (line: string) => void;

  constructor(folder: string, print: (line: string) => void) {
    this.folder = folder;
    this.print = print;
  }

  /** Folders for the PATH under which the agents find their Node. */
  get nodeFolder(): string {
    return join(this.folder, "node24", "node_modules", ".bin");
  }

  async agent(name: string, wanted: string): Promise<string> {
    await this.install("node24", NODE_PACKAGE);
    await this.install(name, wanted);
    return join(this.folder, name, "node_modules", ".bin");
  }

  private async install(name: string, wanted: string): Promise<void> {
    const folder = join(this.folder, name);
    const stamp = join(folder, ".done");
    // A stamp without words is somebody else's, who pinned the same.
    if (existsSync(stamp) && ["", wanted].includes(readFileSync(stamp, "utf8").trim())) return;
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    this.print(`installing ${wanted} into ${folder}`);
    await this.npm(folder, ["install", "--no-audit", "--no-fund", "--loglevel=error", wanted]);
    writeFileSync(stamp, `${wanted}\n`);
  }

  private npm(cwd: string, args: string[]): Promise<void> {
    const env = { ...process.env, PATH: `${this.nodeFolder}:${process.env["PATH"] ?? ""}` };
    return new Promise((resolve, reject) => {
      const child = spawn("npm", args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
      let problem = "";
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        problem += chunk;
      });
      child.on("error", reject);
      child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`npm ended with ${code}: ${problem}`))));
    });
  }
}
