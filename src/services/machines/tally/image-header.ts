// Reads format and dimensions of an image from its header, before decoding: a few hundred bytes can decode to
// gigabytes.
//
// PNG: ISO/IEC 15948, §11.2.2 (IHDR). JPEG: ITU-T T.81, annex B (the first frame header). WebP: RFC 9649, §2.5 to §2.7.

export interface ImageHeader {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** Undefined for other formats and for truncated or malformed headers. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(view) ?? jpeg(view) ?? webp(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // truncated header
    throw error;
  }
}

const PNG_SIGNATURE = 0x89504e470d0a1a0an;

function png(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 8 || view.getBigUint64(0) !== PNG_SIGNATURE || text(view, 12, 4) !== 'IHDR') return undefined;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** SOF0 to SOF15, except DHT, JPG and DAC, whose markers lie in that range. */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: TEM, RST0 to RST7, SOI. */
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

function jpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++; // fill byte
    } else if (isStandalone(marker)) {
      at += 2;
    } else if (isFrameHeader(marker)) {
      return { mediaType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    } else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) {
      return undefined;
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
}

function webp(view: DataView): ImageHeader | undefined {
  if (text(view, 0, 4) !== 'RIFF' || text(view, 8, 4) !== 'WEBP') return undefined;
  const mediaType = 'image/webp';
  switch (text(view, 12, 4)) {
    case 'VP8 ':
      return {
        mediaType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { mediaType, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function text(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, i) => view.getUint8(at + i)));
}
