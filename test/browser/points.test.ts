// Sweeps and samples on the pages of laws and solvers: the picture, the table, and the same bits from the server.

import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findEngine } from './browser.ts';
import { clickButton, fill } from './page-actions.ts';
import { type Visit, visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');
/** Folder for pictures of the panels; none by default. */
const PICTURES = process.env.SVC_PICTURES;

describe.skipIf(chrome === undefined)('runs over many points in the browser', () => {
  const portal = visitPortal();

  async function openPanel(path: string, kind: string): Promise<Visit> {
    const { page, errors } = await portal.open(path, (fresh) => fresh.setViewport({ width: 1280, height: 1000 }));
    await page.waitForSelector('output[data-value]');
    const summary = await page.waitForSelector(`.${kind}-panel > summary`);
    await summary?.click();
    return { page, errors };
  }

  /** The summary of the panel once the server has given the same bits. */
  async function resultOf(page: Page, kind: string): Promise<string> {
    await page.waitForSelector(`.${kind}-panel .verdict-equal`);
    const panel = await page.waitForSelector(`.${kind}-panel`);
    if (PICTURES !== undefined) await panel?.screenshot({ path: `${PICTURES}/${kind}-${Date.now()}.png` });
    expect(
      await page.$$eval(`.${kind}-panel .points-result canvas, .${kind}-panel .points-result svg`, (all) => all.length),
    ).toBeGreaterThan(0);
    return page.$eval(`.${kind}-panel .points-summary`, (text) => text.textContent ?? '');
  }

  test.each([
    ['a law', '/operators/CM9?m=2&v=3', 'Draw samples', /^9\.00 ± 0\.\d\d J\. Of 200 samples the mean is [89]\./],
    ['a solver', '/solve/heat?dim=1&nx=16', 'Draw samples', /Of 200 samples the mean is /],
  ])('samples of %s', async (_, path, label, expected) => {
    const { page, errors } = await openPanel(path, 'samples');
    await clickButton(page, label);
    expect(await resultOf(page, 'samples')).toMatch(expected);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('samples of two inputs with own deviations, and of a number that is none', async () => {
    const { page, errors } = await openPanel('/operators/CM9?m=2&v=3', 'samples');
    await clickButton(page, 'Add an uncertain input');
    await fill(page, '[name=samples-0-sigma]', 'much');
    await clickButton(page, 'Draw samples');
    expect(await page.$eval('.samples-panel [role=alert]', (alert) => alert.textContent)).toContain('± of m');
    await fill(page, '[name=samples-0-sigma]', '0.1');
    await fill(page, '[name=samples-1-sigma]', '0.3');
    await fill(page, '[name=samples-count]', '1000');
    await clickButton(page, 'Draw samples');
    expect(await resultOf(page, 'samples')).toContain('Of 1,000 samples');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a sweep of two inputs of a solver', async () => {
    const { page, errors } = await openPanel('/solve/heat?dim=1&nx=16', 'sweep');
    await clickButton(page, 'Add a second input');
    await fill(page, '[name=sweep-0-count]', '3');
    await fill(page, '[name=sweep-1-count]', '4');
    await clickButton(page, 'Run the sweep');
    expect(await resultOf(page, 'sweep')).toBe('12 points.');
    expect(errors).toEqual([]);
    await page.close();
  });
});
