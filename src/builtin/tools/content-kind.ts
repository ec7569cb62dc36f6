// Detects from the first bytes of a file whether it is text, an image, an archive or other binary data. Only text goes to the
// model; for the rest it gets the kind and the size.

export type ContentKind = { readonly kind: "text" } | { readonly kind: "image" | "binary"; readonly name: string };

/** How much of a file is looked at. */
export const SNIFF_BYTES = 8 * 1024;

const SIGNATURES: readonly (readonly [kind: "image" | "binary", name: string, bytes: readonly number[]])[] = [
  ["image", "PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["image", "JPEG image", [0xff, 0xd8, 0xff]],
  ["image", "GIF image", [0x47, 0x49, 0x46, 0x38]],
  ["image", "icon", [0x00, 0x00, 0x01, 0x00]],
  ["binary", "PDF document", [0x25, 0x50, 0x44, 0x46]],
  ["binary", "zip archive", [0x50, 0x4b, 0x03, 0x04]],
  ["binary", "gzip archive", [0x1f, 0x8b]],
  ["binary", "xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["binary", "zstd archive", [0x28, 0xb5, 0x2f, 0xfd]],
  ["binary", "ELF program", [0x7f, 0x45, 0x4c, 0x46]],
  ["binary", "WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
  ["binary", "SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ["binary", "UTF-16 text", [0xff, 0xfe]],
  ["binary", "UTF-16 text", [0xfe, 0xff]],
];

export function contentKind(head: Uint8Array): ContentKind {
  const found = SIGNATURES.find(([, , bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (found !== undefined) return { kind: found[0], name: found[1] };
  const start = Buffer.from(head.subarray(0, 12)).toString("latin1");
  if (/^RIFF[\s\S]{4}WEBP$/.test(start)) return { kind: "image", name: "WebP image" };
  return !head.includes(0) ? { kind: "text" } : { kind: "binary", name: "binary data" };
}

/** 840 B · 12.4 kB · 1.1 GB */
export function humanBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
