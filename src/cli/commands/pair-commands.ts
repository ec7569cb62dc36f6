// `palaver pair` shows an address and a QR code by which one browser becomes a paired device; `palaver devices` lists and revokes them.

import { encode } from "uqr";
import type { Device } from "../../contract/page.js";
import { createDaemonClient, DaemonRefusal } from "../../server/client/daemon-client.js";
import { humanAge } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import { readArguments, readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { daemonOptions, daemonOptionsHelp, reachedAddress, withDaemon } from "../daemon-connection.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { say, tableLines } from "../printed.js";

const pairHelp = `palaver pair [options]

Shows an address and a QR code that open the page of this project's daemon in a
browser and pair it. They work once, for two minutes. A paired device stays
paired until it is revoked, signs out, or after 180 days; palaver devices lists
and revokes them. palaver pair waits until the device has paired; exit code 124
when none has.

Only this machine can reach the address, unless palaver serve was started with a
public address or a certificate.

  --json             one line of JSON with the address, one with the device
${daemonOptionsHelp}

Examples
  palaver pair
  palaver pair --project ~/app
`;

export const pairCommand: Command = {
  help: pairHelp,
  async run(args) {
    const values = readFlags("pair", args, { ...daemonOptions, json: { type: "boolean", default: false } });
    const client = createDaemonClient(await reachedAddress(values));
    const { id, url, expires_at_ms } = await client.newPairCode();
    process.stdout.write(values.json ? jsonLine({ url, expires_at_ms }) : pairText(url, colourOf(process.stdout)));
    const outcome = await client.pairOutcome(id);
    if (outcome.state === "expired") {
      process.stderr.write("no device has paired; the code has expired\n");
      return exitCodes.timedOut;
    }
    const { device } = outcome;
    if (values.json) process.stdout.write(jsonLine({ paired: device }));
    else say(`paired: ${device.name} (${device.id})`);
    return exitCodes.done;
  },
};

function colourOf(output: NodeJS.WriteStream): "colour" | "plain" {
  const { NO_COLOR = "" } = process.env;
  return output.isTTY && NO_COLOR === "" && output.getColorDepth() >= 8 ? "colour" : "plain";
}

const START_WORDS = "start the daemon with\npalaver serve --public-url";

/** What is shown while the code is valid. */
export function pairText(url: string, colour: "colour" | "plain", how = START_WORDS): string {
  const rows = qrRows(url, colour).map((row) => `  ${row}`);
  const isLocal = /^http:\/\/(?:127\.|localhost|\[::1\])/.test(url);
  const reach = isLocal
    ? [`Only this machine can reach this address. For a phone, ${how}`, "(see docs/guides/page-and-phone.md)."]
    : [];
  const lines = ["Open this address on the device, or scan the code:", "", `  ${safeLine(url)}`, "", ...rows, ""];
  return [...lines, "It works once, for two minutes.", ...reach, ""].join("\n");
}

const devicesHelp = `palaver devices [revoke ID] [options]

Lists the browsers that are paired with this project's daemon, and the links
that share a session. "revoke" ends one: its open pages lose the connection at
once. ID may be the name.

  --json             as JSON
${daemonOptionsHelp}

Examples
  palaver devices
  palaver devices revoke d41c0ffe
  palaver devices --json | jq -r '.[].name'
`;

export const devicesCommand: Command = {
  help: devicesHelp,
  async run(args) {
    const options = { ...daemonOptions, json: { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments("devices", args, options);
    const [verb, id, ...more] = positionals;
    const isRevoke = verb === "revoke" && id !== undefined;
    if (more.length > 0 || (verb !== undefined && !isRevoke)) {
      throw new UsageError("devices lists all, or revokes one: palaver devices revoke ID");
    }
    const devices = await withDaemon(values, (client) => client.devices());
    if (isRevoke) {
      const found = deviceNamed(devices, id);
      await withDaemon(values, (client) => client.revokeDevice(found)).catch(inWords);
      if (!values.json) say(`revoked: ${found.name}`);
    }
    if (values.json) process.stdout.write(jsonPage(isRevoke ? deviceNamed(devices, id) : devices));
    else if (!isRevoke) say(devicesWords(devices, Date.now()));
    return exitCodes.done;
  },
};

function deviceNamed(devices: readonly Device[], wanted: string): Device {
  const found = devices.find(({ id }) => id === wanted) ?? devices.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  throw new UsageError(`there is no device ${safeLine(wanted)}; palaver devices lists them`);
}

function inWords(error: unknown): never {
  if (error instanceof DaemonRefusal && error.status === 404) throw new Error("it was revoked already");
  throw error;
}

//   d41c0ffe  iPhone        paired 2 d ago   seen 5 m ago
//   d5ad5ad5  shared link   shared 1 h ago   seen 1 h ago    20261118-…
function devicesWords(devices: readonly Device[], nowMs: number): string {
  if (devices.length === 0) return "no device is paired; palaver pair pairs one";
  const rows = devices.map(({ id, name, scope, session = "", created_at_ms, seen_at_ms }) => {
    const since = `${scope === "full" ? "paired" : "shared"} ${humanAge(nowMs - created_at_ms)}`;
    return [id, name, since, `seen ${humanAge(nowMs - seen_at_ms)}`, session];
  });
  return tableLines(rows).join("\n");
}

// A QR code as rows of a terminal: two modules in one cell, as half blocks. Scanners want dark on light, so that the colours are
// set outright; where none are wanted, the light modules are drawn, which is right on a dark screen.
//
//   ▀ upper light   ▄ lower light   █ both

const BORDER_MODULES = 2;
const BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m";
const RESET = "\x1b[0m";

export function qrRows(text: string, colour: "colour" | "plain"): string[] {
  const { data, size } = encode(text, { border: BORDER_MODULES, ecc: "L" });
  const isDark = (row: number, column: number) => data[row]?.[column] === true;
  const rows: string[] = [];
  for (let row = 0; row < size; row += 2) {
    const cells = Array.from({ length: size }, (_, column) => {
      const upper = isDark(row, column);
      const lower = row + 1 < size && isDark(row + 1, column);
      return colour === "colour" ? cell(upper, lower) : cell(!upper, row + 1 < size && !lower);
    });
    rows.push(colour === "colour" ? `${BLACK_ON_WHITE}${cells.join("")}${RESET}` : cells.join(""));
  }
  return rows;
}

function cell(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
