import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, describe, expect, test } from 'vitest';
import { readBibtex } from '../protocol/citation/bibtex-reader.ts';
import { accessibilityOf } from './accessibility.ts';
import { findEngine } from './browser.ts';
import { captureClipboard, clickButton, nextFrames } from './page-actions.ts';
import { visitPortal } from './portal-visit.ts';
import { readVerification, uploadFile } from './verification.ts';

const chrome = findEngine('chrome');

const CITE = 'BibTeX and CSL JSON';

describe.skipIf(chrome === undefined)('citing and printing in the browser', () => {
  const portal = visitPortal();
  const folder = mkdtempSync(join(tmpdir(), 'svc-cite-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Texts of what is visible on paper. */
  const printedText = async (page: Page) => {
    await page.emulateMediaType('print');
    // biome-ignore lint/performance/useDomNodeTextContent: only innerText leaves out what is not printed
    const text = await page.evaluate(() => document.body.innerText);
    await page.emulateMediaType('screen');
    return text;
  };
  const linkOf = (page: Page) => page.$eval('.printed-link', (element) => element.textContent ?? '');
  const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

  test('a sealed result of a law is cited in both formats by keyboard', async () => {
    let copied: ((label: string) => Promise<string>) | undefined;
    const { page, errors } = await portal.open('/operators/CM9?m=2+kg&v=90±1+km%2Fh', async (fresh) => {
      copied = await captureClipboard(fresh);
    });
    await page.waitForSelector('.stage-done output');
    await clickButton(page, 'Compute on the server');
    const button = await page.waitForSelector(`::-p-aria([name="${CITE}"][role="button"])`);
    await button?.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.cite-format pre');
    expect((await accessibilityOf(page)).violations).toEqual([]);
    const { fields } = readBibtex((await copied?.('Copy BibTeX')) ?? '');
    expect(fields.title).toBe('Translational kinetic energy (CM9): 625 ± 28 J');
    expect(fields.publisher).toBe(new URL(portal.service.url).host);
    const [item] = JSON.parse((await copied?.('Copy CSL JSON')) ?? '[]');
    expect([item.type, item.URL, item.title]).toEqual(['dataset', fields.url, fields.title]);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.cite-dialog') === null);
    expect(await focusedText(page)).toBe(CITE);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a print has title, inputs with units, value, warnings and the receipt, and no controls', async () => {
    const { page, errors } = await portal.open('/solve/heat?dim=1&nx=16&alpha=2');
    await page.waitForSelector('.stage-done output');
    await page.waitForSelector('.printed');
    expect(await printedText(page)).toContain('no server has computed and signed this result');
    await clickButton(page, 'Compute on the server');
    await page.waitForSelector('.printed .qr-code path');
    const text = await printedText(page);
    for (const part of [/^Heat conduction in a rod or plate$/m, /alpha\s+2 m²\/s/, /± 0\.0/, /dt was chosen as/])
      expect(text).toMatch(part);
    for (const part of ['Receipt SHA-256', 'Kernel SHA-256', 'Seal key', await linkOf(page)])
      expect(text).toContain(part);
    for (const part of ['Gallery', 'Run', 'Copy', 'Sweep', 'Browser and server compared'])
      expect(text.split('\n')).not.toContain(part);
    expect(await page.$$eval('main button', (all) => all.some((one) => one.checkVisibility()))).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('Print draws a dark page in light colours, and the page is dark again after it', async () => {
    const { page } = await portal.open('/solve/heat?dim=1&nx=16', async (fresh) => {
      await fresh.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
      await fresh.evaluateOnNewDocument(() => {
        globalThis.print = () => {
          document.documentElement.dataset.printed = document.documentElement.dataset.theme;
        };
      });
    });
    await page.waitForSelector('.printed');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await clickButton(page, 'Print');
    await page.waitForFunction(() => document.documentElement.dataset.printed !== undefined);
    const themes = await page.evaluate(() => [
      document.documentElement.dataset.printed,
      document.documentElement.dataset.theme,
    ]);
    expect(themes).toEqual(['light', 'dark']);
    await page.close();
  });

  test('a print that the browser starts has light curves drawn before it takes the page', async () => {
    const { page } = await portal.open('/solve/heat?dim=1&nx=16', (fresh) =>
      fresh.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]),
    );
    await page.waitForSelector('.stage-done canvas');
    await nextFrames(page);
    // The browser takes the page as soon as the handlers of beforeprint and what they promised have ended.
    const [dark, paper, later] = await page.evaluate(async () => {
      const picture = () => {
        const canvas = document.querySelector<HTMLCanvasElement>('.stage-done canvas');
        const { data = [] } = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
        const colours = new Map<string, number>();
        for (let at = 0; at < data.length; at += 4) {
          if (data[at + 3] !== 255) continue;
          const colour = [data[at], data[at + 1], data[at + 2]].join();
          colours.set(colour, (colours.get(colour) ?? 0) + 1);
        }
        return [...colours]
          .sort(([, a], [, b]) => b - a)
          .slice(0, 3)
          .map(([colour]) => colour)
          .sort();
      };
      const before = picture();
      dispatchEvent(new Event('beforeprint'));
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      const printed = picture();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return [before, printed, picture()];
    });
    expect(dark).toHaveLength(3);
    expect(paper).toEqual(later);
    expect(paper).not.toEqual(dark);
    await page.close();
  });

  test('the link of a print opens the Verify page, which tells its receipt from others and opens its filed run', async () => {
    const { page, errors } = await portal.open('/solve/heat?dim=1&nx=16');
    await page.waitForSelector('.stage-done output');
    await clickButton(page, 'File under Runs');
    await page.waitForSelector('.printed .qr-code path');
    const link = await linkOf(page);
    expect(new URL(link).searchParams.get('run')).not.toBeNull();
    await page.goto(link);
    await page.waitForSelector('.named-receipt h2');
    await clickButton(page, 'Open the filed run with your key');
    expect((await readVerification(page)).verdict).toBe('good');
    const named = () => page.$eval('.named-receipt', (element) => element.textContent);
    expect(await named()).toBe('This is the receipt that the link names.');
    await page.waitForSelector('.verify-result .printed .qr-code');
    expect(await linkOf(page)).toBe(link);

    const { key } = await portal.service.services.keys.mintDemo();
    const response = await fetch(`${portal.service.url}/api/svc/heat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ dim: 1, nx: 32 }),
    });
    const other = join(folder, 'other.json');
    writeFileSync(other, await response.text());
    await uploadFile(page, other);
    expect((await readVerification(page)).verdict).toBe('good');
    expect(await named()).toMatch(/^This is another receipt than the link names/);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a receipt of which a check fails is not offered to cite', async () => {
    const { page } = await portal.open('/verify');
    const { key } = await portal.service.services.keys.mintDemo();
    const response = await fetch(`${portal.service.url}/api/svc/heat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ dim: 1, nx: 16 }),
    });
    const changed = join(folder, 'changed.json');
    writeFileSync(changed, JSON.stringify({ ...((await response.json()) as object), value: 7 }));
    await uploadFile(page, changed);
    expect((await readVerification(page)).verdict).toBe('bad');
    expect(await page.$$('.verify-result [aria-haspopup=dialog], .verify-result .printed')).toHaveLength(0);
    await page.close();
  });
});
