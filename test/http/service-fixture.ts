// Fixture: an in-memory service for a test file, callers of every kind, and a record of all its output.

import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, TestRunner } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { type Clock, isoFromNs, systemClock } from '../../src/core/clock.ts';
import { openLog } from '../../src/log.ts';
import { type ListenOptions, listen, type RunningService } from '../../src/server.ts';
import type { KeyRequest } from '../../src/services/access/keys.ts';
import { SealedBox } from '../../src/services/node/sealed-box.ts';
import { SecretRing } from '../../src/services/node/secret-ring.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { otherDigit } from '../suites/other-digit.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

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
  /** Sent verbatim with a JSON content type. */
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
  /** All responses and log lines, except responses that return a key. */
  readonly produced: string[];
  /** Secrets that must not appear in `produced`, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  call(route: string, call?: Call): Promise<Answer>;
}

const HOUR_NS = 3_600_000_000_000n;
/** Routes whose responses contain a raw key. */
const RETURNS_KEY: ReadonlySet<string> = new Set(['POST /api/demo-key/mint', 'POST /api/keys']);

/** System clock with an offset that a test may increase. */
class ShiftedClock implements Clock {
  readonly source = 'shifted';
  readonly #machine = systemClock();
  #shift = 0n;

  now(): bigint {
    return this.#machine.now() + this.#shift;
  }

  advance(ns: bigint): void {
    this.#shift += ns;
  }
}

/** Starts the service. After the test, or those of the file, it stops, and its output is searched for secrets. */
export async function startService(
  options: Partial<ListenOptions> = {},
  /** Additional environment variables. */
  environment: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const { SVC_MASTER_KEY } = environment;
  const masterKey = SVC_MASTER_KEY === undefined ? randomBytes(32) : Buffer.from(SVC_MASTER_KEY, 'hex');
  const produced: string[] = [];
  const clock = new ShiftedClock();
  const running = await listen({
    configuration: readConfiguration({ PORT: '0', SVC_MASTER_KEY: masterKey.toString('hex'), ...environment }),
    log: openLog('debug', { write: (line: string) => produced.push(line) }),
    clock,
    ...(await inMemory()),
    rates: unlimitedRates(),
    // Asynchronous refusal rows would disturb the row counts of tests.
    logsRefusals: false,
    ...options,
  });
  const keys = await makeKeys(running, clock);
  const secrets = await secretsOf(running, masterKey, keys);
  const call = async (route: string, given: Call = {}) => {
    const answer = await send(running.url, keys, route, given);
    const isPrivate = RETURNS_KEY.has(route) && answer.status < 300;
    produced.push(JSON.stringify([...answer.headers]), isPrivate ? '' : answer.text);
    return answer;
  };
  const service = { running, keys, produced, secrets, call };
  const stop = async () => {
    await running.close();
    expect(leaksOf(service)).toEqual([]);
  };
  // Vitest ignores an `afterAll` that a test registers.
  if (TestRunner.getCurrentTest() === undefined) afterAll(stop);
  else onTestFinished(stop);
  return service;
}

/** Names of the secrets found in the output of the service. */
export function leaksOf({ produced, secrets }: Pick<TestService, 'produced' | 'secrets'>): string[] {
  const all = produced.join('\n');
  return [...secrets].filter(([, secret]) => all.includes(secret)).map(([name]) => name);
}

async function makeKeys({ services }: RunningService, clock: ShiftedClock): Promise<Record<Caller, string>> {
  const keyRequest = (scope: KeyRequest['scope']): KeyRequest => ({ name: scope, scope, rate_limit_tier: 'high' });
  const admin = (await services.keys.openAccount(keyRequest('admin'))).key;
  const other = (await services.keys.openAccount(keyRequest('admin'))).key;
  const owner = await services.access.authenticate(admin);
  const add = (request: KeyRequest) => services.keys.create(owner, request);
  const revoked = await add(keyRequest('admin'));
  await services.keys.revoke(owner, revoked.record.id);
  const expired = await add({ ...keyRequest('admin'), expires_at: isoFromNs(clock.now() + HOUR_NS) });
  clock.advance(2n * HOUR_NS);
  return {
    anonymous: '',
    demo: (await services.keys.mintDemo()).key,
    read: (await add(keyRequest('read'))).key,
    write: (await add(keyRequest('write'))).key,
    admin,
    other,
    revoked: revoked.key,
    expired: expired.key,
    malformed: admin.replace(/.$/, otherDigit),
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
  // The prefix of a key and eight characters may be shown.
  for (const [name, key] of Object.entries(keys))
    if (key !== '') secrets.set(`key ${name}`, key.slice(key.lastIndexOf('_') + 1 + 8));
  return secrets;
}

/**
 * Plain node:http: `fetch` adds headers of its own, Cache-Control among them. One connection per request, so none goes
 * stale.
 */
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
      const bytes = await (isEventStream(response) ? firstFrame(response) : buffer(response));
      const text = bytes.toString('utf8');
      const received = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const status = response.statusCode ?? 0;
      resolve({ status, headers: new Headers(received), bytes, text, json: () => asObject(text) });
    });
    sent.on('error', reject);
    sent.end(content);
  });
}

const isEventStream = ({ headers }: IncomingMessage) => headers['content-type'] === 'text/event-stream';

/** Reads an event stream up to its first frame. */
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
    throw new Error(`${text} is not a JSON object.`);
  return value as Json;
}
