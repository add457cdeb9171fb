// Refusal rows of members, with a stepped clock.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError, type ErrorCode } from '../../../src/core/errors.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
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

    const record = ({ head: { slug } }: Machine, code: ErrorCode, route = 'GET /x') =>
      node.services.refusals.record({ slug, route, error: new DomainError(code, 'No.'), by: owner });
    const flush = () => node.services.refusals.flush();
    const rows = async ({ id, head: { slug } }: Machine) =>
      (await node.storage.audit.range(id, slug, 1, 1_000)).map(({ svcond, payload_text }) => ({
        svcond,
        ...(JSON.parse(payload_text ?? 'null') as { code: string; count: number }),
      }));

    test('the refusals of a tick are written once, after the tick ended', async () => {
      const machine = await node.machine(owner);
      for (let ticks = 0; ticks < 3; ticks++) {
        record(machine, 'FORBIDDEN');
        expect(await flush()).toBe(0);
        record(machine, 'FORBIDDEN');
        node.wait(1);
        expect(await flush()).toBe(1);
        expect(await flush()).toBe(0);
      }
      const found = await rows(machine);
      expect(found.map(({ count }) => count)).toEqual([2, 2, 2]);
      expect(new Set(found.map(({ svcond }) => svcond)).size).toBe(3);
    });

    test('refusals of one machine do not use up the limit of another', async () => {
      const [noisy, quiet] = [await node.machine(owner), await node.machine(owner)];
      for (let i = 0; i < 2 * LIMITS.chain.refusals.waiting; i++) record(noisy, 'FORBIDDEN', `GET /${i}`);
      record(quiet, 'RATE_LIMITED');
      // Nobody's refusal, which takes no place and leaves no row.
      node.services.refusals.record({
        slug: quiet.head.slug,
        route: 'GET /x',
        error: new DomainError('RATE_LIMITED', 'No.'),
        by: undefined,
      });
      node.wait(1);
      await flush();
      expect((await rows(noisy)).length).toBe(LIMITS.chain.refusals.rows);
      expect(await rows(quiet)).toMatchObject([{ code: 'RATE_LIMITED', count: 1 }]);
    });

    test('an archived machine does not block others', async () => {
      const [machine, next] = [await node.machine(owner), await node.machine(owner)];
      record(machine, 'FORBIDDEN');
      await node.services.machines.setStatus(machine, owner, 'archived');
      record(next, 'FORBIDDEN');
      node.wait(1);
      expect(await flush()).toBe(1);
      expect(await rows(next)).toMatchObject([{ count: 1 }]);
    });
  });
}
