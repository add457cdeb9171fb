// The parity rule over HTTP: a slow computation reports a metric shift, and its replay agrees.

import { expect, test } from 'vitest';
import { ALPHA, type Clock, TICK_NS } from '../../src/core/clock.ts';
import { PARITY_VARIANCE, stampVariance } from '../../src/protocol/stamps.ts';
import { startService } from './service-fixture.ts';

const ROD = { dim: 1, nx: 8, steps: 12 };

/** A clock that advances with each reading: by one tick while `isSlow`, otherwise by 1 µs. */
class SlowClock implements Clock {
  readonly source = 'slow';
  isSlow = false;
  #ns = 1_790_000_000_000_000_000n;

  now(): bigint {
    this.#ns += this.isSlow ? TICK_NS : 1000n;
    return this.#ns;
  }
}

const clock = new SlowClock();
const service = await startService({ clock });

test('a computation whose stamps have a variance above 0.0091 square ticks is shifted; a fast one is not', async () => {
  const solve = async () => (await service.call('POST /api/svc/heat', { as: 'write', json: ROD })).json();

  const quick = await solve();
  expect(quick).not.toHaveProperty('cko');
  expect(quick).not.toHaveProperty('alpha_eff');

  clock.isSlow = true;
  const slow = await solve();
  clock.isSlow = false;
  const variance = stampVariance((slow.stamps as string[]).map(BigInt));
  // Stamps at 0, 1, 2, 3, 4, 5 and again 5 ticks.
  expect(variance).toBeCloseTo(80 / 7 - (20 / 7) * (20 / 7), 6);
  const delta = ALPHA * (1 - PARITY_VARIANCE / variance);
  expect(slow).toMatchObject({ cko: { metric_shift: { delta_alpha: delta, variance } }, alpha_eff: ALPHA - delta });
  expect(Math.abs((slow.R_t as number) - 1)).toBeLessThanOrEqual(slow.alpha_eff as number);
  expect(slow.masterSum).toBe((slow.R_t as number) * (slow.value as number));
  expect(slow.value).toBe(quick.value);

  for (const envelope of [quick, slow]) {
    const report = (await service.call('POST /api/svc/replay', { json: envelope })).json();
    expect(report).toMatchObject({ equal: true });
    expect(report).not.toHaveProperty('first_difference');
  }
  const replay = async (envelope: unknown) => (await service.call('POST /api/svc/replay', { json: envelope })).json();
  const failed = ({ claims }: Record<string, unknown>) =>
    (claims as { claim: string; ok: boolean | null }[]).filter(({ ok }) => ok === false).map(({ claim }) => claim);
  // Without the field nothing is claimed about a shift, but it is not what was signed.
  expect(failed(await replay({ ...slow, cko: undefined }))).toEqual(['statement']);
  const otherShift = await replay({ ...slow, cko: { metric_shift: { delta_alpha: 0, variance } } });
  expect(failed(otherShift)).toEqual(['statement', 'stamps']);
  expect(otherShift).toMatchObject({ equal: false, first_difference: { field: 'cko.metric_shift.delta_alpha' } });
});
