// Fixture: a machine with members that were added, promoted and removed, developer keys, and share tokens.

import { isoFromNs, TICK_NS } from '../../../src/core/clock.ts';
import { advanceClock, type OwnMachines } from '../../http/machine-fixture.ts';
import type { Json, TestService } from '../../http/service-fixture.ts';

const EXPIRY_NS = 100n * 86_400_000_000_000n;

/** @returns the slug of the machine */
export async function createSharedMachine(service: TestService, own: OwnMachines): Promise<string> {
  const slug = await own.machine();
  const until = isoFromNs(service.running.clock.now() + EXPIRY_NS);
  // Each change in a separate tick, so that the tick of a member identifies its row.
  const ask = (method: string, path: string, json: Json, status = 200) => {
    advanceClock(service, TICK_NS);
    return own.request(`${method} /api/chain/${path}`, 'admin', json, status);
  };
  const admins = `${slug}/admins`;
  const people = [await own.zidOf('demo'), await own.zidOf('demo'), await own.zidOf('demo'), await own.zidOf('other')];
  const [viewer, promoted, removed, readded] = people;
  for (const zid of people) await ask('POST', admins, { zid, role: 'viewer' }, 201);
  await ask('PATCH', `${admins}/${promoted}`, { role: 'admin' });
  for (const zid of [removed, readded]) await ask('DELETE', `${admins}/${zid}`, {});
  await ask('POST', admins, { zid: readded, role: 'operator' }, 201);
  await ask('POST', admins, { zid: await own.zidOf('demo'), role: 'viewer' }, 201);
  await ask('PATCH', `${admins}/${viewer}`, { role: 'viewer' });
  const createKey = async (fields: Json) => {
    const created = await ask('POST', `${slug}/api-keys`, { name: 'of a program', ...fields }, 201);
    return (created.record as { id: string }).id;
  };
  await createKey({ scope: 'read' });
  const revoked = await createKey({ scope: 'write', expires_at: until });
  await createKey({ scope: 'read', expires_at: until });
  await ask('DELETE', `${slug}/api-keys/${revoked}`, {});
  const shares = `state-machines/${slug}/share`;
  for (const label of ['a friend', 'the press']) await ask('POST', `${shares}/set`, { label }, 201);
  await ask('POST', `${shares}/disable`, {});
  for (const more of [{}, { expires_at: until }])
    await ask('POST', `${shares}/set`, { label: 'a reader', ...more }, 201);
  return slug;
}
