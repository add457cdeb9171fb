import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendRow, emptyHead, type OpenRow, type Row, SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { bundleReceipt } from '../../src/protocol/bundle.ts';
import type { RunningService } from '../../src/server.ts';
import { bundleOf } from '../chain/bundles.ts';
import { testSigner } from '../chain/signer.ts';
import { complaintsOf, findEngine, openBrowser, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';

const chrome = findEngine('chrome');
const ROWS = 10_000;

/** A chain as one that is watched writes it: a few fields in each payload. */
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
    [service, session] = await Promise.all([openPortalService(), openBrowser('chrome', chrome ?? '')]);
    const ask = async (path: string, body: unknown, key?: string) => {
      const answer = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const made = await ask('/api/chain/spin-up', { displayName: 'boiler' });
    slug = (made.machine as { slug: string }).slug;
    await ask(`/api/chain/${slug}/contracts`, { template_id: 'rate-limiter' }, String(made.key));
    await ask(
      `/api/chain/${slug}/event`,
      { name: 'request', payload: { '</script><script>alert(1)</script>': '<!--' } },
      String(made.key),
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
  /** The verdict once nothing is under way, and what stands beside each claim. */
  const findingsOn = async (page: Page) => {
    await page.waitForSelector('[data-verdict][aria-busy=false]');
    const [verdict, elapsed] = await page.$eval('[data-verdict]', (place) => [
      place.getAttribute('data-verdict'),
      place.getAttribute('data-elapsed-ms'),
    ]);
    const claims = await page.$$eval('[data-claim]', (rows) =>
      rows.map((row) => [row.getAttribute('data-claim'), row.querySelector('.claim-word')?.textContent] as const),
    );
    return { verdict, elapsedMs: Number(elapsed), claims: Object.fromEntries(claims) as Record<string, string> };
  };
  const drop = async (page: Page, path: string) => {
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  };
  const open = async (address: string, isOffline = false) => {
    const page = await session.browser.newPage();
    const complaints = complaintsOf(page);
    const asked: string[] = [];
    if (isOffline) await page.setOfflineMode(true);
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(address);
    return { page, complaints, asked };
  };

  test('10,000 rows are verified, and one changed digit among them is found', async () => {
    const rows: Row[] = chainOf(ROWS);
    const bundle = bundleOf(rows, { from: 0, to: ROWS - 1, size: ROWS, signer: testSigner(4) });
    const { page, complaints } = await open(
      pathToFileURL(write('verifier.html', await (await fetch(`${service.url}/verifier.html`)).text())).href,
      true,
    );
    await drop(page, write('long.json', JSON.stringify(bundle)));
    const found = await findingsOn(page);
    expect(found).toMatchObject({
      verdict: 'good',
      claims: { rows: 'holds', checkpoint: 'holds', tree: 'holds', payloads: 'holds' },
    });
    expect(found.elapsedMs).toBeGreaterThan(0);
    console.log(`${ROWS} rows verified in the page in ${found.elapsedMs.toFixed(0)} ms`);

    const text = JSON.stringify(bundle);
    const at = text.lastIndexOf('celsius');
    const changed = `${text.slice(0, at)}${text.slice(at).replace(/\d/, (digit) => (digit === '9' ? '8' : '9'))}`;
    await drop(page, write('changed.json', changed));
    await page.waitForSelector('[data-verdict=bad]');
    expect((await findingsOn(page)).claims).toMatchObject({ rows: 'fails', tree: 'holds' });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the portal verifies a bundle of its own node, with the key of the node', async () => {
    const { page, complaints } = await open(`${service.url}/verify`);
    const bundle = await (await fetch(`${service.url}/api/chain/${slug}/bundle`)).text();
    await drop(page, write('own.json', bundle));
    expect(await findingsOn(page)).toMatchObject({
      verdict: 'good',
      claims: { identity: 'holds', 'key pinned': 'holds', tree: 'holds', definitions: 'holds', transitions: 'holds' },
    });
    expect(await page.$eval('.verify-summary', (place) => place.textContent)).toContain('the head of the chain');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a bundle as a page checks itself from the disk with the network off, whatever its payloads are', async () => {
    const answer = await fetch(`${service.url}/api/chain/${slug}/bundle.html`);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(answer.headers.get('content-type')).toContain('text/html');
    const address = pathToFileURL(write('self.html', await answer.text())).href;
    const { page, complaints, asked } = await open(address, true);
    expect(await findingsOn(page)).toMatchObject({ verdict: 'good', claims: { rows: 'holds', tree: 'holds' } });
    expect(asked).toEqual([address]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a receipt with its kernel is replayed from the one file, in the portal and from the disk', async () => {
    const { key } = await service.services.keys.mintDemo();
    const answer = await fetch(`${service.url}/api/svc/heat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"dim":1,"nx":16}',
    });
    const bundle = bundleReceipt((await answer.json()) as Record<string, unknown>, await loadKernel('heat'));
    const path = write('receipt.json', JSON.stringify(bundle));
    for (const [address, isOffline] of [
      [`${service.url}/verify`, false],
      [pathToFileURL(write('again.html', await (await fetch(`${service.url}/verifier.html`)).text())).href, true],
    ] as const) {
      const { page } = await open(address, isOffline);
      await drop(page, path);
      expect(await findingsOn(page)).toMatchObject({
        verdict: 'good',
        claims: { signature: 'holds', replay: 'holds' },
      });
      await page.close();
    }
  });

  test.each([
    ['another format', { format: 'svc-bundle/9', kind: 'machine' }, 'svc-bundle/1 is expected'],
    ['a bundle of nothing', { format: 'svc-bundle/1', kind: 'machine' }, 'machine is missing'],
  ])('%s is refused in clear words', async (name, content, words) => {
    const { page } = await open(`${service.url}/verify`);
    await drop(page, write(`${name}.json`, JSON.stringify(content)));
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain(words);
    await page.close();
  });
});
