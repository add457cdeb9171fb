// A sealed envelope replays bit for bit, any change of a sealed field is detected, and a change of its words disturbs
// nothing.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SOLVERS } from '../../src/solvers/index.ts';
import { isWord, nameOf } from '../protocol/tamper.ts';
import { SMALL_CASES } from '../suites/small-cases.ts';
import { listMutations, type Mutation } from './mutations.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const REPLAY = 'POST /api/svc/replay';
/** Of each solver; `npm run test:slow` takes 25 times as many. */
const MUTATIONS =
  process.env.SVC_SLOW === '1' ? { sealed: 500, words: 100, signs: 250 } : { sealed: 20, words: 5, signs: 4 };

interface Report {
  readonly equal: boolean;
  readonly first_difference?: { readonly field: string };
  readonly claims: readonly { readonly claim: string; readonly ok: boolean | null; readonly reason?: string }[];
}

/** What is wrong according to the answer; empty if nothing is. */
async function faultsOf(body: string): Promise<string[]> {
  const answer = await service.call(REPLAY, { body });
  if (answer.status !== 200) {
    expect(answer.status, answer.text).toBeLessThan(500);
    const { code, error } = answer.json();
    return [`${code}: ${error}`];
  }
  const { equal, first_difference: difference, claims } = answer.json() as unknown as Report;
  const broken = claims.filter(({ ok }) => ok === false).map(({ claim, reason = '' }) => `${claim}: ${reason}`);
  expect(equal).toBe(broken.length === 0);
  if (difference) expect(broken.map((one) => one.slice(one.indexOf(':')))).toContain(`: ${difference.field} differs.`);
  return broken;
}

/** Objects of which a closed list of fields is sealed; anybody can add others. */
const CLOSED =
  /^((master_sum|verification|cko|billing)|(master_sum\.terms|uncertainty_budget|results|quantities|series|fields|invariants|runs)\[\d+\]|runs\[\d+\]\.inputs\.\w+|cko\.metric_shift)?$/;
/** Bytes whose hash is sealed: they may be missing. */
const BYTES = /^((series|fields)\[\d+\]\.data|runs\[\d+\]\.inputs\.\w+\.base64)$/;
/** Words that every definition has. */
const DEFINITION_WORDS = /^definitions\[\d+\]\.(name|constants\.\w+\.note)$/;

/** Whether the mutation leaves everything that the seal covers. */
function isOutside({ change, path }: Mutation): boolean {
  const isRemoved = change === `${path.at(-1)} removed`;
  if (change === 'a key added' && CLOSED.test(nameOf(path.slice(0, -1)))) return true;
  if (isRemoved && BYTES.test(nameOf(path))) return true;
  return isWord(path) && !(isRemoved && DEFINITION_WORDS.test(nameOf(path)));
}

const anyOf = (mutations: readonly Mutation[]) => fc.nat(mutations.length - 1).map((i) => mutations[i] as Mutation);

