// Reads the body of a request within a bound. What is announced as too long is refused before a byte of it is read; what
// turns out too long is refused when it is; what is no UTF-8 is refused too.
import { HttpRefusal } from "./route.js";

/** The body is asked for only when there is one to read. */
export type BodySource = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export async function readBodyText(headers: Headers, bytesMax: number, body: BodySource): Promise<string> {
  const announced = headers.get("content-length");
  if (Number(announced ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (announced === "0") return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBody(body(), bytesMax));
  } catch (error) {
    if (error instanceof HttpRefusal) throw error;
    throw new HttpRefusal(400, "the body ended early or is not UTF-8");
  }
}

async function readBody(body: ReturnType<BodySource>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(bytesMax: number): HttpRefusal {
  return new HttpRefusal(413, `the body is larger than ${bytesMax} bytes`);
}
