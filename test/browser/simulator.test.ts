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

  /** The newest step, in words. */
  const newest = (page: Page) =>
    page.$eval('.simulated-steps li', (step) => (step.textContent ?? '').replaceAll(/\s+/g, ' '));
  const waitForStep = (page: Page, count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll('.simulated-steps li').length === wanted, {}, count);
  const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? '');

  test('says who may send, why a condition holds, what an activity waits for, and when a timer is due', async () => {
    const { page, errors } = await portal.open('/templates/crane-proof-load-certificate');
    await page.waitForSelector('.simulator');
    const loaded = { load: '125000', deflection: '0.0083', permanent_set: '0' };
    await page.select('#simulator-by', 'duty_holder');
    await send(page, 'load_tested', loaded);
    await waitForStep(page, 1);
    expect(await newest(page)).toContain('test refused. load_tested is for examiner to send');
    await page.select('#simulator-by', 'examiner');
    await send(page, 'load_tested', { ...loaded, load: '124999' });
    await waitForStep(page, 2);
    expect(await newest(page)).toContain('test refused.');
    expect(await newest(page)).toContain('event.load >= 1.25 * rated_load');
    await send(page, 'load_tested', loaded);
    await waitForStep(page, 3);
    expect(await newest(page)).toContain('awaiting_test → calculating (test) starts STR1');
    expect(await textOf(page, '.simulator [aria-label^="Activities"]')).toContain('STR1 deflection_computed waits.');

    await press(page, 'Compute deflection_computed');
    // The law gives the value, so there is nothing to enter, and nobody to send it.
    await page.waitForFunction(() => document.querySelector('#simulator-by') === null);
    await page.click('.simulator [type=submit]');
    await waitForStep(page, 4);
    expect(await newest(page)).toContain('calculating → certified (certify) announces certificate_issued');
    expect(await textOf(page, '.simulator [aria-live]')).toContain('next timer in 335 d');
    expect(await page.$('.simulator [aria-label^="Activities"]')).toBeNull();
    for (let step = 5; step <= 16; step++) {
      await press(page, '30 days');
      await waitForStep(page, step);
    }
    expect(await newest(page)).toContain('certified → due (fall_due, by a timer) announces certificate_due');
    expect(await textOf(page, '.simulator [aria-live]')).toContain('next timer in 4 d 23 h');
    expect(errors).toEqual([]);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await page.close();
  });

  test('follows instances of a party of their own: who may send to one, and its timer', async () => {
    const { page, errors } = await portal.open('/templates/flash-sale-hold');
    await page.waitForSelector('.simulator');
    await page.select('#simulator-by', 'customer');
    await send(page, 'reserved', { hold_id: 'H-1', price: '30' });
    await waitForStates(page, { 'H-1': 'held' });
    const timer = () => page.$eval('[data-instance="H-1"] td:last-child', (cell) => cell.textContent);
    expect(await timer()).toMatch(/^in \d+ min/);
    await page.select('#simulator-by', 'shop');
    await send(page, 'paid', { hold_id: 'H-1', amount: '30' });
    await waitForStep(page, 2);
    expect(await newest(page)).toContain('H-1: pay refused. paid is for customer to send');
    await page.select('#simulator-by', 'customer');
    await send(page, 'paid', { hold_id: 'H-1', amount: '30' });
    await waitForStates(page, { 'H-1': 'bought' });
    expect(await newest(page)).toContain('H-1: held → bought (pay)');
    expect(await timer()).toBe('none');
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
