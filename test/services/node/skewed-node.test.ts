// Nodes whose clocks differ: timers and rows keep the time of the database.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Composition, compose } from '../../../src/composition.ts';
import { readConfiguration } from '../../../src/configuration.ts';
import { type Clock, monotonicClock, tickOf } from '../../../src/core/clock.ts';
import { openLog } from '../../../src/log.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../storage/databases.ts';
import { type Composed, composedDatabases } from '../composition-fixture.ts';

const HOUR = 3_600_000_000_000n;

/** One timer that is due in two ticks, and one that is due in 26 minutes. */
const TIMED = {
  name: 'timed',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  states: { waiting: { role: 'initial' }, soon: {}, late: { role: 'terminal' } },
  transitions: [
    { id: 'soon', from: 'waiting', to: 'soon', after: 2 },
    { id: 'late', from: 'soon', to: 'late', after: 2_008 },
  ].map(({ after, ...transition }) => ({
    ...transition,
    operator: 'KO42',
    proof: false,
    trigger: { kind: 'one_shot', after },
  })),
};

describe.each(composedDatabases())('a head ahead of the clock on $name', (database) => {
  let composed: Composed;
  beforeAll(async () => {
    composed = await database.open();
  });
  afterAll(() => database.dispose(composed));

  test('is not extended until the clock is near, and nothing is written meanwhile', async () => {
    const owner = await composed.createOwner();
    const machine = await composed.machine(owner);
    const now = tickOf(composed.clock.now());
    const { machines } = composed.services;
    const row = (svcond: number) => ({ ...machines.row(owner, 'event', 'api', { name: 'moved' }), svcond });
    await machines.commit(machine, () => ({ rows: [row(now + 12)], answer: undefined }));
    const refused = composed.appendEvent(machine, owner);
    await expect(refused).rejects.toMatchObject({ code: 'CLOCK_AHEAD', retryAfterSeconds: 8 });
    expect((await composed.reload(machine)).head.seq).toBe(1);
    composed.wait(10);
    await composed.appendEvent(machine, owner);
    expect((await composed.reload(machine)).head).toMatchObject({ seq: 2, svcond: now + 12 });
  });
});

test('a node with an embedded database whose clock was wrong and is set back writes and fires nothing until then', async () => {
  const real = Date.now;
  let ahead = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
  const warnings: unknown[] = [];
  const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
  const log = Object.assign(openLog('silent'), { warn: (...said: unknown[]) => warnings.push(...said) });
  const node = await compose({ configuration, log, inMemory: true });
  try {
    const { services } = node;
    const { key } = await services.keys.openAccount({ name: 'a', scope: 'admin', rate_limit_tier: 'high' });
    await services.machines.create(await services.access.authenticate(key), {}, 'test');
    const owner = await services.access.authenticate(key);
    const { machine } = await services.machines.create(owner, {}, 'test');
    const append = () => services.machineLog.event(machine, owner, { name: 'moved' });
    const contract = await services.contracts.deploy(machine, owner, { definition: TIMED as never });
    ahead = 1_000;
    await append();
    ahead = 0;
    // Not more than two ticks.
    expect(await services.readiness.read()).toMatchObject({ clock_source: 'system' });
    ahead = 600_000;
    await append();
    ahead = 0;
    const skew = { status: 'rejected', reason: { code: 'CLOCK_SKEWED', retryAfterSeconds: 2 } };
    const attempts = [append(), services.machines.create(owner, {}, 'test'), services.readiness.read()];
    expect(await Promise.allSettled(attempts)).toMatchObject([skew, skew, skew]);
    expect(services.pulse.read('').clockSource).toBe('system, not trusted');
    // The timer of 26 minutes waits as well.
    await expect.poll(() => warnings).toContainEqual(expect.stringContaining('The time is not trusted'));
    expect((await services.contracts.get(machine, contract.id)).contract.currentState).not.toBe('late');
    ahead = 601_000;
    await append();
    expect(await services.readiness.read()).toMatchObject({ clock_source: 'system' });
    expect(warnings.filter((said) => String(said).includes('trusted'))).toHaveLength(2);
  } finally {
    await node.close();
    vi.restoreAllMocks();
  }
});

