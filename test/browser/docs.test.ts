// The documentation and the search in browsers: navigation, live figures, keyboard, and readers without scripts.

import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { accessibilityOf } from './accessibility.ts';
import { type Engine, findEngine } from './browser.ts';
import { clickButton } from './page-actions.ts';
import { openPortalService } from './portal-service.ts';
import { visitPortal } from './portal-visit.ts';

for (const engine of ['chrome', 'firefox'] as const satisfies readonly Engine[]) {
  const executable = findEngine(engine);
  describe.skipIf(executable === undefined)(`documentation in ${engine}`, () => {
    const portal = visitPortal(engine);

    const open = (path: string, width = 1280) => portal.open(path, (page) => page.setViewport({ width, height: 900 }));
    const headline = (page: Page) => page.$eval('h1', (heading) => heading.textContent);
    const opened = async (page: Page, title: string) => {
      await expect.poll(() => headline(page).catch(() => ''), { timeout: 10_000 }).toBe(title);
    };

    test('pages lead to each other by links, the list, and previous and next', async () => {
      const { page, errors } = await open('/docs');
      await page.waitForSelector('.docs-text table a');
      await page.$eval('.docs-text table a', (link) => (link as HTMLElement).click());
      await opened(page, 'Tick');
      expect(await page.title()).toBe('Tick · svc');
      expect(await page.$eval('.docs-list [aria-current]', (link) => link.textContent)).toBe('Tick');
      await page.$eval('.docs-neighbour:last-child', (link) => (link as HTMLElement).click());
      await opened(page, 'Envelope');
      await page.goBack();
      await opened(page, 'Tick');
      await page.$eval('a[href="/docs/errors#CLOCK_AHEAD"]', (link) => (link as HTMLElement).click());
      await opened(page, 'Errors');
      const topOf = () => page.$eval('#CLOCK_AHEAD', (heading) => heading.getBoundingClientRect().top);
      await expect.poll(topOf).toBeLessThan(200);
      expect(await topOf()).toBeGreaterThanOrEqual(0);
      expect(errors).toEqual([]);
      await page.close();
    });

    test('a solver has its equations, inputs and presets, and opens in Solve', async () => {
      const { page, errors } = await open('/docs/solvers/heat');
      await page.waitForSelector('.docs-table');
      expect(await page.$$eval('math', (formulas) => formulas.length)).toBeGreaterThan(0);
      expect(await page.$eval('.docs-table', (table) => table.textContent)).toContain('alpha');
      await page.$eval('a[href="/solve/heat"]', (link) => (link as HTMLElement).click());
      await page.waitForSelector('.stage');
      expect(errors).toEqual([]);
      await page.close();
    });

    test('rows of the chain are hashed again while a payload is edited, and forging is found', async () => {
      const { page } = await open('/docs/concepts/chain');
      await page.waitForSelector('.docs-chain');
      const hashes = () => page.$$eval('.docs-hash', (all) => all.map((one) => one.textContent));
      const verdict = () => page.$eval('.docs-figure-verdict', (text) => text.textContent);
      const before = await hashes();
      expect(await verdict()).toContain('fits the signed checkpoint');
      await page.type('#chain-row-1', '!');
      const after = await hashes();
      expect(after[0]).toBe(before[0]);
      expect(after[1]).not.toBe(before[1]);
      expect(after[2]).not.toBe(before[2]);
      expect(await page.$$eval('.docs-chain .is-bad', (rows) => rows.length)).toBe(2);
      expect(await verdict()).toContain('does not validate');
      await clickButton(page, 'Forge: write all hashes again');
      await expect.poll(verdict).toContain('not that of the signed checkpoint');
      await clickButton(page, 'Start again');
      await expect.poll(hashes).toEqual(before);
      await page.close();
    });

    test('the contract moves by its buttons, to a state that nothing leaves', async () => {
      const { page } = await open('/docs/concepts/contract');
      await page.waitForSelector('.diagram-picture');
      const current = () => page.$eval('.state.is-current', (state) => state.getAttribute('data-state'));
      expect(await current()).toBe('open');
      for (const [button, state] of [
        ['Send pay', 'paid'],
        ['Send ship', 'shipped'],
        ['Send receive', 'done'],
      ] as const) {
        await clickButton(page, button);
        await expect.poll(current).toBe(state);
      }
      expect(await page.$$eval('.docs-fires li', (rows) => rows.length)).toBe(4);
      expect(await page.$eval('.docs-figure figcaption', (text) => text.textContent)).toContain('terminal');
      await page.close();
    });

    test('a receipt holds, and a changed one does not', async () => {
      const { page } = await open('/docs/concepts/receipt');
      await clickButton(page, 'Make it and check it');
      await page.waitForSelector('[data-verdict=good]');
      expect(await page.$$eval('.claim-good', (claims) => claims.length)).toBeGreaterThan(5);
      await clickButton(page, 'Change the value and check again');
      await page.waitForSelector('[data-verdict=bad]');
      expect(
        await page.$$eval('.claim-bad', (claims) => claims.map((claim) => claim.getAttribute('data-claim'))),
      ).toContain('statement');
      await page.close();
    });

    test('the search works by keyboard alone and gives the focus back', async () => {
      const { page, errors } = await open('/pulse');
      await page.waitForSelector('.search-button');
      await page.focus('.search-button');
      await page.keyboard.press('Enter');
      const input = '.palette input';
      await page.waitForSelector(input);
      const focused = () => page.evaluate(() => document.activeElement?.className || document.activeElement?.tagName);
      await expect.poll(focused).toBe('INPUT');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.palette', { hidden: true });
      expect(await focused()).toBe('search-button');

      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
      await page.waitForSelector(input);
      await page.keyboard.type('heat conductoin');
      const selected = () =>
        page.$eval('.palette [aria-selected=true]', (one) => one.getAttribute('data-path')).catch(() => '');
      await expect.poll(selected).toMatch(/heat$/);
      const start = await selected();
      await page.keyboard.press('ArrowDown');
      expect(await selected()).not.toBe(start);
      await page.keyboard.press('ArrowUp');
      expect(await selected()).toBe(start);
      // The focus stays in the dialog or in the browser itself.
      for (let i = 0; i < 4; i++) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).not.toBeNull();
        expect(await page.evaluate(() => document.activeElement?.closest('main, header nav'))).toBeNull();
      }
      await page.focus(input);
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/heat$/);
      // The browser tells of the closed dialog a little later.
      await page.waitForSelector('.palette', { hidden: true });
      expect(errors).toEqual([]);
      await page.close();
    });

    test('the search finds laws, routes, errors and headings, and ? lists the shortcuts', async () => {
      const { page } = await open('/keys');
      await page.waitForSelector('.key-panel');
      await page.keyboard.type('?');
      await page.waitForSelector('.palette-keys kbd');
      expect((await accessibilityOf(page)).violations).toEqual([]);
      await clickButton(page, 'Close');
      await page.waitForSelector('.palette', { hidden: true });
      await page.$eval('.search-button', (button) => (button as HTMLElement).click());
      const paths = async (term: string) => {
        await page.$eval('.palette input', (input) => (input as HTMLInputElement).select());
        await page.type('.palette input', term);
        return () => page.$$eval('.palette-result', (all) => all.map((one) => one.getAttribute('data-path')));
      };
      await page.waitForSelector('.palette input');
      await expect.poll(await paths('kinetic energy')).toContain('/operators/CM9');
      await expect.poll(await paths('queue full')).toContain('/docs/errors#QUEUE_FULL');
      await expect.poll(await paths('compute.run')).toContain('/reference/compute.run');
      await expect.poll(await paths('revisions')).toContain('/docs/receipts#revisions');
      await page.close();
    });

    // Firefox has no switch for scripts here; the page is the same file.
    test.skipIf(engine === 'firefox')('a reader without scripts gets the text', async () => {
      const page = await portal.session.context.newPage();
      await page.setJavaScriptEnabled(false);
      await page.goto(`${portal.service.url}/docs/concepts/chain`);
      expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Chain');
      expect(await page.$eval('main', (main) => main.textContent)).toContain('Merkle tree');
      await page.close();
    });
  });
}

test('unknown pages of the documentation are not found, and known ones have their title', async () => {
  const service = await openPortalService();
  const [known, unknown] = await Promise.all(
    ['/docs/receipts', '/docs/nowhere'].map((path) =>
      fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } }),
    ),
  );
  expect([known?.status, unknown?.status]).toEqual([200, 404]);
  expect(await known?.text()).toContain('<title>Receipts · svc</title>');
  for (const file of ['/verifier.html', '/openapi.json'])
    expect((await fetch(`${service.url}${file}`, { method: 'HEAD' })).status).toBe(200);
  await service.close();
});
