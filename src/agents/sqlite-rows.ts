// Reads the rows of a table from an SQLite file and its write-ahead log. Node 20 has no SQLite, and a library would take locks
// in the database of a running agent; this only reads pages, within limits. What does not fit the format gives null.
//
//     file   | page 1: header, list of tables | page 2 | …          b-tree pages; a leaf has the rows
//     -wal   | header | page number, page | page number, page | …   newer pages; a commit ends a group of them
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

const SIGNATURE = "SQLite format 3\0";
const UTF_8 = 1;
const LOG_BYTES_MAX = 64 * 1024 * 1024;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGES_MAX = 20_000;
const PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;
const ROWS_MAX = 10_000;

/** Null when there is no such file or table, or it is damaged. Values other than text and numbers are null. */
export async function sqliteRows(path: string, table: string, columns: readonly string[]): Promise<SqlRow[] | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handles = await Promise.all([path, `${path}-wal`].map((name) => open(name, flags).catch(() => null)));
  const [file = null, log = null] = handles;
  try {
    return file === null ? null : await rowsOf(await Pages.of(file, log), table, columns);
  } catch {
    return null;
  } finally {
    await Promise.all(handles.map((handle) => handle?.close()));
  }
}

async function rowsOf(pages: Pages, table: string, columns: readonly string[]): Promise<SqlRow[] | null> {
  for await (const [type, name, , root, sql] of recordsIn(pages, 1)) {
    if (type !== "table" || name !== table || typeof root !== "number" || typeof sql !== "string") continue;
    const names = columnNames(sql);
    const places = columns.map((column) => [column, names.indexOf(column)] as const);
    const rows: SqlRow[] = [];
    for await (const record of recordsIn(pages, root)) {
      if (rows.length === ROWS_MAX) break;
      rows.push(Object.fromEntries(places.map(([column, at]) => [column, record[at] ?? null])));
    }
    return rows;
  }
  return null;
}

