// A service, a file or an old row that holds escapes: the command line shows them, and a terminal never obeys them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { afterAll, afterEach, expect, test } from 'vitest';
import { addComputeCommand } from '../../src/cli/compute.ts';
import { addContractCommands } from '../../src/cli/contracts.ts';
import { addKeyCommands } from '../../src/cli/keys.ts';
import { addMachineCommands } from '../../src/cli/machines.ts';
import { addOperatorCommands } from '../../src/cli/operators.ts';
import { runReplay, runVerify } from '../../src/cli/receipts.ts';
import { addTailCommand } from '../../src/cli/tail.ts';
import { paint, print, reportError, type Terminal } from '../../src/cli/terminal.ts';
import { DomainError } from '../../src/core/errors.ts';
import { capture, contextOf } from '../cli/captured-terminal.ts';

/** A colour, the palette's own green, a link (OSC 8), the clipboard (OSC 52), 8-bit CSI, an override, a new line. */
const ATTACK =
  '\u001b[31mA\u001b[32mvalid\u001b[0m\u001b]8;;http://evil.example\u0007B\u001b]52;c;ZXZpbA==\u0007\u009b2JC\u202eD\r\nE';
const RED = 'A\u001b[32m';
const CONTROL = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** The text without what `paint` writes. */
const withoutStyles = (text: string) =>
  [0, 1, 2, 31, 32, 33].reduce((rest, code) => rest.replaceAll(`\u001b[${code}m`, ''), text);

const head = { seq: 7, svcond: 9, row_hash: ATTACK };
const contract = {
  id: ATTACK,
  name: ATTACK,
  currentState: ATTACK,
  status: ATTACK,
  fire_count: 1,
  next_fire: null,
  parameters: { [ATTACK]: ATTACK },
  context: { x: ATTACK },
};
const row = { seq: 8, svcond: 9, type: ATTACK, source: ATTACK, name: ATTACK, payload: { [ATTACK]: ATTACK } };
const machine = { slug: ATTACK, name: ATTACK, status: ATTACK, id_hash: ATTACK, address: ATTACK, role: ATTACK, head };
const transitions = [{ seq: 1, svcond: 2, from: ATTACK, to: ATTACK, transition: ATTACK }];
const key = { id: ATTACK, keyPrefix: ATTACK, scope: ATTACK, rate_limit_tier: ATTACK, expires_at: ATTACK, name: ATTACK };
const result = {
  value: 1,
  unit: ATTACK,
  uncertainty: 1,
  converged: true,
  verification: { method: ATTACK },
  equations: ['', ATTACK],
  results: [],
  quantities: [],
  notes: [ATTACK],
};

