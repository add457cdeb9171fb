// Attack: simulations as long as they may be, with many demo keys of one address, beside a check of one line.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startService } from '../http/service-fixture.ts';

const service = await startService();
const { services } = service.running;

const KEYS = 3;
const GUARDS = 95;
const { times } = LIMITS.contracts.draft;
const DEFINITION = {
  ...{ name: 'watchful', version: '1.0', operators: ['KO42'], initial: 'on' },
  context: { x: { type: 'number', initial: 1 } },
  events: { push: {}, stop: {} },
  states: { on: { role: 'initial' }, off: { role: 'terminal' } },
  transitions: [
    ...Array.from({ length: GUARDS }, (_, i) => ({
      ...{ id: `t${i}`, from: 'on', to: 'on', operator: 'KO42', proof: false },
      ...{ trigger: { kind: 'event', event: 'push' }, fires_when: `x > ${i + 2} and x < ${i + 1}` },
    })),
    { id: 'stop', from: 'on', to: 'off', operator: 'KO42', proof: false, trigger: { kind: 'event', event: 'stop' } },
  ],
};
/** 9.5 million guards. */
const LONG = { name: 'long', steps: Array.from({ length: 9 }, (_, i) => ({ at: i + 1, send: 'push', times })) };

test('a check of another tenant waits for none of them', async () => {
  const { running, keys } = service;
  const minted = await Promise.all(Array.from({ length: KEYS }, () => services.keys.mintDemo()));
  const check = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await service.call('POST /api/contracts/check', { json: { definition: DEFINITION }, headers })).status;
  };
  // Both workers have loaded their scripts, which may take longer than a draft waits.
  await running.warm();
  expect(await Promise.all([check(keys.write), check(keys.other)])).toEqual([200, 200]);

  const abort = new AbortController();
  let ended = 0;
  const simulate = async (key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ definition: DEFINITION, scenarios: [LONG] });
    const request = { method: 'POST', headers, body, signal: abort.signal };
    await fetch(`${running.url}/api/contracts/simulate`, request).catch(() => undefined);
    ended++;
  };
  const storm = minted.flatMap(({ key }) => [simulate(key), simulate(key)]);
  await expect.poll(() => services.drafts.load()).toEqual({ size: 2, running: 1, waiting: 2 * KEYS - 1 });
  expect(await check(keys.write)).toBe(200);
  expect(ended).toBe(0);
  abort.abort();
  await Promise.all(storm);
});
