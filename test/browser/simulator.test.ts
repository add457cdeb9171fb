// The simulator on the page of a template: events of several keys, time that passes, and steps that are taken back.

import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { accessibilityOf } from './accessibility.ts';
import { findEngine } from './browser.ts';
import { visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('the simulator of a template', () => {
  const portal = visitPortal();

  /** Sends an event with these texts in its fields. */
  async function send(page: Page, name: string, texts: Readonly<Record<string, string>>): Promise<void> {
    await page.select('#simulator-event', name);
    for (const [field, text] of Object.entries(texts)) {
      const input = await page.waitForSelector(`.simulator #send-field-${field}`);
      await input?.click({ count: 3 });
      await input?.type(text);
    }
    await page.click('.simulator [type=submit]');
  }

  const press = (page: Page, label: string) =>
    page.$$eval(
      '.simulator button',
      (buttons, wanted) => buttons.find(({ textContent }) => textContent === wanted)?.click(),
      label,
    );

  /** Waits until the instances are in these states. */
  const waitForStates = (page: Page, states: Readonly<Record<string, string>>) =>
    page.waitForFunction(
      (wanted) => {
        const rows = [...document.querySelectorAll('.simulator [data-instance]')];
        const shown = rows.map((row) => [row.getAttribute('data-instance'), row.querySelector('td')?.textContent]);
        return JSON.stringify(Object.fromEntries(shown)) === wanted;
      },
      {},
      JSON.stringify(states),
    );

  test('follows each order by its number, lets time pass, and takes steps back', async () => {
    const { page, errors } = await portal.open('/templates/order-fulfilment');
    await page.waitForSelector('.simulator');
    await send(page, 'order_placed', { order_id: 'A-1', total: '40' });
    await waitForStates(page, { 'A-1': 'placed' });
    await send(page, 'order_placed', { order_id: 'A-2', total: '25' });
    await waitForStates(page, { 'A-1': 'placed', 'A-2': 'placed' });
    await send(page, 'payment_received', { order_id: 'A-1', amount: '40' });
    await waitForStates(page, { 'A-1': 'paid', 'A-2': 'placed' });
    await press(page, '3 days');
    await waitForStates(page, { 'A-1': 'paid', 'A-2': 'lapsed' });
    await press(page, 'Undo');
    await waitForStates(page, { 'A-1': 'paid', 'A-2': 'placed' });

    await send(page, 'payment_received', { order_id: 'A-9', amount: '1' });
    await page.waitForFunction(() =>
      document.querySelector('.simulated-steps')?.textContent?.includes('A-9: UNKNOWN_KEY refused'),
    );
    await send(page, 'payment_received', { order_id: 'A-2', amount: 'much' });
    await page.waitForSelector('#send-field-amount[aria-invalid]');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('send-field-amount');
    expect(errors).toEqual([]);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await page.close();
  });

  test('shows the state of a contract without a key', async () => {
    const { page, errors } = await portal.open('/templates/circuit-breaker');
    await page.waitForSelector('.simulator');
    const before = await page.$eval('.simulator', (section) => section.textContent ?? '');
    expect(before).not.toContain('Now ');
    await press(page, 'a minute');
    await page.waitForSelector('.simulator .state-pill');
    expect(errors).toEqual([]);
    await page.close();
  });
});
