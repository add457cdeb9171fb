// svc contract check, test, simulate, diff and explain: definitions in files, without a service.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { ORDERS } from '../contracts/instances/orders.ts';
import { svc } from './run-svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-contract-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEMPLATE = join(ROOT, 'src/templates/supply-chain-and-trade/escrow-dispute-window.json');
const { definition, scenarios } = JSON.parse(readFileSync(TEMPLATE, 'utf8'));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const escrow = write('escrow.json', { $schema: 'x', ...definition });
write('escrow.scenarios.json', scenarios);

test('check prints the hash of a sound definition, and the faults of another with their fixes', async () => {
  const sound = await svc(['contract', 'check', escrow]);
  expect(sound).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sound {2}[0-9a-f]{64}\n$/) });
  const broken = write('broken.json', { ...definition, initial: 'awaiting_depost' });
  const { code, stdout } = await svc(['contract', 'check', broken]);
  expect(code).toBe(4);
  expect(stdout).toMatch(/^INITIAL \/initial\n.*\n {2}Give exactly one state the role initial/);
  const json = await svc(['contract', 'check', broken, '--json']);
  const answer = JSON.parse(json.stdout);
  expect([answer.sound, answer.faults[0].pointer]).toEqual([false, '/initial']);
});

test('warnings are faults with --strict', async () => {
  const idle = write('idle.json', { ...definition, parties: { ...definition.parties, notary: {} } });
  expect(await svc(['contract', 'check', idle])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('IDLE_PARTY'),
  });
  expect((await svc(['contract', 'check', idle, '--strict'])).code).toBe(4);
});

test('test runs the scenarios beside a definition, and those of a template', async () => {
  const { code, stdout } = await svc(['contract', 'test', escrow, TEMPLATE, '--covered']);
  expect(code).toBe(0);
  expect(stdout.match(/ {2}met {2}ruling\n/g)).toHaveLength(2);
  expect(stdout).toContain('  11 of 11 transitions, 6 of 6 outcomes of guards\n');
  const fewer = write('fewer.json', definition);
  write('fewer.scenarios.json', { scenarios: [{ name: 'one', steps: [{ at: 5, expect: { state: 'funded' } }] }] });
  const unmet = await svc(['contract', 'test', fewer]);
  expect(unmet.code).toBe(4);
  expect(unmet.stdout).toContain('step 1: the state is awaiting_deposit, not funded');
  expect(unmet.stdout).toContain('fund never fired from awaiting_deposit');
  const alone = write('alone.json', definition);
  expect(await svc(['contract', 'test', alone])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected beside it, in alone.scenarios.json'),
  });
});

test('simulate lets time pass from an instant on', async () => {
  const sends = ['deposit@60:buyer={"amount":1000}', 'delivered@120:seller={"carrier":"x"}'];
  const { code, stdout } = await svc(['contract', 'simulate', escrow, '--for', 'P8D', '--send', ...sends]);
  expect(code).toBe(0);
  expect(stdout).toContain('2026-01-05T00:01:00');
  expect(stdout).toMatch(/2026-01-12T00:0\d:\S+ {2}inspection → released {2}window_closed \(timer\) → seller_paid/);
  expect(stdout).toMatch(/at the end: released, completed\n$/);
  expect(await svc(['contract', 'simulate', escrow, '--send', 'deposit'])).toMatchObject({ code: 2 });
  const { stdout: refused, code: unknown } = await svc(['contract', 'simulate', escrow, '--send', 'depositt@1']);
  expect([unknown, refused]).toEqual([4, expect.stringContaining('names depositt')]);
});

test('diff tells what changes, and for whom', async () => {
  const parameters = { ...definition.parameters, dispute_window: { type: 'duration', default: 'P9D' } };
  const faulty = write('faulty.json', { ...definition, initial: 'nowhere' });
  const same = await svc(['contract', 'diff', escrow, TEMPLATE, '--exit-code']);
  expect(same).toMatchObject({ code: 0, stdout: 'no difference\n' });
  expect((await svc(['contract', 'diff', escrow, faulty])).code).toBe(2);
  const later = write('later.json', { ...definition, parameters });
  const { code, stdout } = await svc(['contract', 'diff', escrow, later, '--exit-code']);
  expect(code).toBe(4);
  expect(stdout).toContain('~ /parameters/dispute_window/default  "P7D" → "P9D"\n');
  expect(stdout).toContain(
    'The timer of window_closed is set anew for a contract in inspection, counted from its entry.',
  );
  expect(stdout).toContain('takes effect when all who are bound to a party have accepted it');
});

test('explain prints the agreement with the names of the parties', async () => {
  const { code, stdout } = await svc(['contract', 'explain', escrow, '--name', 'buyer=Ann\u001b[31m']);
  expect(code).toBe(0);
  expect(stdout).toContain('- The buyer is Ann\\u{1b}[31m: one account or key.');
  const { stdout: hash } = await svc(['contract', 'check', escrow]);
  expect(stdout).toContain(hash.slice('sound  '.length).trim());
  expect(await svc(['contract', 'explain', escrow, '--name', 'byer=Ann'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('one of buyer, seller, arbiter is expected'),
  });
});

test.each([
  ['a file that is not there', 'missing.json', undefined, 'cannot be read'],
  ['a file that is cut short', 'cut.json', '{"name": "x"', 'is not JSON'],
  ['an empty file', 'empty.json', '', 'is not JSON'],
])('%s is named', async (_, name, content, message) => {
  const path = content === undefined ? join(folder, name) : write(name, content);
  expect(await svc(['contract', 'check', path])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('a contract with a key is checked, tested, simulated, explained and compared by its instances', async () => {
  const orders = write('orders.json', ORDERS);
  expect(await svc(['contract', 'check', orders])).toMatchObject({ code: 0 });
  const scenario = (state: string) => [
    {
      name: 'two orders',
      steps: [
        { send: 'order', payload: { order_id: 'A-17', amount: 5 } },
        { send: 'order', payload: { order_id: 'B', amount: 5 } },
        { send: 'pay', payload: { order_id: 'A-17', amount: 5 } },
        { expect: { instance: 'B', state } },
      ],
    },
  ];
  write('orders.scenarios.json', scenario('placed'));
  expect(await svc(['contract', 'test', orders])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  met  '),
  });
  write('orders.scenarios.json', scenario('paid'));
  const unmet = await svc(['contract', 'test', orders]);
  expect([unmet.code, unmet.stdout]).toEqual([
    4,
    expect.stringContaining('step 4: the state of B is placed, not paid'),
  ]);
  const sends = [
    'order@60={"order_id":"A-17","amount":5}',
    'pay@61={"order_id":"A-17","amount":5}',
    'pay@62={"order_id":"C","amount":5}',
  ];
  const simulated = await svc(['contract', 'simulate', orders, '--for', 'PT5S', '--send', ...sends]);
  expect(simulated.code).toBe(0);
  expect(simulated.stdout).toContain('[A-17] placed → paid  settle (event)');
  expect(simulated.stdout).toContain('refused [C] UNKNOWN_KEY: There is no instance C; order creates one.');
  expect(simulated.stdout).toMatch(/at the end: 1 instance\n {2}\[A-17\] paid, active\n$/);
  expect((await svc(['contract', 'explain', orders])).stdout).toContain('for each order id by itself');
  const later = write('later-orders.json', { ...ORDERS, title: 'Orders' });
  expect((await svc(['contract', 'diff', orders, later])).stdout).toContain('Each instance takes the new version when');
});