/** The names in a CREATE TABLE, without its constraints. */
function columnNames(sql: string): string[] {
  const body = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")")).replaceAll(/\([^()]*\)/g, "");
  const words = body.split(",").map((part) => /^\s*[`"[]?(\w+)/.exec(part)?.[1] ?? "");
  return words.filter((word) => !/^(?:constraint|foreign|primary|unique|check)$/i.test(word));
}

class Pages {
  /** The bytes of a page that the format uses. */
  readonly usable: number;
  private readonly file: FileHandle;
  private readonly newer: ReadonlyMap<number, Buffer>;
  private readonly pageBytes: number;
  private left = PAGES_MAX;

  private constructor(file: FileHandle, newer: ReadonlyMap<number, Buffer>, header: Buffer) {
    this.file = file;
    this.newer = newer;
    this.pageBytes = pageBytesIn(header);
    this.usable = this.pageBytes - header.readUInt8(20);
  }

  static async of(file: FileHandle, log: FileHandle | null): Promise<Pages> {
    if (!(await file.stat()).isFile()) throw new Error("This is not a file.");
    const header = await bytesAt(file, 0, 100);
    if (header.toString("latin1", 0, 16) !== SIGNATURE || header.readUInt32BE(56) !== UTF_8) {
      throw new Error("This is not a database in UTF-8.");
    }
    return new Pages(file, log === null ? new Map() : await committedPages(log, pageBytesIn(header)), header);
  }

  async page(number: number): Promise<Buffer> {
    this.left -= 1;
    if (number < 1 || this.left < 0) throw new Error("A page is out of bounds.");
    return this.newer.get(number) ?? bytesAt(this.file, (number - 1) * this.pageBytes, this.pageBytes);
  }
}

function pageBytesIn(header: Buffer): number {
  const stored = header.readUInt16BE(16);
  const bytes = stored === 1 ? 65_536 : stored;
  if (bytes < 512 || (bytes & (bytes - 1)) !== 0) throw new Error("The size of a page is wrong.");
  return bytes;
}

async function bytesAt(file: FileHandle, position: number, count: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, position);
  if (bytesRead !== count) throw new Error("The file ends too early.");
  return buffer;
}

// Frames of an earlier round of the log have other salts. Those after the last commit do not count.
async function committedPages(log: FileHandle, pageBytes: number): Promise<Map<number, Buffer>> {
  const committed = new Map<number, Buffer>();
  const { size } = await log.stat();
  if (size <= LOG_HEADER_BYTES || size > LOG_BYTES_MAX) return committed;
  const bytes = await bytesAt(log, 0, size);
  const salts = bytes.subarray(16, 24);
  let group: [number, Buffer][] = [];
  for (let at = LOG_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= size; at += FRAME_HEADER_BYTES + pageBytes) {
    if (!bytes.subarray(at + 8, at + 16).equals(salts)) break;
    const page = bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + pageBytes);
    group.push([bytes.readUInt32BE(at), page]);
    if (bytes.readUInt32BE(at + 4) === 0) continue;
    for (const [number, changed] of group) committed.set(number, changed);
    group = [];
  }
  return committed;
}

const LEAF = 0x0d;
const INTERIOR = 0x05;
const FILE_HEADER_BYTES = 100;
/** A tree of more levels goes in a circle. */
const LEVELS_MAX = 20;

/** The records of a table, in the order of their row ids. */
async function* recordsIn(pages: Pages, number: number, level = 0): AsyncGenerator<SqlValue[]> {
  if (level > LEVELS_MAX) throw new Error("The tree is too deep.");
  const page = await pages.page(number);
  const start = number === 1 ? FILE_HEADER_BYTES : 0;
  const kind = page.readUInt8(start);
  if (kind !== LEAF && kind !== INTERIOR) throw new Error("This is not a page of a table.");
  const cellCount = page.readUInt16BE(start + 3);
  const cells = start + (kind === LEAF ? 8 : 12);
  for (let index = 0; index < cellCount; index++) {
    const at = page.readUInt16BE(cells + 2 * index);
    if (kind === INTERIOR) yield* recordsIn(pages, page.readUInt32BE(at), level + 1);
    else yield recordOf(await payloadAt(pages, page, at));
  }
  if (kind === INTERIOR) yield* recordsIn(pages, page.readUInt32BE(start + 8), level + 1);
}

/** A long payload continues on pages of its own, each beginning with the number of the next. */
async function payloadAt(pages: Pages, page: Buffer, at: number): Promise<Buffer> {
  const size = varint(page, at);
  const rowId = varint(page, size.end);
  const here = bytesOnLeaf(size.value, pages.usable);
  if (size.value > PAYLOAD_BYTES_MAX) throw new Error("A row is too long.");
  const parts = [page.subarray(rowId.end, rowId.end + here)];
  let next = here === size.value ? 0 : page.readUInt32BE(rowId.end + here);
  for (let left = size.value - here; left > 0; left -= pages.usable - 4) {
    const overflow = await pages.page(next);
    parts.push(overflow.subarray(4, 4 + Math.min(left, pages.usable - 4)));
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

// The rule of the file format for payloads of tables.
function bytesOnLeaf(size: number, usable: number): number {
  const most = usable - 35;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

function recordOf(payload: Buffer): SqlValue[] {
  const header = varint(payload, 0);
  const values: SqlValue[] = [];
  let body = header.value;
  for (let at = header.end; at < header.value; ) {
    const type = varint(payload, at);
    const size = type.value >= 12 ? Math.floor((type.value - 12) / 2) : (NUMBER_BYTES[type.value] ?? 0);
    values.push(valueIn(type.value, payload.subarray(body, body + size)));
    at = type.end;
    body += size;
  }
  return values;
}

/** By the type of a value: integers, and 7 for a float. */
const NUMBER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8] as const;

function valueIn(type: number, bytes: Buffer): SqlValue {
  if (type >= 13 && type % 2 === 1) return bytes.toString("utf8");
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type >= 1 && type <= 5) return bytes.readIntBE(0, bytes.length);
  return type === 8 ? 0 : type === 9 ? 1 : null;
}

/** Seven bits a byte, the highest says that more follow; the ninth byte counts whole. */
function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return { value: value * 256 + bytes.readUInt8(at + 8), end: at + 9 };
}
