import type { HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendRow, emptyHead } from '../../src/chain/row.ts';
import type { RunningService } from '../../src/server.ts';
import { type Boiler, openBoiler, useKey } from './boiler-fixture.ts';
import { complaintsOf, findEngine, openBrowser, type Session } from './browser.ts';
import { fill, press } from './gestures.ts';
import { openPortalService } from './portal-service.ts';

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
  let service: RunningService;
  let session: Session;
  let boiler: Boiler;
  beforeAll(async () => {
    [service, session] = await Promise.all([openPortalService(), openBrowser('chrome', chrome ?? '')]);
    boiler = await openBoiler(service);
  });
  afterAll(async () => {
    await session.close();
    await service.close();
  });

  interface Visit {
    readonly as?: string;
    /** Answers in place of the node where it returns something. */
    readonly meddle?: (request: HTTPRequest) => Promise<string | undefined>;
  }
  async function open(path: string, { as, meddle }: Visit = {}): Promise<{ page: Page; complaints: string[] }> {
    const page = await session.browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/api/svc/pulse`);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    if (as !== undefined) await useKey(page, as);
    if (meddle) {
      await page.setRequestInterception(true);
      page.on('request', async (request) => {
        const body = await meddle(request);
        if (body === undefined) await request.continue();
        else await request.respond({ contentType: 'application/json', body });
      });
    }
    await page.goto(`${service.url}${path}`);
    return { page, complaints };
  }
  const textOf = (page: Page, selector: string) => page.$eval(selector, (place) => place.textContent ?? '');
  const verified = async (page: Page): Promise<string> => {
    await press(page, 'Verify here');
    await page.waitForSelector('.audit[data-state=done]');
    return textOf(page, '.audit-summary');
  };
  const rowsOf = async (path: string) =>
    (await (await fetch(`${service.url}${path}`)).json()) as { rows: RowRecord[]; next_cursor: string | null } as {
      rows: RowRecord[];
      next_cursor: string | null;
    };
  const isRows = (request: HTTPRequest) => new URL(request.url()).pathname.endsWith(`/${boiler.slug}/explore`);

  test('a machine is spun up, its secrets are shown once, and its key is taken only when the visitor says so', async () => {
    const { page, complaints } = await open('/machines');
    await fill(page, '#spin-up-name', 'Lab freezer');
    await press(page, 'Spin up');
    await page.waitForSelector('.secrets');
    const names = await page.$$eval('[data-secret]', (codes) => codes.map((code) => code.getAttribute('data-secret')));
    expect(names).toEqual(['ZID', 'equation', 'salt', 'key']);
    const key = await textOf(page, '[data-secret=key]');
    expect(key).toMatch(/^svc_ak_/);
    expect(await textOf(page, '.notice-warn')).toContain('Shown this once');
    const stored = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    expect(await stored()).not.toContain(key);
    await press(page, 'Use this key in this tab');
    await page.waitForSelector('#own-title');
    expect(await stored()).toContain(key);
    expect(await textOf(page, '.machine-group')).toContain('lab-freezer');
    // A walk to another page loses nothing; the word of the visitor, or the end of the page, does.
    await page.click('.made a');
    await page.waitForSelector('.rows');
    await page.goBack();
    expect(await textOf(page, '[data-secret=key]')).toBe(key);
    await press(page, 'I have kept them');
    await page.waitForSelector('#spin-up-name');
    await page.reload();
    await page.waitForSelector('#own-title');
    expect(await page.$('.secrets')).toBeNull();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a machine is found by its name, by the keyboard alone', async () => {
    const { page } = await open('/machines');
    await page.waitForSelector('.card');
    await page.focus('#machine-term');
    await page.keyboard.type('nobody');
    await page.waitForFunction(() => document.body.textContent?.includes('Among the newest none is called nobody.'));
    expect(new URL(page.url()).search).toBe('?q=nobody');
    await fill(page, '#machine-term', boiler.slug);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.rows');
    expect(new URL(page.url()).pathname).toBe(`/machines/${boiler.slug}`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.close();
  });

  test('every row is verified here, against the signed checkpoint, and the next visit holds it to what it saw', async () => {
    const { page, complaints } = await open(`/machines/${boiler.slug}`);
    await page.waitForSelector('.rows');
    expect(await textOf(page, '.identity-check')).toContain('worked out here');
    const summary = await verified(page);
    const { rows } = await rowsOf(`/api/chain/${boiler.slug}/explore?limit=200`);
    expect(summary).toContain(`${rows.length} rows verified here, against checkpoint`);
    expect(summary).toContain(`/m/${boiler.slug}`);
    const claims = await page.$$eval('.audit-claims .claim', (items) => items.map((item) => item.className));
    expect(claims.length).toBeGreaterThanOrEqual(6);
    expect(claims.every((name) => name.includes('claim-good'))).toBe(true);
    expect(
      await page.$$eval('.row', (items) => items.filter((item) => item.getAttribute('data-verdict') === 'open')),
    ).toEqual([]);
    await page.reload();
    await page.waitForSelector('.rows');
    await verified(page);
    const words = await textOf(page, '.audit-claims');
    expect(words).toMatch(/rows that this browser saw before are its beginning, unchanged\s*holds/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a payload that was changed on the way is named, alone', async () => {
    const { page } = await open(`/machines/${boiler.slug}`, {
      meddle: async (request) => {
        if (!isRows(request)) return undefined;
        const answer = await rowsOf(request.url().replace(service.url, ''));
        const rows = answer.rows.map((row) =>
          row.seq === 3 ? { ...row, payload: { name: 'request', payload: { n: 1 } } } : row,
        );
        return JSON.stringify({ ok: true, version: 1, ...answer, rows });
      },
    });
    await page.waitForSelector('.rows');
    expect(await verified(page)).toMatch(/^1 row of \d+ did not hold; the first is row 3\.$/);
    expect(await page.$eval('.row[data-seq="3"]', (row) => row.getAttribute('data-verdict'))).toBe('bad');
    expect(await textOf(page, '.row[data-seq="3"] .row-mark')).toContain('not the one that was committed to');
    expect(await page.$eval('.row[data-seq="2"]', (row) => row.getAttribute('data-verdict'))).toBe('good');
    await page.close();
  });

  test('a history that was written anew with all its hashes is found at its first row', async () => {
    const { rows: real } = await rowsOf(`/api/chain/${boiler.slug}/explore?limit=200`);
    let head = emptyHead(boiler.slug);
    const forged = real.toReversed().map(({ svcond, type, source, actor, payload, salt, ...row }) => {
      const told = row.seq === 2 ? { forged: true } : payload;
      const next = appendRow(head, { svcond, type, source, actor, payload: told }, Buffer.from(salt ?? '', 'hex'));
      head = next;
      const { seq, commit, prev, row_hash } = next;
      return { ...row, svcond, type, source, actor, seq, commit, prev, row_hash, salt, payload: told };
    });
    const { page } = await open(`/machines/${boiler.slug}`, {
      meddle: async (request) =>
        isRows(request)
          ? JSON.stringify({ ok: true, version: 1, rows: forged.toReversed(), next_cursor: null })
          : undefined,
    });
    await page.waitForSelector('.rows');
    expect(await verified(page)).toContain('the first is row 2.');
    const verdict = (seq: number) => page.$eval(`.row[data-seq="${seq}"]`, (row) => row.getAttribute('data-verdict'));
    expect([await verdict(1), await verdict(2), await verdict(3)]).toEqual(['good', 'bad', 'bad']);
    expect(await textOf(page, '.audit-claims')).toContain('The first row that does not is 2.');
    await page.close();
  });

  test('a row opens to its payload and hashes, is verified alone, and its content stays text', async () => {
    const { page, complaints } = await open(`/machines/${boiler.slug}`, { as: boiler.key });
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
    await press(page, 'Verify this row here');
    await page.waitForSelector('.row-details .claim');
    const claims = await page.$$eval('.row-details .claim', (items) => items.map((item) => item.textContent));
    expect(claims).toHaveLength(5);
    for (const claim of claims) expect(claim).toContain('holds');
    expect(claims[4]).toContain('The receipt in it was stamped by this node');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('rows are shown by type, and those that come while one is being read wait for a word', async () => {
    const { page } = await open(`/machines/${boiler.slug}`);
    await page.waitForSelector('.rows');
    const count = () => page.$$eval('.row', (items) => items.length);
    const before = await count();
    await page.click('.row:nth-child(2) .row-line');
    await boiler.ask('POST', `/api/chain/${boiler.slug}/connection`, { peer: 'plc-7' });
    const waiting = await page.waitForSelector('.rows-waiting');
    expect(await count()).toBe(before);
    await waiting?.click();
    await page.waitForFunction((least) => document.querySelectorAll('.row').length > least, {}, before);
    expect(await textOf(page, '.rows')).toContain('plc-7');
    await page.click('.row [aria-expanded=true]');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await boiler.ask('POST', `/api/chain/${boiler.slug}/connection`, { peer: 'plc-8' });
    await page.waitForFunction(() => document.querySelector('.row')?.textContent?.includes('plc-8'));

    await page.select('.timeline-filter select', 'connection');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.row-type')].every((type) => type.textContent === 'connection'),
    );
    expect(await count()).toBeGreaterThanOrEqual(2);
    await page.close();
  });

  test('new rows come without a stream as well', async () => {
    const { page } = await open(`/machines/${boiler.slug}`, {
      meddle: async (request) => (request.url().includes('/explore/sse') ? '{}' : undefined),
    });
    await page.waitForSelector('.rows');
    await boiler.ask('POST', `/api/chain/${boiler.slug}/connection`, { peer: 'without a stream' });
    await page.waitForFunction(() => document.querySelector('.rows')?.textContent?.includes('without a stream'));
    await page.close();
  });

  test('older rows are fetched a page at a time, and verified a stretch at a time', async () => {
    const long = await openBoiler(service, 'long chain');
    const writes = Array.from({ length: 1_030 }, (_, at) => at);
    for (let from = 0; from < writes.length; from += 50)
      await Promise.all(
        writes
          .slice(from, from + 50)
          .map((at) => long.ask('POST', `/api/chain/${long.slug}/connection`, { peer: `p${at}` })),
      );
    const { page } = await open(`/machines/${long.slug}`);
    await page.waitForSelector('.rows');
    expect(await page.$$eval('.row', (items) => items.length)).toBe(50);
    await (await page.$('.more'))?.click();
    await page.waitForFunction(() => document.querySelectorAll('.row').length === 100);
    expect(await verified(page)).toMatch(/^1,000 rows \(\d+ to [\d,]+\) verified here/);
    await press(page, 'Go on to earlier rows');
    await page.waitForFunction(
      () =>
        / verified here/.test(document.querySelector('.audit-summary')?.textContent ?? '') &&
        !/ to /.test(document.querySelector('.audit-summary')?.textContent ?? ''),
    );
    expect(await textOf(page, '.audit-summary')).toMatch(/^1,0\d\d rows verified here/);
    expect(await textOf(page, '.audit-claims')).toMatch(/rows build the signed root|stands in the signed tree/);
    await page.close();
  });

  test('an event is logged with a key, and what is wrong with its payload is said before', async () => {
    const { page } = await open(`/machines/${boiler.slug}`, { as: boiler.key });
    await page.waitForSelector('#event-name');
    await fill(page, '#event-name', 'probe');
    await page.type('#event-payload', '{"temp": 28');
    expect(await textOf(page, '#event-payload-help')).toContain('not JSON yet');
    await press(page, 'Log it');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('event-payload');
    await page.type('#event-payload', '1.5}');
    await press(page, 'Log it');
    await page.waitForFunction(() =>
      /Row [\d,]+ was written/.test(document.querySelector('.event-form')?.textContent ?? ''),
    );
    await page.waitForFunction(() => document.querySelector('.rows, .rows-waiting')?.textContent?.includes('probe'));
    await page.close();
  });

  test('without a key nothing can be written, and a machine that is not there is no secret', async () => {
    const { page } = await open(`/machines/${boiler.slug}`);
    await page.waitForSelector('.event-form');
    expect(await page.$('#event-name')).toBeNull();
    expect(await textOf(page, '.event-form')).toContain('needs a key of a member');
    await boiler.ask('POST', '/api/chain/state-machines', { slug: 'cellar', is_public: false });
    for (const slug of ['cellar', 'no-such-machine']) {
      await page.goto(`${service.url}/machines/${slug}`);
      const notice = await page.waitForSelector('.notice-empty');
      expect(await notice?.evaluate((place) => place.textContent)).toContain(
        `There is no machine ${slug} for you to see.`,
      );
    }
    await page.close();
    const { page: own } = await open('/machines/cellar', { as: boiler.key });
    await own.waitForSelector('.rows');
    expect(await verified(own)).toContain('verified here');
    await own.close();
  });
});
