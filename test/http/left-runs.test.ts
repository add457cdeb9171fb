// Callers that go away in the middle: the kernels of a run, a sweep and samples stop, and nothing is filed.

import { expect, test } from 'vitest';
import { startService } from './service-fixture.ts';

const service = await startService({});
const { url, pool } = service.running;
const authorization = `Bearer ${service.keys.write}`;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Takes a worker half a minute. */
const LONG_RUN = { N: 500, steps: 60_000, folder: 'left' };
const MANY = { ...LONG_RUN, steps: 2_000 };

test.each([
  ['a run', LONG_RUN],
  ['a sweep', { ...MANY, sweep: { T0: { from: 0.5, to: 1, count: 30 } } }],
  ['samples', { ...MANY, T0: 1, uncertainties: { T0: 0.1 }, samples: { count: 60 } }],
])('%s that nobody waits for any more leaves its workers, and is not filed', async (_, body) => {
  const left = new AbortController();
  let isAnswered = false;
  const answer = fetch(`${url}/api/svc/evolve`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: left.signal,
  }).then(
    (response) => response.text(),
    (error: Error) => error.name,
  );
  void answer.then(() => {
    isAnswered = true;
  });
  await until(() => pool.load().running > 0 || isAnswered);
  expect(isAnswered ? await answer : 'running').toBe('running');
  left.abort();
  expect(await answer).toBe('AbortError');
  await until(() => pool.load().running === 0);
  expect(pool.load()).toMatchObject({ running: 0, waiting: 0 });
  const list = await service.call('GET /api/svc/runs', { headers: { authorization } });
  expect([list.status, list.json().rows]).toEqual([200, []]);
});
