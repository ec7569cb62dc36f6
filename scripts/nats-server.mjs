// Finds a nats-server for the tests of the hub: that of the PATH if it is new enough, or the one of .cache, unpacked from Debian's
// package without installing anything. Prints its path; exits with 1 and says why when there is none.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../.cache/nats", import.meta.url));
const kept = join(folder, "nats-server");
const VERSION_MIN = [2, 11];

function isNewEnough(program) {
  try {
    const said = execFileSync(program, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const [major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(said) ?? []).slice(1).map(Number);
    return major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);
  } catch {
    return false;
  }
}

/** The machine's own source of packages, for the suite that has a new one. */
function forkySource() {
  const own = "/etc/apt/sources.list.d/debian.sources";
  const text = existsSync(own) ? readFileSync(own, "utf8") : "";
  const uri = /^URIs:\s*(\S+)/m.exec(text)?.[1];
  if (uri === undefined) throw new Error("this machine names no source of Debian packages");
  const keyring = /^Signed-By:\s*(\S+)/m.exec(text)?.[1] ?? "/usr/share/keyrings/debian-archive-keyring.gpg";
  return `Types: deb\nURIs: ${uri}\nSuites: forky\nComponents: main\nSigned-By: ${keyring}\n`;
}

function fetchFromDebian() {
  const apt = join(folder, "apt");
  for (const part of ["sources", "lists/partial", "cache/archives/partial"])
    mkdirSync(join(apt, part), { recursive: true });
  writeFileSync(join(apt, "sources", "forky.sources"), forkySource());
  const places = {
    "Dir::Etc::sourceparts": join(apt, "sources"),
    "Dir::Etc::sourcelist": "/dev/null",
    "Dir::State::lists": join(apt, "lists"),
    "Dir::Cache": join(apt, "cache"),
  };
  const options = Object.entries(places).flatMap(([name, place]) => ["-o", `${name}=${place}`]);
  const run = (program, args) => execFileSync(program, args, { cwd: apt, stdio: ["ignore", "ignore", "pipe"] });
  run("apt-get", [...options, "update"]);
  run("apt-get", [...options, "download", "nats-server"]);
  const [packed = ""] = readdirSync(apt).filter((name) => name.endsWith(".deb"));
  run("dpkg", ["-x", packed, join(apt, "root")]);
  renameSync(join(apt, "root/usr/sbin/nats-server"), kept);
  rmSync(apt, { recursive: true, force: true });
}

if (isNewEnough("nats-server")) process.stdout.write("nats-server\n");
else {
  try {
    if (!isNewEnough(kept)) fetchFromDebian();
    process.stdout.write(`${kept}\n`);
  } catch (error) {
    process.stderr.write(`no nats-server: ${error.stderr?.toString().trim().split("\n").at(-1) || error.message}\n`);
    process.exitCode = 1;
  }
}