describe.each(SOLVERS.map(({ id }) => id))('an envelope of %s', async (slug) => {
  const body = { ...SMALL_CASES[slug], folder: 'replays' };
  const { text, status } = await service.call(`POST /api/svc/${slug}`, { as: 'write', json: body });
  if (status !== 200) throw new Error(text);
  const mutations = listMutations(JSON.parse(text));

  test('replays unchanged, and with its keys in another order', async () => {
    expect(await faultsOf(text)).toEqual([]);
    const turned = Object.fromEntries(Object.entries(JSON.parse(text) as Json).reverse());
    expect(await faultsOf(JSON.stringify(turned))).toEqual([]);
  });

  test('does not replay with any sealed field of it changed', async () => {
    const sealed = mutations.filter((mutation) => !isOutside(mutation));
    expect(sealed.length).toBeGreaterThan(300);
    await fc.assert(
      fc.asyncProperty(anyOf(sealed), async (mutation) => {
        expect(await faultsOf(mutation.text()), mutation.name).not.toEqual([]);
      }),
      { numRuns: MUTATIONS.sealed },
    );
  });

  test('replays with any of its words changed, which are listed as not covered', async () => {
    const outside = mutations.filter(isOutside);
    expect(outside.length).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(anyOf(outside), async (mutation) => {
        expect(await faultsOf(mutation.text()), mutation.name).toEqual([]);
      }),
      { numRuns: MUTATIONS.words },
    );
    const json = { receipt: { ...(JSON.parse(text) as Json), unknown_key: 0 } };
    const { covered, uncovered } = (await service.call('POST /api/svc/verify', { as: 'write', json })).json();
    expect(uncovered).toEqual(expect.arrayContaining(['equations', 'plots', 'notes', 'unknown_key']));
    const names = Object.keys(json.receipt).filter((name) => !['ok', 'public_key', 'seal'].includes(name));
    expect([...(covered as string[]), ...(uncovered as string[]).filter((name) => !name.includes('.'))].sort()).toEqual(
      names.sort(),
    );
  });

  test('does not replay with minus zero in any sealed field', async () => {
    const signs = mutations.filter((mutation) => mutation.name.endsWith('minus zero') && !isOutside(mutation));
    expect(signs.length).toBeGreaterThan(0);
    for (const mutation of signs.slice(0, MUTATIONS.signs))
      expect(await faultsOf(mutation.text()), mutation.name).not.toEqual([]);
  });
});

describe('invalid replays', () => {
  test.each([
    ['an unknown kernel', { kernel_sha256: '0'.repeat(64) }, 404, 'KERNEL_UNAVAILABLE'],
    ['a kernel that is no hash', { kernel_sha256: 'heat' }, 422, 'VALIDATION_FAILED'],
    ['no stamps', { stamps: null }, 422, 'VALIDATION_FAILED'],
    ['inputs that are a list', { inputs: [] }, 422, 'VALIDATION_FAILED'],
  ])('%s is rejected', async (_, change, status, code) => {
    const envelope = (await service.call('POST /api/svc/heat', { as: 'write', json: SMALL_CASES.heat })).json();
    const answer = await service.call(REPLAY, { json: { ...envelope, ...change } });
    expect([answer.status, answer.json().code]).toEqual([status, code]);
  });

  test('an unknown solver has no plan and no answer, and is not what was signed', async () => {
    const envelope = (await service.call('POST /api/svc/heat', { as: 'write', json: SMALL_CASES.heat })).json();
    const answer = await service.call(REPLAY, { json: { ...envelope, solver: 'alchemy' } });
    const { claims, equal } = answer.json() as unknown as Report;
    const outcomes = Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));
    expect([answer.status, equal]).toEqual([200, false]);
    expect(outcomes).toMatchObject({ statement: false, kernel: false, plan: null, answer: null });
  });

  test('the kernel of another solver gives a different envelope', async () => {
    const [heat, schrodinger] = [
      (await service.call('POST /api/svc/heat', { as: 'write', json: SMALL_CASES.heat })).json(),
      (await service.call('POST /api/svc/schrodinger', { as: 'write', json: SMALL_CASES.schrodinger })).json(),
    ];
    expect(await faultsOf(JSON.stringify({ ...heat, kernel_sha256: schrodinger.kernel_sha256 }))).not.toEqual([]);
  });

  test('a gate response is rejected, because nothing was computed', async () => {
    const gated = await service.call('POST /api/svc/heat', { as: 'write', json: { inputs: { heat: 1 } } });
    const answer = await service.call(REPLAY, { body: gated.text });
    expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('an input beyond the budget is rejected, not run', async () => {
    const envelope = (await service.call('POST /api/svc/evolve', { as: 'write', json: SMALL_CASES.evolve })).json();
    const inputs = { ...(envelope.inputs as Json), preset: 'crystal', N: 2000, steps: 200_000, rc: 5 };
    expect(await faultsOf(JSON.stringify({ ...envelope, inputs }))).toEqual([
      expect.stringContaining('BUDGET_EXCEEDED'),
    ]);
  });
});
