// Reads the body of a request within a bound. What is announced as too long is refused before a byte of it is read; what
// turns out too long is refused when it is; what is no UTF-8 is refused too.
import { HttpRefusal } from "./route.js";

export async function readBodyText(request: Request, bytesMax: number): Promise<string> {
  const tooLarge = () => new HttpRefusal(413, `the body is larger than ${bytesMax} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new HttpRefusal(400, "the body is not UTF-8");
  }
}
