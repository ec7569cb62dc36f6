// Images attached to a message: encodes them in base64 and enforces their limits.

export interface Attachment {
  readonly name: string;
  readonly data: string;
  readonly mime_type: string;
  /** For the preview. */
  readonly url: string;
}

const BYTES_MAX = 5 * 1024 * 1024;
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

export async function attachmentsOf(
  files: readonly File[],
  isTaken: boolean,
): Promise<{ attachments: readonly Attachment[]; problem: string }> {
  if (!isTaken) return { attachments: [], problem: "this agent takes no pictures" };
  const fit = files.filter(({ type, size }) => TYPES.test(type) && size <= BYTES_MAX);
  const attachments = await Promise.all(fit.map(read));
  const problem =
    fit.length === files.length ? "" : "only PNG, JPEG, GIF and WebP pictures of at most 5 MB can be sent";
  return { attachments, problem };
}

async function read(file: File): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  const STEP = 32_768;
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return { name: file.name, data: btoa(text), mime_type: file.type, url: URL.createObjectURL(file) };
}
