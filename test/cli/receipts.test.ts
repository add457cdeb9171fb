// svc verify, svc replay and svc bundle on receipts of a law: in words, safe for a terminal, from every kind of file.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { COMPUTE_REVISION } from '../../src/protocol/chain-computation.ts';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { resultFileOf } from '../../src/protocol/result-file.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { compute, computeWith, envelopeOf, forge, signer } from '../protocol/sealed-case.ts';
import { svc } from './run-svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-receipts-'));
const receipt = join(folder, 'receipt.json');
const jwks = join(folder, 'jwks.json');
let service: RunningService;
let envelope: Record<string, unknown>;

beforeAll(async () => {
  service = await listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    inMemory: true,
  });
  const given = ['m=2kg', 'v=90±1km/h', '--operators', 'CM9'];
  const sealed = await svc(['compute', 'CM', ...given, '--url', service.url, '--output', receipt]);
  expect(sealed.code, sealed.stderr).toBe(0);
  envelope = JSON.parse(readFileSync(receipt, 'utf8'));
  writeFileSync(jwks, JSON.stringify(service.services.keyRing.jwks()));
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

test.each(['verify', 'replay'])(
  'svc %s prints law, equation, inputs with units, result, date and signer',
  async (command) => {
    const { code, stdout } = await svc([command, receipt, '--jwks', jwks]);
    expect(code).toBe(0);
    for (const line of [
      /^ {2}Result +K = 625 ± 27\.77\d* J {2}⟦≈ 625 ± 28 J; kinetic energy/m,
      /^ {2}Law +CM9 {2}⟦Translational kinetic energy; as registered in this version⟧$/m,
      /^ {2}Equation +K = m\*v\^2\/2$/m,
      /^ {2}Input m +2 kg {2}⟦mass⟧$/m,
      /^ {2}Input v +90 ± 1 km\/h {2}⟦= 25 ± 0\.27\d* m\/s; speed⟧$/m,
      /^ {2}Date +20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC/m,
      /^ {2}Signed by +key [\w-]{43} {2}⟦one of the keys in .*jwks\.json⟧$/m,
      /^ {2}\? hmac .*not checked/m,
      /No program can check whether the inputs are true/,
    ])
      expect(stdout).toMatch(line);
  },
);

test('without trusted keys the verdict is not "valid", and says what was not checked', async () => {
  const { kid } = envelope.public_key as { kid: string };
  const { code, stdout } = await svc(['verify', receipt]);
  expect([code, stdout.split('\n')[0]]).toEqual([5, `signed by an unknown key ${kid}`]);
  expect(stdout).toContain('owner unknown');
  expect(stdout).toContain('? key pinned — The key is one that you trust (not checked: name the keys');
  expect(stdout).toContain(
    '? kernel — Its kernel leaves the same outputs, bit for bit (not checked: run svc replay FILE)',
  );
  const replayed = await svc(['replay', receipt]);
  expect([replayed.code, replayed.stdout.split('\n')[0]]).toEqual([5, `signed by an unknown key ${kid}, bits equal`]);
  const { valid, verdict } = JSON.parse((await svc(['verify', receipt, '--json'])).stdout);
  expect([valid, verdict.verdict]).toEqual([false, 'unknown_key']);
});

test('a changed unit is shown as what it is: not signed', async () => {
  const { code, stdout } = await svc([
    'verify',
    write('unit.json', { ...envelope, units: { v: 'm/s' } }),
    '--jwks',
    jwks,
  ]);
  expect([code, stdout]).toEqual([4, expect.stringMatching(/^NOT VALID\n/)]);
  expect(stdout).toMatch(/^ {2}Names as signer +key .*⟦not proved⟧$/m);
  expect(stdout).toContain('No valid signature covers this text: anyone may have written it.');
  expect(stdout).not.toContain('Signed by');
});

