import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { appendRow, emptyHead } from '../../src/chain/row.ts';
import { type BoilerFixture, createBoiler, useKey } from './boiler-fixture.ts';
import { findEngine } from './browser.ts';
import { answerRequests, clickButton, fill } from './page-actions.ts';
import { type Visit, visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');

interface RowRecord {
  seq: number;
  svcond: number;
  type: string;
  source: string;
  actor: string;
  commit: string;
  prev: string;
  row_hash: string;
  salt: string | null;
  payload: unknown;
}

describe.skipIf(chrome === undefined)('the pages of machines', () => {
  const portal = visitPortal();
  let boiler: BoilerFixture;
  beforeAll(async () => {
    boiler = await createBoiler(portal.service);
  });

  interface VisitOptions {
    /** API key of the visitor. */
    readonly key?: string;
    /** Replaces the node's response if it returns a body. */
    readonly intercept?: (url: string) => Promise<string | undefined>;
  }
  async function open(path: string, { key, intercept }: VisitOptions = {}): Promise<Visit> {
    return portal.open(path, async (page) => {
      await page.goto(`${portal.service.url}/api/svc/pulse`);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      if (key !== undefined) await useKey(page, key);
      if (intercept) await answerRequests(page, intercept);
    });
  }
  const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? '');
  const verifyChain = async (page: Page): Promise<string> => {
    await clickButton(page, 'Verify the chain');
    await page.waitForSelector('.audit[data-state=done]');
    return textOf(page, '.audit-summary');
  };
  const fetchRows = async (path: string) =>
    (await (await fetch(`${portal.service.url}${path}`)).json()) as {
      rows: RowRecord[];
      next_cursor: string | null;
    } as {
      rows: RowRecord[];
      next_cursor: string | null;
    };
  const isRowRequest = (url: string) => new URL(url).pathname.endsWith(`/${boiler.slug}/explore`);

  test('spinning up a machine shows its secrets once, and stores its key only on request', async () => {
    const { page, errors } = await open('/machines');
    await fill(page, '#spin-up-name', 'Lab freezer');
    await clickButton(page, 'Spin up');
    await page.waitForSelector('.secrets');
    const names = await page.$$eval('[data-secret]', (codes) => codes.map((code) => code.getAttribute('data-secret')));
    expect(names).toEqual(['ZID', 'equation', 'salt', 'key']);
    const key = await textOf(page, '[data-secret=key]');
    expect(key).toMatch(/^svc_ak_/);
    expect(await textOf(page, '.notice-warn')).toContain('shown only once');
    const stored = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    expect(await stored()).not.toContain(key);
    await clickButton(page, 'Use this key in this tab');
    await page.waitForSelector('#own-title');
    expect(await stored()).toContain(key);
    expect(await textOf(page, '.machine-group')).toContain('lab-freezer');
    // The secrets survive navigation, but neither a confirmation nor a reload.
    await page.click('.made a');
    await page.waitForSelector('.rows');
    await page.goBack();
    expect(await textOf(page, '[data-secret=key]')).toBe(key);
    await clickButton(page, 'I have saved them');
    await page.waitForSelector('#spin-up-name');
    await page.reload();
    await page.waitForSelector('#own-title');
    expect(await page.$('.secrets')).toBeNull();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('of many contracts the first twelve are shown, and all when asked for: the history stays in sight', async () => {
    const many = await createBoiler(portal.service, 'many');
    for (let n = 0; n < 12; n++)
      await many.request('POST', `/api/chain/${many.slug}/contracts`, { template_id: 'circuit-breaker' });
    const { page, errors } = await open(`/machines/${many.slug}`, { key: many.key });
    const cards = () => page.$$eval('.machine-contracts .card', (found) => found.length);
    await page.waitForSelector('.machine-contracts .more');
    expect(await cards()).toBe(12);
    await clickButton(page, 'Show all 14 contracts');
    await expect.poll(cards).toBe(14);
    expect(await page.$('.machine-contracts .more')).toBeNull();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a machine can be found by name with the keyboard alone', async () => {
    const { page } = await open('/machines');
    await page.waitForSelector('.card');
    await page.focus('#machine-term');
    await page.keyboard.type('nobody');
    await page.waitForFunction(() =>
      document.body.textContent?.includes('None of the newest machines matches nobody.'),
    );
    expect(new URL(page.url()).search).toBe('?q=nobody');
    await fill(page, '#machine-term', boiler.slug);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.rows');
    expect(new URL(page.url()).pathname).toBe(`/machines/${boiler.slug}`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.close();
  });

  test('every row is verified against the signed checkpoint, and the next visit checks consistency with it', async () => {
    const { page, errors } = await open(`/machines/${boiler.slug}`);
    await page.waitForSelector('.rows');
    expect(await textOf(page, '.identity-check')).toContain('computed in this browser');
    const summary = await verifyChain(page);
    const { rows } = await fetchRows(`/api/chain/${boiler.slug}/explore?limit=200`);
    expect(summary).toContain(`${rows.length} rows verified in this browser, against checkpoint`);
    expect(summary).toContain(`/m/${boiler.slug}`);
    const claims = await page.$$eval('.audit-claims .claim', (items) => items.map((item) => item.className));
    expect(claims.length).toBeGreaterThanOrEqual(6);
    expect(claims.every((name) => name.includes('claim-good'))).toBe(true);
    expect(
      await page.$$eval('.row', (items) => items.filter((item) => item.getAttribute('data-verdict') === 'open')),
    ).toEqual([]);
    await page.reload();
    await page.waitForSelector('.rows');
    await verifyChain(page);
    const text = await textOf(page, '.audit-claims');
    expect(text).toMatch(/rows are unchanged since this browser verified them\s*holds/);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('only the row with a payload changed in transit is reported', async () => {
    const { page } = await open(`/machines/${boiler.slug}`, {
      intercept: async (url) => {
        if (!isRowRequest(url)) return undefined;
        const answer = await fetchRows(url.replace(portal.service.url, ''));
        const rows = answer.rows.map((row) =>
          row.seq === 3 ? { ...row, payload: { name: 'request', payload: { n: 1 } } } : row,
        );
        return JSON.stringify({ ok: true, version: 1, ...answer, rows });
      },
    });
    await page.waitForSelector('.rows');
    expect(await verifyChain(page)).toMatch(/^1 row of \d+ failed; the first is row 3\.$/);
    expect(await page.$eval('.row[data-seq="3"]', (row) => row.getAttribute('data-verdict'))).toBe('bad');
    expect(await textOf(page, '.row[data-seq="3"] .row-mark')).toContain('does not match its commitment');
    expect(await page.$eval('.row[data-seq="2"]', (row) => row.getAttribute('data-verdict'))).toBe('good');
    await page.close();
  });

  test('a rewritten history with valid hashes is reported from its first changed row', async () => {
    const { rows: original } = await fetchRows(`/api/chain/${boiler.slug}/explore?limit=200`);
    let head = emptyHead(boiler.slug);
    const forged = original.toReversed().map(({ svcond, type, source, actor, payload, salt, ...row }) => {
      const forgedPayload = row.seq === 2 ? { forged: true } : payload;
      const next = appendRow(
        head,
        { svcond, type, source, actor, payload: forgedPayload },
        Buffer.from(salt ?? '', 'hex'),
      );
      head = next;
      const { seq, commit, prev, row_hash } = next;
      return { ...row, svcond, type, source, actor, seq, commit, prev, row_hash, salt, payload: forgedPayload };
    });
    const { page } = await open(`/machines/${boiler.slug}`, {
      intercept: async (url) =>
        isRowRequest(url)
          ? JSON.stringify({ ok: true, version: 1, rows: forged.toReversed(), next_cursor: null })
          : undefined,
    });
    await page.waitForSelector('.rows');
    expect(await verifyChain(page)).toContain('the first is row 2.');
    const verdict = (seq: number) => page.$eval(`.row[data-seq="${seq}"]`, (row) => row.getAttribute('data-verdict'));
    expect([await verdict(1), await verdict(2), await verdict(3)]).toEqual(['good', 'bad', 'bad']);
    expect(await textOf(page, '.audit-claims')).toContain('The first row outside the tree is 2.');
    await page.close();
  });

  test('a row opens to its payload and hashes, can be verified, and its content is shown as text', async () => {
    const { page, errors } = await open(`/machines/${boiler.slug}`, { key: boiler.key });
    await page.waitForSelector('.rows');
    expect(await textOf(page, '.rows')).toContain('<img src=x onerror=alert(1)>');
    expect(await page.$('.rows img')).toBeNull();
    const at = await page.$$eval('.row', (items) => {
      const found = items.find((item) => item.textContent?.includes('fund: awaiting_deposit'));
      return found?.getAttribute('data-seq') ?? '';
    });
    await page.click(`.row[data-seq="${at}"] .row-line`);
    await page.waitForSelector('.row-payload');
    expect(await textOf(page, '.row-payload')).toContain('"receipt"');
    await clickButton(page, 'Verify this row');
    await page.waitForSelector('.row-details .claim');
    const claims = await page.$$eval('.row-details .claim', (items) => items.map((item) => item.textContent));
    expect(claims).toHaveLength(5);
    for (const claim of claims) expect(claim).toContain('holds');
    expect(claims[4]).toContain('The receipt was signed by this node for this transition');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('rows can be filtered by type, and new rows wait while one is open', async () => {
    const { page } = await open(`/machines/${boiler.slug}`);
    await page.waitForSelector('.rows');
    const count = () => page.$$eval('.row', (items) => items.length);
    const before = await count();
    await page.click('.row:nth-child(2) .row-line');
    await boiler.request('POST', `/api/chain/${boiler.slug}/connection`, { peer: 'plc-7' });
    const button = await page.waitForSelector('.rows-waiting');
    expect(await count()).toBe(before);
    await button?.click();
    await page.waitForFunction((count) => document.querySelectorAll('.row').length > count, {}, before);
    expect(await textOf(page, '.rows')).toContain('plc-7');
    await page.click('.row [aria-expanded=true]');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await boiler.request('POST', `/api/chain/${boiler.slug}/connection`, { peer: 'plc-8' });
    await page.waitForFunction(() => document.querySelector('.row')?.textContent?.includes('plc-8'));

    await page.select('.timeline-filter select', 'connection');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.row-type')].every((type) => type.textContent === 'connection'),
    );
    expect(await count()).toBeGreaterThanOrEqual(2);
    await page.close();
  });

  test('new rows also arrive without a stream', async () => {
    const { page } = await open(`/machines/${boiler.slug}`, {
      intercept: async (url) => (url.includes('/explore/sse') ? '{}' : undefined),
    });
    await page.waitForSelector('.rows');
    await boiler.request('POST', `/api/chain/${boiler.slug}/connection`, { peer: 'without a stream' });
    await page.waitForFunction(() => document.querySelector('.rows')?.textContent?.includes('without a stream'));
    await page.close();
  });

  test('older rows are loaded in pages and verified in batches', async () => {
    const long = await createBoiler(portal.service, 'long chain');
    const writes = Array.from({ length: 1_030 }, (_, at) => at);
    for (let from = 0; from < writes.length; from += 50)
      await Promise.all(
        writes
          .slice(from, from + 50)
          .map((at) => long.request('POST', `/api/chain/${long.slug}/connection`, { peer: `p${at}` })),
      );
    const { page } = await open(`/machines/${long.slug}`);
    await page.waitForSelector('.rows');
    expect(await page.$$eval('.row', (items) => items.length)).toBe(50);
    await (await page.$('.more'))?.click();
    await page.waitForFunction(() => document.querySelectorAll('.row').length === 100);
    expect(await verifyChain(page)).toMatch(/^1,000 rows \(\d+ to [\d,]+\) verified in this browser/);
    await clickButton(page, 'Verify earlier rows');
    await page.waitForFunction(
      () =>
        / verified in this browser/.test(document.querySelector('.audit-summary')?.textContent ?? '') &&
        !/ to /.test(document.querySelector('.audit-summary')?.textContent ?? ''),
    );
    expect(await textOf(page, '.audit-summary')).toMatch(/^1,0\d\d rows verified in this browser/);
    expect(await textOf(page, '.audit-claims')).toMatch(/rows hash to the signed root|is in the signed tree/);
    await page.close();
  });

  test('an event is logged with a key, and an invalid payload is reported first', async () => {
    const { page } = await open(`/machines/${boiler.slug}`, { key: boiler.key });
    await page.waitForSelector('#event-name');
    await fill(page, '#event-name', 'probe');
    await page.type('#event-payload', '{"temp": 28');
    expect(await textOf(page, '#event-payload-help')).toContain('not valid JSON');
    await clickButton(page, 'Log event');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('event-payload');
    await page.type('#event-payload', '1.5}');
    await clickButton(page, 'Log event');
    await page.waitForFunction(() =>
      /Row [\d,]+ was written/.test(document.querySelector('.event-form')?.textContent ?? ''),
    );
    await page.waitForFunction(() => document.querySelector('.rows, .rows-waiting')?.textContent?.includes('probe'));
    await page.close();
  });

  test('events require a key, and a private machine looks like a missing one', async () => {
    const { page } = await open(`/machines/${boiler.slug}`);
    await page.waitForSelector('.event-form');
    expect(await page.$('#event-name')).toBeNull();
    expect(await textOf(page, '.event-form')).toContain('requires the key of a member');
    await boiler.request('POST', '/api/chain/state-machines', { slug: 'cellar', is_public: false });
    for (const slug of ['cellar', 'no-such-machine']) {
      await page.goto(`${portal.service.url}/machines/${slug}`);
      const notice = await page.waitForSelector('.notice-empty');
      expect(await notice?.evaluate((element) => element.textContent)).toContain(`Machine ${slug} not found.`);
    }
    await page.close();
    const { page: own } = await open('/machines/cellar', { key: boiler.key });
    await own.waitForSelector('.rows');
    expect(await verifyChain(own)).toContain('verified in this browser');
    await own.close();
  });
});
