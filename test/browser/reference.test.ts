// The API reference in Chrome: tabs of languages, old addresses, and how much a page loads.

import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findEngine } from './browser.ts';
import { captureClipboard } from './page-actions.ts';
import { visitPortal } from './portal-visit.ts';

/** Compressed bytes that a page may load beyond those of the start page's script and style. */
const MAX_PAGE_BYTES = 50_000;

const selectedTab = (page: Page) => page.$eval('[role=tab][aria-selected=true]', (tab) => tab.textContent);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const snippet = (page: Page) => page.$eval('#snippet code', (code) => code.textContent);
const pathOf = (page: Page) => page.evaluate(() => location.pathname + location.search + location.hash);

describe.skipIf(findEngine('chrome') === undefined)('the API reference', () => {
  const portal = visitPortal();

  test('the keyboard chooses a language, which stays for other operations and after a reload', async () => {
    const { page, errors } = await portal.open('/reference/compute.run');
    await page.waitForSelector('[role=tab]');
    expect(await selectedTab(page)).toBe('curl');
    await page.focus('[role=tab][aria-selected=true]');
    await page.keyboard.press('ArrowRight');
    expect([await selectedTab(page), await focused(page)]).toEqual(['Python', 'Python']);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect([await selectedTab(page), await focused(page)]).toEqual(['MCP', 'MCP']);
    expect(await snippet(page)).toContain('"svc_compute"');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await snippet(page)).toContain('client.call("compute.run"');
    expect(await page.$$eval('[role=tab]', (tabs) => tabs.map((tab) => tab.getAttribute('tabindex')))).toEqual([
      '-1',
      '0',
      '-1',
      '-1',
    ]);

    await page.click('.docs-list a[href="/reference/auto.run"]');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'auto.run');
    expect(await page.title()).toBe('auto.run · svc');
    expect(await snippet(page)).toContain('client.call("auto.run"');
    await page.reload();
    await page.waitForSelector('[role=tab]');
    expect(await selectedTab(page)).toBe('Python');
    await page.evaluate(() => localStorage.clear());
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a snippet is copied as it is shown, with the address of this service', async () => {
    const { page } = await portal.open('/keys');
    const copy = await captureClipboard(page);
    await page.goto(`${portal.service.url}/reference/operator.get`);
    await page.waitForSelector('#snippet code');
    const text = await copy('Copy');
    expect(text).toBe(await snippet(page));
    expect(text).toContain(`${portal.service.url}/api/svc/operators/`);
    await page.close();
  });

  test.each([
    ['/reference?q=compute.run', '/reference/compute.run'],
    ['/reference#machine.get', '/reference/machine.get'],
    ['/reference#tag-heat', '/reference/heat.solve'],
    ['/reference#tag-machine', '/reference#machines'],
    ['/reference?q=machine', '/reference?q=machine'],
  ])('the old address %s leads to %s', async (from, to) => {
    const { page } = await portal.open(from);
    await page.waitForSelector('.docs-list');
    await expect.poll(() => pathOf(page)).toBe(to);
    if (to.startsWith('/reference/')) await page.waitForSelector('.snippet-tabs');
    else await page.waitForSelector('.endpoint');
    if (to.endsWith('#machines'))
      await expect
        .poll(() => page.$eval('#machines', (heading) => Math.abs(heading.getBoundingClientRect().top) < 200))
        .toBe(true);
    await page.close();
  });

  test('an operation that does not exist is answered with 404', async () => {
    const page = await portal.session.context.newPage();
    const answer = await page.goto(`${portal.service.url}/reference/no.such`);
    expect(answer?.status()).toBe(404);
    expect((await fetch(`${portal.service.url}/reference/compute.run`)).status).toBe(200);
    await page.close();
  });

  test.each(['/reference', '/reference/device.solve', '/reference/contract.get'])(
    '%s loads little beyond the start',
    async (path) => {
      const load = async (address: string) => {
        const page = await portal.session.context.newPage();
        const client = await page.createCDPSession();
        await client.send('Network.enable');
        await client.send('Network.setCacheDisabled', { cacheDisabled: true });
        const bytes = new Map<string, number>();
        const urls = new Map<string, string>();
        client.on('Network.requestWillBeSent', ({ requestId, request }) =>
          urls.set(requestId, new URL(request.url).pathname),
        );
        client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
          bytes.set(urls.get(requestId) ?? '', encodedDataLength),
        );
        await page.goto(`${portal.service.url}${address}`, { waitUntil: 'networkidle0' });
        await page.close();
        return bytes;
      };
      const start = await load('/no-such-page');
      const own = [...(await load(path))].filter(([name]) => !start.has(name));
      const total = own.reduce((sum, [, size]) => sum + size, 0);
      console.log(`${path} loads ${total} bytes beyond the start`);
      expect(own.some(([name]) => name.startsWith('/assets/reference-'))).toBe(true);
      expect(total).toBeGreaterThan(10_000);
      expect(total).toBeLessThan(MAX_PAGE_BYTES);
    },
  );
});
