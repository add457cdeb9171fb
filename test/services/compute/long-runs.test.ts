// Runs that nodes share, with solvers replaced: which node computes a run, how often, and what its caller is told.

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { withResolvers } from '../../../src/core/with-resolvers.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import {
  type LongRunCall,
  type LongRunRequest,
  LongRuns,
  type LongRunsOptions,
} from '../../../src/services/compute/long-runs.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';

const MASTER_KEY = randomBytes(32);
const EDITION = 'slow/1 abc';
const REQUEST: LongRunRequest = { solver: 'slow', body: { inputs: { n: 1 } }, keyPrefix: 'svc_test' };
const newId = () => uuidV7(Date.now(), randomBytes(10));
const box = new SealedBox(MASTER_KEY, (count) => randomBytes(count));

/** What a solver would have sealed. */
const answerOf = (by: string) => ({ value: 1, solver: 'slow', by }) as unknown as Envelope;

describe.each(testDatabases())('long runs on $name', (database) => {
  let storage: Storage;
  let open: LongRuns[] = [];
  const errors: unknown[] = [];
  beforeAll(async () => {
    storage = await database.open();
  });
  afterAll(() => database.dispose(storage));
  beforeEach(() => void errors.splice(0));
  afterEach(async () => {
    await Promise.all(open.map((node) => node.stop()));
    open = [];
    await rows(storage.database.knex, 'delete from long_run');
  });

  const node = (nodeId: string, options: Partial<LongRunsOptions> = {}) => {
    const one = new LongRuns({
      ...{ runs: storage.longRuns, box, nodeId, newId },
      capacity: () => 1,
      editions: async () => [EDITION],
      place: () => 'any',
      compute: async () => answerOf(nodeId),
      onError: (error) => void errors.push(error),
      ...options,
      limits: { pollMs: 10, leaseMs: 1_000, ...options.limits },
    });
    one.start();
    open.push(one);
    return one;
  };
  const asker = (options: Partial<LongRunsOptions> = {}) => node('asker', { capacity: () => 0, ...options });
  const call = (more: Partial<LongRunCall> = {}): LongRunCall => ({
    tenant: 'tenant',
    signal: new AbortController().signal,
    onProgress: undefined,
    edition: EDITION,
    name: undefined,
    ...more,
  });
  const stored = () =>
    rows<{ id: string; holder: string | null; attempts: number; is_answered: boolean }>(
      storage.database.knex,
      'select id, holder, attempts, answer is not null as is_answered from long_run order by created_at',
    );
  const ask = (tenant: string, more: { id?: string; edition?: string; request?: Uint8Array } = {}) => {
    const run = { id: newId(), tenant, edition: EDITION, request: utf8('{}'), ...more };
    return storage.longRuns.ask(run, { perTenant: 9, all: 9 }, 60_000);
  };
  const take = (holder: string, leaseMs = 60_000) =>
    storage.longRuns.take({ holder, editions: [EDITION], leaseMs, waitedMs: 0 });

  test('a run is computed by another node where this one has no room, and leaves nothing', async () => {
    const progress: number[] = [];
    const { promise: isSeen, resolve: see } = withResolvers<void>();
    node('other', {
      compute: async (request, { tenant, onProgress }) => {
        expect([request, tenant]).toEqual([REQUEST, 'tenant']);
        onProgress?.(0.5);
        await isSeen;
        return answerOf('other');
      },
    });
    const onProgress = (fraction: number) => {
      progress.push(fraction);
      see();
    };
    expect(await asker().run(REQUEST, call({ onProgress }))).toEqual(answerOf('other'));
    expect(progress).toEqual([0.5]);
    expect(await stored()).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('a run that a transaction asks for is there after its commit, and never after its rollback', async () => {
    const run = { id: newId(), tenant: 'tenant', edition: EDITION, request: utf8('{}') };
    const limits = { perTenant: 9, all: 9 };
    const failing = storage.transaction(async (trx) => {
      await storage.longRuns.ask(run, limits, 60_000, trx);
      throw new Error('the caller fails');
    });
    await expect(failing).rejects.toThrow('the caller fails');
    expect(await stored()).toEqual([]);
    expect(await take('worker')).toBeUndefined();
    await storage.transaction(async (trx) => void (await storage.longRuns.ask(run, limits, 60_000, trx)));
    expect(await take('worker')).toMatchObject({ id: run.id, holder: 'worker', attempts: 1 });
    expect(await take('other')).toBeUndefined();
  });

  test('the run of a node that died is computed once more, and its own late answer is not stored', async () => {
    const asked = asker();
    const answer = asked.run(REQUEST, call());
    await expect.poll(stored).toHaveLength(1);
    // Renews no lease, as a node that was killed or paused.
    const dead = await take('dead', 50);
    expect(dead).toMatchObject({ attempts: 1 });
    const { promise: isOver, resolve: finish } = withResolvers<void>();
    node('other', { compute: () => isOver.then(() => answerOf('other')) });
    await expect.poll(async () => (await stored())[0]?.holder).toBe('other');
    if (dead === undefined) throw new Error('nothing was taken');
    expect(await storage.longRuns.renew(dead, 0.9, 60_000)).toBe(false);
    expect(await storage.longRuns.answer(dead, utf8('late'), 60_000)).toBe(false);
    finish();
    expect(await answer).toEqual(answerOf('other'));
  });

  test('a node that computes for longer than its lease keeps the run', async () => {
    let begun = 0;
    const compute = async () => {
      begun++;
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return answerOf('slow');
    };
    for (const nodeId of ['first', 'second']) node(nodeId, { compute, limits: { leaseMs: 1_500 } });
    expect(await asker().run(REQUEST, call())).toEqual(answerOf('slow'));
    expect(begun).toBe(1);
  });

  test('a run under a name is computed once, for the first who asks and for those after it', async () => {
    let begun = 0;
    node('other', {
      compute: async () => {
        begun++;
        return answerOf(`other ${begun}`);
      },
    });
    const first = await asker().run(REQUEST, call({ name: 'once' }));
    const again = asker();
    expect(await again.run({ ...REQUEST, runId: newId() }, call({ name: 'once' }))).toEqual(first);
    expect(begun).toBe(1);
    // Another body under the same name is another run.
    await again.run({ ...REQUEST, body: { inputs: { n: 2 } } }, call({ name: 'once' }));
    expect(begun).toBe(2);
  });

  test('an error comes to the caller as it was thrown, and a repetition is computed anew', async () => {
    let begun = 0;
    const details = [{ path: 'n', code: 'TOO_LARGE', message: 'n is too large.' }];
    node('other', {
      compute: async () => {
        if (begun++ > 0) return answerOf('other');
        throw new DomainError('UNSTABLE_SCHEME', 'dt is too large.', { details, facts: { dt_max: 0.1 } });
      },
    });
    const asked = asker();
    await expect(asked.run(REQUEST, call({ name: 'once' }))).rejects.toMatchObject({
      ...{ code: 'UNSTABLE_SCHEME', message: 'dt is too large.', details, facts: { dt_max: 0.1 } },
    });
    expect(await asked.run(REQUEST, call({ name: 'once' }))).toEqual(answerOf('other'));
  });

  test('a node that cannot compute it now gives the run back, uncounted', async () => {
    let refused = 0;
    const full = node('full', {
      compute: async () => {
        refused++;
        throw new DomainError('QUEUE_FULL', 'full');
      },
    });
    const answer = asker().run(REQUEST, call());
    await expect.poll(() => refused).toBe(1);
    await expect.poll(stored).toMatchObject([{ holder: null, attempts: 0 }]);
    await full.stop();
    node('other');
    expect(await answer).toEqual(answerOf('other'));
  });

  test('a run that ends every node that begins it is not begun a fourth time', async () => {
    const answer = asker().run(REQUEST, call());
    await expect.poll(stored).toHaveLength(1);
    for (let attempts = 1; attempts <= 3; attempts++)
      await expect.poll(() => take(`dead ${attempts}`, 1)).toMatchObject({ attempts });
    let begun = 0;
    const compute = async () => {
      begun++;
      return answerOf('other');
    };
    node('other', { compute });
    await expect(answer).rejects.toMatchObject({ code: 'KERNEL_FAILED', message: expect.stringContaining('3 nodes') });
    expect(begun).toBe(0);
  });

  test('a caller that goes away ends the run at the node that computes it', async () => {
    const { promise: isAborted, resolve: abort } = withResolvers<void>();
    node('other', {
      compute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            abort();
            reject(new DomainError('CANCELLED', 'The run was cancelled.'));
          });
        }),
    });
    const controller = new AbortController();
    const answer = asker().run(REQUEST, call({ signal: controller.signal }));
    await expect.poll(async () => (await stored())[0]?.holder).toBe('other');
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED' });
    await isAborted;
    expect(await stored()).toEqual([]);
  });

  test('a run that no node finishes in time is refused and forgotten', async () => {
    const answer = asker({ limits: { waitMs: 100 } }).run(REQUEST, call());
    // The row expires at the same time, and is then asked for again.
    await expect(answer).rejects.toMatchObject({ code: 'OUT_OF_TIME', message: expect.stringContaining('0.1 s') });
    expect(await stored()).toEqual([]);
  });

  test('runs of one caller, and of all, are limited by name', async () => {
    for (const tenant of ['a', 'a', 'b']) await ask(tenant);
    const limited = (perTenant: number, all: number, tenant: string) =>
      asker({ limits: { perTenant, all } }).run(REQUEST, call({ tenant }));
    await expect(limited(2, 9, 'a')).rejects.toMatchObject({
      ...{ code: 'RATE_LIMITED', message: expect.stringContaining('Limit of 2 long runs'), retryAfterSeconds: 2 },
    });
    await expect(limited(2, 3, 'b')).rejects.toMatchObject({
      ...{ code: 'QUEUE_FULL', message: expect.stringContaining('Queue limit of 3'), retryAfterSeconds: 2 },
    });
    expect(await stored()).toHaveLength(3);
  });

  test('tenants of which fewer runs are computed come first', async () => {
    for (const tenant of ['a', 'a', 'a', 'b']) await ask(tenant);
    const order = [];
    for (let i = 0; i < 4; i++) order.push((await take('worker'))?.tenant);
    expect(order).toEqual(['a', 'b', 'a', 'a']);
  });

  test('a node leaves runs of other editions, runs that workers may want first, and those of others while it stops', async () => {
    await ask('a', { edition: 'slow/2 abc' });
    expect(await take('worker')).toBeUndefined();
    const id = newId();
    await ask('a', { id });
    const options = { holder: 'node', editions: [EDITION], leaseMs: 60_000 };
    expect(await storage.longRuns.take({ ...options, waitedMs: 60_000 })).toBeUndefined();
    expect(await storage.longRuns.take({ ...options, waitedMs: 0, ids: [newId()] })).toBeUndefined();
    expect(await storage.longRuns.take({ ...options, waitedMs: 0, ids: [id] })).toMatchObject({ id });
  });

  test('of a node that takes the same run twice, only the later attempt counts', async () => {
    await ask('a');
    const first = await take('node', 1);
    if (first === undefined) throw new Error('the run was not taken');
    await expect.poll(async () => (await take('node'))?.attempts).toBe(2);
    expect(await storage.longRuns.renew(first, 0.5, 60_000)).toBe(false);
    expect(await storage.longRuns.answer(first, utf8('late'), 60_000)).toBe(false);
    expect(await storage.longRuns.answer({ ...first, attempts: 2 }, utf8('now'), 60_000)).toBe(true);
  });

  test('a node leaves runs to workers for a moment, and takes only its own while it stops', async () => {
    const taken: string[] = [];
    const computedBy = (nodeId: string) => async () => {
      taken.push(nodeId);
      return answerOf(nodeId);
    };
    node('patient', { compute: computedBy('patient'), place: () => 'workers', limits: { workersFirstMs: 60_000 } });
    const asked = asker().run(REQUEST, call());
    await expect.poll(stored).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(taken).toEqual([]);
    node('worker', { compute: computedBy('worker') });
    expect(await asked).toEqual(answerOf('worker'));

    await Promise.all(open.splice(0).map((one) => one.stop()));
    const older = newId();
    await ask('b', { id: older });
    const leaving = node('leaving', { compute: computedBy('leaving'), place: () => 'leaving' });
    expect(await leaving.run(REQUEST, call())).toEqual(answerOf('leaving'));
    expect(await stored()).toMatchObject([{ id: older, holder: null, attempts: 0 }]);
  });

  test('a request or an answer that somebody wrote into the database is neither computed nor returned', async () => {
    const id = newId();
    let begun = 0;
    const compute = async () => {
      begun++;
      return answerOf('other');
    };
    await ask('a', { id, request: utf8(JSON.stringify(REQUEST)) });
    node('other', { compute });
    await expect.poll(stored).toMatchObject([{ id, is_answered: true }]);
    expect(begun).toBe(0);
    expect(errors).toHaveLength(1);
    await open.pop()?.stop();

    const answer = asker().run(REQUEST, call());
    const refusal = expect(answer).rejects.toThrow('does not open under the master key');
    await expect.poll(stored).toHaveLength(2);
    const sealed = box.seal(`svc-long-run-answer\0${id}`, utf8(JSON.stringify({ envelope: answerOf('forged') })));
    await rows(storage.database.knex, 'update long_run set answer = ? where id <> ?', [sealed, id]);
    await refusal;
  });

  test('the answer of one run is not returned for another', async () => {
    node('other');
    await asker().run(REQUEST, call({ name: 'first' }));
    await open.shift()?.stop();
    const id = (await stored())[0]?.id ?? '';
    const refusal = expect(asker().run(REQUEST, call())).rejects.toThrow('does not open under the master key');
    await expect.poll(stored).toHaveLength(2);
    const copied = 'update long_run set answer = (select answer from long_run where id = ?) where id <> ?';
    await rows(storage.database.knex, copied, [id, id]);
    await refusal;
  });

  test('what has expired is removed, an answer too', async () => {
    const run = { id: newId(), tenant: 'a', edition: EDITION, request: utf8('{}') };
    await storage.longRuns.ask(run, { perTenant: 9, all: 9 }, 1);
    await ask('b');
    await expect.poll(() => storage.longRuns.find(run.id)).toBeUndefined();
    // Under the same name it is a new run.
    expect(await storage.longRuns.ask(run, { perTenant: 9, all: 9 }, 1)).toBeUndefined();
    await expect.poll(() => storage.longRuns.find(run.id)).toBeUndefined();
    expect(await storage.longRuns.removeExpired(10)).toBe(1);
    expect(await stored()).toHaveLength(1);
  });
});
