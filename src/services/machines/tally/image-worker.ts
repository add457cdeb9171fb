// Worker that decodes and re-encodes an image, then exits. Re-encoding strips metadata; the worker isolates the codecs
// from the service, since the bytes are untrusted. The only file that uses the codecs.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js';
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import encodeWebp, { init as initWebpEncoder } from '@jsquash/webp/encode.js';
import { compileKernel } from '../../../kernels/instance.ts';
import type { ImageHeader } from './image-header.ts';

export interface ImageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: ImageHeader['mediaType'];
}

export type ImageReport =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly width: number; readonly height: number }
  | { readonly fault: string };

async function loadModule(path: string) {
  const bytes = await readFile(fileURLToPath(import.meta.resolve(`@jsquash/${path}`)));
  return (await compileKernel({ slug: path, sha256: '', bytes: new Uint8Array(bytes) })).module;
}

type Picture = Awaited<ReturnType<typeof decodeWebp>>;

const CODECS: Record<
  ImageTask['mediaType'],
  { decode(bytes: ArrayBuffer): Promise<Picture>; encode(image: Picture): Promise<ArrayBuffer> }
> = {
  'image/png': {
    async decode(bytes) {
      await initPngDecoder(await loadModule('png/codec/pkg/squoosh_png_bg.wasm'));
      return decodePng(bytes);
    },
    async encode(image) {
      await initPngEncoder(await loadModule('png/codec/pkg/squoosh_png_bg.wasm'));
      return encodePng(image);
    },
  },
  'image/jpeg': {
    async decode(bytes) {
      await initJpegDecoder(await loadModule('jpeg/codec/dec/mozjpeg_dec.wasm'));
      return decodeJpeg(bytes, { preserveOrientation: true });
    },
    async encode(image) {
      await initJpegEncoder(await loadModule('jpeg/codec/enc/mozjpeg_enc.wasm'));
      return encodeJpeg(image, { quality: 85 });
    },
  },
  'image/webp': {
    async decode(bytes) {
      await initWebpDecoder(await loadModule('webp/codec/dec/webp_dec.wasm'));
      return decodeWebp(bytes);
    },
    async encode(image) {
      await initWebpEncoder(await loadModule('webp/codec/enc/webp_enc_simd.wasm'));
      return encodeWebp(image, { quality: 85 });
    },
  },
};

async function reencode({ bytes, mediaType }: ImageTask): Promise<ImageReport> {
  const { decode, encode } = CODECS[mediaType];
  try {
    const image = await decode(bytes.slice().buffer);
    const { width, height } = image;
    return { bytes: new Uint8Array(await encode(image)), width, height };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await reencode(workerData as ImageTask));
