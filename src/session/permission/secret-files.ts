// Which files look as if they held a secret, by their names alone. A file that looks so is never read, searched or
// changed without a question, unless a rule names it.
import { compileGlob } from "./glob.js";

const SECRET_PATTERNS = [
  "{.env,.env.*,.envrc,*.env}",
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ovpn,ppk,asc,gpg}",
  "id_{rsa,dsa,ecdsa,ed25519}",
  "{.netrc,_netrc,.npmrc,.pypirc,.pgpass,.htpasswd,.git-credentials,.vault-token,.dockercfg}",
  "{credentials,secrets}",
  "{credentials,secrets,service-account*,client_secret*}.{json,yaml,yml,toml,ini,xml,txt}",
  "*.tfstate",
];
const SECRET_FOLDERS = [".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store"];
/** Files that look like the above and are there to be shared. */
const HARMLESS_PATTERNS = [".env.{example,sample,template,dist,defaults}", "*.pub"];

const secrets = SECRET_PATTERNS.map(compileGlob);
const harmless = HARMLESS_PATTERNS.map(compileGlob);
const folders = new Set(SECRET_FOLDERS);

export function looksSecret(path: string): boolean {
  const names = path.toLowerCase().split("/");
  if (names.some((name) => folders.has(name))) return true;
  const name = names.at(-1) ?? "";
  return secrets.some((glob) => glob.matches(name)) && !harmless.some((glob) => glob.matches(name));
}