describe.runIf(databaseUrl !== undefined)('two nodes, one of them on a host with a wrong clock', () => {
  const schema = freshSchema();
  const host = { ahead: HOUR, isJumping: false };
  let right: Composition;
  let skewed: Composition;
  let owner: Principal;

  beforeAll(async () => {
    const masterKey = randomBytes(32).toString('hex');
    const environment = { PORT: '0', SVC_MASTER_KEY: masterKey, DATABASE_URL: databaseUrl ?? '' };
    const configuration = readConfiguration(environment);
    const real = monotonicClock();
    const hostClock: Clock = {
      source: 'shifted',
      now: () => {
        if (host.isJumping) host.ahead += HOUR;
        return real.now() + host.ahead;
      },
    };
    right = await compose({ configuration, log: openLog('silent'), schema });
    skewed = await compose({ configuration, log: openLog('silent'), schema, hostClock });
    const { key } = await right.services.keys.openAccount({ name: 'a', scope: 'admin', rate_limit_tier: 'high' });
    await right.services.machines.create(await right.services.access.authenticate(key), {}, 'test');
    owner = await skewed.services.access.authenticate(key);
  });
  afterAll(async () => {
    await dropSchema(right.storage.database, schema);
    await Promise.all([right.close(), skewed.close()]);
  });

  const machineOn = async (node: Composition) => (await node.services.machines.create(owner, {}, 'test')).machine;
  const headOf = async ({ id }: Machine) => (await right.storage.machines.byIds([id], false))[0]?.head;
  const append = (node: Composition, machine: Machine) =>
    node.services.machineLog.event(machine, owner, { name: 'moved' });

  test('a timer of two ticks fires, one of 26 minutes does not, and rows of both nodes have the time', async () => {
    const machine = await machineOn(skewed);
    const { services } = skewed;
    const contract = await services.contracts.deploy(machine, owner, { definition: TIMED as never });
    const states = async () => (await right.services.contracts.get(machine, contract.id)).contract.currentState;
    await expect.poll(states, { timeout: 30_000 }).toBe('soon');
    await append(skewed, machine);
    await append(right, machine);
    const head = await headOf(machine);
    expect(Math.abs((head?.svcond ?? 0) - tickOf(right.clock.now()))).toBeLessThanOrEqual(60);
    expect(Math.abs(tickOf(skewed.clock.now()) - tickOf(right.clock.now()))).toBeLessThanOrEqual(2);
    // Several polls of both schedulers.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await states()).toBe('soon');
    expect(await skewed.services.readiness.read()).toMatchObject({
      clock_source: 'postgresql',
      host_clock_ahead_ms: expect.closeTo(3_600_000, -4),
    });
  });

  test('a node whose clock jumps writes and fires nothing, says so, and goes on once it is corrected', async () => {
    const machine = await machineOn(right);
    // It jumps again during every comparison with the database.
    host.isJumping = true;
    const attempts = await Promise.allSettled([
      append(skewed, machine),
      skewed.services.machines.create(owner, {}, 'test'),
      skewed.services.readiness.read(),
    ]);
    const skew = { status: 'rejected', reason: { code: 'CLOCK_SKEWED', retryAfterSeconds: 2 } };
    expect(attempts).toMatchObject([skew, skew, skew]);
    expect(skewed.services.pulse.read('').clockSource).toBe('postgresql, not trusted');
    await append(right, machine);
    host.isJumping = false;
    await expect
      .poll(
        () =>
          append(skewed, machine).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    const head = await headOf(machine);
    expect(Math.abs((head?.svcond ?? 0) - tickOf(right.clock.now()))).toBeLessThanOrEqual(60);
  });
});

describe.runIf(databaseUrl !== undefined).each([
  ['three times too fast', 300n],
  ['at a fifth of the rate', 20n],
])('two nodes, one of them on a host whose clock runs %s', (_, percent) => {
  const schema = freshSchema();
  const real = monotonicClock();
  const host = { percent, base: real.now(), shown: real.now() };
  const hostNow = () => host.shown + ((real.now() - host.base) * host.percent) / 100n;
  let right: Composition;
  let skewed: Composition;
  let owner: Principal;

  beforeAll(async () => {
    const environment = { PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex'), DATABASE_URL: databaseUrl ?? '' };
    const configuration = readConfiguration(environment);
    right = await compose({ configuration, log: openLog('silent'), schema });
    const hostClock = { source: 'drifting', now: hostNow };
    skewed = await compose({ configuration, log: openLog('silent'), schema, hostClock });
    const { key } = await right.services.keys.openAccount({ name: 'a', scope: 'admin', rate_limit_tier: 'high' });
    owner = await right.services.access.authenticate(key);
  });
  afterAll(async () => {
    await dropSchema(right.storage.database, schema);
    await Promise.all([right.close(), skewed.close()]);
  });

  test('it fences itself from its start, nothing fires early or is stamped ahead, and it goes on once it is right', async () => {
    const { machine } = await right.services.machines.create(owner, {}, 'test');
    const contract = await right.services.contracts.deploy(machine, owner, { definition: TIMED as never });
    const append = ({ services }: Composition) => services.machineLog.event(machine, owner, { name: 'moved' });
    const state = async () => (await right.services.contracts.get(machine, contract.id)).contract.currentState;
    const ahead = async () => {
      const [found] = await right.storage.machines.byIds([machine.id], false);
      return (found?.head.svcond ?? 0) - tickOf(right.clock.now());
    };
    const seen = new Set<string>();
    // Several comparisons of both nodes with the database.
    for (let i = 0; i < 20; i++) {
      seen.add(
        await append(skewed).then(
          () => 'written',
          (error) => error.code,
        ),
      );
      await append(right);
      expect(await ahead()).toBeLessThanOrEqual(0);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect([...seen]).toEqual(['CLOCK_SKEWED']);
    expect(skewed.services.pulse.read('').clockSource).toBe('postgresql, not trusted');
    await expect.poll(state).toBe('soon');
    Object.assign(host, { shown: hostNow(), base: real.now(), percent: 100n });
    const written = () =>
      append(skewed)
        .then(() => true)
        .catch(() => false);
    await expect.poll(written).toBe(true);
    expect(await ahead()).toBeLessThanOrEqual(1);
    expect(await state()).toBe('soon');
  });
});
