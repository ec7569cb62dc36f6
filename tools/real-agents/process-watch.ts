// Finds every process that a run started, however far it has wandered. A variable in the environment marks them, and
// children inherit it whoever their parent is now; those that clean their environment are still somebody's children at the
// moment somebody looks. Works where /proc does.
import { readdirSync, readFileSync } from "node:fs";

export const MARK_VARIABLE = "PALAVER_REAL_AGENTS_RUN";

type Row = { readonly pid: number; readonly parent: number; readonly startedAt: string; readonly isDead: boolean };

export class ProcessWatch {
  readonly mark: string;
  /** A number may be given to another process later; together with its start it names one for good. */
  private readonly seen = new Set<string>();

  constructor(mark: string) {
    this.mark = mark;
  }

  /** Remembers whom the process has started so far. */
  look(rootPid: number): void {
    const rows = processRows();
    const family = new Set([rootPid]);
    // A parent may come after its child in the table, so that it is gone through until nobody new is found.
    for (let size = 0; size !== family.size; ) {
      size = family.size;
      for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
    }
    for (const row of rows) if (family.has(row.pid)) this.seen.add(nameOf(row));
  }

  /** Those that still run, with their commands. */
  left(): { readonly pid: number; readonly command: string }[] {
    const rows = processRows().filter(({ isDead }) => !isDead);
    const found = rows.filter((row) => this.seen.has(nameOf(row)) || isMarked(row.pid, this.mark));
    return found.map(({ pid }) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() }));
  }
}

function nameOf({ pid, startedAt }: Row): string {
  return `${pid}@${startedAt}`;
}

function isMarked(pid: number, mark: string): boolean {
  return read(`/proc/${pid}/environ`).split("\0").includes(`${MARK_VARIABLE}=${mark}`);
}

// "12 (a name) S 1 …": the name may hold anything, so that the fields are counted from behind its last parenthesis.
function processRows(): Row[] {
  return readdirSync("/proc").flatMap((name): Row[] => {
    if (!/^\d+$/.test(name)) return [];
    const stat = read(`/proc/${name}/stat`);
    if (stat === "") return [];
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    return [{ pid: Number(name), parent: Number(fields[1]), startedAt: fields[19] ?? "", isDead }];
  });
}

// A process may end while we look, or belong to somebody else.
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
