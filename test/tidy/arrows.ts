// Holds the arrows between rooms: what a file in src/ imports, types included, must be allowed to its room.
import { type Import, importsOf, packageOf, resolveImport } from "./imports.js";
import { type Room, rooms, roomsWithoutReadline } from "./rooms.js";
import { type Finding, roomOf, type SourceFile } from "./source-file.js";

export function checkArrows(file: SourceFile): Finding[] {
  if (!file.path.startsWith("src/")) return [];
  const name = roomOf(file.path) ?? "";
  const room = rooms[name];
  if (room === undefined) {
    const message = `src/${name} is no room of the house: move the file, or draw the room in test/tidy/rooms.ts`;
    return [{ path: file.path, line: 1, message }];
  }
  return importsOf(file).flatMap((imported) => {
    const message = objection(file.path, name, room, imported);
    return message === undefined ? [] : [{ path: file.path, line: imported.line, message }];
  });
}

function objection(path: string, name: string, room: Room, { specifier }: Import): string | undefined {
  const target = resolveImport(path, specifier);
  if (target !== undefined) return objectionToRoom(name, room, target, specifier);
  if (specifier.startsWith("node:")) return objectionToNode(name, room, specifier);
  const pack = packageOf(specifier);
  if (room.packages === "all" || room.packages.includes(pack)) return undefined;
  return `${name}/ may not import the package ${pack}: ${listed(room.packages, "no package")}`;
}

function objectionToRoom(name: string, room: Room, target: string, specifier: string): string | undefined {
  const other = roomOf(target);
  if (other === name) return undefined;
  if (other === undefined) return `"${specifier}" leads out of the rooms: product code imports product code only`;
  if (room.rooms === "all" || [other, target.replace(/^src\//, "")].some((each) => room.rooms.includes(each)))
    return undefined;
  return `${name}/ may not import ${other}/: ${listed(room.rooms, "no other room")}`;
}

function objectionToNode(name: string, room: Room, specifier: string): string | undefined {
  if (room.pure) return `${name}/ is pure and may not import ${specifier}: let it arrive as a port`;
  if (/^node:readline\b/.test(specifier) && roomsWithoutReadline.includes(name)) {
    return `${name}/ may not read lines with ${specifier}: agents/dialects splits frames on the newline byte`;
  }
  return undefined;
}

function listed(allowed: readonly string[], none: string): string {
  return `it may import ${allowed.length === 0 ? none : allowed.join(", ")}`;
}
