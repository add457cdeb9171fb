import type { Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BoilerFixture, createBoiler, useKey } from './boiler-fixture.ts';
import { findEngine } from './browser.ts';
import { clickButton, fill, tabThrough } from './page-actions.ts';
import { visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('the pages of contracts', () => {
  const portal = visitPortal();
  let boiler: BoilerFixture;
  beforeAll(async () => {
    boiler = await createBoiler(portal.service);
  });

  const open = (path: string, key?: string) =>
    portal.open(path, key === undefined ? undefined : (page) => useKey(page, key));
  const contractPath = (id: string) => `/machines/${boiler.slug}/contracts/${id}`;
  const deploy = async (template: string, parameters: Record<string, unknown> = {}) => {
    const body = { slug: boiler.slug, parameters };
    const { contract } = await boiler.request('POST', `/api/contracts/templates/${template}/deploy`, body);
    return (contract as { id: string }).id;
  };
  const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? '');
  const waitForText = (page: Page, selector: string, text: string) =>
    page.waitForFunction(
      (target, expected) => document.querySelector(target)?.textContent?.includes(expected),
      {},
      selector,
      text,
    );
  const waitForState = (page: Page, state: string) =>
    page.waitForFunction(
      (name) =>
        document.querySelector('.state.is-current')?.getAttribute('data-state') === name &&
        document.querySelector('.state-now [data-state]')?.getAttribute('data-state') === name,
      {},
      state,
    );

  test('what the node refuses of a deployment stands at the field that it names', async () => {
    const { page } = await open(`/templates/escrow-dispute-window?machine=${boiler.slug}`, boiler.key);
    await fill(page, '#parameter-price', '12');
    await fill(page, '#party-buyer', 'a'.repeat(32));
    await fill(page, '#party-seller', '2'.repeat(64));
    await fill(page, '#party-arbiter', '3'.repeat(64));
    await clickButton(page, 'Deploy');
    await page.waitForFunction(() => document.activeElement?.id === 'party-buyer');
    expect(await textOf(page, '#party-buyer-help')).toContain(
      `buyer.0 names the ZID ${'a'.repeat(32)}, which no account`,
    );
    expect(await page.$$eval('[aria-invalid]', (fields) => fields.map(({ id }) => id))).toEqual(['party-buyer']);
    const typed = await page.$$eval('#parameter-price, #party-seller', (fields) =>
      fields.map((field) => (field as HTMLInputElement).value),
    );
    expect(typed).toEqual(['12', '2'.repeat(64)]);
    await fill(page, '#party-buyer', '1'.repeat(64));
    expect(await page.$('[aria-invalid]')).toBeNull();
    await clickButton(page, 'Deploy');
    await page.waitForSelector('.state.is-current');
    await page.close();
  });

  test('the diagram shows every state and transition, marks the current state, and has a text alternative', async () => {
    const { page, errors } = await open(contractPath(boiler.escrow));
    await page.waitForSelector('.diagram-picture');
    const states = await page.$$eval('.state', (items) => items.map((item) => item.getAttribute('data-state')));
    expect(states.toSorted()).toEqual(
      ['awaiting_deposit', 'disputed', 'expired', 'funded', 'inspection', 'refunded', 'released', 'split'].toSorted(),
    );
    await waitForState(page, 'funded');
    const labels = await page.$$eval('.arrow-label text', (items) => items.map((item) => item.textContent));
    const listed = await page.$$eval('[data-transition]', (items) =>
      items.map((item) => item.getAttribute('data-transition')),
    );
    expect(new Set(labels)).toEqual(new Set(listed));
    expect(await textOf(page, '.arrow-label text.is-last')).toBe('fund');
    const picture = await page.$eval('.diagram-picture', (image) => [
      image.getAttribute('role'),
      image.getAttribute('aria-label'),
    ]);
    expect(picture).toEqual([
      'img',
      '8 states, 10 transitions; current state funded. The table of transitions has the same information.',
    ]);
    expect(await textOf(page, '[data-transition=window_closed]')).toContain('778,378 ticks (7 d) after entry');
    expect(await textOf(page, '[data-party=buyer]')).toMatch(/zid [0-9a-f]{8}/);
    expect(await textOf(page, '.identity-check')).toContain('✓');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a value with markup is shown as text', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const definition = {
      name: 'note',
      version: '1.0',
      operators: ['KO42'],
      initial: 'written',
      context: { note: { type: 'string', initial: markup } },
      events: { erase: {} },
      emits: [],
      states: { written: { role: 'initial' }, off: { role: 'terminal' } },
      transitions: [
        {
          id: 'erase',
          from: 'written',
          to: 'off',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'erase' },
          fires_when: 'note != ""',
          post: [],
        },
      ],
    };
    const body = { slug: boiler.slug, definition, name: markup };
    const { contract } = await boiler.request('POST', '/api/contracts/deploy', body);
    const { page, errors } = await open(contractPath((contract as { id: string }).id));
    await page.waitForSelector('.diagram-picture');
    expect(await textOf(page, '[data-value-of=note]')).toBe(markup);
    expect(await page.$('main img')).toBeNull();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the states of a diagram do not overlap, and every arrow ends at a state', async () => {
    for (const template of [
      'circuit-breaker',
      'cold-chain-excursion',
      'two-person-approval',
      'regulatory-report-filing',
    ]) {
      const { page } = await open(`/templates/${template}`);
      await page.waitForSelector('.diagram-picture');
      const boxes = await page.$$eval('.state-box', (items) =>
        items.map((item) => ['x', 'y', 'width', 'height'].map((name) => Number(item.getAttribute(name)))),
      );
      const tips = await page.$$eval('.arrow .arrow-head', (items) =>
        items.map((item) => item.getAttribute('d') ?? ''),
      );
      const isApart = ([ax = 0, ay = 0, aw = 0, ah = 0]: number[], [bx = 0, by = 0, bw = 0, bh = 0]: number[]) =>
        ax + aw <= bx || bx + bw <= ax || ay + ah <= by || by + bh <= ay;
      for (const [at, box] of boxes.entries())
        for (const other of boxes.slice(at + 1)) expect(isApart(box, other)).toBe(true);
      expect(tips.length).toBeGreaterThan(3);
      for (const tip of tips) {
        const [, x, y] = /^M([\d.]+) ([\d.]+)L/.exec(tip) ?? [];
        const touches = boxes.some(
          ([bx = 0, by = 0, w = 0, h = 0]) =>
            Number(x) > bx - 2 && Number(x) < bx + w + 2 && Number(y) > by - 2 && Number(y) < by + h + 2,
        );
        expect([template, tip, touches]).toEqual([template, tip, true]);
      }
      await page.close();
    }
  });

  test('a transition fired elsewhere updates the diagram and is animated', async () => {
    const { page } = await open(contractPath(boiler.limiter));
    await waitForState(page, 'allowing');
    expect(await page.$('.diagram-picture.is-fresh')).toBeNull();
    await boiler.sendEvent('request');
    await boiler.sendEvent('request');
    await waitForState(page, 'limiting');
    await page.waitForSelector('.diagram-picture.is-fresh .arrow.is-last .arrow-trace');
    expect(await textOf(page, '.history .row')).toContain('allowing → limiting');
    const motion = () => page.$eval('.arrow-trace', (trace) => getComputedStyle(trace).animationName);
    expect(await motion()).toBe('travel');
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    expect(await motion()).toBe('none');
    await page.close();
  });

  test('the owner can pause, resume, skip and fire a contract, and sees the outcome', async () => {
    const id = await deploy('regulatory-report-filing');
    const { page, errors } = await open(contractPath(id), boiler.key);
    await waitForText(page, '.next-fires', 'open_period');
    // Until the page knows the clock of the node, it says the date.
    await page.waitForFunction(() => document.querySelector('.next-first')?.textContent?.startsWith('in '));
    // Days, or hours on the last day of a month.
    expect(await textOf(page, '.next-first')).toMatch(/^in \d+ (d|h|min|s)\b.*\([\d,]+ ticks\)$/);
    const due = await page.$eval('.next-first time', (time) => time.getAttribute('datetime'));
    await clickButton(page, 'Pause');
    await waitForText(page, '.actions-said', 'Contract paused.');
    expect(await textOf(page, '.machine-kind')).toContain('paused');
    await waitForText(page, '.next-fires', 'Paused');
    await clickButton(page, 'Resume');
    await waitForText(page, '.actions-said', 'Contract resumed.');
    await clickButton(page, 'Skip next');
    await waitForText(page, '.actions-said', 'Next occurrence skipped.');
    await page.waitForFunction(
      (before) => document.querySelector('.next-first time')?.getAttribute('datetime') !== before,
      {},
      due,
    );
    await clickButton(page, 'Fire now');
    await waitForText(page, '.actions-said', 'open_period fired: idle → open, row');
    await waitForState(page, 'open');
    await waitForText(page, '[data-value-of=period]', '1');
    await waitForText(page, '.versions', 'deployed');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('an event is sent with its fields, and a rejection by the node is shown', async () => {
    const { page } = await open(contractPath(boiler.escrow), boiler.key);
    await page.waitForSelector('#send-name');
    // What the state waits for comes first, and sending before manual control.
    const offered = () =>
      page.$$eval('#send-name optgroup', (groups) =>
        groups.map((group) => [group.label, ...[...group.children].map((option) => option.textContent)]),
      );
    expect(await offered()).toEqual([
      ['from funded', 'delivered', 'dispute'],
      ['other events', 'accept_goods', 'deposit', 'ruling', 'withdraw_dispute'],
    ]);
    expect(await page.$eval('#send-name', (select) => (select as HTMLSelectElement).value)).toBe('delivered');
    expect(await page.$$('.send-event + .actions')).toHaveLength(1);
    await page.select('#send-name', 'ruling');
    await fill(page, '[name=field-seller_share]', '0.5');
    await clickButton(page, 'Send');
    await waitForText(page, '.send-event', 'ruling is for arbiter to send');
    await page.select('#send-name', 'dispute');
    await fill(page, '[name=field-reason]', 'lost');
    await clickButton(page, 'Send');
    await waitForText(page, '.send-event', 'fired dispute (funded → disputed)');
    await waitForState(page, 'disputed');
    expect((await offered())[0]).toEqual(['from disputed', 'ruling', 'withdraw_dispute']);
    await page.close();

    const stranger = await createBoiler(portal.service, 'stranger');
    const { page: other } = await open(contractPath(boiler.escrow), stranger.key);
    await clickButton(other, 'Fire now');
    const notice = await other.waitForSelector('.actions-said .notice-error');
    expect(await notice?.evaluate((element) => element.textContent?.length)).toBeGreaterThan(20);
    await other.close();
  });

  test('an invalid number is marked at its field and not sent', async () => {
    const { page, errors } = await open(contractPath(boiler.escrow), boiler.key);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/event')) sent.push(request.postData() ?? '');
    });
    await page.waitForSelector('#send-name');
    await page.select('#send-name', 'ruling');
    for (const [text, message] of [
      ['abc', 'seller_share is "abc"; a number is expected.'],
      ['1,000', 'seller_share is "1,000", which may be 1 or 1000; write 1.0 or 1000.'],
    ] as const) {
      await fill(page, '#send-field-seller_share', text);
      await clickButton(page, 'Send');
      await waitForText(page, '#send-field-seller_share-help', message);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('send-field-seller_share');
      expect(await page.$eval('#send-field-seller_share', (field) => (field as HTMLInputElement).value)).toBe(text);
    }
    await fill(page, '#send-field-seller_share', '2,5');
    await clickButton(page, 'Send');
    await waitForText(page, '.send-event', 'ruling is for arbiter to send');
    expect(sent.map((body) => JSON.parse(body))).toEqual([{ name: 'ruling', payload: { seller_share: 2.5 } }]);
    expect(errors).toEqual([expect.stringContaining('403')]);
    await page.close();
  });

  test('a parameter with an ambiguous comma is marked, and nothing is deployed', async () => {
    const { page } = await open('/templates/rate-limiter', boiler.key);
    await page.waitForSelector('#deploy-machine');
    await fill(page, '#parameter-threshold', '1,000');
    await waitForText(page, '#parameter-threshold-help', '"1,000"; a whole number is expected, without commas.');
    await clickButton(page, 'Deploy');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('parameter-threshold');
    expect(new URL(page.url()).pathname).toBe('/templates/rate-limiter');
    await page.close();
  });

  test('a fire opens to its row with its receipt and can be verified', async () => {
    const { page } = await open(contractPath(boiler.escrow), boiler.key);
    await page.waitForSelector('.history .row');
    const fund = '.history .row:last-child';
    expect(await textOf(page, fund)).toContain('awaiting_deposit → funded');
    await page.click(`${fund} .row-line`);
    await page.waitForSelector(`${fund} .row-payload`);
    expect(await textOf(page, `${fund} .row-payload`)).toContain('svcProof');
    await clickButton(page, 'Verify this row');
    await page.waitForSelector(`${fund} .claim`);
    const words = await page.$$eval(`${fund} .claim-word`, (items) => items.map((item) => item.textContent));
    expect(words.filter((word) => word === 'holds').length).toBeGreaterThanOrEqual(3);
    expect(words).not.toContain('fails');
    await page.close();
  });

  test('a template can be found, filled in and deployed with the keyboard alone', async () => {
    const { page, errors } = await open('/templates', boiler.key);
    await page.waitForSelector('.card');
    await page.focus('#template-term');
    await page.keyboard.type('breaker');
    await page.waitForFunction(() => document.querySelectorAll('.card').length === 1);
    expect(new URL(page.url()).search).toBe('?q=breaker');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Circuit breaker');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#parameter-max_failures');
    await page.waitForSelector('#deploy-machine');
    await page.focus('#parameter-max_failures');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('2000');
    await page.keyboard.press('Enter');
    expect(await textOf(page, '#parameter-max_failures-help')).toMatch(/max_failures.*2000/);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('parameter-max_failures');
    await fill(page, '#parameter-max_failures', '7');
    expect(await page.$('[aria-invalid]')).toBeNull();
    await fill(page, '#parameter-cool_down', 'PT1M');
    await waitForText(page, '[data-transition=probe]', '78 ticks (1 min) after entry');
    await page.keyboard.press('Enter');
    await waitForState(page, 'closed');
    expect(page.url()).toContain(`/machines/${boiler.slug}/contracts/`);
    expect(await textOf(page, '[data-value-of=max_failures]')).toBe('7');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('Tab reaches every control on the machine and contract pages, visibly and with a focus ring', async () => {
    for (const [path, first, last] of [
      [contractPath(boiler.escrow), '.diagram-picture', 'OpenAPI'],
      [`/machines/${boiler.slug}`, '.rows', 'OpenAPI'],
      ['/machines', '.cards', 'OpenAPI'],
    ] as const) {
      const { page } = await open(path, boiler.key);
      await page.waitForSelector(first);
      const stops = await tabThrough(page, 120, last);
      expect(stops.filter((stop) => /^(no ring|hidden)/.test(stop))).toEqual([]);
      expect(stops.slice(0, 2)).toEqual(['Skip to content', 'svc']);
      expect(stops.at(-1)).toBe(last);
      expect(stops.length).toBeGreaterThan(15);
      await page.close();
    }
  });

  test('a visitor without a key deploys on a new machine, whose secrets are shown once and whose key is used', async () => {
    const { page, errors } = await open('/templates/circuit-breaker');
    await page.evaluate(() => localStorage.setItem('svc.key', '{"key":"svc_ak_demo_x","keyPrefix":"x","isDemo":true}'));
    await page.waitForSelector('.deploy-target button');
    await clickButton(page, 'Deploy on a new machine');
    await page.waitForSelector('.created-secrets [data-secret=key]');
    await waitForState(
      page,
      await page.$eval('.state-now [data-state]', (pill) => pill.getAttribute('data-state') ?? ''),
    );
    const key = await textOf(page, '[data-secret=key]');
    const stored = () => page.evaluate(() => [sessionStorage.getItem('svc.key'), localStorage.getItem('svc.key')]);
    // The demo key, with what was filed under it, comes back with the next tab.
    expect(await stored()).toEqual([expect.stringContaining(key), expect.stringContaining('svc_ak_demo_x')]);
    expect(await textOf(page, '.actions')).toContain('Fire now');
    await clickButton(page, 'I have saved them');
    expect(await page.$('.created-secrets')).toBeNull();
    // The next deployment goes to the same machine.
    await page.goto(`${portal.service.url}/templates/circuit-breaker`);
    await page.waitForSelector('#deploy-machine');
    await page.evaluate(() => localStorage.clear());
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a missing template, contract or key is reported', async () => {
    const { page } = await open('/templates/no-such-thing');
    expect(await (await page.waitForSelector('.notice-empty'))?.evaluate((element) => element.textContent)).toContain(
      'Template not found.',
    );
    await page.goto(`${portal.service.url}${contractPath('00000000-0000-4000-8000-000000000000')}`);
    expect(await (await page.waitForSelector('.notice-empty'))?.evaluate((element) => element.textContent)).toContain(
      'Contract not found.',
    );
    // The machine of another needs its key; without one in the address, a new one can be created.
    await page.goto(`${portal.service.url}/templates/rate-limiter`);
    await page.waitForSelector('.deploy-target button');
    expect(await textOf(page, '.deploy-target')).toContain('Deploy on a new machine');
    await page.goto(`${portal.service.url}/templates/rate-limiter?machine=${boiler.slug}`);
    await page.waitForSelector('.deploy-target');
    expect(await textOf(page, '.deploy-target')).toContain('Deploying requires the key of a member');
    await page.goto(`${portal.service.url}${contractPath(boiler.limiter)}`);
    await page.waitForSelector('.actions');
    expect(await textOf(page, '.actions')).toContain('Controlling a contract requires the key of a member');
    await page.close();
  });

  test('a failed contract is listed first with its refusals, and shows no possible transitions', async () => {
    const definition = {
      name: 'balance',
      version: '1.0',
      operators: ['KO42'],
      initial: 'level',
      // A fault of the contract's own: one that a sender's payload causes does not make it fail.
      context: { ratio: { type: 'number', initial: 1 }, out: { type: 'number', initial: 0 } },
      events: { flow: {} },
      emits: [],
      states: { level: { role: 'initial' }, off: { role: 'terminal' } },
      transitions: [
        {
          id: 'weigh',
          from: 'level',
          to: 'level',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'flow' },
          fires_when: 'ratio <= 2',
          post: [{ set: { ratio: 'ratio / out' } }],
        },
        {
          id: 'stop',
          from: 'level',
          to: 'off',
          operator: 'KO42',
          proof: false,
          trigger: { kind: 'event', event: 'flow' },
          fires_when: 'ratio > 2',
          post: [],
        },
      ],
    };
    const plant = await createBoiler(
      portal.service,
      'Plant Rotterdam North, boiler house 3, feed-water and superheater supervision',
    );
    const body = { slug: plant.slug, definition, name: 'Mass balance' };
    const { contract } = await plant.request('POST', '/api/contracts/deploy', body);
    const { id } = contract as { id: string };
    const path = `/machines/${plant.slug}`;
    for (let i = 0; i < 5; i++) await plant.sendEvent('flow');
    const { page, errors } = await open(`${path}/contracts/${id}`, plant.key);
    await waitForText(page, '.machine-head .notice li', 'weigh: ratio would become Infinity');
    expect(await page.$$('.machine-head .notice li')).toHaveLength(5);
    // Requests only the rows shown, filtered by contract.
    const requestedUrls = await page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => (name.includes('type=refused') ? [name] : [])),
    );
    const queries = requestedUrls.map((url) => Object.fromEntries(new URL(url).searchParams));
    expect(queries).toEqual([{ type: 'refused', contract: id, limit: '5' }]);
    expect(await page.$$('.transition.is-possible')).toHaveLength(0);
    expect(errors).toEqual([]);

    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${portal.service.url}${path}`);
    await page.waitForSelector('.card.is-failed');
    expect(await page.$$eval('.card-link', ([card]) => card?.textContent)).toBe('Mass balance');
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.goto(`${portal.service.url}/machines`);
    await waitForText(page, '.machines-standing', '1 contract failed');
    const [contractLink, machineLink] = await page.$$eval('.failed-list a', (links) =>
      links.map((link) => [link.textContent, link.getAttribute('href')]),
    );
    expect(contractLink).toEqual(['Mass balance', `${path}/contracts/${id}`]);
    expect(machineLink).toEqual([expect.stringContaining('Plant Rotterdam North'), path]);
    await page.waitForSelector('.active-list');
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.close();
  });

  test('the form of a template lists the transitions that use a parameter', async () => {
    const { page } = await open('/templates/two-person-approval');
    await waitForText(page, '#parameter-execute_within-help', 'Used by the transition not_executed.');
    await waitForText(page, '#parameter-expires_after-help', 'Used by the transition expire.');
    await page.close();
  });
});
