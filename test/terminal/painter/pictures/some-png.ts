// A small PNG made by hand, chunk by chunk, so that tests can also make one that is wrong.
import { crc32, deflateSync } from "node:zlib";

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function chunk(name: string, data: Uint8Array = new Uint8Array()): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}

export function header(widthPx: number, heightPx: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(widthPx, 0);
  data.writeUInt32BE(heightPx, 4);
  data.set([8, 0, 0, 0, 0], 8);
  return chunk("IHDR", data);
}

/** Grey, and as large as wanted; `extra` stands between header and pixels. */
export function somePng(
  widthPx: number,
  heightPx: number,
  extra: readonly Buffer[] = [],
  greyAt: (at: number) => number = () => 0,
): Buffer {
  const rows = Buffer.alloc((widthPx + 1) * heightPx);
  for (let at = 0; at < rows.length; at += 1) rows[at] = at % (widthPx + 1) === 0 ? 0 : greyAt(at) & 0xff;
  const pixels = deflateSync(rows);
  return Buffer.concat([SIGNATURE, header(widthPx, heightPx), ...extra, chunk("IDAT", pixels), chunk("IEND")]);
}
