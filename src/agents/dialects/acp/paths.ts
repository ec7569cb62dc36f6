// Path arithmetic without a file system: compares and shortens paths. A backslash is a separator only below a Windows drive;
// elsewhere it is an ordinary character, so `x\..` is one folder. The link resolves symbolic links.

/** Absolute and normalized, as the system of `base` reads it. */
export function absolutePath(path: string, base: string): string {
  const isWhole = path.startsWith("/") || (hasDrive(base) && hasDrive(path));
  return tidyPath(isWhole ? path : `${base}/${path}`);
}

/** Normalizes an absolute path; a Windows path keeps its drive. */
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

/** Relative inside the folder, absolute outside it. */
export function shownPath(path: string, folder: string): string {
  const whole = absolutePath(path, folder);
  const base = tidyPath(folder);
  return isInside(whole, base) && whole !== base ? whole.slice(base === "/" ? 1 : base.length + 1) : whole;
}

function hasDrive(path: string): boolean {
  return /^[A-Za-z]:[/\\]/.test(path);
}
