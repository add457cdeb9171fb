// The audit clock: one row a tick and machine, where something changed and a contract asks for it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '../../../src/contracts/definition.ts';
import { readPulse, startOfTick } from '../../../src/core/clock.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { ECHO } from '../../http/machine-fixture.ts';
import { type Composed, composedDatabases } from '../composition-fixture.ts';

for (const database of composedDatabases()) {
  describe(`on ${database.name}`, () => {
    let node: Composed;
    let owner: Principal;
    beforeAll(async () => {
      node = await database.open();
      owner = await node.createOwner();
    });
    afterAll(() => database.dispose(node));

    async function createClocked(...clocks: readonly object[]): Promise<Machine> {
      const machine = await node.machine(owner);
      for (const [i, audit_clock] of clocks.entries()) {
        const definition = { ...ECHO, name: `echo-${i}`, audit_clock } as unknown as Definition;
        await node.services.contracts.deploy(machine, owner, { name: `echo ${i}`, definition, parameters: {} });
      }
      return machine;
    }
    const ping = async (machine: Machine) => {
      await node.services.machineLog.event(machine, owner, { name: 'ping', payload: { n: 1 } });
    };
    const stamps = async ({ id, head: { slug } }: Machine) =>
      (await node.storage.audit.range(id, slug, 0, 10_000)).filter(({ type }) => type === 'stamp');

    test('a tick in which rows changed is stamped once, with the pulse of its beginning', async () => {
      const machine = await createClocked({ on: true });
      for (let ticks = 0; ticks < 3; ticks++) {
        for (let i = 0; i < 4; i++) await ping(machine);
        node.wait(1);
      }
      const found = await stamps(machine);
      expect(found.length).toBe(3);
      expect(new Set(found.map(({ svcond }) => svcond)).size).toBe(3);
      for (const { svcond, payload_text, actor, source } of found) {
        expect(JSON.parse(payload_text ?? '')).toEqual({ svcond, R_t: readPulse(startOfTick(svcond)).R_t });
        expect([actor, source]).toEqual(['0'.repeat(32), 'clock']);
      }
      const after = await node.reload(machine);
      expect(await node.services.trees.validate(after, 0, after.head.seq)).toMatchObject({ valid: true });
    });

    test('ticks without changes leave no row', async () => {
      const machine = await createClocked({ on: true });
      const before = (await node.reload(machine)).head.seq;
      node.wait(1_000);
      await node.services.machines.find(machine.head.slug, owner, 'reader');
      expect((await node.reload(machine)).head.seq).toBe(before);
    });

    test('several contracts share one row, as often as the most frequent asks for', async () => {
      const machine = await createClocked(
        { on: true, tick_rate: 10 },
        { on: true, tick_rate: 3 },
        { on: false, tick_rate: 1 },
      );
      const first = (await stamps(machine)).at(-1)?.svcond ?? 0;
      for (let ticks = 0; ticks < 9; ticks++) {
        node.wait(1);
        await ping(machine);
      }
      expect((await stamps(machine)).map(({ svcond }) => svcond - first)).toEqual([0, 3, 6, 9]);
    });

    test('a disabled clock, or that of a paused contract, stamps nothing', async () => {
      const off = await createClocked({ on: false });
      await ping(off);
      expect(await stamps(off)).toEqual([]);
      const rests = await createClocked({ on: true });
      const [contract] = await node.storage.contracts.ofMachine(rests.id);
      node.wait(1);
      await node.services.contracts.pause(rests, owner, contract?.id ?? '');
      const paused = (await stamps(rests)).length;
      node.wait(5);
      await ping(rests);
      expect((await stamps(rests)).length).toBe(paused);
    });

    test('stamps are restored after the cache is cleared', async () => {
      const machine = await createClocked({ on: true, tick_rate: 5 });
      const before = (await stamps(machine)).length;
      expect(before).toBe(1);
      // Erasure clears the cache, so everything is read again.
      await node.services.erasure.erase(await node.reload(machine), owner, 1, 'test');
      node.wait(4);
      await ping(machine);
      expect((await stamps(machine)).length).toBe(before);
      node.wait(1);
      await ping(machine);
      expect((await stamps(machine)).length).toBe(before + 1);
    });
  });
}
