// A bundle proves a range of a chain without other sources, and verification names the claim that is false.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MachineBundle, verifyMachineBundle } from '../../src/chain/bundle.ts';
import { CompactRange } from '../../src/chain/compact-range.ts';
import { isSameBytes, leafHash, rootFromLeaves, siblingSubtrees } from '../../src/chain/merkle.ts';
import { toHex } from '../../src/core/bits.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { isBundle, readBundle, verifyChainBundle } from '../../src/protocol/bundle.ts';
import { bundleOf } from './bundle-fixture.ts';
import { chainOf, longChain } from './chain-fixture.ts';
import { readerOf, rowHashes, treeHash } from './reference-tree.ts';
import { testSigner } from './signer.ts';

const signer = testSigner(5);
const chain = longChain('boiler', 300);
const bundle = (from: number, to: number, size = chain.length) => bundleOf(chain, { from, to, size, signer });
const claimResults = (value: MachineBundle, ...trusted: Uint8Array[]) =>
  Object.fromEntries(
    verifyMachineBundle(value, trusted.length === 0 ? undefined : trusted).map(({ claim, ok }) => [claim, ok]),
  );
const ALL_TRUE = { identity: true, rows: true, checkpoint: true, tree: true, payloads: true, definitions: true };

describe('the sibling subtrees of a range', () => {
  test('give the reference root for every range, and every hash is needed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, a, b) => {
        const from = a % size;
        const to = from + 1 + (b % (size - from));
        const rows = rowHashes(size);
        const beside = new Map(
          siblingSubtrees({ from, to }, size).map((subtree) => [
            `${subtree.level} ${subtree.index}`,
            readerOf(rows)(subtree),
          ]),
        );
        const used = new Set<string>();
        const read = ({ level, index }: { level: number; index: number }) => {
          used.add(`${level} ${index}`);
          return beside.get(`${level} ${index}`) ?? new Uint8Array();
        };
        const root = rootFromLeaves(rows.slice(from, to).map(leafHash), from, size, read);
        return isSameBytes(root, treeHash(rows)) && used.size === beside.size;
      }),
    );
  });

  test('a compact range has the reference root at every size', () => {
    const rows = rowHashes(70);
    const tree = new CompactRange();
    expect(toHex(tree.root())).toBe(toHex(treeHash([])));
    for (const [i, row] of rows.entries()) {
      tree.add(leafHash(row));
      expect(toHex(tree.root())).toBe(toHex(treeHash(rows.slice(0, i + 1))));
    }
  });
});

describe('an unchanged bundle', () => {
  test.each([
    ['all rows', 0, 299, 300],
    ['one row', 17, 17, 300],
    ['the first rows', 0, 9, 300],
    ['the last rows', 290, 299, 300],
    ['a range across tiles', 200, 280, 299],
  ])('%s: every claim is true', (_, from, to, size) => {
    expect(claimResults(bundle(from, to, size))).toEqual(ALL_TRUE);
    expect(claimResults(bundle(from, to, size), signer.publicKey)).toEqual({ ...ALL_TRUE, 'key pinned': true });
  });

  test('every range survives a JSON round trip and verifies', () => {
    fc.assert(
      fc.property(fc.nat({ max: 299 }), fc.nat({ max: 299 }), fc.integer({ min: 1, max: 300 }), (a, b, size) => {
        const original = bundle(Math.min(a, b), Math.max(a, b), size);
        const read = readBundle(JSON.parse(JSON.stringify(original)));
        return read.kind === 'machine' && verifyChainBundle(read).every(({ ok }) => ok !== false);
      }),
      { numRuns: 60 },
    );
  });

  test('rows newer than the checkpoint and missing payloads are undecided', () => {
    expect(claimResults(bundle(100, 250, 200))).toEqual({ ...ALL_TRUE, tree: null });
    // The checkpoint still proves row 0, but none of these rows.
    expect(claimResults(bundle(250, 260, 200))).toEqual({ ...ALL_TRUE, tree: null });
    const erased = bundle(0, 20);
    delete erased.rows[3]?.payload_text;
    delete erased.rows[3]?.salt;
    expect(claimResults(erased)).toEqual({ ...ALL_TRUE, payloads: null });
    expect(claimResults({ ...bundle(0, 20), checkpoint: null })).toEqual({ ...ALL_TRUE, checkpoint: null, tree: null });
    expect(claimResults({ ...bundle(5, 20), checkpoint: null })).toMatchObject({ identity: null });
  });
});

