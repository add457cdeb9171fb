// svc.verify of the Python package beside svc verify: every receipt of the museum, every sealed field with a change,
// forgeries, files of all forms. With the library `cryptography` and without it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { BUNDLE_FORMAT } from '../../src/chain/bundle.ts';
import { runVerify } from '../../src/cli/receipts.ts';
import { findKernel } from '../../src/kernels/load-node.ts';
import { registration } from '../../src/operators/registered.ts';
import { bundleReceipt } from '../../src/protocol/bundle.ts';
import { lawsClaim, verifyEnvelope } from '../../src/protocol/replay.ts';
import { sealEnvelope, sealedListOf } from '../../src/protocol/seal.ts';
import { coveredFields, uncoveredFields } from '../../src/protocol/sealed-fields.ts';
import type { PublicJwk } from '../../src/protocol/signing.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { receiptVerdict } from '../../src/protocol/words/verdict.ts';
import { capture, contextOf } from '../cli/captured-terminal.ts';
import { signerOf } from '../protocol/sealed-case.ts';
import { type Exhibit, isOfToday, MUSEUM } from '../receipts/museum.ts';
import { BACKENDS, drive, PYTHON, python } from './python.ts';

/** Some 20 ms a receipt in Python, on a machine that does nothing else. */
const MUSEUM_MS = 240_000;
const folder = mkdtempSync(join(tmpdir(), 'svc-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  process.exitCode = undefined;
});

const keysOf = ({ keys }: Exhibit) => JSON.parse(readFileSync(keys, 'utf8')) as { readonly keys: PublicJwk[] };
const byName = (claims: readonly { readonly claim: string; readonly ok?: boolean | null | undefined }[]) =>
  Object.fromEntries(claims.map(({ claim, ok }) => [claim, ok]));

/** What svc says of a receipt without running its kernel. */
function expected(receipt: Untrusted, trusted?: readonly PublicJwk[]) {
  const claims = [...verifyEnvelope(receipt, trusted), lawsClaim(receipt, { registration })];
  const { verdict, title, coverage } = receiptVerdict(claims, {}, (receipt.public_key as PublicJwk).kid);
  const list = sealedListOf(receipt);
  return {
    claims,
    verdict: { verdict, title, coverage },
    covered: coveredFields(receipt, list),
    uncovered: uncoveredFields(receipt, list),
    valid: verdict === 'partial',
    exit: { partial: 0, good: 0, unknown_key: 5, unsigned: 4, bad: 4 }[verdict],
  };
}

/** The first receipt of every kind in the newest room that has it. */
const exhibit = (kind: string): Exhibit => {
  const found = MUSEUM.findLast(({ name }) => name.endsWith(`/${kind}`));
  if (found === undefined) throw new Error(`The museum has no receipt ${kind}.`);
  return found;
};

const NUMBERS: ReadonlySet<string> = new Set(['data', 'base64', 'rows']);

/** The value with each of its leaves changed, one at a time, by path. */
function changes(value: unknown, path: readonly string[] = []): { readonly path: readonly string[]; value: unknown }[] {
  if (Array.isArray(value) || (typeof value === 'object' && value !== null)) {
    // The first entries stand for all, but for the numbers that have a hash.
    const entries = Object.entries(value).filter(([name], at) => at < 4 || NUMBERS.has(name));
    return entries.flatMap(([name, one]) =>
      changes(one, [...path, name]).map((change) => ({
        path: change.path,
        value: Array.isArray(value) ? value.with(Number(name), change.value) : { ...value, [name]: change.value },
      })),
    );
  }
  return [{ path, value: otherLeaf(value) }];
}

