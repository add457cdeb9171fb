// Filed runs, linked arrays, and idempotent retries.

import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Answer, type Caller, type Json, startService } from './service-fixture.ts';

const service = await startService();
const HEAT = 'POST /api/svc/heat';
const ROD = { dim: 1, nx: 8, steps: 12 };

const solve = (json: Json, as: Caller = 'write', key?: string) =>
  service.call(HEAT, { as, json, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });

interface Row {
  readonly id: string;
  readonly folder: string | null;
  readonly href: string;
  readonly value: number;
}

async function runsOf(query: string, as: Caller = 'write'): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const answer = await service.call(`GET /api/svc/runs?${query}`, { as });
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as unknown as { rows: Row[]; next_cursor: string | null };
}

describe('the library', () => {
  test('a run with a folder is filed, a run without is not', async () => {
    const filed = (await solve({ ...ROD, folder: 'rods 1' })).json();
    const loose = (await solve(ROD)).json();
    expect(loose).not.toHaveProperty('run_id');
    const { rows } = await runsOf('folder=rods%201');
    expect(rows).toEqual([
      {
        id: filed.run_id,
        folder: 'rods 1',
        solver: 'heat',
        law_id: null,
        law_title: null,
        value: filed.value,
        unit: filed.unit,
        svcond: filed.svcond,
        created_at: expect.stringMatching(/^\d{4}-/),
        href: `/api/svc/runs/${filed.run_id}`,
      },
    ]);
    const got = (await service.call(`GET ${rows[0]?.href}`, { as: 'read' })).json();
    expect(JSON.stringify(got.envelope)).toBe(JSON.stringify(filed));
    expect(await runsOf('folder=another')).toEqual({ ok: true, rows: [], next_cursor: null });
    expect((await runsOf('solver=evolve')).rows).toEqual([]);
  });

  test('pages of a list hold every run once, newest first', async () => {
    const made: unknown[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await solve({ ...ROD, folder: 'pages', steps: i + 1 })).json().run_id);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      const { rows, next_cursor } = await runsOf(`folder=pages&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(rows.length).toBe(page < 2 ? 2 : 1);
      seen.push(...rows.map(({ id }) => id));
      cursor = next_cursor;
    }
    expect(seen).toEqual(made);
  });

  test.each([
    'cursor=x',
    'cursor=AAAAAAAAAAAAAAAAAAAAAB',
    'limit=0',
    'limit=201',
    'limit=two',
    'folder=%00',
    'solver=A',
  ])('?%s is rejected', async (query) => {
    const answer = await service.call(`GET /api/svc/runs?${query}`, { as: 'write' });
    expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('unknown names in a query are ignored', async () => {
    expect(await runsOf('colour=blue&folder=none')).toEqual({ ok: true, rows: [], next_cursor: null });
  });

  test('a run of another account is not found', async () => {
    const { run_id: id } = (await solve({ ...ROD, folder: 'mine' })).json();
    for (const as of ['other', 'demo'] as const) {
      const answer = await service.call(`GET /api/svc/runs/${id}`, { as });
      expect([answer.status, answer.json().code]).toEqual([404, 'RUN_NOT_FOUND']);
      expect((await runsOf('folder=mine', as)).rows).toEqual([]);
    }
    expect((await service.call(`GET /api/svc/runs/${id}`, { as: 'admin' })).status).toBe(200);
  });

  test('a refusal and a gated answer are not filed', async () => {
    await solve({ ...ROD, folder: 'nothing', nx: -1 });
    await solve({ inputs: { temperature: 1 }, folder: 'nothing' });
    expect((await runsOf('folder=nothing')).rows).toEqual([]);
  });
});

describe('large results', () => {
  test('are linked by their hash and fetched as little-endian doubles', async () => {
    const plate = (await solve({ dim: 2, nx: 72, ny: 72, steps: 8 })).json();
    const linked = (plate.fields as Json[]).filter((field) => field.href !== undefined);
    expect(linked.length).toBeGreaterThan(0);
    for (const { href, sha256, bytes, shape, data } of linked) {
      expect(data).toBeUndefined();
      const answer = await service.call(`GET ${href}`);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.bytes.length).toBe(bytes);
      expect(createHash('sha256').update(answer.bytes).digest('hex')).toBe(sha256);
      const view = new DataView(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
      expect(view.byteLength / 8).toBe((shape as number[]).reduce((product, n) => product * n, 1));
      for (let at = 0; at < view.byteLength; at += 8) expect(Number.isFinite(view.getFloat64(at, true))).toBe(true);
      const etag = answer.headers.get('etag') ?? '';
      expect((await service.call(`GET ${href}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });

  test('an unknown hash is 404, a malformed one 422', async () => {
    expect((await service.call(`GET /api/svc/fields/${'0'.repeat(64)}.bin`)).json().code).toBe('NOT_FOUND');
    expect((await service.call('GET /api/svc/fields/abc.bin')).json().code).toBe('VALIDATION_FAILED');
    expect((await service.call(`GET /api/kernels/${'0'.repeat(64)}.wasm`)).json().code).toBe('KERNEL_UNAVAILABLE');
  });
});

