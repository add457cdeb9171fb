// One service in memory for a test file, callers of every kind, and a record of all that came out of it.

import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect } from 'vitest';
import type { CompositionOptions } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { type Clock, isoFromNs, systemClock } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { openLog } from '../../src/log.ts';
import { listen, type RunningService } from '../../src/server.ts';
import type { KeyRequest } from '../../src/services/access/keys.ts';
import { SealedBox } from '../../src/services/node/sealed-box.ts';
import { SecretRing } from '../../src/services/node/secret-ring.ts';

/** `admin`, `write`, `read`, `revoked` and `expired` belong to one account, `other` is admin of a second one. */
export const CALLERS = [
  'anonymous',
  'demo',
  'read',
  'write',
  'admin',
  'other',
  'revoked',
  'expired',
  'malformed',
] as const;
export type Caller = (typeof CALLERS)[number];

export interface Call {
  readonly as?: Caller | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, announced as JSON. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The body, which must be a JSON object. */
  json(): Json;
}

export interface TestService {
  readonly running: RunningService;
  readonly keys: Readonly<Record<Caller, string>>;
  /** Everything the service answered or logged, but for the answers that give out a key. */
  readonly produced: string[];
  /** What must never leave the service, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  call(route: string, call?: Call): Promise<Answer>;
}

const HOUR_NS = 3_600_000_000_000n;
const MANY = 1e9;
const UNLIMITED = Object.fromEntries(Object.keys(LIMITS.rate).map((tier) => [tier, MANY]));
/** Answers that hold a raw key, by design and once. */
const GIVES_KEY: ReadonlySet<string> = new Set(['POST /api/demo-key/mint', 'POST /api/keys']);

/** The clock of the machine, which a test may set forward. */
class ShiftedClock implements Clock {
  readonly source = 'shifted';
  readonly #machine = systemClock();
  #shift = 0n;

  now(): bigint {
    return this.#machine.now() + this.#shift;
  }

  forward(ns: bigint): void {
    this.#shift += ns;
  }
}

/** Start it now; it stops, and what it produced is searched for secrets, when the file is done. */
export async function startService(
  options: Partial<CompositionOptions> = {},
  /** Settings beside those of every test. */
  environment: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const masterKey = randomBytes(32);
  const produced: string[] = [];
  const clock = new ShiftedClock();
  const running = await listen({
    configuration: readConfiguration({ PORT: '0', SVC_MASTER_KEY: masterKey.toString('hex'), ...environment }),
    log: openLog('debug', { write: (line: string) => produced.push(line) }),
    clock,
    inMemory: true,
    rates: { ...LIMITS.rate, ...UNLIMITED },
    // Rows that come when they like would stand between those that tests count.
    notesRefusals: false,
    ...options,
  });
  const keys = await makeKeys(running, clock);
  const secrets = await secretsOf(running, masterKey, keys);
  const call = async (route: string, given: Call = {}) => {
    const answer = await send(running.url, keys, route, given);
    const isPrivate = GIVES_KEY.has(route) && answer.status < 300;
    produced.push(JSON.stringify([...answer.headers]), isPrivate ? '' : answer.text);
    return answer;
  };
  const service = { running, keys, produced, secrets, call };
  afterAll(async () => {
    await running.close();
    expect(leaksOf(service)).toEqual([]);
  });
  return service;
}

/** Names of the secrets that stand in what the service produced. */
export function leaksOf({ produced, secrets }: Pick<TestService, 'produced' | 'secrets'>): string[] {
  const all = produced.join('\n');
  return [...secrets].filter(([, secret]) => all.includes(secret)).map(([name]) => name);
}

async function makeKeys({ services }: RunningService, clock: ShiftedClock): Promise<Record<Caller, string>> {
  const asking = (scope: KeyRequest['scope']): KeyRequest => ({ name: scope, scope, rate_limit_tier: 'high' });
  const admin = (await services.keys.openAccount(asking('admin'))).key;
  const other = (await services.keys.openAccount(asking('admin'))).key;
  const owner = await services.access.authenticate(admin);
  const add = (asked: KeyRequest) => services.keys.create(owner, asked);
  const revoked = await add(asking('admin'));
  await services.keys.revoke(owner, revoked.record.id);
  const expired = await add({ ...asking('admin'), expires_at: isoFromNs(clock.now() + HOUR_NS) });
  clock.forward(2n * HOUR_NS);
  return {
    anonymous: '',
    demo: (await services.keys.mintDemo()).key,
    read: (await add(asking('read'))).key,
    write: (await add(asking('write'))).key,
    admin,
    other,
    revoked: revoked.key,
    expired: expired.key,
    malformed: `${admin.slice(0, -1)}${admin.endsWith('0') ? '1' : '0'}`,
  };
}

async function secretsOf(
  { storage, clock }: RunningService,
  masterKey: Buffer,
  keys: Readonly<Record<Caller, string>>,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  const add = (name: string, secret: Uint8Array) => {
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const)
      secrets.set(`${name}, ${encoding}`, Buffer.from(secret).toString(encoding).replace(/=+$/, ''));
  };
  add('master key', masterKey);
  const ring = new SecretRing({
    secrets: storage.secrets,
    transaction: storage.transaction,
    box: new SealedBox(masterKey, randomBytes),
    clock,
    randomBytes,
  });
  for (const purpose of ['receipt', 'seal'] as const)
    for (const { epoch, secret } of await ring.open(purpose)) add(`${purpose} secret ${epoch}`, secret);
  // A key may be shown as far as its prefix and eight characters.
  for (const [name, key] of Object.entries(keys))
    if (key !== '') secrets.set(`key ${name}`, key.slice(key.lastIndexOf('_') + 1 + 8));
  return secrets;
}

/** Plain node:http: `fetch` adds headers of its own, Cache-Control among them. A connection each, so none goes stale. */
function send(
  url: string,
  keys: Readonly<Record<Caller, string>>,
  route: string,
  { as = 'anonymous', json, body, headers = {} }: Call,
): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const content = json === undefined ? body : JSON.stringify(json);
  const { hostname, port } = new URL(url);
  const all = {
    ...(keys[as] === '' ? {} : { authorization: `Bearer ${keys[as]}` }),
    ...(content === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent: false, hostname, port, method, path, headers: all }, async (response) => {
      const bytes = await (isEndless(response) ? firstFrame(response) : buffer(response));
      const text = bytes.toString('utf8');
      const received = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const status = response.statusCode ?? 0;
      resolve({ status, headers: new Headers(received), bytes, text, json: () => asObject(text) });
    });
    sent.on('error', reject);
    sent.end(content);
  });
}

const isEndless = ({ headers }: IncomingMessage) => headers['content-type'] === 'text/event-stream';

/** Of a stream that goes on, what came with its first frame; the rest is not waited for. */
async function firstFrame(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk);
    if (Buffer.concat(chunks).includes('\ndata: ')) break;
  }
  return Buffer.concat(chunks);
}

function asObject(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${text} is no JSON object.`);
  return value as Json;
}
