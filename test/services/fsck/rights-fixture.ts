// Who may use the machines of a lived-in node: members who came, rose and went, developer keys, share tokens.

import { isoFromNs, TICK_NS } from '../../../src/core/clock.ts';
import { forward, type OwnMachines } from '../../http/own-machines.ts';
import type { Json, TestService } from '../../http/service.ts';

const LATER_NS = 100n * 86_400_000_000_000n;

/** @returns the slug of a machine that many may use */
export async function letIn(service: TestService, own: OwnMachines): Promise<string> {
  const slug = await own.machine();
  const until = isoFromNs(service.running.clock.now() + LATER_NS);
  // Each in a tick of its own: so the tick of a row is that of whoever came by it.
  const ask = (method: string, path: string, json: Json, status = 200) => {
    forward(service, TICK_NS);
    return own.ask(`${method} /api/chain/${path}`, 'admin', json, status);
  };
  const admins = `${slug}/admins`;
  const people = [await own.zidOf('demo'), await own.zidOf('demo'), await own.zidOf('demo'), await own.zidOf('other')];
  const [viewer, risen, gone, back] = people;
  for (const zid of people) await ask('POST', admins, { zid, role: 'viewer' }, 201);
  await ask('PATCH', `${admins}/${risen}`, { role: 'admin' });
  for (const zid of [gone, back]) await ask('DELETE', `${admins}/${zid}`, {});
  await ask('POST', admins, { zid: back, role: 'operator' }, 201);
  await ask('POST', admins, { zid: await own.zidOf('demo'), role: 'viewer' }, 201);
  await ask('PATCH', `${admins}/${viewer}`, { role: 'viewer' });
  const key = async (fields: Json) => {
    const made = await ask('POST', `${slug}/api-keys`, { name: 'of a program', ...fields }, 201);
    return (made.record as { id: string }).id;
  };
  await key({ scope: 'read' });
  const ended = await key({ scope: 'write', expires_at: until });
  await key({ scope: 'read', expires_at: until });
  await ask('DELETE', `${slug}/api-keys/${ended}`, {});
  const shares = `state-machines/${slug}/share`;
  for (const label of ['a friend', 'the press']) await ask('POST', `${shares}/set`, { label }, 201);
  await ask('POST', `${shares}/disable`, {});
  for (const more of [{}, { expires_at: until }])
    await ask('POST', `${shares}/set`, { label: 'a reader', ...more }, 201);
  return slug;
}
