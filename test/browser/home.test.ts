// Home page and gallery: the browser's bits compared with the server's, a receipt that is tampered with and put back,
// and examples found by words and run by a click.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { HOME_EXPERIMENT, SOLVERS } from '../../src/solvers/index.ts';
import { collectErrors, type Engine, findEngine, openSession, type Session } from './browser.ts';
import { answerRequests, clickButton, tamperWithValue } from './page-actions.ts';
import { openPortalService } from './portal-service.ts';

const ENGINES: readonly Engine[] = ['chrome', 'firefox'];

let service: RunningService;
beforeAll(async () => {
  service = await openPortalService();
});
afterAll(() => service.close());

const text = (page: Page, selector: string) =>
  page.$eval(selector, (element) => (element.textContent ?? '').replaceAll(/\s+/g, ' '));

const outcomesOf = async (page: Page) => {
  const rows = await page.$$eval('.home-checks [data-claim]', (claims) =>
    claims.map((claim) => [claim.getAttribute('data-claim'), claim.querySelector('.claim-word')?.textContent] as const),
  );
  return Object.fromEntries(rows) as Readonly<Record<string, string>>;
};

const failing = (outcomes: Readonly<Record<string, string>>) =>
  Object.keys(outcomes).filter((claim) => outcomes[claim] === 'fails');

const verdict = (page: Page, name: string) =>
  page.waitForSelector(`.home-verdict [data-verdict=${name}][aria-busy=false]`);

