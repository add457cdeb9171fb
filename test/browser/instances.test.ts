// The instances of a contract with a key on its page.

import { beforeAll, describe, expect, test } from 'vitest';
import { OWN_LOANS, PATIENT_LOANS } from '../contracts/instances/loans.ts';
import { ORDERS } from '../contracts/instances/orders.ts';
import { accessibilityOf } from './accessibility.ts';
import { type BoilerFixture, createBoiler, useKey } from './boiler-fixture.ts';
import { findEngine } from './browser.ts';
import { visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');
const ORDER_COUNT = 53;

describe.skipIf(chrome === undefined)('instances of a contract', () => {
  const portal = visitPortal();
  let machine: BoilerFixture;
  let path: string;
  beforeAll(async () => {
    machine = await createBoiler(portal.service, 'orders');
    const body = { definition: ORDERS };
    const { contract } = await machine.request('POST', `/api/chain/${machine.slug}/contracts/custom`, body);
    path = `/machines/${machine.slug}/contracts/${(contract as { id: string }).id}`;
    for (let n = 0; n < ORDER_COUNT; n++) {
      await machine.sendEvent('order', { order_id: `A-${String(n).padStart(3, '0')}`, amount: 40 });
    }
    await machine.sendEvent('pay', { order_id: 'A-002', amount: 40 });
    await machine.sendEvent('ship', { order_id: 'A-002' });
  });

  test('are listed by page, filtered by status and state, and open to values and history', async () => {
    const { page, errors } = await portal.open(path, (opened) => useKey(opened, machine.key));
    const shown = () =>
      page.$$eval('[data-instance]', (rows) => rows.map((row) => row.getAttribute('data-instance') ?? ''));
    const waitFor = (count: number) =>
      page.waitForFunction((n) => document.querySelectorAll('[data-instance]').length === n, {}, count);
    await waitFor(50);
    const text = await page.$eval('.instances', (section) => section.textContent ?? '');
    expect(text).toContain(`One for each order id: ${ORDER_COUNT - 1} active, 1 finished.`);
    await (await page.waitForSelector('.instances .more'))?.click();
    await waitFor(ORDER_COUNT);
    expect(await shown()).toEqual((await shown()).toSorted());
    expect(await page.$('.instances .more')).toBeNull();

    await page.select('.instances label:nth-of-type(1) select', 'completed');
    await waitFor(1);
    expect(await shown()).toEqual(['A-002']);
    await page.click('[data-instance="A-002"] > button');
    await page.waitForSelector('[data-instance="A-002"] .row-open .rows .row');
    const open = await page.$eval('[data-instance="A-002"] .row-open', (details) => details.textContent ?? '');
    expect(open).toContain('due40');
    expect(open).toContain('paid → done');
    await page.select('.instances label:nth-of-type(2) select', 'lapsed');
    await page.waitForFunction(() => document.querySelector('.instances')?.textContent?.includes('None like that.'));

    // What acts on one state is not offered.
    const buttons = await page.$$eval('.actions button', (found) => found.map((button) => button.textContent));
    expect(buttons).toEqual(['Pause']);
    expect(await page.$('.state-now')).toBeNull();
    expect(errors).toEqual([]);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await page.close();
  });

  test('say how many votes they have and who is bound, and a party accepts a newer version', async () => {
    const { auditors: _, ...parties } = OWN_LOANS.parties ?? {};
    const definition = {
      ...OWN_LOANS,
      parties: { ...parties, bank: { bind: 'event.bank' } },
      events: {
        ...OWN_LOANS.events,
        ask: { payload: { loan: 'string', amount: 'integer', bank: 'string' }, from: 'borrower' },
      },
      transitions: OWN_LOANS.transitions.map((one) =>
        one.trigger.kind === 'quorum'
          ? { ...one, from: ['asked', 'repaid'], trigger: { ...one.trigger, of: ['bank', 'borrower'] } }
          : one,
      ),
    };
    const contracts = `/api/chain/${machine.slug}/contracts`;
    const deployed = await machine.request('POST', `${contracts}/custom`, { definition });
    const { id } = deployed.contract as { id: string };
    const send = (name: string, payload: object) =>
      machine.request('POST', `${contracts}/${id}/event`, { name, payload: { loan: 'L-1', ...payload } });
    await send('ask', { amount: 5, bank: 'b'.repeat(64) });
    await send('check', { ok: true });
    await machine.request('PATCH', `${contracts}/${id}`, { definition: { ...definition, title: 'Dearer loans' } });
    const { page, errors } = await portal.open(`/machines/${machine.slug}/contracts/${id}`, (opened) =>
      useKey(opened, machine.key),
    );
    const row = '[data-instance="L-1"]';
    await page.waitForSelector(row);
    expect(await page.$eval(row, (shown) => shown.textContent)).toContain('close 1 of 2');
    await page.click(`${row} > button`);
    await page.waitForSelector(`${row} [data-version="2"] button`);
    const bound = await page.$eval(`${row} [data-party="borrower"] li`, (voter) => voter.getAttribute('title'));
    expect(bound).toBe(`zid:${machine.zid}`);
    expect(await page.$eval(`${row} progress`, (shown) => shown.getAttribute('aria-label'))).toBe('close: 1 of 2');
    expect(await page.$eval(`${row} [data-version]`, (card) => card.textContent)).toContain(
      'until 2 more have accepted',
    );
    await page.click(`${row} [data-version="2"] button`);
    await page.waitForFunction(
      (card) => document.querySelector(card)?.textContent?.includes('until 1 more') === true,
      {},
      `${row} [data-version]`,
    );
    expect(errors).toEqual([]);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await page.close();
  });

  test('are found by those who act in them, on machines of which they are no members', async () => {
    const [bank, carl] = [await createBoiler(portal.service, 'bank'), await createBoiler(portal.service, 'carl')];
    await machine.request('PATCH', `/api/chain/${machine.slug}/settings`, { is_public: false });
    const bindings = { bank: { zid: bank.zid }, auditors: { zid: machine.zid } };
    const contracts = `/api/chain/${machine.slug}/contracts`;
    const { contract } = await machine.request('POST', `${contracts}/custom`, { definition: PATIENT_LOANS, bindings });
    const { id } = contract as { id: string };
    const payload = { loan: 'S-1', amount: 5, borrower: carl.zid };
    await machine.request('POST', `${contracts}/${id}/event`, { name: 'ask', payload });
    const { page, errors } = await portal.open('/machines', (opened) => useKey(opened, carl.key));
    const seat = `[data-seat="${machine.slug} S-1"]`;
    await page.waitForSelector(seat);
    const text = await page.$eval(seat, (shown) => shown.textContent);
    expect(text).toContain('borrower');
    expect(text).toContain(`S-1 on ${machine.slug} · asked`);
    await page.click(`${seat} > button`);
    await page.waitForSelector(`${seat} [data-party="borrower"] li`);
    expect(await page.$eval(`${seat} .row-open`, (shown) => shown.textContent)).toContain('owed5');
    expect(errors).toEqual([]);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await page.close();
    const { page: other, errors: others } = await portal.open('/machines', (opened) => useKey(opened, bank.key));
    const contractSeat = `[data-seat="${machine.slug} "]`;
    await other.waitForSelector(contractSeat);
    await other.click(`${contractSeat} > button`);
    await other.waitForSelector(`${contractSeat} [data-party="bank"] li`);
    // The machine is private: there is no page of it for the bank. Its own escrow is on its public machine.
    expect(await other.$(`${contractSeat} .row-open a`)).toBeNull();
    const own = `[data-seat="${bank.slug} "]`;
    await other.click(`${own} > button`);
    await other.waitForSelector(`${own} .row-open a`);
    expect(others.filter((line) => !line.includes('404'))).toEqual([]);
    await other.close();
  });
});
