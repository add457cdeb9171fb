import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setOwner } from '../../src/services/node/owner.ts';
import { type Call, startService } from './service-fixture.ts';

const service = await startService();

const FORMAT = /^([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)+)\})? (-?[\d.]+(?:e[+-]?\d+)?)$/;

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

/** Reads the text format, and checks that each sample follows its HELP and TYPE. */
function samplesOf(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true);
  let [name, type] = ['', ''];
  const names = new Set<string>();
  return text
    .slice(0, -1)
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# HELP ')) {
        [, , name = ''] = line.split(' ');
        expect(names).not.toContain(name);
        names.add(name);
        return [];
      }
      if (line.startsWith('# TYPE ')) {
        expect(line.startsWith(`# TYPE ${name} `)).toBe(true);
        type = line.split(' ')[3] ?? '';
        expect(['counter', 'gauge', 'histogram']).toContain(type);
        expect(name.endsWith('_total')).toBe(type === 'counter');
        return [];
      }
      const [, sample = '', labels = '', value] = FORMAT.exec(line) ?? [];
      expect(type === 'histogram' ? sample.replace(/_(bucket|sum|count)$/, '') : sample, line).toBe(name);
      return [{ name: sample, labels, value: Number(value) }];
    });
}

const read = (call?: Call) => service.call('GET /metrics', call);
const sampleOf = (samples: readonly Sample[], name: string, labels = '') =>
  samples.find((one) => one.name === name && one.labels === labels)?.value;

test('requests are counted by operation and status, their times in cumulative buckets', async () => {
  const before = samplesOf((await read()).text);
  await service.call('GET /api/svc/pulse');
  await service.call('GET /api/svc/pulse');
  await service.call('POST /api/chain/state-machines', { json: { name: 5 } });
  const answer = await read();
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const after = samplesOf(answer.text);
  const grown = (name: string, labels: string) =>
    (sampleOf(after, name, labels) ?? 0) - (sampleOf(before, name, labels) ?? 0);
  expect(grown('svc_http_requests_total', 'operation="pulse.read",status="2xx"')).toBe(2);
  expect(grown('svc_http_requests_total', 'operation="machine.create",status="4xx"')).toBe(1);
  // Pulse twice, and the first reading of the metrics.
  expect(grown('svc_http_request_duration_seconds_count', 'effect="read"')).toBe(3);
  const buckets = after.filter(({ name, labels }) => name.endsWith('_bucket') && labels.includes('"read"'));
  const counts = buckets.map(({ value }) => value);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(sampleOf(after, 'svc_http_request_duration_seconds_count', 'effect="read"'));
});

test('rows of audit logs are counted', async () => {
  const rowsOf = async () => sampleOf(samplesOf((await read()).text), 'svc_ledger_rows_total') ?? 0;
  const { machine } = (await service.call('POST /api/chain/state-machines', { as: 'admin', json: {} })).json();
  const { slug } = machine as { readonly slug: string };
  const before = await rowsOf();
  const changed = await service.call(`PATCH /api/chain/${slug}/settings`, {
    as: 'admin',
    json: { accept_anchors: 'anyone' },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(await rowsOf()).toBe(before + 1);
});

test.each([
  ['x-forwarded-for', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7'],
  ['origin', 'https://page.example'],
  ['sec-fetch-site', 'cross-site'],
  // Of a page whose name resolves to this computer.
  ['host', 'page.example'],
  ['host', 'localhost.page.example'],
])('a request through a proxy or a page of another site, with %s, needs the key of the owner', async (name, value) => {
  await setOwner(service.running.storage.node, await accountOf('admin'));
  const headers = { [name]: value };
  for (const as of ['anonymous', 'demo', 'other'] as const) {
    const answer = await read({ as, headers });
    expect([as, answer.status]).toEqual([as, 403]);
    expect(answer.json()).toMatchObject({ code: 'FORBIDDEN' });
  }
  const answer = await read({ as: 'admin', headers });
  expect(answer.status).toBe(200);
  expect(samplesOf(answer.text).length).toBeGreaterThan(20);
});

test('the documentation lists what is measured, and nothing else', async () => {
  const documented = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8').matchAll(
    /^\| `(\w+)` \|/gm,
  );
  const measured = (await read()).text.matchAll(/^# TYPE (\w+) /gm);
  const named = (matches: Iterable<RegExpMatchArray>) => Array.from(matches, ([, name]) => name).toSorted();
  expect(named(documented)).toEqual(named(measured));
});

async function accountOf(caller: 'admin'): Promise<string> {
  return (await service.running.services.access.authenticate(service.keys[caller])).accountId;
}
