// A bundle proves a stretch of a chain with nothing but itself, and fails at the claim that is not true.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MachineBundle, verifyMachineBundle } from '../../src/chain/bundle.ts';
import { GrowingTree } from '../../src/chain/growing-tree.ts';
import { isSame, leafHash, rootWith, subtreesBeside } from '../../src/chain/merkle.ts';
import { toHex } from '../../src/core/bits.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { isBundle, readBundle, verifyChainBundle } from '../../src/protocol/bundle.ts';
import { bundleOf } from './bundles.ts';
import { chainOf, longChain } from './chains.ts';
import { testSigner } from './signer.ts';
import { readerOf, rowHashes, treeHash } from './trees.ts';

const signer = testSigner(5);
const chain = longChain('boiler', 300);
const bundle = (from: number, to: number, size = chain.length) => bundleOf(chain, { from, to, size, signer });
const oks = (value: MachineBundle, ...trusted: Uint8Array[]) =>
  Object.fromEntries(
    verifyMachineBundle(value, trusted.length === 0 ? undefined : trusted).map(({ claim, ok }) => [claim, ok]),
  );
const GOOD = { identity: true, rows: true, checkpoint: true, tree: true, payloads: true, definitions: true };

describe('the tree beside a stretch', () => {
  test('leads with any stretch to the root of the definition, and no hash of it is spare', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, a, b) => {
        const from = a % size;
        const to = from + 1 + (b % (size - from));
        const rows = rowHashes(size);
        const beside = new Map(
          subtreesBeside({ from, to }, size).map((one) => [`${one.level} ${one.index}`, readerOf(rows)(one)]),
        );
        const asked = new Set<string>();
        const read = ({ level, index }: { level: number; index: number }) => {
          asked.add(`${level} ${index}`);
          return beside.get(`${level} ${index}`) ?? new Uint8Array();
        };
        const root = rootWith(rows.slice(from, to).map(leafHash), from, size, read);
        return isSame(root, treeHash(rows)) && asked.size === beside.size;
      }),
    );
  });

  test('a tree that grows leaf by leaf has the root of the definition at every size', () => {
    const rows = rowHashes(70);
    const tree = new GrowingTree();
    expect(toHex(tree.root())).toBe(toHex(treeHash([])));
    for (const [i, row] of rows.entries()) {
      tree.add(leafHash(row));
      expect(toHex(tree.root())).toBe(toHex(treeHash(rows.slice(0, i + 1))));
    }
  });
});

describe('a bundle that nobody touched', () => {
  test.each([
    ['all rows', 0, 299, 300],
    ['one row', 17, 17, 300],
    ['the first rows', 0, 9, 300],
    ['the last rows', 290, 299, 300],
    ['a stretch across tiles', 200, 280, 299],
  ])('%s: every claim holds', (_, from, to, size) => {
    expect(oks(bundle(from, to, size))).toEqual(GOOD);
    expect(oks(bundle(from, to, size), signer.publicKey)).toEqual({ ...GOOD, 'key pinned': true });
  });

  test('any stretch of it reads back from JSON and holds', () => {
    fc.assert(
      fc.property(fc.nat({ max: 299 }), fc.nat({ max: 299 }), fc.integer({ min: 1, max: 300 }), (a, b, size) => {
        const made = bundle(Math.min(a, b), Math.max(a, b), size);
        const read = readBundle(JSON.parse(JSON.stringify(made)));
        return read.kind === 'machine' && verifyChainBundle(read).every(({ ok }) => ok !== false);
      }),
      { numRuns: 60 },
    );
  });

  test('rows that are newer than the checkpoint, and payloads that are not there, are left open', () => {
    expect(oks(bundle(100, 250, 200))).toEqual({ ...GOOD, tree: null });
    // The checkpoint still proves row 0, though none of these.
    expect(oks(bundle(250, 260, 200))).toEqual({ ...GOOD, tree: null });
    const erased = bundle(0, 20);
    delete erased.rows[3]?.payload_text;
    delete erased.rows[3]?.salt;
    expect(oks(erased)).toEqual({ ...GOOD, payloads: null });
    expect(oks({ ...bundle(0, 20), checkpoint: null })).toEqual({ ...GOOD, checkpoint: null, tree: null });
    expect(oks({ ...bundle(5, 20), checkpoint: null })).toMatchObject({ identity: null });
  });
});

