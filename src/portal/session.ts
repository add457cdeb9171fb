// Session state: the visitor's API key, minted on first use, and the current rate limit.

import { signal } from '@preact/signals';
import { request } from '../client/request.ts';
import { DomainError } from '../core/errors.ts';

export interface ApiKey {
  readonly key: string;
  readonly keyPrefix: string;
  readonly isDemo: boolean;
  readonly expiresAt?: string;
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAtMs: number;
}

const STORAGE_KEY = 'svc.key';

export const currentKey = signal<ApiKey | undefined>(loadKey());
export const rateLimit = signal<RateLimit | undefined>(undefined);

/** Keeps a demo key after the tab is closed, and an account's key only until then. */
export function storeKey(apiKey: ApiKey | undefined): void {
  currentKey.value = apiKey;
  localStorage.removeItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  if (apiKey) (apiKey.isDemo ? localStorage : sessionStorage).setItem(STORAGE_KEY, JSON.stringify(apiKey));
}

function loadKey(): ApiKey | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
  try {
    const stored = text === null ? undefined : (JSON.parse(text) as ApiKey);
    const isExpired = stored?.expiresAt !== undefined && Date.parse(stored.expiresAt) <= Date.now();
    return isExpired ? undefined : stored;
  } catch {
    return undefined;
  }
}

export async function mintDemoKey(): Promise<ApiKey> {
  const body = await callApi('POST', '/api/demo-key/mint', { body: {} });
  const demoKey = {
    key: String(body.key),
    keyPrefix: String(body.keyPrefix),
    isDemo: true,
    expiresAt: String(body.expires_at),
  };
  storeKey(demoKey);
  return demoKey;
}

interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** Calls this node's API. @throws DomainError from the node; Error if it does not respond */
export async function callApi(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Record<string, unknown>> {
  const { body } = await request(new URL(path, location.origin), { method, ...options }, updateRateLimit);
  return body;
}

/** Calls the API with the visitor's key; replaces a rejected demo key and retries once. */
export async function callApiWithKey(
  method: string,
  path: string,
  options: Omit<CallOptions, 'key'> = {},
): Promise<Record<string, unknown>> {
  const apiKey = currentKey.value ?? (await mintDemoKey());
  try {
    return await callApi(method, path, { ...options, key: apiKey.key });
  } catch (error) {
    const isRejectedKey = error instanceof DomainError && error.code.startsWith('KEY_') && apiKey.isDemo;
    if (!isRejectedKey) throw error;
    return callApi(method, path, { ...options, key: (await mintDemoKey()).key });
  }
}

/** Reads the RateLimit headers of draft-ietf-httpapi-ratelimit-headers-11. */
export function updateRateLimit(headers: Headers): void {
  const limit = /q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1];
  const [, remaining, reset] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (limit === undefined || remaining === undefined) return;
  rateLimit.value = {
    limit: Number(limit),
    remaining: Number(remaining),
    resetsAtMs: Date.now() + Number(reset) * 1000,
  };
}
