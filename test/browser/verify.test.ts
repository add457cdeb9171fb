import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { complaintsOf, findEngine, openBrowser, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';

const chrome = findEngine('chrome');

type Receipt = Record<string, unknown>;

describe.skipIf(chrome === undefined)('verifying in the browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-receipts-'));
  let service: RunningService;
  let session: Session;
  let receipt: Receipt;
  /** Of operators: it brings the definitions with it. */
  let computed: Receipt;
  beforeAll(async () => {
    [service, session] = await Promise.all([openPortalService(), openBrowser('chrome', chrome ?? '')]);
    const { key } = await service.services.keys.mintDemo();
    const ask = async (route: string, body: unknown) => {
      const answer = await fetch(`${service.url}/api/svc/${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Receipt;
    };
    receipt = await ask('schrodinger', { N: 500, potential: 'morse' });
    computed = await ask('compute', {
      domain: 'Chemical Engineering',
      operators: ['CHE17'],
      inputs: { T0: 80, kx: 2.5, ky: 1.75, x: 37, y: 0.6, alpha: 1.11e-4, t: 320 },
      units: { x: 'cm' },
      uncertainties: { x: 1 },
    });
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
  const drop = async (page: Page, path: string) => {
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  };
  /** The verdict once nothing is under way, and what stands beside each claim. */
  const findingsOn = async (page: Page) => {
    await page.waitForSelector('[data-verdict][aria-busy=false]');
    const verdict = await page.$eval('[data-verdict]', (place) => place.getAttribute('data-verdict'));
    const claims = await page.$$eval('[data-claim]', (rows) =>
      rows.map((row) => [row.getAttribute('data-claim'), row.querySelector('.claim-word')?.textContent] as const),
    );
    return { verdict, claims: Object.fromEntries(claims) as Record<string, string> };
  };
  const check = async (page: Page, name: string, content: unknown) => {
    await drop(page, write(name, JSON.stringify(content)));
    return findingsOn(page);
  };
  const openPage = async (address = `${service.url}/verify`) => {
    const page = await session.browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(address);
    return { page, complaints };
  };

  test('a genuine receipt holds in every claim', async () => {
    const { page, complaints } = await openPage();
    const { verdict, claims } = await check(page, 'genuine.json', receipt);
    expect(verdict).toBe('good');
    expect(claims).toEqual({
      keyid: 'holds',
      signature: 'holds',
      statement: 'holds',
      'key pinned': 'holds',
      hmac: 'holds',
      replay: 'holds',
    });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the page says all that it sends of a receipt', async () => {
    const { page } = await openPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/svc/verify')) sent.push(request.postData() ?? '{}');
    });
    const words = (await page.$eval('.drop-more', (place) => place.textContent)) ?? '';
    await check(page, 'sent.json', receipt);
    const names = sent.flatMap((body) => Object.keys(JSON.parse(body)));
    expect(names.length).toBeGreaterThan(5);
    const said = words.toLowerCase().replaceAll(' ', '');
    expect(names.filter((name) => !said.includes(name.toLowerCase()))).toEqual([]);
    await page.close();
  });

  test('a receipt of operators holds in every claim, though the page has no registry', async () => {
    const { page, complaints } = await openPage();
    expect((await check(page, 'computed.json', computed)).verdict).toBe('good');
    const { verdict, claims } = await check(page, 'doubled.json', { ...computed, uncertainties: { x: 2 } });
    expect(verdict).toBe('bad');
    expect(claims).toMatchObject({ statement: 'fails', replay: 'fails' });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a changed value fails in statement, HMAC and replay, and the first difference is shown', async () => {
    const { page } = await openPage();
    const changed = { ...receipt, value: Number(receipt.value) + 1e-9 };
    const { verdict, claims } = await check(page, 'changed.json', changed);
    expect(verdict).toBe('bad');
    expect(claims).toMatchObject({ signature: 'holds', statement: 'fails', hmac: 'fails', replay: 'fails' });
    expect(await page.$eval('.difference', (place) => place.textContent)).toContain('value');
    await page.close();
  });

  test('a receipt that another node signed is told apart by its key', async () => {
    const other = await openPortalService();
    try {
      const { page } = await openPage(`${other.url}/verify`);
      const { verdict, claims } = await check(page, 'foreign.json', receipt);
      expect(verdict).toBe('bad');
      expect(claims).toMatchObject({
        signature: 'holds',
        statement: 'holds',
        'key pinned': 'fails',
        hmac: 'fails',
        replay: 'holds',
      });
      await page.close();
    } finally {
      await other.close();
    }
  });

  test.each([
    ['noise', '\u0000\u0001 not a receipt', 'not JSON'],
    ['a list', '[1, 2, 3]', 'no JSON object'],
    ['an empty object', '{}', 'neither the solver, value and seal of a receipt nor the format of a bundle'],
    ['another object', '{"hello": "world"}', 'neither the solver, value and seal of a receipt'],
    ['half a receipt', '{"solver": "heat", "value": 1}', '64 lower-case hex digits'],
    ['half a bundle', '{"format": "svc-bundle/1", "kind": "nothing"}', 'is expected'],
    ['a deep one', `{"value": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'nested deeper than 64 levels'],
    ['a bottomless one', `{"value": ${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`, 'nested deeper than 64 levels'],
  ])('%s is refused in clear words, and the page goes on', async (name, content, words) => {
    const { page } = await openPage();
    await drop(page, write(`${name}.json`, content));
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain(words);
    expect(await page.$eval('.notice-title', (title) => title.textContent)).toBe(
      'This is neither a receipt nor a bundle.',
    );
    expect((await check(page, 'after.json', receipt)).verdict).toBe('good');
    await page.close();
  });

  test('a file of 100 MB is refused unread', async () => {
    const path = write('large.json', '{');
    truncateSync(path, 100 * 1024 * 1024);
    const { page } = await openPage();
    await drop(page, path);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('105 MB');
    await page.close();
  });

  describe('the downloaded verifier, opened from the disk with the network off', () => {
    const openVerifier = async () => {
      const answer = await fetch(`${service.url}/verifier.html`);
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      const path = write('svc-verifier.html', await answer.text());
      const page = await session.browser.newPage();
      await page.setOfflineMode(true);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const complaints = complaintsOf(page);
      await page.goto(pathToFileURL(path).href);
      return { page, asked, complaints, path };
    };

    test('it verifies and replays a genuine receipt and asks for nothing', async () => {
      const { page, asked, complaints, path } = await openVerifier();
      const { verdict, claims } = await check(page, 'offline.json', receipt);
      expect(verdict).toBe('good');
      expect(claims).toMatchObject({ signature: 'holds', statement: 'holds', hmac: 'not checked', replay: 'holds' });
      expect(asked).toEqual([pathToFileURL(path).href]);
      expect(await page.$eval('.drop-more', (place) => place.textContent)).toContain('It stays in this browser.');
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('it verifies and replays a receipt of operators', async () => {
      const { page, asked } = await openVerifier();
      expect((await check(page, 'offline-computed.json', computed)).verdict).toBe('good');
      expect(asked.length).toBe(1);
      await page.close();
    });

    test('it refuses a changed one', async () => {
      const { page } = await openVerifier();
      const { verdict, claims } = await check(page, 'offline-changed.json', { ...receipt, unit: 'J' });
      expect(verdict).toBe('bad');
      expect(claims).toMatchObject({ signature: 'holds', statement: 'fails', replay: 'fails' });
      await page.close();
    });

    test('it says which kernel is missing', async () => {
      const { page } = await openVerifier();
      await drop(page, write('unknown-kernel.json', JSON.stringify({ ...receipt, kernel_sha256: 'ab'.repeat(32) })));
      await findingsOn(page);
      const reason = await page.$eval('[data-claim=replay] .claim-reason', (place) => place.textContent);
      expect(reason).toContain(`${'ab'.repeat(32)}.wasm`);
      await page.close();
    });
  });
});
