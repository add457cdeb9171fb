// A node under fuzzing: its actors, things that exist on it, and what must hold of every answer and at the end.

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { ERROR_FORMS } from '../../../src/core/errors.ts';
import { openLog } from '../../../src/log.ts';
import { fsck } from '../../../src/services/fsck/fsck.ts';
import { ACCOUNTS, AVATAR, MACHINE_CALLS, type Target, withTally } from '../../http/machine-calls.ts';
import { ECHO } from '../../http/machine-fixture.ts';
import { type Caller, type Json, startService, type TestService } from '../../http/service-fixture.ts';
import type { RawAnswer } from './raw-client.ts';

/** Things that exist on the node. */
export interface Existing extends Target {
  readonly child: string;
  readonly ownContract: string;
  readonly developerKey: string;
  readonly token: string;
  /** Ids of a run and of its kernel. */
  readonly run: string;
  readonly kernel: string;
}

export interface FuzzedNode {
  readonly service: TestService;
  readonly url: string;
  existing(): Existing;
  /** Counts a request; now and then makes new things, because requests archive, freeze and remove those that exist. */
  count(): Promise<void>;
  /** Asserts what must hold when all requests are answered. */
  assertSound(): Promise<void>;
}

const REFRESH_EVERY = 1_000;
/** Heap that may stay after all requests: caches and rates are bounded. */
const MAX_HEAP_GROWTH = 128 * 1024 * 1024;

export async function startFuzzedNode(): Promise<FuzzedNode> {
  const errors: string[] = [];
  const log = openLog('error', { write: (line: string) => errors.push(line) });
  const service = await startService({ log, logsRefusals: true });
  // On a busy machine a draft would wait longer than its deadline for the first worker.
  await service.running.warm();
  let existing = await makeThings(service, 0);
  let requests = 0;
  let heapBefore: number | undefined;
  return {
    service,
    url: service.running.url,
    existing: () => existing,
    async count() {
      requests++;
      if (requests % REFRESH_EVERY !== 0) return;
      existing = await makeThings(service, requests);
      heapBefore ??= heapUsed();
    },
    async assertSound() {
      const pulse = await service.call('GET /api/svc/pulse');
      expect([pulse.status, pulse.json().ok]).toEqual([200, true]);
      // Refusals are written once a tick.
      await sleep(1_500);
      await service.running.services.access.flush();
      expect(errors).toEqual([]);
      expect(await faultsOf(service)).toEqual([]);
      if (heapBefore !== undefined) expect(heapUsed() - heapBefore).toBeLessThan(MAX_HEAP_GROWTH);
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  };
}

async function makeThings(service: TestService, count: number): Promise<Existing> {
  const request: Target['request'] = async (route, json) => {
    const answer = await service.call(route, { as: 'admin', ...(json === undefined ? {} : { json }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json();
  };
  const idOf = (answer: Json, name: string) => String((answer[name] as Json).id);
  const [slug, child] = [`fuzz-${count}`, `fuzz-child-${count}`];
  const { zid, machine } = await request('POST /api/chain/state-machines', { slug, is_public: true });
  await request('POST /api/chain/state-machines', { slug: child, is_public: true });
  const stranger = await service.call('POST /api/chain/state-machines', {
    as: 'other',
    json: { slug: `${slug}-other`, is_public: true },
  });
  const zids = Object.fromEntries(ACCOUNTS.map((name) => [name, String(stranger.json().zid ?? zid)]));
  // Row 1, which requests erase.
  await request(`POST /api/chain/${slug}/event`, { name: 'ping', payload: { n: 1 } });
  const echo = await request(`POST /api/chain/${slug}/contracts/custom`, { definition: ECHO });
  const solved = await request('POST /api/svc/heat', { dim: 1, nx: 8, steps: 4, folder: 'fuzz' });
  const target: Target = {
    slug,
    request,
    contract: idOf(echo, 'contract'),
    zids: { ...(zids as Target['zids']), owner: String(zid) },
    equation: 'none',
    genesisTick: Number((machine as Json).genesis_tick),
    made: {},
  };
  await withTally(target);
  await request(`POST /api/chain/${slug}/tally/token/avatar`, AVATAR);
  for (const name of ['oracle.push', 'developer-key.revoke']) {
    const [call] = [MACHINE_CALLS[name] ?? []].flat();
    await call?.before?.(target);
  }
  return {
    ...target,
    child,
    ownContract: idOf(await request('POST /api/contracts/deploy', { definition: ECHO }), 'contract'),
    developerKey: target.made.key ?? '',
    token: String((await request(`POST /api/chain/state-machines/${slug}/share/set`, { label: 'auditor' })).token),
    run: String(solved.run_id ?? solved.id),
    kernel: String(solved.kernel_sha256 ?? ''),
  };
}

async function faultsOf({ running }: TestService): Promise<unknown[]> {
  const faults: unknown[] = [];
  const keys = running.services.keyRing.jwks().keys.map(({ x }) => Buffer.from(x, 'base64url'));
  const nowMs = Number(running.clock.now() / 1_000_000n);
  await running.storage.database.snapshot((on) => fsck(on, { keys, nowMs, onFault: (fault) => faults.push(fault) }));
  return faults;
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** @returns what is wrong with an answer, whatever was asked */
export function defectOf({ status, headers, text }: RawAnswer, isHead = false): string | undefined {
  if (status >= 500 && status !== 503) return `status ${status}`;
  if (/\n\s+at .+:\d+:\d+/.test(text)) return 'a stack trace';
  if (status < 400 || isHead) return undefined;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return isJson ? refusalDefectOf(status, parsed(text)) : otherRefusal(status, headers);
}

function refusalDefectOf(status: number, body: Json | undefined): string | undefined {
  const form = ERROR_FORMS[body?.code as keyof typeof ERROR_FORMS];
  if (body?.ok !== false || form === undefined || typeof body.error !== 'string' || typeof body.request_id !== 'string')
    return `a ${status} without the shape of an error`;
  if (form.status !== status) return `${String(body.code)} as ${status}`;
  return status === 503 && body.code !== 'QUEUE_FULL' ? `status 503, ${String(body.code)}` : undefined;
}

/** The page of browsers and the protocol of witnesses refuse in their own media type. */
function otherRefusal(status: number, headers: RawAnswer['headers']): string | undefined {
  const type = headers.get('content-type') ?? 'none';
  return /^text\/(html|plain|x\.tlog\.size)/.test(type) ? undefined : `a ${status} of media type ${type}`;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export type Actor = Caller | 'share';
/** Most requests come from a key that may do everything, since others are refused before their input is read. */
export const ACTORS: readonly Actor[] = [
  ...Array.from({ length: 16 }, (): Actor => 'admin'),
  ...(['write', 'anonymous', 'demo', 'read', 'other', 'revoked', 'expired', 'share'] as const),
];

export function keyOf({ service, existing }: FuzzedNode, actor: Actor): string {
  return actor === 'share' ? existing().token : service.keys[actor];
}