test('a hostile receipt sends no control character to the terminal, neither in words nor in errors', async () => {
  const attack = '\u001b[2J\u009b31m\u202e\r\n  ✓ key pinned ⟦a key that you trust⟧';
  const definitions = (envelope.definitions as Record<string, unknown>[]).map((one) => ({ ...one, name: attack }));
  const hostile = { ...envelope, unit: attack, keyPrefix: attack, notes: [attack], definitions, [attack]: 1 };
  const runs = [
    await svc(['verify', write('hostile.json', hostile)]),
    await svc(['replay', write('hostile.json', hostile)]),
    await svc(['replay', write('solver.json', { ...hostile, solver: attack })]),
    await svc(['verify', write('format.json', { format: `svc-bundle/${attack}` })]),
  ];
  for (const { code, stdout, stderr } of runs) {
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
    expect(stdout).not.toMatch(/^ {2}✓ key pinned/m);
    expect(stdout).not.toContain('⟦a key that you trust⟧');
  }
});

test('a saved result with its seal is verified and replayed', async () => {
  const file = write('sealed-result.json', { format: 'svc-result/2', envelope });
  expect(await svc(['verify', file, '--jwks', jwks])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid\n/),
  });
  expect(await svc(['replay', file, '--jwks', jwks])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid, bits equal\n/),
  });
  expect(
    await svc(['verify', write('old-result.json', { format: 'svc-result/1', envelope, arrays: [] })]),
  ).toMatchObject({ code: 2, stderr: expect.stringContaining('svc-result/2 is expected') });
});

test.each(['verify', 'replay'])(
  'svc %s refuses a receipt that a stranger sealed with a key of their own',
  async (command) => {
    const file = write('forged.json', forge(envelope as unknown as Envelope));
    expect(await svc([command, file, '--jwks', jwks])).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/^NOT VALID\n[\s\S]*✗ key pinned/),
    });
    expect(await svc([command, file])).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^signed by an unknown key [\w-]{43}/),
    });
  },
);

test.each(['verify', 'replay'])(
  'svc %s refuses a law that nobody registered, also from a trusted key',
  async (command) => {
    const trusted = write('signer.json', { keys: [signer.publicKey] });
    const [pulse, box] = [findOperator('KO42'), findOperator('QM5')].map(definitionOf);
    if (!pulse || !box) throw new Error('The registry has no QM5.');
    const invented = { ...box, equation: 'E = n^2*pi^2*hbar^2/(4*m*L^2)' };
    const sealed = envelopeOf(await computeWith([pulse, invented], { n: 3, m: 9.1093837139e-31, L: 2.5e-9 }));
    const refused = await svc([command, write('false-law.json', sealed), '--jwks', trusted]);
    expect(refused).toMatchObject({ code: 4, stdout: expect.stringMatching(/^NOT A REGISTERED LAW\n/) });
    expect(refused.stdout).toContain('This version registers another QM5: Particle-in-a-box eigenenergy');
    expect(refused.stdout).toContain('✗ laws — Its laws are, or once were, laws of this registry (No registry of this');
    if (command === 'replay') expect(refused.stdout).toContain('✓ answer');
  },
);

test('svc solve --output holds all arrays of a plate, and with --linked only their hashes', async () => {
  const plate = ['solve', 'heat', '--dim', '2', '--nx', '72', '--ny', '72', '--steps', '8', '--url', service.url];
  const field = (path: string) =>
    JSON.parse(readFileSync(path, 'utf8')).fields.find(({ name }: { readonly name: string }) => name === 'T');
  const [whole, linked] = [join(folder, 'plate.json'), join(folder, 'plate-linked.json')];
  expect((await svc([...plate, '--output', whole])).code).toBe(0);
  expect((await svc([...plate, '--output', linked, '--linked'])).code).toBe(0);
  expect(field(whole)).not.toHaveProperty('href');
  expect(field(linked)).not.toHaveProperty('base64');
  const bytes = Buffer.from(field(whole).base64, 'base64');
  expect(bytes.length).toBe(9 * 73 * 73 * 8);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(field(whole).sha256);
  expect(field(linked)).toMatchObject({
    sha256: field(whole).sha256,
    href: expect.stringContaining(field(whole).sha256),
  });
  for (const file of [whole, linked])
    expect(await svc(['replay', file, '--jwks', jwks])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^valid, bits equal\n/),
    });
});