/** A service that answers every path with escapes, as one that is not ours may. */
const server = createServer(({ url = '' }, response) => {
  const path = url.split('?')[0] ?? '';
  if (path.endsWith('/explore/sse')) {
    response.setHeader('content-type', 'text/event-stream');
    response.write(`event: begin\ndata: {"ok":true,"seq":7}\n\nevent: row\ndata: ${JSON.stringify(row)}\n\n`);
    return;
  }
  if (path.includes('refused')) response.statusCode = 409;
  const error = { code: 'CONFLICT', error: ATTACK, details: [{ path: ATTACK, code: ATTACK, message: `2${ATTACK}` }] };
  const lists = /keys$/.test(path) ? [key] : /contracts$/.test(path) ? [contract] : [{ ...machine, ...row }];
  const answer = { machine, contract, transitions, by_type: { [ATTACK]: 3 }, rows: lists, next_cursor: ATTACK };
  const validation = {
    valid: false,
    checked: 1,
    erased: 0,
    next_from: null,
    first_bad: { seq: 1, reason: ATTACK },
    head,
  };
  const all = { ok: true, ...answer, ...validation, ...result };
  response.end(JSON.stringify(response.statusCode === 409 ? { ok: false, ...error } : all));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = mkdtempSync(join(tmpdir(), 'svc-escapes-'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  process.exitCode = undefined;
});

async function run(terminal: Terminal, args: readonly string[]): Promise<void> {
  const program = new Command('svc').exitOverride();
  const context = contextOf(terminal);
  addMachineCommands(program.command('machine'), context);
  addContractCommands(program.command('contract'), context);
  addOperatorCommands(program.command('operators'), context);
  addKeyCommands(program.command('keys'), context);
  addTailCommand(program, context);
  addComputeCommand(program, context);
  await program.parseAsync(args, { from: 'user' }).catch((error) => reportError(terminal, error));
}

/** The text has the attack, and every control character in it is visible. */
function expectVisible(sent: string): void {
  expect(sent).toMatch(/\\u\{1b\}\[31mA|\\u001b\[31mA/i);
  expect(sent).not.toContain(RED);
  expect(withoutStyles(sent)).not.toMatch(CONTROL);
}

const service = ['--url', url];
const COMMANDS: readonly (readonly string[])[] = [
  ['machine', 'list', ...service],
  ['machine', 'show', 'boiler', ...service],
  ['machine', 'events', 'boiler', ...service],
  ['machine', 'validate', 'boiler', ...service],
  ['machine', 'spin-up', 'boiler', ...service],
  ['machine', 'show', 'refused', ...service],
  ['contract', 'list', 'boiler', ...service],
  ['contract', 'show', 'boiler', 'c', ...service],
  ['contract', 'pause', 'boiler', 'c', ...service],
  ['tail', 'boiler', '--count', '1', ...service],
  ['keys', 'list', '--key', 'k', ...service],
  ['compute', 'CM', 'm=2kg', 'v=3m/s', '--key', 'k', ...service],
  ['operators', 'find', ATTACK],
  ['operators', 'show', ATTACK],
  ['operators', 'list', ATTACK],
];

for (const isColoured of [false, true])
  test.each(COMMANDS.map((args) => [args.slice(0, 3).join(' ').replace(ATTACK, 'ATTACK'), args] as const))(
    `${isColoured ? 'in colour' : 'without colour'}: svc %s`,
    async (_, args) => {
      const { terminal, sent } = capture(isColoured);
      await run(terminal, args);
      expectVisible(sent());
      // No text begins a line of its own; messages of errors may have several lines.
      if (!args.includes('refused') && args[1] !== 'show') expect(sent()).not.toMatch(/^E/m);
    },
  );

test.each(COMMANDS.filter(([name]) => name !== 'operators').map((args) => [args.slice(0, 3).join(' '), args] as const))(
  'as JSON: svc %s',
  async (_, args) => {
    const { terminal, sent } = capture(true);
    await run(terminal, [...args, '--json']);
    expectVisible(sent());
    if (args.includes('refused')) return;
    const json = withoutStyles(sent()).replace(/^following.*\n/, '');
    // The same texts as JSON.
    expect(Object.values(JSON.parse(json)).length).toBeGreaterThan(0);
    expect(JSON.stringify(JSON.parse(json))).toContain('\u202eD');
  },
);

/** Puts the attack into every text and every key that is not one of a receipt. */
function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return `${value}${ATTACK}`;
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poisoned(one)])), [ATTACK]: ATTACK };
}

const museum = fileURLToPath(new URL('../receipts/2026-11-claims/', import.meta.url));

test.each(['compute-box.json', 'compute-chain.json', 'evolve.json'])('verify and replay of %s', async (name) => {
  const file = join(folder, name);
  const receipt = JSON.parse(readFileSync(join(museum, name), 'utf8'));
  // One file is poisoned throughout; in the other one the numbers still replay.
  for (const subject of [
    poisoned(receipt),
    { ...receipt, notes: [ATTACK], definitions: poisoned(receipt.definitions) },
  ]) {
    writeFileSync(file, JSON.stringify(subject));
    for (const [command, json] of [runVerify, runReplay].flatMap(
      (one) =>
        [
          [one, false],
          [one, true],
        ] as const,
    )) {
      const { terminal, sent } = capture(true);
      await command(contextOf(terminal), file, { json }).catch((error) => reportError(terminal, error));
      expect(sent().length).toBeGreaterThan(20);
      expect(sent()).not.toContain(RED);
      expect(withoutStyles(sent())).not.toMatch(CONTROL);
    }
  }
});

test('an own style survives around a text of a stranger', () => {
  const { terminal, sent } = capture(true);
  print(terminal, `${paint(terminal, 'bold', 'slug\u001b[0m')} name`);
  expect(sent()).toBe('\u001b[1mslug\\u{1b}[0m\u001b[0m name\n');
});

test('errors keep their lines, each of them visible', () => {
  const { terminal, sent } = capture(false);
  reportError(terminal, new DomainError('BAD_REQUEST', 'one\u001b[2J\ntwo\u009b'));
  reportError(terminal, new Error('three\u001b[2J\nfour'));
  expect(sent()).toBe('BAD_REQUEST one\\u{1b}[2J\ntwo\\u{9b}\nthree\\u{1b}[2J\nfour\n');
});

test('characters that display as nothing are shown, and marks do not pile up over other lines', () => {
  const { terminal, sent } = capture(false);
  print(terminal, 'key\u3164\u115f\u{e0100}\u034f');
  print(terminal, `a${'\u0301'.repeat(50)}b`);
  print(terminal, '⚠\ufe0f e\u0301');
  expect(sent()).toBe('key\\u{3164}\\u{115f}\\u{e0100}\\u{34f}\na\u0301\u0301\u0301…b\n⚠\ufe0f e\u0301\n');
});
