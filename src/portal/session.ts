// Who asks: the visitor's key, minted when it is first needed, and what is left of the minute's requests.

import { signal } from '@preact/signals';
import { request } from '../client/request.ts';
import { DomainError } from '../core/errors.ts';

export interface Key {
  readonly key: string;
  readonly keyPrefix: string;
  readonly isDemo: boolean;
  readonly expiresAt?: string;
}

export interface Usage {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

const STORED = 'svc.key';

export const key = signal<Key | undefined>(readKey());
export const usage = signal<Usage | undefined>(undefined);

/** A demo key outlives the tab; a key of an account does not. */
export function keepKey(next: Key | undefined): void {
  key.value = next;
  localStorage.removeItem(STORED);
  sessionStorage.removeItem(STORED);
  if (next) (next.isDemo ? localStorage : sessionStorage).setItem(STORED, JSON.stringify(next));
}

function readKey(): Key | undefined {
  const text = sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED);
  try {
    const stored = text === null ? undefined : (JSON.parse(text) as Key);
    const isOver = stored?.expiresAt !== undefined && Date.parse(stored.expiresAt) <= Date.now();
    return isOver ? undefined : stored;
  } catch {
    return undefined;
  }
}

export async function mintDemoKey(): Promise<Key> {
  const body = await ask('POST', '/api/demo-key/mint', { body: {} });
  const minted = {
    key: String(body.key),
    keyPrefix: String(body.keyPrefix),
    isDemo: true,
    expiresAt: String(body.expires_at),
  };
  keepKey(minted);
  return minted;
}

interface Ask {
  readonly body?: unknown;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** One exchange with this node. @throws DomainError as the node refuses; Error if it does not answer */
export async function ask(method: string, path: string, options: Ask = {}): Promise<Record<string, unknown>> {
  const { body } = await request(new URL(path, location.origin), { method, ...options }, noteUsage);
  return body;
}

/** The same with the visitor's key. A demo key that the node no longer knows is replaced once. */
export async function askWithKey(
  method: string,
  path: string,
  options: Omit<Ask, 'key'> = {},
): Promise<Record<string, unknown>> {
  const mine = key.value ?? (await mintDemoKey());
  try {
    return await ask(method, path, { ...options, key: mine.key });
  } catch (error) {
    const isGone = error instanceof DomainError && error.code.startsWith('KEY_') && mine.isDemo;
    if (!isGone) throw error;
    return ask(method, path, { ...options, key: (await mintDemoKey()).key });
  }
}

/** RateLimit headers of draft-ietf-httpapi-ratelimit-headers-11. */
export function noteUsage(headers: Headers): void {
  const limit = /q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1];
  const [, remaining, reset] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (limit === undefined || remaining === undefined) return;
  usage.value = {
    limit: Number(limit),
    remaining: Number(remaining),
    resetsAtMs: Date.now() + Number(reset) * 1000,
  };
}
