// Base64 by btoa, for browsers. Imported as `#base64`; Node gets base64-node.ts.

// `String.fromCharCode(...bytes)` overflows the stack for large inputs.
const CHUNK = 8_192;

/** Base64 of RFC 4648 §4, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode.apply(null, bytes.subarray(from, from + CHUNK) as unknown as number[]);
  }
  return btoa(binary);
}
