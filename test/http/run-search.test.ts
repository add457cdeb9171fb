// Search over filed runs, and the laws that their list names.

import { describe, expect, test } from 'vitest';
import { SERVICE_DATABASES, startServiceOn } from './service-databases.ts';
import type { Json } from './service-fixture.ts';

describe.each(SERVICE_DATABASES)('on $name', async ({ url }) => {
  const service = await startServiceOn(url);

  const ask = (query: Readonly<Record<string, string>>) =>
    service.call(`GET /api/svc/runs?${new URLSearchParams(query)}`, { as: 'write' });
  const found = async (query: Readonly<Record<string, string>>) => {
    const answer = await ask(query);
    expect(answer.status, answer.text).toBe(200);
    return answer.json() as unknown as { rows: Json[]; next_cursor: string | null };
  };
  const foldersOf = async (search: string) => (await found({ search })).rows.map(({ folder }) => folder);
  const file = async (route: string, body: object, folder: string) => {
    const answer = await service.call(`POST /api/svc/${route}`, { as: 'write', json: { ...body, folder } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json();
  };

  test('the list names the law of a run, all laws of several in a row, and none of a solver', async () => {
    await file('heat', { dim: 1, nx: 8, steps: 4 }, 'rod');
    await file('compute', { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 3 } }, 'Car_1');
    const inputs = { m: 2, v: 3, y: 4, y0: 0 };
    await file('compute', { domain: 'CM', operators: ['CM9', 'CM10'], inputs }, 'car 2');
    const { rows } = await found({});
    expect(rows.map(({ solver, law_id, law_title }) => [solver, law_id, law_title])).toEqual([
      ['compute', 'CM9, CM10', 'Translational kinetic energy; Uniform-field potential energy'],
      ['compute', 'CM9', 'Translational kinetic energy'],
      ['heat', null, null],
    ]);
  });

  test.each<[search: string, folders: string[]]>([
    ['kinetic', ['car 2', 'Car_1']],
    ['ENERGY cm9 kinetic', ['car 2', 'Car_1']],
    ['potential', ['car 2']],
    ['CM10', ['car 2']],
    ['heat', ['rod']],
    ['plate conduction', ['rod']],
    ['law', ['car 2', 'Car_1']],
    ['car kinetic', ['car 2', 'Car_1']],
    ['kinetic heat', []],
    ['_', ['Car_1']],
    ['%', []],
    ["'; drop table run; --", []],
    ['"', []],
    ['\\', []],
    ['', ['car 2', 'Car_1', 'rod']],
    ['   ', ['car 2', 'Car_1', 'rod']],
    ['\u00a0kinetic\u3000CM10\u00a0', ['car 2']],
    ['Éνergy', []],
    ['e '.repeat(50), ['car 2', 'Car_1', 'rod']],
    ['k'.repeat(100), []],
  ])('?search=%s', async (search, folders) => {
    expect(await foldersOf(search)).toEqual(folders);
  });

  test.each([
    ['a NUL', 'heat\0'],
    ['a line feed', 'heat\nrod'],
    ['a control character of C1', 'heat\u0085'],
    ['101 characters', 'x'.repeat(101)],
    ['60 words', Array.from({ length: 60 }, () => 'a').join(' ')],
  ])('%s is refused, and the field is named', async (_, search) => {
    const answer = await ask({ search });
    const { code, details } = answer.json();
    expect([answer.status, code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(details).toEqual([expect.objectContaining({ path: 'search' })]);
  });

  test('a field given twice is refused', async () => {
    const answer = await service.call('GET /api/svc/runs?search=a&search=b', { as: 'write' });
    expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('pages under a search hold every run that it finds once, whatever lies between', async () => {
    const made: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      const body = { domain: 'CM', operators: ['CM10'], inputs: { m: 1, y: i, y0: 0 } };
      made.unshift((await file('compute', body, 'pages')).run_id);
      await file('heat', { dim: 1, nx: 8, steps: i + 1 }, 'pages');
    }
    const seen: unknown[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await found({ search: 'pages potential', limit: '2', ...(cursor === null ? {} : { cursor }) });
      sizes.push(page.rows.length);
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made);
    expect(sizes).toEqual([2, 2, 1]);
    expect((await found({ search: 'potential', folder: 'pages', solver: 'heat' })).rows).toEqual([]);
  });

  test('runs of another account are not found', async () => {
    const answer = await service.call('GET /api/svc/runs?search=kinetic', { as: 'other' });
    expect(answer.json()).toEqual({ ok: true, rows: [], next_cursor: null });
  });
});
