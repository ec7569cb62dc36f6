// One prompt from standard input, without ever hanging on an input that nobody writes to or nobody closes.

/** How long to wait for the first byte of an input that stays open but empty. */
const FIRST_BYTE_MS = 1_500;
/** How long to wait for more once something came; a writer that pauses longer is taken at its word so far. */
const NEXT_BYTE_MS = 5_000;
const PROMPT_BYTES_MAX = 4 * 1024 * 1024;

/** The text, trimmed; null when there is none. */
export function promptFromStdin(): Promise<string | null> {
  const { stdin } = process;
  if (stdin.isTTY) return Promise.resolve(null);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      stdin.off("data", take).off("end", finish).off("error", finish);
      stdin.pause();
      const text = Buffer.concat(chunks).toString("utf8").trim();
      resolve(text === "" ? null : text);
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      clearTimeout(timer);
      if (bytes >= PROMPT_BYTES_MAX) finish();
      else timer = setTimeout(finish, NEXT_BYTE_MS);
    };
    let timer = setTimeout(finish, FIRST_BYTE_MS);
    stdin.on("data", take).on("end", finish).on("error", finish);
  });
}
