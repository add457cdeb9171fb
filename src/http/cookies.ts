// Cookies that grant read access to machines. They are hidden from scripts and not sent by other sites, and grant no
// writes.

import type Koa from 'koa';
import type { Cookie } from '../operations/operation.ts';

/** Path prefix of all machine routes. */
const PATH = '/api/chain';

/** The value of a cookie in the Cookie header. */
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