function otherLeaf(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 1 : value * (1 + Number.EPSILON);
  if (typeof value === 'boolean') return !value;
  if (value === null) return 0;
  const text = String(value);
  // Another character of the same alphabet.
  return text === '' ? 'x' : `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
}

describe.skipIf(PYTHON === undefined).each(BACKENDS)('svc.verify with %s', (backend) => {
  test('uses that way to check signatures', async () => {
    expect(await drive([{ do: 'backend' }], backend)).toEqual([{ backend }]);
  });

  test(
    'says of every receipt of the museum what svc verify says, and why',
    async () => {
      const found = await drive(
        MUSEUM.map((one) => ({ do: 'verify', path: one.path, jwks: keysOf(one) })),
        backend,
      );
      expect(found.length).toBeGreaterThan(250);
      for (const [at, one] of MUSEUM.entries())
        expect(found[at], one.name).toEqual({ ok: true, ...expected(one.receipt, keysOf(one).keys) });
      expect(found.filter(({ valid }) => valid === true).length).toBeGreaterThan(250);
      expect(found.filter(({ valid }) => valid === false).length).toBeGreaterThanOrEqual(8);
    },
    MUSEUM_MS,
  );

  test('says of none that it is valid, if nobody named a key', async () => {
    const exhibits = MUSEUM.filter((one) => isOfToday(one) || one.name.includes('forged'));
    const found = await drive(
      exhibits.map((one) => ({ do: 'verify', path: one.path })),
      backend,
    );
    for (const [at, one] of exhibits.entries())
      expect(found[at], one.name).toEqual({ ok: true, ...expected(one.receipt) });
    expect(found.some(({ valid }) => valid !== false)).toBe(false);
  });

  const CHANGED = ['heat-rod', 'compute-sweep', 'protect', 'batch-compute-box', 'unified-own'];

  test.each(CHANGED)('refuses %s with a change in any sealed field, and names the first difference', async (kind) => {
    const { receipt, ...one } = exhibit(kind);
    const trusted = keysOf({ receipt, ...one }).keys;
    const list = sealedListOf(receipt);
    const outside = new Set(uncoveredFields(receipt, list));
    const cases = [...coveredFields(receipt, list), 'seal', 'public_key'].flatMap((name) =>
      changes(receipt[name], [name])
        // Words inside of a covered field, and numbers of run inputs beyond their hash.
        .filter(({ path }) => !outside.has(path.join('.').replaceAll(/\.\d+(?=\.|$)/g, '[]')))
        .map(({ path, value }) => ({ path, receipt: { ...receipt, [name]: value } as Untrusted })),
    );
    expect(cases.length).toBeGreaterThan(60);
    const found = await drive(
      cases.map((changed) => ({ do: 'verify', receipt: JSON.stringify(changed.receipt), jwks: trusted })),
      backend,
    );
    let refused = 0;
    for (const [at, { path, receipt: changed }] of cases.entries()) {
      const said = found[at] ?? {};
      let theirs: ReturnType<typeof expected> | undefined;
      try {
        theirs = expected(changed, trusted);
      } catch {
        // Not the form of an envelope: both end with exit code 2.
        expect(said, path.join('.')).toMatchObject({ error: 'VALIDATION_FAILED', exit: 2 });
        refused++;
        continue;
      }
      expect(byName(said.claims as []), path.join('.')).toEqual(byName(theirs.claims));
      expect(said, path.join('.')).toMatchObject({ valid: theirs.valid, exit: theirs.exit });
      if (!theirs.valid) refused++;
    }
    expect(refused).toBe(cases.length);
    const value = cases.findIndex(({ path }) => path.join('.') === 'value');
    expect(found[value]?.first_difference).toEqual({
      field: 'value',
      signed: receipt.value,
      stored: otherLeaf(receipt.value),
    });
  });

  test('refuses a changed value that is sealed again with a key of the forger', async () => {
    const one = exhibit('heat-rod');
    const forger = signerOf(3);
    const changed = { ...one.receipt, value: 1, public_key: forger.publicKey };
    const forged = { ...changed, seal: sealEnvelope(changed, forger) };
    const receipt = JSON.stringify(forged);
    const [pinned, unpinned, theirs] = await drive(
      [
        { do: 'verify', receipt, jwks: keysOf(one) },
        { do: 'verify', receipt },
        { do: 'verify', receipt, jwks: [forger.publicKey] },
      ],
      backend,
    );
    expect(pinned).toMatchObject({ valid: false, exit: 4, verdict: { verdict: 'bad', title: 'not valid' } });
    const title = `signed by an unknown key ${forger.publicKey.kid}`;
    expect(unpinned).toMatchObject({ valid: false, exit: 5, verdict: { verdict: 'unknown_key', title } });
    expect(theirs).toMatchObject({ valid: true, exit: 0 });
  });
});

describe.skipIf(PYTHON === undefined)('python -m svc verify', () => {
  const one = exhibit('heat-rod');
  const write = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  const { seal: _, stamps: __, ...unsealed } = one.receipt;
  const text = JSON.stringify(one.receipt);
  const FILES: Readonly<Record<string, { readonly content: unknown; readonly code: number }>> = {
    'an envelope': { content: one.receipt, code: 0 },
    'an answer of a stored run': { content: { ok: true, envelope: one.receipt }, code: 0 },
    'a result file': { content: { format: 'svc-result/2', envelope: one.receipt, not_signed: {} }, code: 0 },
    'a result file of another version': { content: { format: 'svc-result/9', envelope: one.receipt }, code: 2 },
    'a result file with both': { content: { format: 'svc-result/2', envelope: one.receipt, result: {} }, code: 2 },
    'a result without a seal': { content: unsealed, code: 2 },
    'a bundle of another version': { content: { format: 'svc-bundle/9', kind: 'receipt' }, code: 2 },
    'no object': { content: '[1]', code: 2 },
    'no JSON': { content: '{"value": NaN}', code: 2 },
    'a key twice': { content: text.replace('{', '{"value":1,'), code: 2 },
    'an integer that no double holds': { content: text.replace('{', '{"extra":9007199254740993,'), code: 2 },
    'a lone surrogate': { content: text.replace('{', '{"extra":"\\ud800",'), code: 2 },
    'deep nesting': { content: text.replace('{', `{"extra":${'['.repeat(80)}${']'.repeat(80)},`), code: 2 },
    'a word that nobody signed': { content: { ...one.receipt, notes: ['\u001b[31mred \u202e'] }, code: 0 },
    'a seal of another form': { content: { ...one.receipt, seal: { payload: '' } }, code: 4 },
    'no seal': { content: { ...one.receipt, seal: null }, code: 4 },
  };

  test.each(Object.entries(FILES))('ends like svc verify: %s', async (name, { content, code }) => {
    const path = write(`${name.replaceAll(' ', '-')}.json`, content);
    const ended = await python(['-m', 'svc', 'verify', path, '--jwks', one.keys]);
    expect({ code: ended.code, stderr: ended.code === 2 ? '' : ended.stderr }).toEqual({ code, stderr: '' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing of a receipt may steer the terminal
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|Traceback/);
    const { terminal } = capture(false);
    const theirs = await runVerify(contextOf(terminal), path, { jwks: one.keys }).then(
      () => Number(process.exitCode ?? 0),
      () => 2,
    );
    expect(theirs).toBe(code);
  });

  test('prints the verdict first, and all of it with --json', async () => {
    const [words, json] = [['--jwks', one.keys], ['--json']];
    expect((await python(['-m', 'svc', 'verify', one.path, ...words])).stdout).toMatch(/^valid\n/);
    const { code, stdout } = await python(['-m', 'svc', 'verify', one.path, ...json]);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, verdict: { verdict: 'unknown_key' } });
  });

  test('ends with code 2 for a file that is not there, keys that are none, and other commands', async () => {
    const missing = await python(['-m', 'svc', 'verify', join(folder, 'none.json')]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('NOT_FOUND') });
    const noKeys = await python(['-m', 'svc', 'verify', one.path, '--jwks', write('none-keys.json', '{}')]);
    expect(noKeys).toMatchObject({ code: 2, stderr: expect.stringContaining('Key Set') });
    expect(await python(['-m', 'svc', 'replay', one.path])).toMatchObject({ code: 2 });
  });

  test('compares the kernel in a bundle of a receipt with its hash, and leaves bundles of machines to svc', async () => {
    const kernel = await findKernel(String(one.receipt.kernel_sha256));
    const other = await findKernel(String(exhibit('compute-box').receipt.kernel_sha256));
    if (kernel === undefined || other === undefined) throw new Error('The archive lacks a kernel.');
    const bundle = bundleReceipt(one.receipt, kernel);
    const swapped = bundleReceipt({ ...one.receipt, kernel_sha256: other.sha256 }, other);
    const cases = [
      { content: bundle, code: 0 },
      { content: { ...swapped, envelope: one.receipt }, code: 4 },
      { content: { ...bundle, kernel: { ...bundle.kernel, sha256: other.sha256 } }, code: 2 },
      { content: { format: BUNDLE_FORMAT, kind: 'machine' }, code: 2 },
    ];
    for (const [at, { content, code }] of cases.entries()) {
      const ended = await python(['-m', 'svc', 'verify', write(`bundle-${at}.json`, content), '--jwks', one.keys]);
      expect(ended.code, `${at}: ${ended.stdout}${ended.stderr}`).toBe(code);
    }
  });
});
