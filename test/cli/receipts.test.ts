// svc verify, svc replay and svc bundle on receipts of a law: in words, safe for a terminal, from every kind of file.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { resultFileOf } from '../../src/protocol/result-file.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { compute } from '../protocol/sealed-case.ts';
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
      /^ {2}Result +K = 625 ± 13\.88\d* J {2}⟦≈ 625 ± 14 J; kinetic energy/m,
      /^ {2}Law +Translational kinetic energy \(CM9\) {2}⟦as registered in this version⟧$/m,
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
  const { code, stdout } = await svc(['verify', receipt]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^signed by an unknown key\n/)]);
  expect(stdout).toContain('owner unknown');
  expect(stdout).toContain('? key pinned — The key is one that you trust (not checked: name the keys');
  expect(stdout).toContain(
    '? replay — Recomputing it with its kernel gives the same bits (not checked: run svc replay',
  );
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
  const file = write('sealed-result.json', { format: 'svc-result/1', envelope, arrays: [] });
  expect(await svc(['verify', file, '--jwks', jwks])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid\n/),
  });
  expect(await svc(['replay', file])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^bits equal\n/) });
});

test('a saved result without a seal is replayed, and never called valid or signed', async () => {
  const { computation, pure, solution } = await compute({
    domain: 'CM',
    operators: ['CM9'],
    inputs: { m: 2, v: 90 },
    units: { v: 'km/h' },
  });
  const result = resultFileOf({ pure, solution, kernel: computation.kernel, inputUnits: {}, envelope: undefined });
  const file = write('result.json', result);
  const replayed = await svc(['replay', file]);
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^bits equal; not signed\n/) });
  expect(replayed.stdout).toMatch(/^ {2}Input v +90 km\/h/m);
  expect(replayed.stdout).toMatch(/^ {2}Signed by +nobody$/m);
  const verified = await svc(['verify', file]);
  expect(verified).toMatchObject({ code: 4, stdout: expect.stringMatching(/^NOT SIGNED, BITS EQUAL\n/) });
  const changed = write('changed-result.json', { ...result, result: { ...pure, value: 626 } });
  expect(await svc(['replay', changed])).toMatchObject({ code: 4, stdout: expect.stringMatching(/^BITS DIFFER\n/) });
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
