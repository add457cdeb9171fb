import axe from 'axe-core';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { type Boiler, openBoiler, useKey } from './boiler-fixture.ts';
import { complaintsOf, findEngine, openBrowser, type Session } from './browser.ts';
import { keepCopies, walk } from './gestures.ts';
import { openPortalService } from './portal-service.ts';

const chrome = findEngine('chrome');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResult {
  readonly passes: readonly unknown[];
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

interface Place {
  /** `{limiter}` and `{escrow}` stand for contracts of the machine `boiler`. */
  readonly path: string;
  /** As its owner. */
  readonly isOwner?: true;
  /** What a visitor presses first, in order. */
  readonly press?: readonly string[];
  /** What has to be there before the page is judged. */
  readonly ready: string;
}

const PAGES: readonly Place[] = [
  { path: '/solve/heat', ready: '.stage-done canvas' },
  { path: '/solve/heat?dim=1', press: ['.form-actions .primary', '.claims-more summary'], ready: '.claim' },
  { path: '/solve/heat?nx=1', ready: '[aria-invalid]' },
  { path: '/solve/heat?method=explicit&dt=1', ready: '.notice-error' },
  { path: '/solve/schrodinger', press: ['.unused summary', '.method summary'], ready: '.levels-diagram' },
  { path: '/solve/evolve', ready: '.stage-done .particles' },
  { path: '/solve/nothing', ready: '.notice' },
  { path: '/operators', press: ['.open-domains summary'], ready: '.open-domains[open]' },
  { path: '/operators?domain=QM', ready: '.tree-group' },
  { path: '/operators?domain=AC', ready: '.domain-head' },
  { path: '/operators?q=reynolds', ready: '.hits' },
  { path: '/operators?q=xyzzyqq', ready: '.notice-empty' },
  { path: '/operators/QM5', ready: '.stage-done output' },
  { path: '/operators/FIN13', ready: '.stage-done output' },
  { path: '/operators/CEL14?T1=383&T2=394&D1=2&D2=2', ready: '.value-stage .notice-error' },
  { path: '/operators/QM5?n=1.5&m=1&L=2+s', ready: '[aria-invalid]' },
  {
    path: '/operators/CHE17?x=37±1+cm&y=0.6&T0=80&kx=2.5&ky=1.75&alpha=1.11e-4&t=320',
    press: ['.try-form .primary', '.receipt-head button'],
    ready: '[data-verdict=good]',
  },
  { path: '/operators/KO42', ready: '.operator-try .notice-empty' },
  { path: '/machines', ready: '.machine-group' },
  { path: '/machines?q=nobody', ready: '.machine-group' },
  { path: '/machines#made', press: ['.spin-up .primary'], ready: '.secrets' },
  { path: '/machines/boiler', ready: '.rows' },
  { path: '/machines/boiler#owned', isOwner: true, press: ['.row-line'], ready: '.row-details' },
  {
    path: '/machines/boiler#verified',
    press: ['.audit .primary', '.audit-claims summary'],
    ready: '.audit-claims[open]',
  },
  { path: '/machines/boiler/contracts/{limiter}', ready: '.diagram-picture' },
  { path: '/machines/boiler/contracts/{escrow}', isOwner: true, press: ['.history .row-line'], ready: '.row-details' },
  { path: '/templates', ready: '.cards' },
  { path: '/templates?q=xyzzyqq', ready: '.notice-empty' },
  { path: '/templates/circuit-breaker', ready: '.diagram-picture' },
  { path: '/templates/circuit-breaker#owned', isOwner: true, press: ['.transition'], ready: '#deploy-machine' },
  { path: '/verify', ready: '.drop' },
  { path: '/verify#made', press: ['.verify-sample button'], ready: '[data-verdict=good]' },
  { path: '/pulse', ready: '.dial' },
  { path: '/keys', ready: '.key-panel' },
  { path: '/keys#minted', press: ['.key-panel .primary'], ready: '.own-key' },
  { path: '/reference', ready: '.endpoint' },
  { path: '/reference#tried', press: ['.endpoint summary', '.try .primary'], ready: '.answer pre' },
];

interface Look {
  readonly theme: string;
  readonly width: number;
}

const DESK: Look = { theme: 'light', width: 1280 };
const LOOKS: readonly Look[] = [
  DESK,
  { theme: 'dark', width: 390 },
  ...(process.env.SVC_SLOW === '1'
    ? [
        { theme: 'dark', width: 1280 },
        { theme: 'light', width: 390 },
      ]
    : []),
];

describe.skipIf(chrome === undefined)('every page', () => {
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

  const openAs = async (path: string, { theme, width }: Look, key?: string): Promise<Page> => {
    const page = await session.browser.newPage();
    if (key !== undefined) await useKey(page, key);
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.evaluateOnNewDocument(() => {
      const seen = { shift: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) seen.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${service.url}${path}`);
    return page;
  };

  const shiftOn = (page: Page) => page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

  for (const look of LOOKS) {
    const how = `${look.theme}, ${look.width} px`;
    test.each(PAGES)(
      `$path, ${how}: accessible, still, quiet and not too wide`,
      async ({ path, isOwner, press = [], ready }) => {
        const { limiter, escrow, key } = boiler;
        const address = path.replace('{limiter}', limiter).replace('{escrow}', escrow);
        const page = await openAs(address, look, isOwner && key);
        const complaints = complaintsOf(page);
        const [first = ready] = press;
        await page.waitForSelector(first);
        await settle();
        // Nothing moves by itself; the answer to a press may push aside what is below it.
        expect(await shiftOn(page)).toBeLessThan(0.01);
        for (const target of press) {
          await page.waitForSelector(target);
          // Not by the pointer: on a phone some of it is folded away.
          await page.$eval(target, (element) => (element as HTMLElement).click());
        }
        await page.waitForSelector(ready);
        await settle();

        await page.evaluate(axe.source);
        const result = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(WCAG)} })`)) as AxeResult;
        expect(result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(result.passes.length).toBeGreaterThan(5);
        expect(complaints).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await page.evaluate(() => localStorage.clear());
        await page.close();
      },
    );
  }

  test.each(['/nowhere', '/machines/boiler/contracts/a/b', '/solve/heat/more'])(
    '%s is said to be no page, in words that no check finds fault with',
    async (path) => {
      const page = await openAs(path, { theme: 'dark', width: 390 });
      await page.waitForSelector('.notice-empty');
      expect(await page.$eval('h1', (head) => head.textContent)).toBe('There is no such page');
      expect(await page.title()).toBe('No such page · svc');
      expect(await page.$$('[aria-current]')).toHaveLength(0);
      await page.evaluate(axe.source);
      const result = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(WCAG)} })`)) as AxeResult;
      expect(result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      await (await page.waitForSelector('::-p-aria([name="To the first page"])'))?.click();
      await page.waitForSelector('.stage');
      await page.close();
    },
  );

  test.each(['/machines', '/machines/boiler', '/machines/boiler/contracts/{limiter}', '/templates', '/reference'])(
    '%s says that it waits for the node, and what the node says when it cannot answer, under a heading',
    async (path) => {
      const page = await openAs('/keys', { theme: 'dark', width: 390 });
      await page.waitForSelector('.key-panel');
      await page.setRequestInterception(true);
      const held: HTTPRequest[] = [];
      page.on('request', (request) => {
        if (/^\/(api|openapi)/.test(new URL(request.url()).pathname)) held.push(request);
        else void request.continue();
      });
      await page.goto(`${service.url}${path.replace('{limiter}', boiler.limiter)}`);
      const wordsOf = () =>
        page.evaluate(() => {
          const place = document.querySelector('main [aria-busy="true"]');
          const { content, visibility } = getComputedStyle(place ?? document.body, '::after');
          return visibility === 'visible' && content;
        });
      await expect.poll(wordsOf).toContain('Asking the node');
      expect(held.length).toBeGreaterThan(0);
      const body = JSON.stringify({ ok: false, code: 'INTERNAL', error: 'Nothing was done.', request_id: 'a-request' });
      for (const request of held.splice(0))
        await request.respond({ status: 500, contentType: 'application/json', body });
      await page.waitForSelector('.notice-error');
      expect(await page.$$('h1')).toHaveLength(1);
      expect(await page.$$('main [aria-busy="true"]')).toHaveLength(0);
      await page.evaluate(axe.source);
      const result = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(WCAG)} })`)) as AxeResult;
      expect(result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      await page.close();
    },
  );

  test('the keyboard reaches everything, in order, and runs an experiment', async () => {
    const page = await openAs('/solve/heat', DESK);
    await page.waitForSelector('.stage-done canvas');
    const stops = await walk(page, 60, 'Run');
    expect(stops.filter((stop) => /^(no ring|hidden)/.test(stop))).toEqual([]);
    expect(stops.slice(0, 2)).toEqual(['Skip to the page', 'svc']);
    expect(stops).toContain('nx');
    expect(stops.at(-1)).toBe('Run');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.verdict-equal');
    await page.close();
  });

  test('the theme is the visitor’s choice and is kept', async () => {
    const page = await openAs('/pulse', DESK);
    const themeOf = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await themeOf()).toBe('light');
    await (await page.waitForSelector('[aria-label="Use the dark theme"]'))?.click();
    expect(await themeOf()).toBe('dark');
    await page.reload();
    expect(await themeOf()).toBe('dark');
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  test('a demo key is minted, its limits are shown, and it can be forgotten', async () => {
    const page = await openAs('/keys', DESK);
    await (await page.waitForSelector('.key-panel .primary'))?.click();
    const text = await page.waitForSelector('.own-key-text');
    expect(await text?.evaluate((place) => place.textContent)).toMatch(/^svc_ak_demo_.{8}•+$/);
    await page.waitForFunction(() => /\d+ of 100000 used/.test(document.body.textContent ?? ''));
    await (await page.waitForSelector('::-p-aria([name="Forget it"])'))?.click();
    await page.waitForFunction(() => document.body.textContent?.includes('No key yet'));
    await page.close();
  });

  test('the reference tries a route and shows its answer', async () => {
    const page = await openAs('/reference', DESK);
    await page.waitForSelector('.endpoint');
    await page.type('#filter', 'proof.stamp');
    await (await page.waitForSelector('.endpoint > summary'))?.click();
    await (await page.waitForSelector('.try .primary'))?.click();
    const answer = await page.waitForSelector('.answer pre');
    expect(await answer?.evaluate((place) => JSON.parse(place.textContent ?? '').ok)).toBe(true);
    await page.close();
  });

  test('the reference sends the visitor’s key on public routes too, and mints none for them', async () => {
    const tried = async (key?: string) => {
      const page = await openAs('/keys', DESK, key);
      const copied = await keepCopies(page);
      await page.goto(`${service.url}/reference`);
      await page.waitForSelector('.endpoint');
      const sent: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        sent.push(`${request.method()} ${pathname} ${request.headers().authorization ?? 'keyless'}`);
      });
      await page.type('#filter', 'GET /api/svc/pulse');
      await (await page.waitForSelector('.endpoint > summary'))?.click();
      await (await page.waitForSelector('.try .primary'))?.click();
      await page.waitForSelector('.answer pre');
      const command = await copied('Copy as curl');
      const words = await page.$eval('.try .button-row', (row) => row.textContent);
      await page.close();
      return { sent, words, hasKey: command.includes('$SVC_KEY') };
    };
    const alone = await tried();
    expect(alone).toMatchObject({ sent: ['GET /api/svc/pulse keyless'], hasKey: false });
    expect(alone.words).not.toContain('demo key');
    const known = await tried(boiler.key);
    expect(known).toMatchObject({ sent: [`GET /api/svc/pulse Bearer ${boiler.key}`], hasKey: true });
    expect(known.words).toContain(`with ${boiler.key.slice(0, 15)}…`);
  });
});