describe('a changed bundle', () => {
  const contract = '01890000-0000-7000-8000-000000000000';
  const definition = '{"name":"a"}';
  const activation = { contract, act: 'deployed', version: 1, definition_hash: sha256Hex(definition) };
  /** The chain with a contract activated in row 50. */
  const contracted = chainOf(
    'boiler',
    chain.map(({ svcond, type, payload_text }, i) =>
      i === 50
        ? { svcond, type: 'contract', payload: activation }
        : { svcond, type, payload: JSON.parse(payload_text) },
    ),
  );
  const version = {
    contract,
    no: 1,
    definition,
    definition_hash: activation.definition_hash,
    svcond: contracted[50]?.svcond ?? 0,
  };
  /** Every string and number, with its path. */
  const leafValues = (value: unknown, path: readonly string[] = []): [readonly string[], string | number][] => {
    if (typeof value === 'string' || typeof value === 'number') return [[path, value]];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, child]) => leafValues(child, [...path, name]));
  };
  const replaceAt = (value: unknown, [name = '', ...rest]: readonly string[], leaf: unknown): unknown => {
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
    copy[name] = rest.length === 0 ? leaf : replaceAt(copy[name], rest, leaf);
    return copy;
  };
  const alter = (value: string | number): string | number => {
    if (typeof value === 'number') return value + 1;
    const last = value.at(-2) ?? '';
    return `${value.slice(0, -2)}${last === '0' ? '1' : '0'}${value.slice(-1)}`;
  };

  test('in any single field is rejected or fails verification', () => {
    const original = { ...bundleOf(contracted, { from: 40, to: 60, size: 290, signer }), versions: [version] };
    expect(claimResults(original)).toEqual(ALL_TRUE);
    // A renamed version is not mentioned by these rows, and the version that they activate is missing: undecided.
    const undecided = new Set(['versions.0.contract', 'versions.0.no']);
    const undetected: string[] = [];
    let count = 0;
    for (const [path, value] of leafValues(original)) {
      count++;
      const changed = replaceAt(original, path, alter(value)) as Record<string, unknown>;
      try {
        const read = readBundle(changed);
        const claims = read.kind === 'machine' ? verifyChainBundle(read) : [];
        const isUndecided =
          undecided.has(path.join('.')) && claims.some(({ claim, ok }) => claim === 'definitions' && ok === null);
        if (!isUndecided && !claims.some(({ ok }) => ok === false)) undetected.push(path.join('.'));
      } catch {
        // Rejected by the parser.
      }
    }
    expect(undetected).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  test('a rewritten history fails only the tree claim', () => {
    const other = chainOf(
      'boiler',
      chain.map(({ svcond, type, payload_text }, i) => ({
        svcond,
        type,
        payload: i === 50 ? { i: 'other' } : JSON.parse(payload_text),
      })),
    );
    const forged = {
      ...bundleOf(other, { from: 40, to: 60, size: 290, signer }),
      checkpoint: bundle(40, 60, 290).checkpoint,
    };
    expect(claimResults(forged)).toEqual({ ...ALL_TRUE, tree: false });
  });

  test('a checkpoint of another machine or another key fails', () => {
    const other = bundleOf(longChain('kettle', 300), { from: 0, to: 9, size: 300, signer });
    expect(claimResults({ ...bundle(0, 9), checkpoint: other.checkpoint })).toMatchObject({
      checkpoint: false,
      tree: false,
    });
    expect(claimResults(bundle(0, 9), testSigner(6).publicKey)).toEqual({ ...ALL_TRUE, 'key pinned': false });
  });

  test('a definition that the chain did not activate fails', () => {
    const other = sha256Hex('{"name":"b"}');
    const original = bundleOf(contracted, { from: 40, to: 60, size: 290, signer });
    const definitions = (change: object) =>
      claimResults({ ...original, versions: [{ ...version, ...change }] }).definitions;
    expect(definitions({ definition_hash: other })).toBe(false);
    expect(definitions({ definition: '{"name":"b"}', definition_hash: other })).toBe(false);
  });

  test('a missing definition that the rows activate is undecided', () => {
    const original = bundleOf(contracted, { from: 40, to: 60, size: 290, signer });
    expect(claimResults({ ...original, versions: [] })).toEqual({ ...ALL_TRUE, definitions: null });
    expect(claimResults({ ...bundle(40, 60), versions: [] })).toEqual(ALL_TRUE);
  });

  test('a range that falsely claims to end the chain fails', () => {
    expect(claimResults({ ...bundle(40, 60), next_from: null })).toEqual({ ...ALL_TRUE, rows: false });
    expect(claimResults({ ...bundle(40, 60), next_from: 70 })).toEqual({ ...ALL_TRUE, rows: false });
  });
});

describe('an untrusted file', () => {
  const validBundle = () => JSON.parse(JSON.stringify(bundle(0, 3))) as Record<string, unknown>;
  test.each([
    ['another format', (b: Record<string, unknown>) => ({ ...b, format: 'svc-bundle/2' }), 'svc-bundle/1'],
    ['another kind', (b: Record<string, unknown>) => ({ ...b, kind: 'x'.repeat(500) }), 'machine or receipt'],
    ['no rows', (b: Record<string, unknown>) => ({ ...b, rows: [] }), 'rows'],
    [
      'too many rows',
      (b: Record<string, unknown>) => ({ ...b, rows: Array(10_001).fill((b.rows as unknown[])[0]) }),
      '10000',
    ],
    ['a row that is not an object', (b: Record<string, unknown>) => ({ ...b, rows: [7] }), 'rows.0'],
    ['an extra field', (b: Record<string, unknown>) => ({ ...b, extra: 1 }), 'extra'],
    ['an unsafe integer', (b: Record<string, unknown>) => ({ ...b, from: 2 ** 60 }), 'from'],
    [
      'an oversized proof',
      (b: Record<string, unknown>) => ({
        ...b,
        checkpoint: { ...(b.checkpoint as object), beside: Array(300).fill('0'.repeat(64)) },
      }),
      'beside',
    ],
  ])('%s is rejected with an error that names the field', (_, change, message) => {
    expect(() => readBundle(change(validBundle()))).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
    expect(() => readBundle(change(validBundle()))).toThrow(message);
  });

  test('a checkpoint with a huge size is verified quickly', () => {
    const huge = bundle(0, 3);
    const { checkpoint } = huge;
    const note = checkpoint?.note.replace('\n300\n', '\n9007199254740991\n') ?? '';
    const found = claimResults({ ...huge, checkpoint: { ...checkpoint, note } as MachineBundle['checkpoint'] });
    expect(found).toMatchObject({ checkpoint: false, tree: false });
  });

  test('receipts and contracts are not bundles', () => {
    expect([isBundle({ solver: 'heat' }), isBundle({ format: 'svc-contract/1' }), isBundle(validBundle())]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
