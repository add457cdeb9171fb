// Serves the built portal from memory, exempt from the rate limit, with its own Content-Security-Policy.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type Koa from 'koa';

/** Only this node's files: no inline script, no eval, no other host. Applies to workers too. */
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

/** The verifier is a download; when opened from this node it may only run its own script. */
const VERIFIER_POLICY = "sandbox allow-scripts allow-downloads; default-src 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Paths for programs, which always receive JSON errors. */
const PROGRAM_PATHS = /^\/(api|assets|kernels)(\/|$)/;

const DOC_PATHS = /^\/(docs|reference)(\/|$)/;

const IMMUTABLE = 'public, max-age=31536000, immutable';

interface PortalFile {
  readonly bytes: Buffer;
  /** Compressed when it is first asked for; undefined if that makes it no smaller. */
  zipped(): Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Kernel {
  readonly slug: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface Portal {
  /** Serves GET or HEAD of a portal file. @returns false if the path is not the portal's */
  serve(context: Koa.Context): boolean;
  /** Serves the 404 page to clients that prefer HTML to JSON. @returns false for all others */
  serveNotFound(context: Koa.Context): boolean;
}

/**
 * @param folder  output of scripts/build-portal.ts
 * @param kernels  served under /kernels/, where src/kernels/load-browser.ts loads them
 * @param isPage  paths of the portal's pages
 * @returns undefined if the portal is not built
 */
export function openPortal(
  folder: string,
  kernels: readonly Kernel[],
  isPage: (path: string) => boolean,
): Portal | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = new Map<string, PortalFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (extname(name) in TYPES) files.set(`/${name}`, portalFile(`/${name}`, readFileSync(join(folder, name))));
  }
  for (const [path, bytes] of kernelFiles(kernels)) files.set(path, portalFile(path, bytes));
  const index = files.get('/index.html');
  // A page of the documentation or the API reference has an HTML file of its own, and exists only with one.
  const pageAt = (path: string) => (DOC_PATHS.test(path) ? files.get(`${path}.html`) : index);
  return {
    serve(context) {
      const file = isPage(context.path) ? pageAt(context.path) : files.get(context.path);
      if (!file) return false;
      send(context, file);
      return true;
    },
    serveNotFound(context) {
      if (!index || PROGRAM_PATHS.test(context.path) || context.accepts('json', 'html') !== 'html') return false;
      send(context, index, 404);
      return true;
    },
  };
}

function kernelFiles(kernels: readonly Kernel[]): [string, Buffer][] {
  const manifest = { kernels: Object.fromEntries(kernels.map(({ slug, sha256 }) => [slug, { sha256 }])) };
  return [
    ['/kernels/manifest.json', Buffer.from(JSON.stringify(manifest))],
    ...kernels.map(({ slug, bytes }): [string, Buffer] => [`/kernels/${slug}.wasm`, Buffer.from(bytes)]),
  ];
}

function portalFile(path: string, bytes: Buffer): PortalFile {
  let zipped: Buffer | undefined;
  const isDownload = path === '/verifier.html';
  return {
    bytes,
    zipped() {
      zipped ??= gzipSync(bytes, { level: 9 });
      return zipped.length < bytes.length ? zipped : undefined;
    },
    headers: {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': isDownload ? VERIFIER_POLICY : POLICY,
      'cache-control': path.startsWith('/assets/') ? IMMUTABLE : 'no-cache',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      ...(isDownload ? { 'content-disposition': 'attachment; filename="svc-verifier.html"' } : {}),
    },
  };
}

function send(context: Koa.Context, file: PortalFile, status: 200 | 404 = 200): void {
  for (const [name, value] of Object.entries(file.headers)) context.res.setHeader(name, value);
  context.res.setHeader('vary', status === 200 ? 'Accept-Encoding' : 'Accept, Accept-Encoding');
  context.status = status;
  if (context.fresh) {
    context.status = 304;
    return;
  }
  const zipped = context.acceptsEncodings('gzip', 'identity') === 'gzip' ? file.zipped() : undefined;
  if (zipped !== undefined) context.res.setHeader('content-encoding', 'gzip');
  context.body = zipped ?? file.bytes;
}
