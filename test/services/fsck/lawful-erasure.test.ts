// Rows that were erased as the law asks: fsck must not call them faults.

import { expect, test } from 'vitest';
import { TICK_NS } from '../../../src/core/clock.ts';
import { SHARDS } from '../../../src/storage/contracts/timers.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { caller } from '../../contracts/sends/caller.ts';
import { advanceClock, ECHO, ownMachines } from '../../http/machine-fixture.ts';
import { type Json, startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const service = await startService();
const ALL_SHARDS = Array.from({ length: SHARDS }, (_, i) => i);

test('rows of a contract that were erased are no fault: its deployment, its changes and its transitions', async () => {
  const own = ownMachines(service, 'lawful');
  const slug = await own.machine();
  const at = `/api/chain/${slug}/contracts`;
  const deploy = async (route: string, json: Json) => {
    advanceClock(service, TICK_NS);
    const { contract } = await own.request(`POST ${at}${route}`, 'admin', json, 201);
    return String((contract as Json).id);
  };
  const echo = await deploy('/custom', { definition: ECHO });
  const fromTemplate = await deploy('', { template_id: 'circuit-breaker', parameters: { cool_down: 'PT20S' } });
  await own.event(slug, 'ping', { payload: { n: 1 } });
  for (const id of [echo, fromTemplate])
    for (const act of ['pause', 'resume']) {
      advanceClock(service, TICK_NS);
      await own.request(`POST ${at}/${id}/${act}`, 'admin', {});
    }
  await own.request(`PATCH ${at}/${echo}`, 'admin', { name: 'renamed' });
  await own.event(slug, 'ping', { payload: { n: 2 } });
  await own.event(slug, 'halt');
  const all = await own.rows(slug);
  // Transitions first: where the deployment cannot be read, nothing of its contract is compared.
  for (const row of ['transition', 'contract'].flatMap((erased) => all.filter(({ type }) => type === erased))) {
    await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: row.seq, reason: 'asked for' }, 201);
    expect([row.seq, await faultsAfter(service, async () => {})]).toEqual([row.seq, []]);
  }
});

test('events between machines whose rows were erased are no fault, and those that are left are compared', async () => {
  const own = ownMachines(service, 'erased-sends');
  const [depot, silent, slug] = [await own.machine(), await own.machine(), await own.machine()];
  await own.request(`PATCH /api/chain/${depot}/settings`, 'admin', { events_from: [slug] });
  for (const to of [depot, silent])
    await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: caller(to) }, 201);
  for (const n of [1, 2]) await own.event(slug, 'call', { payload: { n } });
  const { sentEvents } = service.running.storage;
  await expect.poll(async () => (await sentEvents.lanes(ALL_SHARDS)).length, { timeout: 10_000 }).toBe(0);
  const seqsOf = async (machine: string, type: string) =>
    (await own.rows(machine)).filter((row) => row.type === type && row.source === 'machine').map(({ seq }) => seq);
  const [[taken, other], [told]] = [await seqsOf(depot, 'event'), await seqsOf(slug, 'refused')];
  for (const [machine, seq] of [
    [depot, taken],
    [slug, told],
  ] as const) {
    await own.request(`POST /api/chain/${machine}/erase`, 'admin', { seq, reason: 'asked for' }, 201);
    expect([machine, seq, await faultsAfter(service, async () => {})]).toEqual([machine, seq, []]);
  }
  // A row that can be read settles another event; an erased one of another kind settles none.
  for (const settled of [other, 0])
    expect(
      await faultsAfter(service, (on) =>
        rows(on, 'update sent_event set settled_seq = ? where settled_seq = ? and to_slug = ?', [
          Number(settled),
          Number(taken),
          depot,
        ]),
      ),
    ).toMatchObject([{ table: 'sent_event', column: 'settled_seq' }]);
});
