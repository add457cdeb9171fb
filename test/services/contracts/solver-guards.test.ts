// Solvers in transitions, on both databases: the receipt in the row, inputs that change meanwhile, timers that wait.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Untrusted } from '../../../src/protocol/untrusted.ts';
import { SolverGuards } from '../../../src/services/contracts/solver-guards.ts';
import { SHARDS } from '../../../src/storage/contracts/contracts.ts';
import { databaseUrl } from '../../storage/databases.ts';
import { OraclesAtHand, OWNER } from '../oracles/oracles-fixture.ts';

/** Fires when the rod is warm enough after so many steps. */
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
  let at: OraclesAtHand;
  beforeAll(async () => {
    at = new OraclesAtHand(url);
    await at.start();
  });
  afterAll(() => at.stop());

  const computed = async (machine: Parameters<typeof at.rows>[0]): Promise<Computed[]> =>
    (await at.rows(machine, 'transition')).flatMap((row) => (row.computed ?? []) as Computed[]);
  const contextOf = async (machine: Parameters<typeof at.again>[0], id: string) =>
    (await at.services.contracts.get(machine, id)).contract.context;

  test('the row holds the sealed receipt, which anyone can run again', async () => {
    const machine = await at.machine();
    const id = await at.deploy(machine, rod());
    const { fired } = await at.event(machine, 'heat', { nx: 8 });
    expect(fired).toMatchObject([{ contract: id, transition: 'warm' }]);
    const [one] = await computed(machine);
    expect(one).toMatchObject({ solver: 'heat', inputs: { nx: 8, steps: 10 } });
    expect((await contextOf(machine, id)).warmth).toBe(one?.value);
    expect(one?.receipt).toMatchObject({ solver: 'heat', value: one?.value, keyPrefix: 'public' });
    const controls = { signal: AbortSignal.timeout(30_000), caller: 'test' };
    const report = await at.services.replay.run(one?.receipt as unknown as Untrusted, controls);
    expect(report).toMatchObject({ ok: true, equal: true });
  });

  test('a long receipt stands beside the chain, under its hash', async () => {
    const machine = await at.machine();
    await at.deploy(machine, rod({}, { inputs: { nx: 'event.nx', steps: 'steps * 40' } }));
    await at.event(machine, 'heat', { nx: 100 });
    const [one] = await computed(machine);
    const { sha256, bytes } = (one?.receipt ?? {}) as { sha256: string; bytes: number };
    const kept = await at.storage.fields.get(sha256, 0);
    expect(kept?.length).toBe(bytes);
    expect(JSON.parse(Buffer.from(kept ?? []).toString('utf8'))).toMatchObject({ solver: 'heat', value: one?.value });
  });

  test('inputs that change while it runs are solved anew: what is written belongs together', async () => {
    const machine = await at.machine();
    const id = await at.deploy(machine, rod());
    const events = ['heat', 'more', 'heat', 'more', 'heat'].map((name) => at.event(machine, name, { nx: 8 }));
    await Promise.all(events);
    const all = await computed(machine);
    for (const { inputs, value, receipt } of all) {
      expect(receipt).toMatchObject({ value, inputs: { nx: inputs.nx, steps: inputs.steps } });
    }
    const steps = all.map(({ inputs }) => inputs.steps);
    expect(steps).toHaveLength(3);
    const types = (await at.rows(machine, 'transition')).map(({ transition }) => transition);
    let now = 10;
    const expected = types.flatMap((transition) => {
      if (transition === 'longer') now++;
      return transition === 'warm' ? [now] : [];
    });
    expect(steps).toEqual(expected);
    expect((await contextOf(machine, id)).steps).toBe(12);
  });

  test('inputs that the solver refuses refuse the transition, with its words', async () => {
    const machine = await at.machine();
    const id = await at.deploy(machine, rod());
    expect((await at.event(machine, 'heat', { nx: 2 })).fired).toEqual([]);
    const answer = await at.services.contracts.fire(machine, OWNER, id, { transition: 'warm', payload: { nx: 1 } });
    expect(answer).toMatchObject({ fired: false });
    expect(answer.fired ? '' : answer.reason).toContain('nx');
  });

  test('a timer that asks a solver fires when it has run, and holds up nobody', async () => {
    const machine = await at.machine();
    const [warm, longer, end] = rod().transitions;
    const timed = {
      ...warm,
      trigger: { kind: 'one_shot', after: 5 },
      pre: [{ compute: { solver: 'heat', inputs: { nx: '16', steps: 'steps' }, into: 'found' } }],
    };
    const id = await at.deploy(machine, rod({ events: { more: {} }, transitions: [timed, longer, end] }));
    at.forward(6);
    const [one] = await at.until(async () => {
      const found = await computed(machine);
      return found.length > 0 && found;
    });
    expect(one).toMatchObject({ inputs: { nx: 16, steps: 10 } });
    expect((await contextOf(machine, id)).warmth).toBe(one?.value);
    expect(await at.rows(machine, 'transition')).toHaveLength(1);
  });

  test('timers of other machines are found beside those that wait for a solver', async () => {
    const [waiting, other] = [await at.machine(), await at.machine()];
    for (const machine of [waiting, other]) await at.deploy(machine, rod());
    const everyShard = Array.from({ length: SHARDS }, (_one, shard) => shard);
    const due = await at.storage.contracts.due(everyShard, at.now + 2_000_000, 1_000, [waiting.id]);
    const machines = new Set(due.map(({ machineId }) => machineId));
    expect([machines.has(waiting.id), machines.has(other.id)]).toEqual([false, true]);
  });

  test('more at once than the kernels give one machine are turned away, not refused for good', async () => {
    const machine = await at.machine();
    await at.deploy(machine, rod({}, { inputs: { nx: 'event.nx', steps: 'steps * 100' } }));
    const events = Array.from({ length: 24 }, (_one, i) => at.event(machine, 'heat', { nx: 100 + i }));
    const codes = (await Promise.allSettled(events)).map((one) =>
      one.status === 'fulfilled' ? 'OK' : one.reason.code,
    );
    expect(new Set(codes)).toEqual(new Set(['OK', 'RATE_LIMITED']));
    expect(await computed(machine)).toHaveLength(codes.filter((code) => code === 'OK').length);
  });

  test('a run that takes too long refuses the transition, and does not begin again for ever', async () => {
    const guards = new SolverGuards({
      solve: at.services.solve,
      fields: at.storage.fields,
      clock: { source: 'stepped', now: () => 0n },
      deadlineMs: 1,
    });
    // A second of work, so that the deadline comes first on the fastest machine and the busiest.
    const solved = await guards.run({ solver: 'heat', inputs: { nx: 128, ny: 128, steps: 10_000 } }, 'a');
    expect(solved).toMatchObject({ refusal: { code: 'OUT_OF_TIME' } });
  });

  test('a timer whose inputs are others at every look is refused', async () => {
    const machine = await at.machine();
    const [, longer, end] = rod().transitions;
    const timed = (id: string, steps: string) => ({
      ...longer,
      id,
      trigger: { kind: 'one_shot', after: 5 },
      post: [{ compute: { solver: 'heat', inputs: { nx: '100', steps }, into: 'warmth' } }],
    });
    const transitions = [timed('restless', `now - ${at.now} + 1000`), timed('settled', '1000'), longer, end];
    await at.deploy(machine, rod({ events: { more: {} }, transitions }));
    const passing = setInterval(() => at.forward(1), 1);
    try {
      const refused = await at.until(async () => {
        const found = await at.rows(machine, 'refused');
        return found.length > 0 && found;
      });
      expect(refused).toMatchObject([{ transition: 'restless', code: 'ACTION_FAILED' }]);
    } finally {
      clearInterval(passing);
    }
    await at.until(async () => (await computed(machine)).length === 1);
  });

  test.each([
    ['a solver that is not there', { solver: 'heet' }, 'did you mean heat'],
    ['an input that it does not take', { inputs: { ny: '3', nz: '4' } }, 'the input nz'],
    ['one that needs equations', { solver: 'unified', inputs: { t_end: '3' } }, 'needs equations'],
  ])('%s is refused at deployment', async (_name, guard, message) => {
    const machine = await at.machine();
    const { events } = rod();
    const error = await at.deploy(machine, rod({ events }, guard)).catch((one: unknown) => one);
    expect((error as { details: { message: string }[] }).details.map((one) => one.message).join(' ')).toMatch(
      new RegExp(message, 'i'),
    );
  });
});
