// Submitted transitions and refusals.

import { beforeAll, describe, expect, test } from 'vitest';
import { ECHO, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'submissions');
});

describe('a transition', () => {
  test('that is submitted fires, and its row is returned', async () => {
    const slug = await own.machine();
    const made = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
    const { id, current_version_no: version } = made.contract as { id: string; current_version_no: number };
    const submit = (json: Json, status = 200) =>
      own.request(`POST /api/chain/${slug}/tx/submit`, 'write', { contract_id: id, ...json }, status);
    const answer = await submit({ transition: 'answer', payload: { n: 1 }, expected_version: version });
    expect(answer).toMatchObject({ fired: true, fire: { transition: 'answer', seq: answer.seq } });
    expect((await own.rows(slug))[Number(answer.seq)]).toMatchObject({ type: 'transition' });
    expect(await submit({ transition: 'answer', expected_version: version + 1 }, 409)).toMatchObject({
      code: 'CONFLICT',
      current_version_no: version,
    });
    expect(await submit({ transition: 'nowhere' }, 409)).toMatchObject({ code: 'TRANSITION_NOT_ENABLED' });
    await own.request(`POST /api/chain/${slug}/contracts/${id}/pause`, 'admin', {});
    expect(await submit({ transition: 'answer' })).toMatchObject({ fired: false, seq: null });
  });
});

describe('a refusal', () => {
  const REJECTION = {
    code: 'RATE_LIMITED',
    route: 'POST /api/svc/heat',
    detail_sha256: 'ab'.repeat(32),
    severity: 'warning',
  };

  test('is in the chain of its machine, and among its sources', async () => {
    const slug = await own.machine();
    const logged = await own.request('POST /api/chain/rejection-log', 'write', { slug, ...REJECTION }, 201);
    expect(logged).toMatchObject({ slug, seq: 1 });
    expect((await own.rows(slug))[1]).toMatchObject({ type: 'rejection', source: 'report', payload: REJECTION });
    expect((await own.request(`GET /api/chain/${slug}/sources`)).rows).toContainEqual(
      expect.objectContaining({ kind: 'report', rows: 1, rejected: 1 }),
    );
    await own.zidOf('other');
    expect(await own.request('POST /api/chain/rejection-log', 'other', { slug, ...REJECTION }, 403)).toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  test('without a machine is in the chain of the node, which has no owner and a reserved slug', async () => {
    const both = await Promise.all(
      [1, 2].map(() => own.request('POST /api/chain/rejection-log', 'other', REJECTION, 201)),
    );
    expect(both.map(({ slug, seq }) => [slug, seq]).toSorted()).toEqual([
      ['node', 1],
      ['node', 2],
    ]);
    expect((await own.rows('node')).map(({ type }) => type)).toEqual(['genesis', 'rejection', 'rejection']);
    expect(await own.request('POST /api/chain/node/event', 'admin', { name: 'x' }, 403)).toMatchObject({
      code: 'FORBIDDEN',
    });
    const taken = await own.request('POST /api/chain/state-machines', 'admin', { slug: 'node' }, 409);
    expect(taken.details).toMatchObject([{ path: 'slug', code: 'TAKEN' }]);
    expect(await own.request('POST /api/chain/rejection-log', 'demo', REJECTION, 403)).toMatchObject({
      code: 'ZID_NOT_LINKED',
    });
  });

  test('with details is rejected', async () => {
    const bad = [
      { ...REJECTION, details: 'x' },
      { ...REJECTION, route: 'a\nb' },
      { ...REJECTION, code: 'what happened' },
    ];
    for (const one of bad) await own.request('POST /api/chain/rejection-log', 'admin', one, 422);
  });
});