describe('Idempotency-Key', () => {
  const runs = async (folder: string) => (await runsOf(`folder=${folder}`)).rows.length;
  const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

  test('a retry returns the first response, byte for byte, and files nothing more', async () => {
    const key = randomUUID();
    const first = await solve({ ...ROD, folder: 'once' }, 'write', key);
    const second = await solve({ ...ROD, folder: 'once' }, 'write', key);
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    expect([second.status, isReplayed(second)]).toEqual([200, true]);
    expect(second.text).toBe(first.text);
    expect(await runs('once')).toBe(1);
  });

  test('files a run without a folder too', async () => {
    const { run_id: id } = (await solve(ROD, 'write', randomUUID())).json();
    expect((await service.call(`GET /api/svc/runs/${id}`, { as: 'write' })).status).toBe(200);
  });

  test('the same key with another body or on another route is rejected', async () => {
    const key = randomUUID();
    await solve({ ...ROD, folder: 'reuse' }, 'write', key);
    const other = await solve({ ...ROD, folder: 'reuse', nx: 9 }, 'write', key);
    expect([other.status, other.json().code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const headers = { 'idempotency-key': key };
    const elsewhere = await service.call('POST /api/svc/schrodinger', {
      as: 'write',
      json: { ...ROD, folder: 'reuse' },
      headers,
    });
    expect(elsewhere.json().code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await runs('reuse')).toBe(1);
  });

  test('twenty concurrent requests are charged once', async () => {
    const key = randomUUID();
    const body = { ...ROD, nx: 128, steps: 2000, folder: 'double' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => solve(body, 'write', key)));
    const won = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
    expect(won.length).toBe(1);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.text).toBe(won[0]?.text);
      else {
        expect([answer.status, answer.json().code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect(await runs('double')).toBe(1);
  });

  test('keys of different callers are independent', async () => {
    const key = randomUUID();
    const mine = await solve({ ...ROD, folder: 'apart' }, 'write', key);
    const theirs = await solve({ ...ROD, folder: 'apart' }, 'other', key);
    expect([theirs.status, isReplayed(theirs)]).toEqual([200, false]);
    expect(theirs.json().run_id).not.toBe(mine.json().run_id);
  });

  test('a refusal frees the key', async () => {
    const key = randomUUID();
    expect((await solve({ ...ROD, nx: -1 }, 'write', key)).status).toBe(422);
    expect((await solve(ROD, 'write', key)).status).toBe(200);
  });

  test.each(['', 'x'.repeat(256)])('a key of a wrong length is rejected', async (key) => {
    const answer = await solve(ROD, 'write', key);
    expect([answer.status, answer.json().code]).toEqual([422, 'VALIDATION_FAILED']);
  });
});
