// Solvers in transitions, on both databases: receipts in rows, inputs that change during a run, timers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Untrusted } from '../../../src/protocol/untrusted.ts';
import { SolverGuards } from '../../../src/services/engine/solver-guards.ts';
import { SHARDS } from '../../../src/storage/contracts/timers.ts';
import { databaseUrl } from '../../storage/databases.ts';
import { OraclesFixture, OWNER } from '../oracles/oracles-fixture.ts';

/** Fires when the rod is warm after the given number of steps. */
const rod = (more: object = {}, guard: object = {}) => ({
  name: 'rod',
  version: '1.0',
  operators: ['KO42'],
  initial: 'watching',
  context: { steps: { type: 'integer', initial: 10 }, warmth: { type: 'number', initial: 0 } },
  events: { heat: { payload: { nx: 'integer' } }, more: {} },
  states: { watching: { role: 'initial' }, done: { role: 'terminal' } },
  transitions: [
    {
      id: 'warm',
      from: 'watching',
      to: 'watching',
      operator: 'KO42',
      proof: true,
      trigger: { kind: 'event', event: 'heat' },
      pre: [{ compute: { solver: 'heat', inputs: { nx: 'event.nx', steps: 'steps' }, into: 'found', ...guard } }],
      fires_when: 'found > 0',
      post: [{ set: { warmth: 'found' } }],
    },
    {
      id: 'longer',
      from: 'watching',
      to: 'watching',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'more' },
      post: [{ set: { steps: 'steps + 1' } }],
    },
    {
      id: 'end',
      from: 'watching',
      to: 'done',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 1_000_000 },
    },
  ],
  ...more,
});

interface Computed {
  readonly solver: string;
  readonly inputs: Readonly<Record<string, number>>;
  readonly value: number;
  readonly receipt: Readonly<Record<string, unknown>>;
}

const DATABASES: [name: string, url: string | undefined][] = [['PGlite', undefined]];
if (databaseUrl !== undefined) DATABASES.push(['PostgreSQL', databaseUrl]);

