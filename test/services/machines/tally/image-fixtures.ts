// Fixture: small images with metadata. JPEG and WebP were encoded once by mozjpeg and libwebp from one of 6 × 4 pixels;
// PNG is made here.

import { crc32, deflateSync } from 'node:zlib';

const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAAoACgAKAAoACsAKAAtADIAMgAtAD8ARAA8AEQAPwBdAFUATgBOAFUAXQCMAGQAbABkAGwAZACMANUAhQCbAIUAhQCbAIUA1QC8AOQAuQCtALkA5AC8AVIBCQDrAOsBCQFSAYYBSAE2AUgBhgHZAacBpwHZAlMCNQJTAwoDCgQVEQAoACgAKAAoACsAKAAtADIAMgAtAD8ARAA8AEQAPwBdAFUATgBOAFUAXQCMAGQAbABkAGwAZACMANUAhQCbAIUAhQCbAIUA1QC8AOQAuQCtALkA5AC8AVIBCQDrAOsBCQFSAYYBSAE2AUgBhgHZAacBpwHZAlMCNQJTAwoDCgQV/8IAEQgABAAGAwEiAAIRAQMRAf/EACYAAQAAAAAAAAAAAAAAAAAAAAABAQAAAAAAAAAAAAAAAAAAAAP/2gAMAwEAAhADEAAAAAN//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPwB//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPwB//8QAGBEAAgMAAAAAAAAAAAAAAAAAAAIBETL/2gAIAQMBAT8AVErMH//Z',
  'base64',
);
const WEBP_FRAME = Buffer.from('VlA4ICgAAABwAQCdASoGAAQABABoJagCdAG+gACbjCaSc2Y32Arx9PBs+a7jDgAA', 'base64');

function pngChunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** 8-bit RGBA of these bytes, with a text chunk. @param header  dimensions to write into the header */
export function png(width: number, height: number, text = '', header = { width, height }): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(header.width, 0);
  head.writeUInt32BE(header.height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const line = 1 + 4 * width;
  const pixels = Buffer.alloc(line * height, 0x7f);
  for (let y = 0; y < height; y++) pixels[y * line] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    ...(text === '' ? [] : [pngChunk('tEXt', Buffer.from(`Comment\0${text}`))]),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** 6 × 4 pixels. @param orientation  Exif value; 6 is rotated by 90° */
export function jpeg(text = '', orientation = 1): Buffer {
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01', 'latin1'),
    Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);
  const more = [segment(0xe1, exif), segment(0xfe, Buffer.from(text))];
  return Buffer.concat([JPEG.subarray(0, 2), ...(text === '' ? [] : more), JPEG.subarray(2)]);
}

function riffChunk(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** 6 × 4 pixels; with a text, in the extended form. */
export function webp(text = ''): Buffer {
  const canvas = Buffer.from([0x08, 0, 0, 0, 5, 0, 0, 3, 0, 0]);
  const chunks =
    text === '' ? [WEBP_FRAME] : [riffChunk('VP8X', canvas), WEBP_FRAME, riffChunk('EXIF', Buffer.from(text))];
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}
