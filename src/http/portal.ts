// The built portal: a few files kept in memory and answered without counting, with a policy of their own.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type Koa from 'koa';

/** Paths that the portal's own router answers; index.html is behind all of them. */
const PAGES = /^\/(solve(\/[a-z0-9-]+)?|verify|pulse|keys|reference)?$/;

/** Nothing but this node's own files: no inline script, no eval, no other host. Workers are held to it too. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The verifier is a file to keep: opened from here it may do nothing but run its own script. */
const VERIFIER_POLICY = "sandbox allow-scripts allow-downloads; default-src 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

const IMMUTABLE = 'public, max-age=31536000, immutable';

interface Built {
  readonly bytes: Buffer;
  readonly zipped: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Kernel {
  readonly slug: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Answers a GET or HEAD of one of its files. @returns false if the path is not the portal's */
export type Portal = (context: Koa.Context) => boolean;

/**
 * @param folder  what scripts/build-portal.ts wrote; undefined is returned while there is nothing
 * @param kernels  served under /kernels/, as src/kernels/load-browser.ts wants them
 */
export function openPortal(folder: string, kernels: readonly Kernel[]): Portal | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = new Map<string, Built>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (extname(name) in TYPES) files.set(`/${name}`, builtFile(`/${name}`, readFileSync(join(folder, name))));
  }
  for (const [path, bytes] of kernelFiles(kernels)) files.set(path, builtFile(path, bytes));
  const index = files.get('/index.html');
  return (context) => {
    const file = PAGES.test(context.path) ? index : files.get(context.path);
    if (!file) return false;
    send(context, file);
    return true;
  };
}

function kernelFiles(kernels: readonly Kernel[]): [string, Buffer][] {
  const manifest = { kernels: Object.fromEntries(kernels.map(({ slug, sha256 }) => [slug, { sha256 }])) };
  return [
    ['/kernels/manifest.json', Buffer.from(JSON.stringify(manifest))],
    ...kernels.map(({ slug, bytes }): [string, Buffer] => [`/kernels/${slug}.wasm`, Buffer.from(bytes)]),
  ];
}

function builtFile(path: string, bytes: Buffer): Built {
  const zipped = gzipSync(bytes, { level: 9 });
  const isDownload = path === '/verifier.html';
  return {
    bytes,
    zipped: zipped.length < bytes.length ? zipped : undefined,
    headers: {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': isDownload ? VERIFIER_POLICY : POLICY,
      'cache-control': path.startsWith('/assets/') ? IMMUTABLE : 'no-cache',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      ...(isDownload ? { 'content-disposition': 'attachment; filename="svc-verifier.html"' } : {}),
    },
  };
}

function send(context: Koa.Context, { bytes, zipped, headers }: Built): void {
  for (const [name, value] of Object.entries(headers)) context.res.setHeader(name, value);
  context.res.setHeader('vary', 'Accept-Encoding');
  context.status = 200;
  if (context.fresh) {
    context.status = 304;
    return;
  }
  const isZipped = zipped !== undefined && context.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isZipped) context.res.setHeader('content-encoding', 'gzip');
  context.body = isZipped ? zipped : bytes;
}
