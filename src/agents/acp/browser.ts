// Opens an address in the person's browser, after they said yes to it. The address is one argument and never goes through
// a shell.
import { spawn } from "node:child_process";
import type { EffectResult } from "../dialects/dialect.js";
import { withoutOwnPrograms } from "../found-program.js";

export function openAddress(url: string): Promise<EffectResult> {
  const [command, args] = openerFor(process.platform, url);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: withoutOwnPrograms(process.env),
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    child.on("error", (error) => resolve({ ok: false, message: error.message }));
    child.on("close", (code) => {
      resolve(code === 0 ? { ok: true, value: null } : { ok: false, message: `${command} ended with code ${code}` });
    });
    child.unref();
  });
}

function openerFor(platform: NodeJS.Platform, url: string): [command: string, args: string[]] {
  if (platform === "darwin") return ["open", [url]];
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return ["xdg-open", [url]];
}
