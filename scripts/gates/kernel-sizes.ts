// Compressed sizes of the kernels, which a browser downloads before its first number.
//
// A page loads one kernel, so there is no limit for all of them together. Up to DEFAULT_BYTES one costs less than the
// pictures of its page. A larger one states its own limit and the reason, in a comment of its source that starts with:
//
//   // Compressed size: at most 28 kB, because …

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesOf, type Gate } from './gate.ts';

const DEFAULT_BYTES = 16_000;
/** A stated limit is less than this times the size, so that growth is noticed. */
const MAX_SLACK = 1.25;

const LIMIT = /^\/\/ Compressed size: at most (\d+) kB, because ./m;

export const kernelSizes: Gate = {
  name: 'kernel sizes',
  async run(root) {
    const sizes = filesOf(root, ['build/kernels/*.wasm']).map((file) => ({
      slug: basename(file, '.wasm'),
      bytes: gzipSync(readFileSync(join(root, file)), { level: 9 }).length,
    }));
    const faults = sizes.flatMap(({ slug, bytes }) => faultOf(slug, bytes, statedLimit(root, slug)) ?? []);
    const figures = sizes.map(({ slug, bytes }) => `${slug} ${(bytes / 1000).toFixed(1)}`).join(', ');
    return { counted: sizes.length, unit: `kernels, in kB: ${figures}`, faults };
  },
};

/** In bytes; undefined if the source of the kernel states none. */
function statedLimit(root: string, slug: string): number | undefined {
  const path = [`assembly/solvers/${slug}.ts`, `assembly/${slug}.ts`].map((one) => join(root, one)).find(existsSync);
  const [, kilobytes] = (path && LIMIT.exec(readFileSync(path, 'utf8'))) || [];
  return kilobytes === undefined ? undefined : 1000 * Number(kilobytes);
}

function faultOf(slug: string, bytes: number, stated: number | undefined): string | undefined {
  if (bytes > (stated ?? DEFAULT_BYTES)) {
    const origin = stated === undefined ? 'without a limit of its own' : 'that its source states';
    return `${slug} has ${bytes} compressed bytes, more than the ${stated ?? DEFAULT_BYTES} ${origin}`;
  }
  if (stated === undefined) return undefined;
  if (bytes <= DEFAULT_BYTES) return `${slug} has ${bytes} compressed bytes and needs no limit of its own`;
  return stated > MAX_SLACK * bytes
    ? `${slug} has ${bytes} compressed bytes, and a limit of ${stated} notices no growth`
    : undefined;
}
