// Rows that were erased as the law asks: fsck must not call them faults.

import { expect, test } from 'vitest';
import { TICK_NS } from '../../../src/core/clock.ts';
import { advanceClock, ECHO, ownMachines } from '../../http/machine-fixture.ts';
import { type Json, startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const service = await startService();

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
  for (const row of all.filter(({ type }) => type === 'contract' || type === 'transition')) {
    await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: row.seq, reason: 'asked for' }, 201);
    expect([row.seq, await faultsAfter(service, async () => {})]).toEqual([row.seq, []]);
  }
});
