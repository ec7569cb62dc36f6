// Five takers in one process: each path that comes in is wanted by all of them, and what came of it goes back.
import { takeLock } from "../../src/system/file-lock.js";

process.on("message", async (path: string) => {
  const attempts = await Promise.all(Array.from({ length: 5 }, () => takeLock(path)));
  process.send?.(attempts.map(({ kind }) => kind));
});
