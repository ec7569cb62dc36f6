// Which hosts commands in the sandbox may reach: names as the person writes them, of which nothing is guessed.
//
//   registry.npmjs.org     this host, ports 80 and 443          *.example.org   every host below it, not itself
//   localhost:5432         this host, this port

const WEB_PORTS = new Set([80, 443]);

export function isGranted(hosts: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return hosts.some((written) => {
    const [, wanted = "", at] = /^(.*?)(?::(\d+))?$/.exec(written.trim().toLowerCase()) ?? [];
    const isPort = at === undefined ? WEB_PORTS.has(port) : Number(at) === port;
    return isPort && wanted !== "" && (wanted.startsWith("*.") ? isBelow(name, wanted.slice(1)) : name === wanted);
  });
}

function isBelow(name: string, end: string): boolean {
  return name.endsWith(end) && name.length > end.length;
}

/** Addresses of this machine, and of the link it is on, where clouds hand out keys. */
export function isOwnAddress(address: string): boolean {
  return /^(?:0\.|127\.|169\.254\.|::1?$|fe[89ab])/.test(address.toLowerCase().replace(/^::ffff:/, ""));
}