describe('a bundle that was changed', () => {
  const contract = '01890000-0000-7000-8000-000000000000';
  const definition = '{"name":"a"}';
  const put50 = { contract, act: 'deployed', version: 1, definition_hash: sha256Hex(definition) };
  /** The chain, but that row 50 puts a contract into force. */
  const contracted = chainOf(
    'boiler',
    chain.map(({ svcond, type, payload_text }, i) =>
      i === 50 ? { svcond, type: 'contract', payload: put50 } : { svcond, type, payload: JSON.parse(payload_text) },
    ),
  );
  const version = {
    contract,
    no: 1,
    definition,
    definition_hash: put50.definition_hash,
    svcond: contracted[50]?.svcond ?? 0,
  };
  /** Every text of 64 hex digits and every number, by its path. */
  const leavesIn = (value: unknown, path: readonly string[] = []): [readonly string[], string | number][] => {
    if (typeof value === 'string' || typeof value === 'number') return [[path, value]];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, one]) => leavesIn(one, [...path, name]));
  };
  const put = (value: unknown, [name = '', ...rest]: readonly string[], leaf: unknown): unknown => {
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
    copy[name] = rest.length === 0 ? leaf : put(copy[name], rest, leaf);
    return copy;
  };
  const changed = (value: string | number): string | number => {
    if (typeof value === 'number') return value + 1;
    const last = value.at(-2) ?? '';
    return `${value.slice(0, -2)}${last === '0' ? '1' : '0'}${value.slice(-1)}`;
  };

  test('in any one place, it is refused or fails', () => {
    const whole = { ...bundleOf(contracted, { from: 40, to: 60, size: 290, signer }), versions: [version] };
    expect(oks(whole)).toEqual(GOOD);
    // A version under another name is one that these rows say nothing of, and the one that they name is missed.
    const open = new Set(['versions.0.contract', 'versions.0.no']);
    const missed: string[] = [];
    let count = 0;
    for (const [path, value] of leavesIn(whole)) {
      count++;
      const other = put(whole, path, changed(value)) as Record<string, unknown>;
      try {
        const read = readBundle(other);
        const found = read.kind === 'machine' ? verifyChainBundle(read) : [];
        const isOpen =
          open.has(path.join('.')) && found.some(({ claim, ok }) => claim === 'definitions' && ok === null);
        if (!isOpen && !found.some(({ ok }) => ok === false)) missed.push(path.join('.'));
      } catch {
        // Refused when it was read.
      }
    }
    expect(missed).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  test('a history that was written anew fails at the tree alone', () => {
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
    expect(oks(forged)).toEqual({ ...GOOD, tree: false });
  });

  test('a checkpoint of another machine or another key fails', () => {
    const other = bundleOf(longChain('kettle', 300), { from: 0, to: 9, size: 300, signer });
    expect(oks({ ...bundle(0, 9), checkpoint: other.checkpoint })).toMatchObject({ checkpoint: false, tree: false });
    expect(oks(bundle(0, 9), testSigner(6).publicKey)).toEqual({ ...GOOD, 'key pinned': false });
  });

  test('a definition that is not the one that the chain put into force fails', () => {
    const other = sha256Hex('{"name":"b"}');
    const made = bundleOf(contracted, { from: 40, to: 60, size: 290, signer });
    const definitions = (one: object) => oks({ ...made, versions: [{ ...version, ...one }] }).definitions;
    expect(definitions({ definition_hash: other })).toBe(false);
    expect(definitions({ definition: '{"name":"b"}', definition_hash: other })).toBe(false);
  });

  test('definitions that the rows put into force and that were left out are missed', () => {
    const made = bundleOf(contracted, { from: 40, to: 60, size: 290, signer });
    expect(oks({ ...made, versions: [] })).toEqual({ ...GOOD, definitions: null });
    expect(oks({ ...bundle(40, 60), versions: [] })).toEqual(GOOD);
  });

  test('a stretch that is said to be the end of the chain, and is not, fails', () => {
    expect(oks({ ...bundle(40, 60), next_from: null })).toEqual({ ...GOOD, rows: false });
    expect(oks({ ...bundle(40, 60), next_from: 70 })).toEqual({ ...GOOD, rows: false });
  });
});

describe('a file of a stranger', () => {
  const good = () => JSON.parse(JSON.stringify(bundle(0, 3))) as Record<string, unknown>;
  test.each([
    ['another format', (b: Record<string, unknown>) => ({ ...b, format: 'svc-bundle/2' }), 'svc-bundle/1'],
    ['another kind', (b: Record<string, unknown>) => ({ ...b, kind: 'x'.repeat(500) }), 'machine or receipt'],
    ['no rows', (b: Record<string, unknown>) => ({ ...b, rows: [] }), 'rows'],
    [
      'too many rows',
      (b: Record<string, unknown>) => ({ ...b, rows: Array(10_001).fill((b.rows as unknown[])[0]) }),
      '10000',
    ],
    ['a row that is none', (b: Record<string, unknown>) => ({ ...b, rows: [7] }), 'rows.0'],
    ['a field too many', (b: Record<string, unknown>) => ({ ...b, extra: 1 }), 'extra'],
    ['a size beyond exactness', (b: Record<string, unknown>) => ({ ...b, from: 2 ** 60 }), 'from'],
    [
      'a proof without end',
      (b: Record<string, unknown>) => ({
        ...b,
        checkpoint: { ...(b.checkpoint as object), beside: Array(300).fill('0'.repeat(64)) },
      }),
      'beside',
    ],
  ])('%s is refused in words that name the field', (_, spoil, words) => {
    expect(() => readBundle(spoil(good()))).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
    expect(() => readBundle(spoil(good()))).toThrow(words);
  });

  test('a checkpoint of more rows than there can be is checked in no time', () => {
    const huge = bundle(0, 3);
    const { checkpoint } = huge;
    const note = checkpoint?.note.replace('\n300\n', '\n9007199254740991\n') ?? '';
    const found = oks({ ...huge, checkpoint: { ...checkpoint, note } as MachineBundle['checkpoint'] });
    expect(found).toMatchObject({ checkpoint: false, tree: false });
  });

  test('receipts are not taken for bundles', () => {
    expect([isBundle({ solver: 'heat' }), isBundle({ format: 'svc-contract/1' }), isBundle(good())]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
