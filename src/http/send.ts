// Sends the result of an operation: JSON or another media type, with its caching headers.

import { transcode } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type Koa from 'koa';
import { isMedia, isStreamedContent, isTypedContent, type Operation } from '../operations/operation.ts';

const CACHE_CONTROL = { immutable: 'public, max-age=31536000, immutable', etag: 'no-cache', none: 'no-store' };

/** Limits and counts the bytes of an answer. */
export type Meter = (chunks: AsyncIterable<string>) => AsyncIterable<Buffer>;

export function sendJson(context: Koa.Context, operation: Operation, text: string): void {
  context.res.setHeader('content-type', 'application/json; charset=utf-8');
  send(context, operation, WIDE.test(text) ? utf8Of(text) : text);
}

/** A character outside of Latin-1. V8 keeps such a text in UTF-16. */
const WIDE = /[^\0-\xff]/;

/** As `Buffer.from(text)`, which takes four times as long for UTF-16. */
const utf8Of = (text: string) => transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8');

export function sendMedia(context: Koa.Context, operation: Operation, result: unknown, meter: Meter): void {
  if (isMedia(operation.output)) {
    const { mediaType, download } = operation.output;
    context.res.setHeader('content-type', mediaType);
    if (download !== undefined) context.res.setHeader('content-disposition', `attachment; filename="${download}"`);
  }
  if (isTypedContent(result)) {
    // User uploads: the policy keeps a browser from running them as a page.
    context.res.setHeader('content-type', result.mediaType);
    context.res.setHeader('content-security-policy', "default-src 'none'; sandbox");
  }
  if (isStreamedContent(result)) {
    setCaching(context, operation, result.etag);
    // The chunks of a HEAD request, or of a known answer, are never made.
    if (context.status !== 304) context.body = Readable.from(context.method === 'HEAD' ? [] : meter(result.chunks));
    return;
  }
  const content = isTypedContent(result) ? result.bytes : result;
  send(context, operation, content instanceof Uint8Array ? Buffer.from(content) : String(content));
}

function send(context: Koa.Context, operation: Operation, content: string | Buffer): void {
  const isCached = operation.caching !== undefined && operation.caching !== 'none';
  setCaching(context, operation, isCached ? createHash('sha256').update(content).digest('base64url') : '');
  if (context.status !== 304) context.body = content;
}

/** Sets the caching headers, and status 304 if the client has the content. */
function setCaching(context: Koa.Context, { caching = 'none' }: Operation, etag: string): void {
  context.res.setHeader('cache-control', CACHE_CONTROL[caching]);
  if (caching === 'none') return;
  context.set('ETag', `"${etag.slice(0, 22)}"`);
  if (context.fresh) context.status = 304;
}
