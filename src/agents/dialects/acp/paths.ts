// Paths as text, without a file system: enough to compare what was allowed with what is wanted, and to show short names.
// Where a path really leads is found out by the link, which can see links.

/** Absolute, with `.` and `..` worked out; a path of Windows keeps its drive. */
export function absolutePath(path: string, base: string): string {
  const whole = isAbsolute(path) ? path : `${base}/${path}`;
  const drive = /^[A-Za-z]:/.exec(whole)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of whole.slice(drive.length).split(/[/\\]/)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `${drive}/${parts.join("/")}`;
}

export function isInside(path: string, folder: string): boolean {
  const base = absolutePath(folder, "/");
  return path === base || path.startsWith(base === "/" ? base : `${base}/`);
}

/** As short as it can be without doubt: relative inside the folder, whole outside of it. */
export function shownPath(path: string, folder: string): string {
  const whole = absolutePath(path, folder);
  const base = absolutePath(folder, "/");
  return isInside(whole, base) && whole !== base ? whole.slice(base === "/" ? 1 : base.length + 1) : whole;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[/\\]/.test(path);
}
