// Search in filed runs: the words of the database find what the same words find in plain code, page by page.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidV7 } from '../../src/core/ids.ts';
import type { Run, SoughtWord } from '../../src/storage/compute/runs.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { testDatabases } from './databases.ts';

const NOW = Date.UTC(2026, 5, 1);
const newId = () => uuidV7(NOW, randomBytes(10));

const FOLDERS = ['rods', 'Car_1', 'car 2', undefined];
const SUBJECTS: readonly Pick<Run, 'solver' | 'lawId' | 'lawTitle'>[] = [
  { solver: 'heat' },
  { solver: 'wave' },
  { solver: 'compute' },
  { solver: 'compute', lawId: 'CM9', lawTitle: 'Translational kinetic energy' },
  { solver: 'compute', lawId: 'CM9, CM10', lawTitle: "Energy, 100% of it; Moser's field" },
];

const RUNS: readonly Run[] = Array.from({ length: 40 }, (_, i) => ({
  id: newId(),
  folder: FOLDERS[i % FOLDERS.length],
  ...(SUBJECTS[i % SUBJECTS.length] ?? { solver: 'heat' }),
  envelope: '{}',
  valueText: '0.5',
  unit: 'J',
  svcond: 1,
  createdMs: NOW,
}));

const word = (text: string, solvers: readonly string[] = []): SoughtWord => ({ text, solvers });

/** All letters here are of ASCII. */
const isFound = ({ solver, lawId, lawTitle, folder }: Run, words: readonly SoughtWord[]) => {
  const text = [solver, lawId, lawTitle, folder].filter((one) => one !== undefined).join(' ');
  return words.every((one) => text.toLowerCase().includes(one.text.toLowerCase()) || one.solvers.includes(solver));
};

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    const accountId = newId();
    beforeAll(async () => {
      storage = await database.open();
      for (const id of [accountId, newId()]) {
        await storage.accounts.insert({ id, kind: 'full', createdSvcond: 1, createdMs: NOW });
        for (const run of RUNS) await storage.runs.insert(id, run);
      }
    });
    afterAll(() => database.dispose(storage));

    const found = async (words: readonly SoughtWord[], limit = 100) => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await storage.runs.list(accountId, { words, limit, cursor });
        if (page.nextCursor !== undefined) expect(page.rows).toHaveLength(limit);
        ids.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return ids;
    };
    const expected = (words: readonly SoughtWord[]) =>
      RUNS.filter((run) => isFound(run, words))
        .map(({ id }) => id)
        .sort()
        .reverse();

    test('the laws of a run come back as they were stored', async () => {
      for (const run of RUNS) expect(await storage.runs.get(accountId, run.id)).toEqual(run);
    });

    test('every word must be found, in any letter case, and pages of any size hold each run once', async () => {
      const texts = ['KINETIC', 'cm9', 'cm1', 'heat', 'energy', 'CAR', '_', '%', "'", 'a', 'e', ',', '100%', 'nowhere'];
      const words = fc.array(
        fc.record({
          text: fc.constantFrom(...texts),
          solvers: fc.subarray(['heat', 'wave', 'compute'], { maxLength: 1 }),
        }),
        { maxLength: 4 },
      );
      await fc.assert(
        fc.asyncProperty(words, fc.integer({ min: 1, max: 50 }), async (sought, limit) => {
          expect(await found(sought, limit)).toEqual(expected(sought));
        }),
        { numRuns: 40 },
      );
    });

    test.each([
      ['%', 8],
      ['_', 10],
      ["'", 8],
      ["o' or '1'='1", 0],
      ['\\', 0],
      ['?', 0],
      ['$1', 0],
      ['CM9', 16],
      ['cm9,', 8],
      ['ΕΝΕRGY', 0],
    ])('%j is taken literally', async (text, count) => {
      const sought = [word(text)];
      expect(await found(sought)).toEqual(expected(sought));
      expect(await found(sought)).toHaveLength(count);
    });

    test('a word does not match across two columns', async () => {
      expect(await found([word('heatrods')])).toEqual([]);
      expect(await found([word('heat'), word('rods')])).toHaveLength(2);
    });

    test.each([
      { lawId: 'CM9\u0001', lawTitle: 'Energy' },
      { lawId: 'CM9', lawTitle: 'Energy\nof motion' },
      { lawId: 'CM9', lawTitle: 'Energy\u0085' },
      { lawId: 'CM9' },
      { lawTitle: 'Energy' },
    ])('the database refuses %j', async (laws) => {
      const run: Run = { ...(RUNS[0] as Run), ...laws, id: newId() };
      await expect(storage.runs.insert(accountId, run)).rejects.toThrow(/run_law|law_id|law_title/);
    });
  });
}