describe('the files of the portal', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await openPortalService();
  });
  afterAll(() => service.close());

  test('pages and scripts come with a strict policy', async () => {
    const page = await fetch(`${service.url}/`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toContain('unsafe-inline');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = /assets\/[\w-]+\.js/.exec(await page.text())?.[0];
    const asset = await fetch(`${service.url}/${script}`);
    expect(asset.headers.get('content-security-policy')).toBe(policy);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-type')).toContain('text/javascript');
  });

  test('an unchanged page is answered by 304, HEAD without a body', async () => {
    const first = await fetch(`${service.url}/verify`);
    const etag = first.headers.get('etag') ?? '';
    // Any other cache mode makes Node send `Cache-Control: no-cache`, which asks for the whole page.
    const again = await fetch(`${service.url}/verify`, { cache: 'force-cache', headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const head = await fetch(`${service.url}/verify`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('what is not a page stays the service’s own 404', async () => {
    for (const path of [
      '/solve/heat/more',
      '/operators/QM5/more',
      '/assets/nothing.js',
      '/index.js',
      '/..%2f..%2fpackage.json',
      '/.fingerprint',
    ]) {
      const answer = await fetch(`${service.url}${path}`);
      expect([path, answer.status, (await answer.json()).code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });

  test('a browser where nothing is gets a page with 404, but never in place of a program’s answer', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const answers = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(`${service.url}${path}`, { method, headers: { accept } });
      return [path, status, headers.get('content-type')];
    };
    for (const path of ['/nowhere', '/solve/heat/more', '/machines/a/b'])
      for (const method of ['GET', 'HEAD'])
        expect(await answers(path, method)).toEqual([path, 404, 'text/html; charset=utf-8']);
    for (const path of ['/api/nowhere', '/api', '/assets/nothing.js', '/kernels/nothing.wasm'])
      expect(await answers(path)).toEqual([path, 404, 'application/json; charset=utf-8']);
    expect(await answers('/nowhere', 'POST')).toEqual(['/nowhere', 404, 'application/json; charset=utf-8']);
    const { headers } = await fetch(`${service.url}/nowhere`, { headers: { accept } });
    expect(headers.get('vary')).toContain('Accept,');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('kernels are served under the hashes that the service computes with', async () => {
    const { kernels } = (await (await fetch(`${service.url}/kernels/manifest.json`)).json()) as {
      kernels: Record<string, { sha256: string }>;
    };
    const current = await service.services.kernels.current('heat');
    expect(kernels.heat?.sha256).toBe(current.sha256);
    const bytes = new Uint8Array(await (await fetch(`${service.url}/kernels/heat.wasm`)).arrayBuffer());
    expect(bytes).toEqual(new Uint8Array(current.bytes));
  });
});
