// svc cite: receipts of every kind of file in both formats, and what is no receipt.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiptSha256 } from '../../src/protocol/seal.ts';
import { readBibtex } from '../protocol/citation/bibtex-reader.ts';
import { compute, envelopeOf, signer } from '../protocol/sealed-case.ts';
import { svc } from './run-svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-cite-'));
const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

let envelope: Record<string, unknown>;
let receipt: string;
beforeAll(async () => {
  const request = { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 90 }, units: { v: 'km/h' } };
  envelope = { ...envelopeOf(await compute({ ...request, uncertainties: { v: 1 } })) };
  receipt = write('receipt.json', envelope);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('svc cite prints BibTeX, and with --url the node as publisher and link', async () => {
  const { code, stdout, stderr } = await svc(['cite', receipt, '--url', 'https://svc.example.org']);
  expect([code, stderr]).toEqual([0, '']);
  const sha256 = receiptSha256(envelope);
  const { key, fields } = readBibtex(stdout);
  expect(key).toBe(`svc-${sha256.slice(0, 16)}`);
  expect(fields).toMatchObject({
    title: 'Translational kinetic energy (CM9): 625 ± 28 J',
    publisher: 'svc.example.org',
    year: '2026',
    month: 'sep',
    day: '21',
    url: `https://svc.example.org/verify?receipt=${sha256}`,
  });
  for (const part of [sha256, String(envelope.kernel_sha256), signer.publicKey.kid])
    expect(fields.note).toContain(part);
  const alone = readBibtex((await svc(['cite', receipt])).stdout).fields;
  expect([alone.publisher, alone.url]).toEqual(['svc', undefined]);
});

test('svc cite prints CSL JSON of a stored run, a result file and a bundle alike', async () => {
  const bundle = join(folder, 'bundle.json');
  expect((await svc(['bundle', receipt, '-o', bundle])).code).toBe(0);
  const files = [
    receipt,
    write('run.json', { id: 'x', envelope }),
    write('result.json', { format: 'svc-result/2', envelope }),
    bundle,
  ];
  const printed = await Promise.all(files.map((file) => svc(['cite', file, '--format', 'csl'])));
  for (const { code, stdout } of printed) expect([code, stdout]).toEqual([0, printed[0]?.stdout]);
  expect(JSON.parse(printed[0]?.stdout ?? '')).toMatchObject([
    { type: 'dataset', publisher: 'svc', issued: { 'date-parts': [[2026, 9, 21]] } },
  ]);
});

test('svc cite says why a file is no receipt to cite', async () => {
  const { seal: _, stamps: __, ...pure } = envelope;
  const cases: readonly (readonly [file: string, code: number, message: RegExp])[] = [
    [write('other.json', { a: 1 }), 2, /^VALIDATION_FAILED An envelope names its solver\.$/m],
    [write('pure.json', { format: 'svc-result/2', result: pure }), 2, /holds a result that nobody sealed/],
    [write('unsealed.json', pure), 2, /^VALIDATION_FAILED This is a result without a seal/m],
    [write('text.json', 'not JSON'), 2, /is not JSON/],
    [join(folder, 'missing.json'), 2, /^NOT_FOUND /m],
    [write('changed.json', { ...envelope, value: 626 }), 4, /is not cited, since a check fails: The signed statement/],
  ];
  for (const [file, expected, message] of cases) {
    const { code, stdout, stderr } = await svc(['cite', file]);
    expect([code, stdout], stderr).toEqual([expected, '']);
    expect(stderr).toMatch(message);
  }
  expect((await svc(['cite', receipt, '--format', 'ris'])).stderr).toContain('Allowed choices are bibtex, csl');
});

test('svc cite is completed, and its help names the formats', async () => {
  expect((await svc(['completion', 'bash'])).stdout).toContain("'svc cite --format') printf '%s\\n' bibtex csl ;;");
  expect((await svc(['help', 'cite'])).stdout).toMatch(/\(choices: "bibtex", "csl", default:\s+"bibtex"\)/);
});
