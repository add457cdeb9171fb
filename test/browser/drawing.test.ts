import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { accessibilityOf } from './accessibility.ts';
import { findEngine } from './browser.ts';
import { clickButton, nextFrames } from './page-actions.ts';
import { visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');

const textOf = (page: Page, field: string) =>
  page.$eval(`#field-${field}`, (control) => (control as HTMLInputElement).value);

/** Opens the drawing of a field, in the middle of the window. */
async function openDrawing(page: Page, button: string) {
  await page.waitForSelector('output[data-value]');
  await clickButton(page, button);
  const painter = await page.waitForSelector('.painter');
  if (painter === null) throw new Error('The drawing did not open.');
  await painter.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await nextFrames(page);
  const box = await painter.boundingBox();
  if (box === null) throw new Error('The drawing is not shown.');
  return {
    painter,
    at: (across: number, down: number) => [box.x + across * box.width, box.y + down * box.height] as const,
  };
}

async function drag(page: Page, points: readonly (readonly [number, number])[]): Promise<void> {
  const [first, ...rest] = points;
  if (first === undefined) return;
  await page.mouse.move(...first);
  await page.mouse.down();
  for (const point of rest) await page.mouse.move(...point, { steps: 5 });
  await page.mouse.up();
}

describe.skipIf(chrome === undefined)('drawings of initial profiles', () => {
  const { open } = visitPortal();

  test('a curve follows the pointer, is computed, undone, and the same on the server', async () => {
    const { page, errors } = await open('/solve/heat?dim=1');
    const { at } = await openDrawing(page, 'Draw the curve');
    await drag(page, [at(0.3, 0.6), at(0.6, 0.1), at(0.9, 0.6)]);
    const values = (await textOf(page, 'samples')).split(', ').map(Number);
    expect(values).toHaveLength(65);
    expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    const top = values.indexOf(Math.max(...values));
    expect(Math.max(...values)).toBeGreaterThan(0.8);
    expect(top).toBeGreaterThan(25);
    expect(top).toBeLessThan(45);
    expect(new URL(page.url()).searchParams.get('samples')).toBe(values.join(', '));
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await clickButton(page, 'Undo');
    expect(await textOf(page, 'samples')).toBe('');
    expect((await accessibilityOf(page)).violations).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a curve is drawn with the keyboard alone', async () => {
    const { page, errors } = await open('/solve/wave?mode=wave1d');
    const { painter } = await openDrawing(page, 'Draw the curve');
    await page.keyboard.press('Tab');
    expect(await painter.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('PageUp');
    // From −1 to 1 in 200 steps: ten and fifty of them.
    expect(await textOf(page, 'initial_u')).toBe('x<0.4375?0:x<0.5?9.6*(x-0.4375):x<0.5625?9.6*(0.5625-x):0');
    expect(await painter.evaluate((element) => element.getAttribute('aria-valuetext'))).toBe('0.6 E at 0.5 m');
    await page.keyboard.press('Home');
    expect(await painter.evaluate((element) => element.getAttribute('aria-valuetext'))).toBe('0 E at 0 m');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a plane is painted with the pointer and with the keyboard', async () => {
    const { page, errors } = await open('/solve/react');
    const { painter, at } = await openDrawing(page, 'Paint it');
    await drag(page, [at(0.1, 0.25), at(0.9, 0.25)]);
    const rows = (await textOf(page, 'painting')).split('\n');
    expect(rows).toHaveLength(32);
    expect(rows[8]?.match(/#/g)?.length).toBeGreaterThan(24);
    expect(rows[19]).not.toContain('#');
    await painter.focus();
    await page.keyboard.press('ArrowDown');
    for (let row = 0; row < 11; row++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const painted = (await textOf(page, 'painting')).split('\n');
    expect(painted[19]).toContain('###');
    expect(await page.$eval('.painter [role=status]', (element) => element.textContent)).toMatch(
      /row 13 of 32: painted/,
    );
    await page.keyboard.press('Delete');
    expect((await textOf(page, 'painting')).split('\n')).toEqual(rows);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a spot on a plate is dragged to its place, and erased', async () => {
    const { page, errors } = await open('/solve/heat?lx=2');
    const { painter, at } = await openDrawing(page, 'Paint spots');
    await drag(page, [at(0.1, 0.1), at(0.5, 0.5)]);
    expect(await textOf(page, 'initial')).toMatch(/^1\*exp\(-\(\(x-[01][.\d]*\)\^2\+\(y-0\.[45]\d*\)\^2\)\/0\.01\)$/);
    await painter.focus();
    await page.keyboard.press('Enter');
    expect((await textOf(page, 'initial')).match(/exp/g)).toHaveLength(2);
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    expect(await textOf(page, 'initial')).toBe('');
    expect(errors).toEqual([]);
    await page.close();
  });
});
