// What the pure rooms may use of the platform beyond the language: text codecs, and nothing else.
// Only `tsconfig.pure.json` reads this file; everything else gets these from Node's types.
declare class TextDecoder {
  constructor(label?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare function atob(base64: string): string;
declare function btoa(bytes: string): string;