describe.each(ENGINES.map((engine) => ({ engine, path: findEngine(engine) })))('$engine', ({ engine, path }) => {
  describe.skipIf(path === undefined)('home page', () => {
    let session: Session;
    beforeAll(async () => {
      session = await openSession(engine, path ?? '', service.url);
    });
    afterAll(() => session.close());

    test('the experiment runs as the page opens, and the server has the same bits', async () => {
      const page = await session.context.newPage();
      const errors = collectErrors(page);
      await page.goto(service.url);
      await page.waitForSelector('.home-proof .verdict-equal');
      expect(await text(page, '.home-proof .verdict-word')).toBe('bits equal');
      expect(await text(page, '#home-experiment')).toBe(HOME_EXPERIMENT.example);
      await verdict(page, 'good');
      const here = await page.$eval('.home-readout [data-value]', (output) => output.getAttribute('data-value'));
      expect(Number(here)).not.toBeNaN();
      expect(await text(page, '.home-digits')).toBe(here);
      const outcomes = await outcomesOf(page);
      expect(Object.keys(outcomes).length).toBeGreaterThan(7);
      expect(new Set(Object.values(outcomes))).toEqual(new Set(['holds']));
      // The pictures come later than the numbers.
      await page.waitForSelector('.home-picture canvas');
      expect(errors).toEqual([]);
      await page.close();
    });

    test('a digit that is changed breaks the receipt, and it is whole again when it is put back', async () => {
      const page = await session.context.newPage();
      await page.goto(service.url);
      await verdict(page, 'good');
      const sealed = await text(page, '.home-digits');
      await clickButton(page, 'Tamper with this receipt');
      await verdict(page, 'bad');
      const changed = await text(page, '.home-digits');
      const positions = [...sealed].flatMap((digit, at) => (digit === changed[at] ? [] : [at]));
      expect([positions.length, changed.length]).toEqual([1, sealed.length]);
      expect(await text(page, '.home-digits mark')).toBe(changed[positions[0] ?? 0]);
      expect(failing(await outcomesOf(page))).toEqual(expect.arrayContaining(['statement', 'hmac', 'answer']));
      expect(await text(page, '.home-receipt .difference')).toContain(`in the receipt${changed}recomputed${sealed}`);
      await clickButton(page, 'Put it back');
      await verdict(page, 'good');
      expect(await text(page, '.home-digits')).toBe(sealed);
      expect(failing(await outcomesOf(page))).toEqual([]);
      expect(await page.$('.home-receipt .difference')).toBeNull();
      await page.close();
    });

    test('a server whose number differs in the last bit is told from one that agrees', async () => {
      const page = await session.context.newPage();
      await tamperWithValue(page, `/api/svc/${HOME_EXPERIMENT.solver}`);
      await page.goto(service.url);
      await page.waitForSelector('.home-proof .verdict-different');
      expect(await text(page, '.home-proof .verdict-word')).toBe('bits differ');
      await verdict(page, 'bad');
      await page.close();
    });

    test('a server that refuses is reported: nothing is compared, and there is no receipt', async () => {
      const page = await session.context.newPage();
      await page.evaluateOnNewDocument(() => {
        const originalFetch = fetch;
        globalThis.fetch = async (input, init) => {
          const request = new Request(input, init);
          if (request.method !== 'POST') return originalFetch(input, init);
          const body = { ok: false, code: 'RATE_LIMITED', error: 'Limit of 60 a minute reached.', request_id: 'one' };
          return Response.json(body, { status: 429 });
        };
      });
      await page.goto(service.url);
      await page.waitForSelector('.home-proof .notice-error');
      const words = await text(page, '.home-proof');
      expect(words).toContain('Limit of 60 a minute reached.');
      expect(words).toContain('nothing was compared and there is no receipt');
      expect(words).not.toContain('bits equal');
      expect(await page.$('.home-receipt')).toBeNull();
      await page.close();
    });
  });
});

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('gallery and menu', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession('chrome', chrome ?? '', service.url);
  });
  afterAll(() => session.close());

  test('the gallery has every example of every solver, each with a picture', async () => {
    const page = await session.context.newPage();
    await page.goto(`${service.url}/gallery`);
    await page.waitForSelector('.gallery-card');
    const titles = await page.$$eval('.gallery-card .card-link', (links) => links.map((link) => link.textContent));
    const examples = SOLVERS.flatMap(({ form }) => (form?.examples ?? []).map(({ title }) => title));
    expect(examples.length).toBeGreaterThan(150);
    expect(titles.toSorted()).toEqual(examples.toSorted());
    const images = await page.$$eval('.gallery-card img', (all) =>
      all.map((image) => [image.getAttribute('src') ?? '', (image as HTMLImageElement).loading] as const),
    );
    expect(images).toHaveLength(titles.length);
    for (const [source, loading] of images) {
      expect([source, loading]).toEqual([
        expect.stringMatching(/^\/assets\/gallery\/[0-9a-f]{12}\.(svg|png)$/),
        'lazy',
      ]);
    }
    // Those in view are decoded, and those far below are not fetched.
    await page.waitForFunction(
      () => (document.querySelector('.gallery-card img') as HTMLImageElement).naturalWidth > 0,
    );
    const fetched = await page.$$eval('.gallery-card img', (all) =>
      all.map((image) => (image as HTMLImageElement).naturalWidth > 0),
    );
    expect([fetched[0], fetched.at(-1)]).toEqual([true, false]);
    await page.close();
  });

  test('the pictures are files of this node that are kept for ever', async () => {
    const page = await session.context.newPage();
    await page.goto(`${service.url}/gallery`);
    await page.waitForSelector('.gallery-card img');
    const sources = await page.$$eval('.gallery-card img', (all) =>
      all.map((image) => image.getAttribute('src') ?? ''),
    );
    for (const ending of ['svg', 'png']) {
      const source = sources.find((one) => one.endsWith(ending));
      const { status, headers } = await fetch(`${service.url}${source}`);
      expect([status, headers.get('content-type')]).toEqual([200, ending === 'svg' ? 'image/svg+xml' : 'image/png']);
      expect(headers.get('cache-control')).toContain('immutable');
    }
    await page.close();
  });

  test('words find an example, and a click runs it in the browser and on the server', async () => {
    const page = await session.context.newPage();
    const errors = collectErrors(page);
    await page.goto(`${service.url}/gallery`);
    await page.waitForSelector('.gallery-card');
    await page.type('#gallery-term', 'queens eight');
    await page.waitForFunction(() => document.querySelectorAll('.gallery-card').length === 1);
    expect(await text(page, '.gallery-count')).toMatch(/^1 of \d+ experiments$/);
    expect(new URL(page.url()).search).toBe('?q=queens+eight');
    await page.click('.gallery-card .card-link');
    // Its estimate is too long for a preview, so that only a run shows a result.
    await page.waitForSelector('.comparison .verdict-equal');
    expect(await text(page, '.example[aria-current]')).toBe('Eight queens');
    expect(errors).toEqual([]);
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('.gallery-card').length === 1);
    await page.type('#gallery-term', ' xyzzy');
    await clickButton(page, 'Show all');
    await page.waitForFunction(() => document.querySelectorAll('.gallery-card').length > 150);
    await page.close();
  });

  test('an index that cannot be fetched is reported', async () => {
    const page = await session.context.newPage();
    await answerRequests(page, async (url) => (url.includes('/assets/gallery/') ? 'not JSON' : undefined));
    await page.goto(`${service.url}/gallery`);
    await page.waitForSelector('.notice-error');
    expect(await text(page, '.notice-error')).toContain('The list of experiments could not be fetched.');
    await page.close();
  });

  test('on a phone the pages are in a menu, which the keyboard opens, walks and closes', async () => {
    const page = await session.context.newPage();
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${service.url}/keys`);
    await page.waitForSelector('.menu-button');
    const isShown = () => page.$eval('.tab', (tab) => tab.checkVisibility());
    expect(await isShown()).toBe(false);
    await page.focus('.menu-button');
    await page.keyboard.press('Enter');
    expect(await isShown()).toBe(true);
    const outside = await page.$$eval(
      '.tab',
      (tabs) =>
        tabs.filter((tab) => {
          const { left, right } = tab.getBoundingClientRect();
          return left < 0 || right > innerWidth;
        }).length,
    );
    expect(outside).toBe(0);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('tab');
    await page.keyboard.press('Escape');
    expect(await isShown()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('menu-button');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.gallery-card');
    expect(await isShown()).toBe(false);
    await page.close();
  });
});