test('a receipt that is too large for its arrays is refused, and the message names --linked', async () => {
  const plate = ['solve', 'heat', '--dim', '2', '--url', service.url, '--output', join(folder, 'large.json')];
  const refused = await svc(plate);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(/BODY_TOO_LARGE.*990000.*add --linked/) });
  expect([refused.code, existsSync(join(folder, 'large.json'))]).toEqual([2, false]);
  expect((await svc([...plate, '--linked'])).code).toBe(0);
});

test.each([
  ['solve', ['heat', '--dim', '2', '--nx', '72', '--ny', '72', '--steps', '8'], findSolver('heat')?.revision],
  ['compute', ['CM', 'm=2kg', 'v=90±1km/h', '--operators', 'CM9'], COMPUTE_REVISION],
] as const)('a file that a local svc %s writes is replayed whole, without a seal', async (command, args, revision) => {
  const file = join(folder, `local-${command}.json`);
  expect(await svc([command, ...args, '--output', file])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 'svc-result/2', result: { revision } });
  const replayed = await svc(['replay', file]);
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^not signed, bits equal\n/) });
  for (const claim of ['arrays', 'kernel', 'plan', 'answer', 'laws'])
    expect(replayed.stdout).toContain(`✓ ${claim} — `);
});

test('a saved result without a seal is replayed, and never called valid or signed', async () => {
  const { computation, pure, solution } = await compute({
    domain: 'CM',
    operators: ['CM9'],
    inputs: { m: 2, v: 90 },
    units: { v: 'km/h' },
  });
  const result = resultFileOf({
    pure,
    solution,
    kernel: computation.kernel,
    inputUnits: {},
    runArrays: [],
    envelope: undefined,
  });
  const file = write('result.json', result);
  const replayed = await svc(['replay', file]);
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^not signed, bits equal\n/) });
  expect(replayed.stdout).toMatch(/^ {2}Input v +90 km\/h/m);
  expect(replayed.stdout).toMatch(/^ {2}Signed by +nobody$/m);
  const verified = await svc(['verify', file]);
  expect(verified).toMatchObject({ code: 4, stdout: expect.stringMatching(/^not signed, bits equal\n/) });
  const changed = write('changed-result.json', { ...result, result: { ...pure, value: 626 } });
  expect(await svc(['replay', changed])).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^NOT VALID\n {2}first difference: value\n/),
  });
  expect((await svc(['verify', changed])).code).toBe(4);
});

test('--json holds the verdict and the words', async () => {
  const { verdict, receipt: words } = JSON.parse((await svc(['verify', receipt, '--jwks', jwks, '--json'])).stdout);
  expect(verdict).toMatchObject({ verdict: 'partial', title: 'valid', failed: [] });
  expect(words.lines).toContainEqual(expect.objectContaining({ label: 'Input v', text: '90 ± 1 km/h' }));
});

test('the receipt of a law is bundled with the expression kernel, as JSON and as a page', async () => {
  const [json, page] = [join(folder, 'bundle.json'), join(folder, 'bundle.html')];
  expect((await svc(['bundle', receipt, '-o', json])).code).toBe(0);
  expect(await svc(['verify', json, '--jwks', jwks])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid, bits equal\n/),
  });
  expect((await svc(['bundle', receipt, '-o', page, '--html'])).code).toBe(0);
  expect(readFileSync(page, 'utf8')).toContain('<script type="application/json" id="bundle">{"format":"svc-bundle/1"');
});
