// File system errors in words that a model and a user can act on.

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be accessed: permission denied",
  EPERM: "may not be changed: operation not permitted",
  ENOTDIR: "has a file where a folder should be",
  EISDIR: "is a folder",
  EEXIST: "already exists",
  ELOOP: "is a link that leads back to itself",
  ENAMETOOLONG: "has a name that is too long",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: the disk is read-only",
  EMFILE: "cannot be opened: too many files are open",
  EXDEV: "cannot be replaced across file systems",
  ENXIO: "is not a regular file",
  EAGAIN: "gives nothing to read at the moment",
};

export function systemProblem(error: unknown, path: string): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return `${path} ${WORDS[code] ?? `failed: ${message}`}.`;
}

/** Errors of the vm module come from another realm, so that this looks at the field and not at the class. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
