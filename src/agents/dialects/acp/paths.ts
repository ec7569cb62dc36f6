// Paths as text, without a file system: enough to compare what was allowed with what is wanted, and to show short names.
// Where a path really leads is found out by the link, which can see links. A backslash separates names only on Windows,
// which a drive in front of the folder tells; elsewhere it is a letter like any other: `x\..` is one folder.

/** Absolute, with `.` and `..` worked out, as the machine of `base` reads it. */
export function absolutePath(path: string, base: string): string {
  const isWhole = path.startsWith("/") || (hasDrive(base) && hasDrive(path));
  return tidyPath(isWhole ? path : `${base}/${path}`);
}

/** A path that is absolute already, with `.` and `..` worked out; a path of Windows keeps its drive. */
export function tidyPath(path: string): string {
  const drive = hasDrive(path) ? path.slice(0, 2) : "";
  const parts: string[] = [];
  for (const part of path.slice(drive.length).split(drive === "" ? "/" : /[/\\]/)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `${drive}/${parts.join("/")}`;
}

export function isInside(path: string, folder: string): boolean {
  const base = tidyPath(folder);
  return path === base || path.startsWith(base === "/" ? base : `${base}/`);
}

/** As short as it can be without doubt: relative inside the folder, whole outside of it. */
export function shownPath(path: string, folder: string): string {
  const whole = absolutePath(path, folder);
  const base = tidyPath(folder);
  return isInside(whole, base) && whole !== base ? whole.slice(base === "/" ? 1 : base.length + 1) : whole;
}

function hasDrive(path: string): boolean {
  return /^[A-Za-z]:[/\\]/.test(path);
}
