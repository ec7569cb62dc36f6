// Reads the body of a request within a bound. What is announced as too long is refused before a byte of it is read; what
// turns out too long is refused when it is; what is no UTF-8 is refused too.
import { HttpRefusal } from "./route.js";

export async function readBodyText(request: Request, bytesMax: number): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBody(request, bytesMax));
  } catch (error) {
    if (error instanceof HttpRefusal) throw error;
    throw new HttpRefusal(400, "the body ended early or is not UTF-8");
  }
}

// A length that was announced is held to by the server itself, so that body can be read in one go, which is much faster.
async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (announced !== null) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(bytesMax: number): HttpRefusal {
  return new HttpRefusal(413, `the body is larger than ${bytesMax} bytes`);
}
