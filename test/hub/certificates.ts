// Certificates for tests, from an authority that is made for them, with openssl.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const hasOpenssl = (() => {
  try {
    return execFileSync("openssl", ["version"]).length > 0;
  } catch {
    return false;
  }
})();

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** NAME.pem and NAME.key. */
export function makeAuthority(folder: string, name: string): void {
  const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
  openssl(folder, "req", "-x509", ...newKey, ...files, "-subj", `/CN=${name}`, "-days", "2");
}

/** NAME.pem and NAME.key, for "DNS:…" or "IP:…". */
export function makeCertificate(folder: string, name: string, authority: string, names: string): void {
  openssl(folder, "req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
  writeFileSync(join(folder, "names.ext"), `subjectAltName=${names}\n`);
  const by = ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`, "-CAcreateserial", "-extfile", "names.ext"];
  openssl(folder, "x509", "-req", "-in", `${name}.csr`, ...by, "-out", `${name}.pem`, "-days", "2");
}

function openssl(folder: string, ...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
}
