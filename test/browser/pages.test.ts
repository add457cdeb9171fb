// Portal pages in Chrome: accessibility, layout shift, overflow, keyboard and theme. Also their HTTP headers and 404s.

import type { HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { accessibilityOf } from './accessibility.ts';
import { type BoilerFixture, createBoiler, useKey } from './boiler-fixture.ts';
import { collectErrors, findEngine, openSession, type Session } from './browser.ts';
import { captureClipboard, followRequests, tabThrough } from './page-actions.ts';
import { openPortalService } from './portal-service.ts';

const chrome = findEngine('chrome');

interface PageCase {
  /** `{limiter}` and `{escrow}` are replaced by contract ids of the machine `boiler`. */
  readonly path: string;
  /** Opens the page with the owner's key. */
  readonly isOwner?: true;
  /** Selectors to click before the checks, in order. */
  readonly press?: readonly string[];
  /** Selector to wait for before the checks. */
  readonly ready: string;
}

const PAGES: readonly PageCase[] = [
  { path: '/', ready: '.home-verdict [data-verdict=good]' },
  { path: '/#tampered', press: ['.home-receipt button', '.home-checks summary'], ready: '[data-verdict=bad]' },
  { path: '/gallery', ready: '.gallery-card img' },
  { path: '/gallery?q=xyzzyqq', ready: '.notice-empty' },
  { path: '/solve', ready: '.stage-done canvas' },
  { path: '/solve/heat', ready: '.stage-done canvas' },
  { path: '/solve/heat?dim=1', press: ['.form-actions .primary', '.claims-more summary'], ready: '.claim' },
  { path: '/solve/heat?nx=1', ready: '[aria-invalid]' },
  { path: '/solve/heat?method=explicit&dt=1', ready: '.notice-error' },
  { path: '/solve/schrodinger', press: ['.folded:last-of-type summary', '.method summary'], ready: '.levels-diagram' },
  { path: '/solve/evolve', ready: '.stage-done .particles' },
  { path: '/solve/nothing', ready: '.notice' },
  { path: '/solve/heat#listed', press: ['.solver-list summary'], ready: '.stage-done canvas' },
  { path: '/operators', ready: '.tree' },
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
  { path: '/runs', ready: '.notice-empty' },
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
  { path: '/docs', ready: '.docs-table' },
  { path: '/docs/solvers/heat', ready: '.docs-table' },
  { path: '/docs/errors', ready: '.error-form' },
  { path: '/docs/concepts/tick', ready: '.docs-figure .dial' },
  { path: '/docs/concepts/witness', ready: '.docs-twin' },
  { path: '/docs/concepts/chain', ready: '.docs-chain' },
  { path: '/docs/concepts/contract', ready: '.diagram-picture' },
  { path: '/docs/concepts/receipt', press: ['.docs-figure .primary'], ready: '[data-verdict=good]' },
  { path: '/docs/concepts/envelope', press: ['.docs-figure .primary'], ready: '.docs-envelope-part' },
  { path: '/pulse#search', press: ['.search-button'], ready: '.palette-result' },
  { path: '/reference', ready: '.endpoint' },
  { path: '/reference/compute.run', press: ['.field-nested summary'], ready: '.field-nested .field-list' },
  { path: '/reference/heat.solve', ready: '.snippet-tabs' },
  { path: '/reference/proof.stamp#tried', press: ['.try .primary'], ready: '.answer pre' },
];

interface Appearance {
  readonly theme: string;
  readonly width: number;
}

const DESKTOP: Appearance = { theme: 'light', width: 1280 };
const APPEARANCES: readonly Appearance[] = [
  DESKTOP,
  { theme: 'dark', width: 390 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
];
/** The short run opens the pages in the first two appearances in turn. */
const pagesIn = (appearance: Appearance) => {
  const at = APPEARANCES.indexOf(appearance);
  return process.env.SVC_SLOW === '1' ? PAGES : PAGES.filter((_, index) => index % 2 === at);
};

describe.skipIf(chrome === undefined)('every page', () => {
  let service: RunningService;
  let session: Session;
  let boiler: BoilerFixture;
  beforeAll(async () => {
    service = await openPortalService();
    session = await openSession('chrome', chrome ?? '', service.url);
    boiler = await createBoiler(service);
  });
  afterAll(async () => {
    await session.close();
    await service.close();
  });

  const newPage = async ({ theme, width }: Appearance, key?: string): Promise<Page> => {
    const page = await session.context.newPage();
    if (key !== undefined) await useKey(page, key);
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.evaluateOnNewDocument(() => {
      const layout = { shift: 0 };
      Object.assign(window, { layout });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) layout.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    return page;
  };
  const openAs = async (path: string, appearance: Appearance, key?: string): Promise<Page> => {
    const page = await newPage(appearance, key);
    await page.goto(`${service.url}${path}`);
    return page;
  };

  const layoutShiftOf = (page: Page) =>
    page.evaluate(() => (window as unknown as { layout: { shift: number } }).layout.shift);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

  for (const appearance of APPEARANCES) {
    const pages = pagesIn(appearance);
    if (pages.length === 0) continue;
    const title = `${appearance.theme}, ${appearance.width} px`;
    test.each(pages)(
      `$path, ${title}: accessible, without layout shift, errors or overflow`,
      async ({ path, isOwner, press = [], ready }) => {
        const { limiter, escrow, key } = boiler;
        const url = path.replace('{limiter}', limiter).replace('{escrow}', escrow);
        const page = await newPage(appearance, isOwner && key);
        const requestsEnded = followRequests(page);
        const errors = collectErrors(page);
        await page.goto(`${service.url}${url}`);
        const [first = ready] = press;
        await page.waitForSelector(first);
        await settle();
        // Measured before the clicks, which may shift the content below.
        expect(await layoutShiftOf(page)).toBeLessThan(0.01);
        for (const target of press) {
          await page.waitForSelector(target);
          // A scripted click, because at phone width some targets are collapsed.
          await page.$eval(target, (element) => (element as HTMLElement).click());
        }
        await page.waitForSelector(ready);
        await requestsEnded();

        const { violations, passes } = await accessibilityOf(page);
        expect(violations).toEqual([]);
        expect(passes).toBeGreaterThan(5);
        expect(errors).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await page.evaluate(() => localStorage.clear());
        await page.close();
      },
    );
  }

  test.each(['/nowhere', '/machines/boiler/contracts/a/b', '/solve/heat/more'])(
    '%s shows an accessible not-found page',
    async (path) => {
      const page = await openAs(path, { theme: 'dark', width: 390 });
      await page.waitForSelector('.notice-empty');
      expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Page not found');
      expect(await page.title()).toBe('Page not found · svc');
      expect(await page.$$('[aria-current]')).toHaveLength(0);
      expect((await accessibilityOf(page)).violations).toEqual([]);
      await (await page.waitForSelector('::-p-aria([name="Go to the start page"])'))?.click();
      await page.waitForSelector('.home-stage');
      await page.close();
    },
  );

  test.each(['/machines', '/machines/boiler', '/machines/boiler/contracts/{limiter}', '/templates', '/reference'])(
    '%s shows a loading message and then the error of the node, below one heading',
    async (path) => {
      const page = await openAs('/keys', { theme: 'dark', width: 390 });
      await page.waitForSelector('.key-panel');
      await page.setRequestInterception(true);
      const pending: HTTPRequest[] = [];
      const body = JSON.stringify({ ok: false, code: 'INTERNAL', error: 'Nothing was done.', request_id: 'a-request' });
      const refuse = (request: HTTPRequest) => request.respond({ status: 500, contentType: 'application/json', body });
      let isWaiting = true;
      page.on('request', (request) => {
        if (!/^\/(api|assets\/reference-[\w-]+)\//.test(new URL(request.url()).pathname)) void request.continue();
        else if (isWaiting) pending.push(request);
        else void refuse(request);
      });
      await page.goto(`${service.url}${path.replace('{limiter}', boiler.limiter)}`);
      const loadingText = () =>
        page.evaluate(() => {
          const element = document.querySelector('main [aria-busy="true"]');
          const { content, visibility } = getComputedStyle(element ?? document.body, '::after');
          return visibility === 'visible' && content;
        });
      // The script of the page shows the same words while it loads.
      await expect.poll(() => pending.length).toBeGreaterThan(0);
      await expect.poll(loadingText).toContain('Loading');
      isWaiting = false;
      for (const request of pending) await refuse(request);
      await page.waitForSelector('.notice-error');
      expect(await page.$$('h1')).toHaveLength(1);
      expect(await page.$$('main [aria-busy="true"]')).toHaveLength(0);
      expect((await accessibilityOf(page)).violations).toEqual([]);
      await page.close();
    },
  );

  test('the keyboard reaches every control in order and runs an experiment', async () => {
    const page = await openAs('/solve/heat', DESKTOP);
    await page.waitForSelector('.stage-done canvas');
    const stops = await tabThrough(page, 60, 'Run');
    expect(stops.filter((stop) => /^(no ring|hidden)/.test(stop))).toEqual([]);
    expect(stops.slice(0, 2)).toEqual(['Skip to content', 'svc']);
    expect(stops).toContain('kx');
    expect(stops.at(-1)).toBe('Run');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.verdict-equal');
    await page.close();
  });

  test('the chosen theme is stored', async () => {
    const page = await openAs('/pulse', DESKTOP);
    const themeOf = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await themeOf()).toBe('light');
    await (await page.waitForSelector('[aria-label="Use the dark theme"]'))?.click();
    expect(await themeOf()).toBe('dark');
    await page.reload();
    expect(await themeOf()).toBe('dark');
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  test('a demo key can be created and removed, and its rate limit is shown', async () => {
    const page = await openAs('/keys', DESKTOP);
    await (await page.waitForSelector('.key-panel .primary'))?.click();
    const keyText = await page.waitForSelector('.own-key-text');
    expect(await keyText?.evaluate((element) => element.textContent)).toMatch(/^svc_ak_demo_.{8}•+$/);
    await page.waitForFunction(() => /\d+ of 100,000 used/.test(document.body.textContent ?? ''));
    await (await page.waitForSelector('::-p-aria([name="Remove key"])'))?.click();
    await page.waitForFunction(() => document.body.textContent?.includes('No key yet'));
    await page.close();
  });

  test('the reference calls a route and shows the response', async () => {
    const page = await openAs('/reference', DESKTOP);
    await page.waitForSelector('.endpoint');
    await page.type('#filter', 'proof.stamp');
    await page.waitForFunction(() => document.querySelectorAll('.endpoint').length === 1);
    await page.click('.endpoint');
    await (await page.waitForSelector('.try .primary'))?.click();
    const answer = await page.waitForSelector('.answer pre');
    expect(await answer?.evaluate((element) => JSON.parse(element.textContent ?? '').ok)).toBe(true);
    await page.close();
  });

  test('the reference sends a stored key on public routes, but creates no key for them', async () => {
    const tryRoute = async (key?: string) => {
      const page = await openAs('/keys', DESKTOP, key);
      const copy = await captureClipboard(page);
      await page.goto(`${service.url}/reference/pulse.read`);
      await page.waitForSelector('.try');
      const sent: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        sent.push(`${request.method()} ${pathname} ${request.headers().authorization ?? 'keyless'}`);
      });
      await (await page.waitForSelector('.try .primary'))?.click();
      await page.waitForSelector('.answer pre');
      const command = await copy('Copy as curl');
      const text = await page.$eval('.try .button-row', (row) => row.textContent);
      await page.close();
      return { sent, text, hasKey: command.includes('$SVC_KEY') };
    };
    const withoutKey = await tryRoute();
    expect(withoutKey).toMatchObject({ sent: ['GET /api/svc/pulse keyless'], hasKey: false });
    expect(withoutKey.text).not.toContain('demo key');
    const withKey = await tryRoute(boiler.key);
    expect(withKey).toMatchObject({ sent: [`GET /api/svc/pulse Bearer ${boiler.key}`], hasKey: true });
    expect(withKey.text).toContain(`with ${boiler.key.slice(0, 15)}…`);
  });
});

describe('portal files over HTTP', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await openPortalService();
  });
  afterAll(() => service.close());

  test('pages and scripts have a strict content security policy', async () => {
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

  test('an unchanged page gets 304, and HEAD has no body', async () => {
    const first = await fetch(`${service.url}/verify`);
    const etag = first.headers.get('etag') ?? '';
    // Any other cache mode makes Node send `Cache-Control: no-cache`, which requests the full page.
    const again = await fetch(`${service.url}/verify`, { cache: 'force-cache', headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const headResponse = await fetch(`${service.url}/verify`, { method: 'HEAD' });
    expect([headResponse.status, await headResponse.text()]).toEqual([200, '']);
  });

  test('a path without a page gets the JSON 404 of the service', async () => {
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

  test('browsers get an HTML 404 for unknown pages, but not for API or asset paths', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const responseTo = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(`${service.url}${path}`, { method, headers: { accept } });
      return [path, status, headers.get('content-type')];
    };
    for (const path of ['/nowhere', '/solve/heat/more', '/machines/a/b'])
      for (const method of ['GET', 'HEAD'])
        expect(await responseTo(path, method)).toEqual([path, 404, 'text/html; charset=utf-8']);
    for (const path of ['/api/nowhere', '/api', '/assets/nothing.js', '/kernels/nothing.wasm'])
      expect(await responseTo(path)).toEqual([path, 404, 'application/json; charset=utf-8']);
    expect(await responseTo('/nowhere', 'POST')).toEqual(['/nowhere', 404, 'application/json; charset=utf-8']);
    const { headers } = await fetch(`${service.url}/nowhere`, { headers: { accept } });
    expect(headers.get('vary')).toContain('Accept,');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('the kernels are served with the hashes that the service uses', async () => {
    const { kernels } = (await (await fetch(`${service.url}/kernels/manifest.json`)).json()) as {
      kernels: Record<string, { sha256: string }>;
    };
    const current = await service.services.kernels.current('heat');
    expect(kernels.heat?.sha256).toBe(current.sha256);
    const bytes = new Uint8Array(await (await fetch(`${service.url}/kernels/heat.wasm`)).arrayBuffer());
    expect(bytes).toEqual(new Uint8Array(current.bytes));
  });
});
