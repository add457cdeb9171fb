import { expect, test } from 'vitest';
import { SteppedClock, startOfTick } from '../../../src/core/clock.ts';
import { PulseService } from '../../../src/services/node/pulse.ts';

const TICK = 2_303_730_000;
const service = new PulseService(new SteppedClock(startOfTick(TICK + 5)), { tick: TICK, unixMs: 1_790_000_000_000 });

test('URLs use the base URL of the request', () => {
  const first = service.read('http://one.example');
  const second = service.read('http://two.example');
  expect(first._kernel.url).toBe('http://one.example/api/kernel');
  expect(second._kernel.url).toBe('http://two.example/api/kernel');
  expect(service.read('http://one.example')._kernel).toEqual(first._kernel);
});

test('ticks are counted from genesis', () => {
  expect(service.read('http://one.example')).toMatchObject({
    svcond: TICK + 5,
    sinceGenesis: 5,
    genesisTick: TICK,
    genesisAt: '2026-09-21T14:13:20.000Z',
  });
});
