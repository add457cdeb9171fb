// Slugs are one namespace, so a taken one cannot be hidden. Its machine is: private, public and reserved look the same.

import { describe, expect, test } from 'vitest';
import { type Caller, type Json, startService } from '../http/service-fixture.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

const TRIES = 4;
const service = await startService({
  rates: unlimitedRates({ takenSlug: TRIES }),
});

const create = (json: Json, as: Caller) => service.call('POST /api/chain/state-machines', { as, json });
const slugOf = (answer: { json(): Json }) => (answer.json().machine as Json).slug;

expect((await create({ slug: 'secret-plant', is_public: false }, 'admin')).status).toBe(201);
expect((await create({ slug: 'known-plant' }, 'admin')).status).toBe(201);

test('a private, a public and a reserved slug have the same answer', async () => {
  const answers = [];
  for (const slug of ['secret-plant', 'known-plant', 'newest']) {
    const { status, headers, text } = await create({ slug }, 'demo');
    const body = text.replaceAll(slug, 'SLUG').replace(/"request_id":"[^"]*"/, '');
    const names = [...headers.keys()].filter((name) => !/^(request-id|date|ratelimit)/.test(name));
    answers.push({ status, body, names: names.filter((name) => name !== 'content-length') });
  }
  expect(answers[0]).toMatchObject({ status: 409, body: expect.stringContaining('taken or reserved') });
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

describe('after too many taken slugs of one account', () => {
  test('no slug is answered, whether free or not, with any key of the account', async () => {
    for (let i = 0; i < TRIES; i++) expect((await create({ slug: 'secret-plant' }, 'admin')).status).toBe(409);
    for (const caller of ['admin', 'write'] as const)
      for (const slug of ['secret-plant', 'known-plant', 'newest', 'free-plant']) {
        const answer = await create({ slug }, caller);
        expect([slug, answer.status, answer.json().code]).toEqual([slug, 429, 'RATE_LIMITED']);
      }
  });

  test('a name still makes a machine, with a suffix that says nothing', async () => {
    for (const name of ['secret plant', 'free plant']) {
      const slug = slugOf(await create({ name }, 'admin'));
      expect(slug).toMatch(new RegExp(`^${name.replace(' ', '-')}-[0-9a-f]{8}$`));
    }
  });
});

test('names count too: each that is taken uses one', async () => {
  for (let i = 0; i < TRIES; i++)
    expect(slugOf(await create({ name: 'Secret Plant' }, 'other'))).toMatch(/-[0-9a-f]{8}$/);
  expect((await create({ slug: 'free-plant' }, 'other')).status).toBe(429);
});

test('free slugs use nothing', async () => {
  const free = await startService({ rates: unlimitedRates({ takenSlug: TRIES }) });
  for (let i = 0; i < 3 * TRIES; i++) {
    const answer = await free.call('POST /api/chain/state-machines', { as: 'admin', json: { slug: `free-${i}` } });
    expect(answer.status).toBe(201);
  }
});
