// Cookies that open machines for reading. No script sees them, no other site makes a browser send them, nothing is written with them.

import type Koa from 'koa';
import type { Cookie } from '../operations/operation.ts';

/** Where machines are read. */
const PATH = '/api/chain';

/** The value of one cookie of a request. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

export function setCookie(context: Koa.Context, { name, value, maxAgeSeconds }: Cookie, baseUrl: string): void {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const cookie = `${name}=${value}; Path=${PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  context.append('Set-Cookie', cookie);
}
