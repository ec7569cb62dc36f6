// A disk whose power fails: a file system of its own in a file. What a program has synced is in that file; what it has only written is
// in the memory of the kernel. A copy of the file is what would be there after a power failure, and is mounted instead. Needs root.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";

const IMAGE_BYTES = 128 * 1024 * 1024;
/** The file system itself writes nothing by the clock, so that only what was synced is kept. */
const COMMIT_SECONDS = 300;

export class PowerDisk {
  private readonly folder: string;
  private readonly image: string;
  private failures = 0;

  /** Throws where nothing can be mounted. */
  constructor(folder: string, image: string) {
    this.folder = folder;
    this.image = image;
    mkdirSync(folder, { recursive: true });
    writeFileSync(image, "");
    truncateSync(image, IMAGE_BYTES);
    run("mkfs.ext4", "-q", "-F", image);
    this.mount(image);
  }

  /** The programs that write here are stopped, and killed before `restore`. */
  failPower(): void {
    this.failures += 1;
    copyFileSync(this.image + this.suffix(-1), this.image + this.suffix());
  }

  restore(): void {
    this.unmount();
    this.mount(this.image + this.suffix());
  }

  unmount(): void {
    // Files of a killed daemon may still be open in this process.
    run("umount", "--lazy", this.folder);
  }

  private mount(image: string): void {
    run("mount", "-o", `loop,commit=${COMMIT_SECONDS}`, image, this.folder);
  }

  private suffix(by = 0): string {
    const count = this.failures + by;
    return count === 0 ? "" : `.${count}`;
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
}
