// One caller with many keys creates things on two nodes of one database at once: each limit is that of both together.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import type { RunningService } from '../../src/server.ts';
import { ECHO } from '../http/machine-fixture.ts';
import { type Answer, ServedNodes } from '../services/node/owners/served-nodes.ts';
import { databaseUrl } from '../storage/databases.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

const RATES = { spinUp: 5, machine: 6, demoKey: 8, key: 6, playground: 4, unlock: 3, takenSlug: 4 };

describe.runIf(databaseUrl !== undefined)('on two nodes', () => {
  const nodes = new ServedNodes(databaseUrl ?? '');
  let both: readonly RunningService[];
  beforeAll(async () => {
    const options = { rates: unlimitedRates(RATES) };
    both = [await nodes.start(options), await nodes.start(options)];
  });
  afterAll(() => nodes.dispose());

  const post = async (node: RunningService, path: string, body: unknown, key: string | undefined) => {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
    const answer = await fetch(node.url + path, { method: 'POST', body: JSON.stringify(body), headers });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };

  /** Sends all at once, on each node in turn. @returns the bodies of the answers by status */
  async function storm(count: number, path: string, body: unknown, keys: readonly (string | undefined)[]) {
    const answers = await Promise.all(
      // Each key is used on both nodes.
      Array.from({ length: count }, (_, i) => {
        const node = both[i % both.length];
        if (node === undefined) throw new Error('No node runs.');
        return post(node, path, body, keys[(i >> 1) % keys.length]);
      }),
    );
    const byStatus = new Map<number, Answer['body'][]>();
    for (const { status, body: answered } of answers) byStatus.set(status, [...(byStatus.get(status) ?? []), answered]);
    return byStatus;
  }
  const slugOf = (answer: Answer['body'] | undefined) =>
    String((answer?.machine as { slug?: string } | undefined)?.slug);
  const counts = (answers: ReadonlyMap<number, readonly unknown[]>) =>
    Object.fromEntries([...answers].map(([status, all]) => [status, all.length]));

  /** Keys of a new account. */
  async function keysOfAccount(count: number): Promise<string[]> {
    const { keys, access } = (both[0] as RunningService).services;
    const request = { name: 'x', scope: 'admin', rate_limit_tier: 'high' } as const;
    const made = [(await keys.openAccount(request)).key];
    const owner = await access.authenticate(made[0] ?? '');
    while (made.length < count) made.push((await keys.create(owner, request)).key);
    return made;
  }

  let demo: string[] = [];
  test('demo keys of one address, and what they may become', async () => {
    const minted = await storm(20, '/api/demo-key/mint', {}, [undefined]);
    expect(counts(minted)).toEqual({ 200: RATES.demoKey, 429: 20 - RATES.demoKey });
    demo = (minted.get(200) ?? []).map(({ key }) => String(key));
    // No demo key makes keys, of whatever scope.
    for (const scope of ['read', 'write', 'admin'])
      expect(counts(await storm(4, '/api/keys', { name: 'x', scope }, demo))).toEqual({ 403: 4 });
  });

  test('accounts with a machine, by demo keys of one address and without one', async () => {
    const opened = await storm(24, '/api/chain/spin-up', {}, demo);
    expect(counts(opened)).toEqual({ 201: RATES.spinUp, 429: 24 - RATES.spinUp });
    // The machines that these accounts make count together: they have the rates of the address.
    const keys = (opened.get(201) ?? []).map(({ key }) => String(key));
    expect(counts(await storm(16, '/api/chain/spin-up', {}, keys))).toEqual({
      201: RATES.machine,
      429: 16 - RATES.machine,
    });
    const slug = slugOf(opened.get(201)?.[0]);
    // A demo key sees nothing of the private machine that it began, and makes no key of it.
    const devKeys = await storm(4, `/api/chain/${slug}/api-keys`, { name: 'x', scope: 'admin' }, demo);
    expect(counts(devKeys)).toEqual({ 404: 4 });
  });

  test('machines, keys and share tokens of an account, by several of its keys', async () => {
    const keys = await keysOfAccount(3);
    // One of the first machines makes the identity of the account, which then owns all.
    const machines = await storm(16, '/api/chain/state-machines', {}, keys);
    expect(counts(machines)).toEqual({ 201: RATES.machine, 429: 16 - RATES.machine });
    expect((machines.get(201) ?? []).filter(({ zid }) => zid !== undefined)).toHaveLength(1);
    const slug = slugOf(machines.get(201)?.[0]);
    // Two of the six keys of an hour are minted.
    const paths = ['/api/keys', `/api/chain/${slug}/api-keys`, `/api/chain/state-machines/${slug}/share/set`];
    const answers = await Promise.all(
      paths.map((path) => storm(6, path, path.endsWith('set') ? { label: 'x' } : { name: 'x' }, keys)),
    );
    const made = answers.reduce((sum, one) => sum + (one.get(201)?.length ?? 0), 0);
    expect([made, answers.flatMap((one) => [...one.keys()]).every((status) => [201, 429].includes(status))]).toEqual([
      RATES.key - 2,
      true,
    ]);
  });

  test('the playground, attempts to unlock, and slugs that are taken', async () => {
    const json = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 3, m: 9.1e-31, L: 2.5e-9 } };
    const played = await storm(12, '/api/playground/compute', json, demo);
    expect([
      played.get(429)?.length,
      [...played].flatMap(([status, all]) => (status === 429 ? [] : all)).length,
    ]).toEqual([12 - RATES.playground, RATES.playground]);
    const slug = await nodes.machineOf(both[0] as RunningService);
    const unlocked = await storm(10, `/api/chain/${slug}/unlock`, { equation: 'x' }, demo);
    expect(unlocked.get(429)?.length).toBe(10 - RATES.unlock);
    const keys = await keysOfAccount(2);
    const taken = await storm(12, '/api/chain/state-machines', { slug }, keys);
    expect(taken.get(201)).toBeUndefined();
    expect(taken.get(429)?.length).toBeGreaterThanOrEqual(12 - RATES.takenSlug);
  });

  test('contracts of one machine', async () => {
    const slug = await nodes.machineOf(both[0] as RunningService);
    const { perMachine } = LIMITS.contracts;
    const deployed = await storm(perMachine + 20, `/api/chain/${slug}/contracts/custom`, { definition: ECHO }, [
      nodes.key,
    ]);
    expect(deployed.get(201)?.length).toBe(perMachine);
  });
});
