// What a process in the sandbox sees, as data. Everything that is not named here is there and read-only. The two builders
// beside this file turn it into the arguments of bubblewrap and into a profile for macOS; nothing here touches the disk.

export type SandboxPolicy = {
  /** Where it may write; real paths. The workspace comes first. */
  readonly writable: readonly string[];
  /** Folders in whose place it sees an empty one that cannot be written: homes, sockets, drives. */
  readonly hidden: readonly string[];
  /** Folders in whose place it sees a private one of ours that lasts as long as the session: its home and /tmp. */
  readonly replaced: readonly { readonly at: string; readonly by: string }[];
  /** Files and folders below those two that it may read. */
  readonly visible: readonly string[];
  /**
   * Folders on the way to what is guarded or masked in the workspace. They can be written, and cannot be renamed: with a
   * folder of another name the next command would find what is in it unprotected.
   */
  readonly pinned: readonly string[];
  /** Below the workspace, and read-only all the same: they run code outside the sandbox later. */
  readonly guarded: readonly string[];
  /** Paths that must not come into being, for the same reason. */
  readonly forbidden: readonly string[];
  /** Files and folders that look empty: secrets, and sockets of other programs. */
  readonly masked: readonly { readonly path: string; readonly kind: "file" | "folder" }[];
  /** An empty file and an empty folder, to put over others. */
  readonly empty: { readonly file: string; readonly folder: string };
  readonly network: "none" | "shared";
};
