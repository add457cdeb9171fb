import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendRow, emptyHead, type OpenRow, type Row, SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { bundleReceipt, embedBundle } from '../../src/protocol/bundle.ts';
import type { RunningService } from '../../src/server.ts';
import { bundleOf } from '../chain/bundle-fixture.ts';
import { testSigner } from '../chain/signer.ts';
import { collectErrors, findEngine, openSession, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';
import { pinKey, readVerification, uploadFile } from './verification.ts';

const chrome = findEngine('chrome');
const ROWS = 10_000;

/** Chain of sensor readings, with a few fields per payload. */
function chainOf(count: number): OpenRow[] {
  const rows: OpenRow[] = [];
  for (let i = 0; i < count; i++) {
    const payload =
      i === 0 ? { slug: 'boiler' } : { name: 'reading', payload: { celsius: 20 + (i % 80), sensor: `s${i % 7}` } };
    const row = {
      svcond: 2_303_730_000 + i,
      type: i === 0 ? 'genesis' : 'event',
      source: 'api',
      actor: SYSTEM_ACTOR,
      payload,
    };
    rows.push(appendRow(rows.at(-1) ?? emptyHead('boiler'), row, new Uint8Array(16).fill(i % 256)));
  }
  return rows;
}

describe.skipIf(chrome === undefined)('bundles in the browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bundles-'));
  let service: RunningService;
  let session: Session;
  let slug: string;
  beforeAll(async () => {
    service = await openPortalService();
    session = await openSession('chrome', chrome ?? '', service.url);
    const post = async (path: string, body: unknown, key?: string) => {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const created = await post('/api/chain/spin-up', { displayName: 'boiler', is_public: true });
    slug = (created.machine as { slug: string }).slug;
    await post(`/api/chain/${slug}/contracts`, { template_id: 'rate-limiter' }, String(created.key));
    await post(
      `/api/chain/${slug}/event`,
      { name: 'request', payload: { '</script><script>alert(1)</script>': '<!--' } },
      String(created.key),
    );
  });
  afterAll(async () => {
    await session.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const open = async (url: string, isOffline = false) => {
    const page = await session.context.newPage();
    const errors = collectErrors(page);
    const requestedUrls: string[] = [];
    if (isOffline) await page.setOfflineMode(true);
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto(url);
    return { page, errors, requestedUrls };
  };

  test('10,000 rows are verified, and a single changed digit is detected', async () => {
    const rows: Row[] = chainOf(ROWS);
    const bundle = bundleOf(rows, { from: 0, to: ROWS - 1, size: ROWS, signer: testSigner(4) });
    const { page, errors } = await open(
      pathToFileURL(write('verifier.html', await (await fetch(`${service.url}/verifier.html`)).text())).href,
      true,
    );
    await uploadFile(page, write('long.json', JSON.stringify(bundle)));
    const verification = await readVerification(page);
    expect(verification).toMatchObject({
      verdict: 'unknown_key',
      claims: { rows: 'holds', checkpoint: 'holds', tree: 'holds', payloads: 'holds' },
    });
    expect(verification.elapsedMs).toBeGreaterThan(0);
    console.log(`${ROWS} rows verified in the page in ${verification.elapsedMs.toFixed(0)} ms`);

    const text = JSON.stringify(bundle);
    const at = text.lastIndexOf('celsius');
    const changed = `${text.slice(0, at)}${text.slice(at).replace(/\d/, (digit) => (digit === '9' ? '8' : '9'))}`;
    await uploadFile(page, write('changed.json', changed));
    await page.waitForSelector('[data-verdict=bad]');
    expect((await readVerification(page)).claims).toMatchObject({ rows: 'fails', tree: 'holds' });
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the portal verifies a bundle of its own node against the key of the node', async () => {
    const { page, errors } = await open(`${service.url}/verify`);
    const bundle = await (await fetch(`${service.url}/api/chain/${slug}/bundle`)).text();
    await uploadFile(page, write('own.json', bundle));
    expect(await readVerification(page)).toMatchObject({
      verdict: 'good',
      claims: { identity: 'holds', 'key pinned': 'holds', tree: 'holds', definitions: 'holds', transitions: 'holds' },
    });
    expect(await page.$eval('.verify-summary', (element) => element.textContent)).toContain('the head of the chain');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a bundle page verifies itself from disk and offline, with any payload', async () => {
    const answer = await fetch(`${service.url}/api/chain/${slug}/bundle.html`);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(answer.headers.get('content-type')).toContain('text/html');
    const url = pathToFileURL(write('self.html', await answer.text())).href;
    const { page, errors, requestedUrls } = await open(url, true);
    expect(await readVerification(page)).toMatchObject({
      verdict: 'unknown_key',
      claims: { rows: 'holds', tree: 'holds' },
    });
    const { keys } = (await (await fetch(`${service.url}/api/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    await pinKey(page, keys[0]?.kid ?? '');
    expect(await readVerification(page)).toMatchObject({ verdict: 'good', claims: { 'key pinned': 'holds' } });
    expect(requestedUrls).toEqual([url]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a receipt with its kernel is replayed in the portal and in the offline verifier', async () => {
    const { key } = await service.services.keys.mintDemo();
    const answer = await fetch(`${service.url}/api/svc/heat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"dim":1,"nx":16}',
    });
    const bundle = bundleReceipt((await answer.json()) as Record<string, unknown>, await loadKernel('heat'));
    const path = write('receipt.json', JSON.stringify(bundle));
    for (const [url, isOffline, verdict] of [
      [`${service.url}/verify`, false, 'good'],
      [
        pathToFileURL(write('again.html', await (await fetch(`${service.url}/verifier.html`)).text())).href,
        true,
        'unknown_key',
      ],
    ] as const) {
      const { page } = await open(url, isOffline);
      await uploadFile(page, path);
      expect(await readVerification(page)).toMatchObject({
        verdict,
        claims: { signature: 'holds', kernel: 'holds', answer: 'holds' },
      });
      await page.close();
    }
  });

  test('the page of a receipt shows 90 km/h, the equation and the signer from disk and offline', async () => {
    const answer = await fetch(`${service.url}/api/playground/compute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 90 }, units: { v: 'km/h' } }),
    });
    const envelope = (await answer.json()) as Record<string, unknown>;
    expect(envelope.value, JSON.stringify(envelope)).toBe(625);
    const { kid } = envelope.public_key as { kid: string };
    const verifier = await (await fetch(`${service.url}/verifier.html`)).text();
    const html = embedBundle(verifier, bundleReceipt(envelope, await loadKernel('expression')));
    const url = pathToFileURL(write('receipt.html', html)).href;
    const { page, errors, requestedUrls } = await open(url, true);
    expect(await readVerification(page)).toMatchObject({
      verdict: 'unknown_key',
      claims: { signature: 'holds', statement: 'holds', kernel: 'holds', answer: 'holds', 'key pinned': 'not checked' },
    });
    const text = (await page.$eval('.receipt-lines', (element) => element.textContent)) ?? '';
    for (const phrase of ['90 km/h', '= 25 m/s', 'speed', 'K = m*v^2/2', `key ${kid}`]) expect(text).toContain(phrase);
    expect(requestedUrls).toEqual([url]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test.each([
    ['an unknown format', { format: 'svc-bundle/9', kind: 'machine' }, 'svc-bundle/1 is expected'],
    ['an empty bundle', { format: 'svc-bundle/1', kind: 'machine' }, 'machine is missing'],
  ])('%s is rejected with a clear message', async (name, content, message) => {
    const { page } = await open(`${service.url}/verify`);
    await uploadFile(page, write(`${name}.json`, JSON.stringify(content)));
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain(message);
    await page.close();
  });
});
