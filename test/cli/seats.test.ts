// svc seats against a running service: where an account acts for a party, page by page, selected, and refused.

import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { PATIENT_LOANS } from '../contracts/instances/loans.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { svc } from './run-svc.ts';

let service: RunningService;
let contract: string;
let bank: Record<string, string>;
let carl: Record<string, string>;

const AUDITOR = { ed25519: `02${'0'.repeat(62)}` };

beforeAll(async () => {
  service = await listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    ...(await inMemory()),
  });
  const open = async (displayName: string) => {
    const { key, zid, machine } = await createClient({ url: service.url }).call('machine.spin-up', { displayName });
    return { key: key ?? '', zid: zid ?? '', slug: machine.slug, env: { SVC_URL: service.url, SVC_KEY: key ?? '' } };
  };
  const [owner, banker, borrower] = [await open('loans'), await open('bank'), await open('carl')];
  [bank, carl] = [banker.env, borrower.env];
  const client = createClient({ url: service.url, key: owner.key });
  const created = await client.call('contract.custom', {
    slug: owner.slug,
    definition: PATIENT_LOANS,
    bindings: { bank: [{ zid: banker.zid }], auditors: [AUDITOR] },
  });
  contract = created.contract.id;
  for (const loan of ['L1', 'L2'])
    await client.call('contract.event', {
      slug: owner.slug,
      id: contract,
      name: 'ask',
      payload: { loan, amount: 4, borrower: borrower.zid },
    });
});
afterAll(() => service.close());

test('a borrower sees each loan with its state, and a bank sees the contract', async () => {
  const { code, stdout } = await svc(['seats'], carl);
  const lines = stdout.trimEnd().split('\n');
  expect([code, lines.length]).toEqual([0, 2]);
  for (const [at, loan] of ['L1', 'L2'].entries())
    expect(lines[at]).toMatch(
      new RegExp(`^loans {2}${contract} {2}${loan} {2}borrower {2}asked {2}active, next at tick \\d+$`),
    );
  expect((await svc(['seats'], bank)).stdout).toMatch(
    new RegExp(`^loans {2}${contract} {2}bank {2}asked {2}active, next at tick \\d+ {2}loan\n$`),
  );
});

test('seats come by the page, and are selected by machine and status', async () => {
  const first = await svc(['seats', '--limit', '1'], carl);
  expect(first.stdout).toContain('L1');
  const cursor = first.stderr.trim().split(' ').at(-1) ?? '';
  const second = await svc(['seats', '--limit', '1', '--cursor', cursor], carl);
  expect([second.stdout.includes('L2'), second.stderr]).toEqual([true, '']);
  const { stdout } = await svc(['seats', '--machine', 'loans', '--status', 'active', '--json'], carl);
  expect(JSON.parse(stdout).rows.map(({ instance }: { readonly instance: string }) => instance)).toEqual(['L1', 'L2']);
  expect(await svc(['seats', '--status', 'paused'], carl)).toEqual({ code: 0, stdout: '', stderr: 'no such seat\n' });
});

test('without a key, and with a status that no contract has, the message says what to do', async () => {
  const keyless = await svc(['seats'], { SVC_URL: service.url });
  expect([keyless.code, keyless.stderr]).toEqual([
    3,
    'AUTH_REQUIRED No key was given. Seats belong to an account: set SVC_KEY or use --key.\n',
  ]);
  const { code, stderr } = await svc(['seats', '--status', 'open'], carl);
  expect([code, stderr]).toEqual([2, expect.stringContaining('active, paused, frozen, completed, failed')]);
});
