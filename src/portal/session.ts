// Session state: the visitor's API key, minted on first use, and the current rate limit.

import { signal } from '@preact/signals';
import { type ApiInput, type ApiName, type ApiOutput, type CallOptions, createClient } from '../client/client.ts';
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

/** Keeps a demo key after the tab is closed, and an account's key only until then: beside it the demo key stays. */
export function storeKey(apiKey: ApiKey | undefined): void {
  currentKey.value = apiKey;
  if (apiKey?.isDemo !== false) localStorage.removeItem(STORAGE_KEY);
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
  const { key, keyPrefix, expires_at } = await callApi('demo-key.mint', {});
  const demoKey = { key, keyPrefix, isDemo: true, expiresAt: expires_at };
  storeKey(demoKey);
  return demoKey;
}

type VisitorCallOptions = Pick<CallOptions, 'key' | 'signal'>;

/** The client of this node. */
const client = () => createClient({ url: location.origin });

/** Calls an operation of this node. @throws DomainError from the node; Error if it does not respond */
export function callApi<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
  options: VisitorCallOptions = {},
): Promise<ApiOutput<Name>> {
  return client().call(name, input, { ...options, onHeaders: updateRateLimit });
}

/** Calls an operation with the visitor's key; replaces a rejected demo key and retries once. */
export async function callApiWithKey<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
  options: Omit<VisitorCallOptions, 'key'> = {},
): Promise<ApiOutput<Name>> {
  const apiKey = currentKey.value ?? (await mintDemoKey());
  try {
    return await callApi(name, input, { ...options, key: apiKey.key });
  } catch (error) {
    const isRejectedKey = error instanceof DomainError && error.code.startsWith('KEY_') && apiKey.isDemo;
    if (!isRejectedKey) throw error;
    return callApi(name, input, { ...options, key: (await mintDemoKey()).key });
  }
}

/** Calls an operation with the visitor's key if there is one, without creating a key. */
export function callApiAsVisitor<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
  signal?: AbortSignal,
): Promise<ApiOutput<Name>> {
  return callApi(name, input, { key: currentKey.value?.key, signal });
}

/** Calls an operation with a stored key; a new demo key would not be a member of any machine. */
export async function callApiAsMember<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
): Promise<ApiOutput<Name>> {
  if (currentKey.value === undefined)
    throw new DomainError('AUTH_REQUIRED', 'This requires the key of a member of the machine. Enter a key under Keys.');
  return callApiAsVisitor(name, input);
}

/** Opens a response that is text or a stream, with the visitor's key if there is one. */
export function openApi(
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return client().open(name, input, { ...options, key: currentKey.value?.key, onHeaders: updateRateLimit });
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