describe.each(DATABASES)('solvers in transitions on %s', (_, url) => {
  let fixture: OraclesFixture;
  beforeAll(async () => {
    fixture = new OraclesFixture(url);
    await fixture.start();
  });
  afterAll(() => fixture.stop());

  const computed = async (machine: Parameters<typeof fixture.rows>[0]): Promise<Computed[]> =>
    (await fixture.rows(machine, 'transition')).flatMap((row) => (row.computed ?? []) as Computed[]);
  const contextOf = async (machine: Parameters<typeof fixture.again>[0], id: string) =>
    (await fixture.services.contracts.get(machine, id)).contract.context;

  test('the row contains the sealed receipt, which anyone can replay', async () => {
    const machine = await fixture.machine();
    const id = await fixture.deploy(machine, rod());
    const { fired } = await fixture.event(machine, 'heat', { nx: 8 });
    expect(fired).toMatchObject([{ contract: id, transition: 'warm' }]);
    const [result] = await computed(machine);
    expect(result).toMatchObject({ solver: 'heat', inputs: { nx: 8, steps: 10 } });
    expect((await contextOf(machine, id)).warmth).toBe(result?.value);
    expect(result?.receipt).toMatchObject({ solver: 'heat', value: result?.value, keyPrefix: 'public' });
    const controls = { signal: AbortSignal.timeout(30_000), tenant: 'test' };
    const report = await fixture.services.replay.run(result?.receipt as unknown as Untrusted, controls);
    expect(report).toMatchObject({ ok: true, equal: true });
  });

  test('a long receipt is stored outside the chain, under its hash', async () => {
    const machine = await fixture.machine();
    await fixture.deploy(machine, rod({}, { inputs: { nx: 'event.nx', steps: 'steps * 40' } }));
    await fixture.event(machine, 'heat', { nx: 100 });
    const [result] = await computed(machine);
    const { sha256, bytes } = (result?.receipt ?? {}) as { sha256: string; bytes: number };
    const kept = await fixture.storage.fields.get(sha256, 0);
    expect(kept?.length).toBe(bytes);
    expect(JSON.parse(Buffer.from(kept ?? []).toString('utf8'))).toMatchObject({
      solver: 'heat',
      value: result?.value,
    });
  });

  test('if inputs change during a run, the solver runs again, and the row is consistent', async () => {
    const machine = await fixture.machine();
    const id = await fixture.deploy(machine, rod());
    const events = ['heat', 'more', 'heat', 'more', 'heat'].map((name) => fixture.event(machine, name, { nx: 8 }));
    await Promise.all(events);
    const all = await computed(machine);
    for (const { inputs, value, receipt } of all) {
      expect(receipt).toMatchObject({ value, inputs: { nx: inputs.nx, steps: inputs.steps } });
    }
    const steps = all.map(({ inputs }) => inputs.steps);
    expect(steps).toHaveLength(3);
    const types = (await fixture.rows(machine, 'transition')).map(({ transition }) => transition);
    let now = 10;
    const expected = types.flatMap((transition) => {
      if (transition === 'longer') now++;
      return transition === 'warm' ? [now] : [];
    });
    expect(steps).toEqual(expected);
    expect((await contextOf(machine, id)).steps).toBe(12);
  });

  test('inputs that the solver rejects refuse the transition with its message', async () => {
    const machine = await fixture.machine();
    const id = await fixture.deploy(machine, rod());
    expect((await fixture.event(machine, 'heat', { nx: 2 })).fired).toEqual([]);
    const answer = await fixture.services.contracts.fire(machine, OWNER, id, {
      transition: 'warm',
      payload: { nx: 1 },
    });
    expect(answer).toMatchObject({ fired: false });
    expect(answer.fired ? '' : answer.reason).toContain('nx');
  });

  test('a timer that calls a solver fires when the solver has finished', async () => {
    const machine = await fixture.machine();
    const [warm, longer, end] = rod().transitions;
    const timed = {
      ...warm,
      trigger: { kind: 'one_shot', after: 5 },
      pre: [{ compute: { solver: 'heat', inputs: { nx: '16', steps: 'steps' }, into: 'found' } }],
    };
    const id = await fixture.deploy(machine, rod({ events: { more: {} }, transitions: [timed, longer, end] }));
    fixture.forward(6);
    const [result] = await fixture.until(async () => {
      const found = await computed(machine);
      return found.length > 0 && found;
    });
    expect(result).toMatchObject({ inputs: { nx: 16, steps: 10 } });
    expect((await contextOf(machine, id)).warmth).toBe(result?.value);
    expect(await fixture.rows(machine, 'transition')).toHaveLength(1);
  });

  test('timers of other machines are due while one machine waits for a solver', async () => {
    const [waiting, other] = [await fixture.machine(), await fixture.machine()];
    for (const machine of [waiting, other]) await fixture.deploy(machine, rod());
    const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);
    const due = await fixture.storage.timers.due(everyShard, fixture.now + 2_000_000, 1_000, [waiting.id]);
    const machines = new Set(due.machines.map(({ machineId }) => machineId));
    expect([machines.has(waiting.id), machines.has(other.id)]).toEqual([false, true]);
  });

  test('calls beyond the rate limit of a machine are rejected as temporary', async () => {
    const machine = await fixture.machine();
    await fixture.deploy(machine, rod({}, { inputs: { nx: 'event.nx', steps: 'steps * 100' } }));
    const events = Array.from({ length: 24 }, (_, i) => fixture.event(machine, 'heat', { nx: 100 + i }));
    const codes = (await Promise.allSettled(events)).map((one) =>
      one.status === 'fulfilled' ? 'OK' : one.reason.code,
    );
    expect(new Set(codes)).toEqual(new Set(['OK', 'RATE_LIMITED']));
    expect(await computed(machine)).toHaveLength(codes.filter((code) => code === 'OK').length);
  });

  test('a run that times out refuses the transition, and is not retried forever', async () => {
    const guards = new SolverGuards({
      ...fixture.services,
      fields: fixture.storage.fields,
      clock: { source: 'stepped', now: () => 0n },
      deadlineMs: 1,
    });
    // About a second of work, so that the deadline comes first on any machine.
    const solved = await guards.run({ solver: 'heat', inputs: { nx: 128, ny: 128, steps: 10_000 } }, 'a');
    expect(solved).toMatchObject({ refusal: { code: 'OUT_OF_TIME' } });
  });

  test('a timer whose inputs keep changing is refused', async () => {
    const machine = await fixture.machine();
    const [, longer, end] = rod().transitions;
    const timed = (id: string, steps: string) => ({
      ...longer,
      id,
      trigger: { kind: 'one_shot', after: 5 },
      post: [{ compute: { solver: 'heat', inputs: { nx: '100', steps }, into: 'warmth' } }],
    });
    const transitions = [timed('unstable', `now - ${fixture.now} + 1000`), timed('stable', '1000'), longer, end];
    await fixture.deploy(machine, rod({ events: { more: {} }, transitions }));
    const ticking = setInterval(() => fixture.forward(1), 1);
    try {
      const refused = await fixture.until(async () => {
        const found = await fixture.rows(machine, 'refused');
        return found.length > 0 && found;
      });
      expect(refused).toMatchObject([{ transition: 'unstable', code: 'ACTION_FAILED' }]);
    } finally {
      clearInterval(ticking);
    }
    await fixture.until(async () => (await computed(machine)).length === 1);
  });

  test.each([
    ['an unknown solver', { solver: 'heet' }, 'did you mean heat'],
    ['an unknown input', { inputs: { ny: '3', nz: '4' } }, 'the input nz'],
    ['a solver that needs equations', { solver: 'unified', inputs: { t_end: '3' } }, 'needs equations'],
  ])('%s is refused at deployment', async (_name, guard, message) => {
    const machine = await fixture.machine();
    const { events } = rod();
    const error = await fixture.deploy(machine, rod({ events }, guard)).catch((one: unknown) => one);
    expect((error as { details: { message: string }[] }).details.map((one) => one.message).join(' ')).toMatch(
      new RegExp(message, 'i'),
    );
  });
});
