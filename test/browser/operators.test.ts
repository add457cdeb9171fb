import type { HTTPRequest, Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { openResultFile } from '../../src/protocol/open-result.ts';
import { replayEnvelope, replayResult } from '../../src/protocol/replay.ts';
import { replayTools } from '../protocol/sealed-case.ts';
import { findEngine } from './browser.ts';
import {
  captureClipboard,
  clickButton,
  fill,
  nextFrames,
  readValue,
  tamperWithValue,
  typeOnFirstRender,
} from './page-actions.ts';
import { type Visit, visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('operators in the browser', () => {
  const portal = visitPortal();

  async function open(path: string): Promise<Visit & { readonly requestedUrls: string[] }> {
    const requestedUrls: string[] = [];
    const visit = await portal.open(path, (page) => page.on('request', (request) => requestedUrls.push(request.url())));
    return { ...visit, requestedUrls };
  }
  const pathOf = (page: Page) => {
    const { pathname, search } = new URL(page.url());
    return decodeURIComponent(pathname + search.replaceAll('+', ' '));
  };
  const searchNames = async (term: string) => {
    const response = await fetch(`${portal.service.url}/api/svc/operators/search?term=${encodeURIComponent(term)}`);
    const { rows } = (await response.json()) as { rows: { name: string }[] };
    return rows.map(({ name }) => name);
  };
  const focusedText = (page: Page) =>
    page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id || '');
  const waitForValue = (page: Page, value: string) =>
    page.waitForFunction(
      (expected) => document.querySelector('output[data-value]')?.getAttribute('data-value') === expected,
      {},
      value,
    );

  test('an operator can be found, opened and left with the keyboard alone, and the URL follows', async () => {
    const { page, errors } = await open('/operators');
    await (await page.waitForSelector('#term'))?.focus();
    await page.keyboard.type('particle in a box');
    // Slow typing also shows results of partial terms; wait for those of the whole term.
    const [first, second] = await searchNames('particle in a box');
    await page.waitForFunction(
      (...names) => names.every((name, i) => document.querySelectorAll('.hit-link')[i]?.textContent === name),
      {},
      first,
      second,
    );
    expect(pathOf(page)).toBe('/operators?q=particle in a box');
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(page)).toBe(first);
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(page)).toBe(second);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focusedText(page)).toBe('term');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.operator-law math');
    expect(await page.$eval('h1', (title) => title.textContent)).toBe(first);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.waitForFunction((name) => document.title.includes(name), {}, String(first));
    await page.goBack();
    await page.waitForSelector('.hits');
    const typed = () => page.$eval('#term', (input) => (input as HTMLInputElement).value);
    expect(await typed()).toBe('particle in a box');
    await fill(page, '#term', 'Reynolds');
    await (await page.$('.masthead a[href="/operators"]'))?.click();
    await page.waitForSelector('.beginnings');
    expect([await typed(), pathOf(page)]).toEqual(['', '/operators']);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('text typed while a page renders is kept', async () => {
    for (const [path, field, text, expected] of [
      ['/operators', '#term', 'Reynolds', '/operators?q=Reynolds'],
      ['/operators/QM5', '#quantity-n', '4', '/operators/QM5?n=4&m=9.1093837139e-31&L=2.5e-9'],
      ['/solve/heat', '#field-nx', '32', '/solve/heat?nx=32'],
    ] as const) {
      const page = await portal.session.context.newPage();
      await typeOnFirstRender(page, field, text);
      await page.goto(`${portal.service.url}${path}`);
      await page.waitForSelector('.hit-count, output[data-value]');
      expect([pathOf(page), await page.$eval(field, (input) => (input as HTMLInputElement).value)]).toEqual([
        expected,
        text,
      ]);
      await page.close();
    }
  });

  test('only the results of the last term are shown, in any order of responses', async () => {
    const page = await portal.session.context.newPage();
    const isFirst = (request: HTTPRequest) => request.url().includes('term=momentum');
    const shown = Promise.withResolvers<void>();
    await page.setRequestInterception(true);
    page.on('request', async (request) => {
      if (isFirst(request)) await shown.promise;
      await request.continue().catch(() => {});
    });
    // The page may also abort the request.
    const firstEnded = new Promise<void>((resolve) => {
      for (const event of ['requestfinished', 'requestfailed'] as const)
        page.on(event, (request) => isFirst(request) && resolve());
    });
    await page.goto(`${portal.service.url}/operators?q=momentum`);
    await page.waitForSelector('#term');
    await fill(page, '#term', 'Reynolds');
    await page.waitForFunction(() => document.querySelector('.hit-link')?.textContent?.includes('Reynolds'));
    shown.resolve();
    await firstEnded;
    await nextFrames(page);
    expect(await page.$eval('.hit-link', (link) => link.textContent)).toContain('Reynolds');
    await page.close();
  });

  test('Enter before the response opens the first result of that response, and nothing without a term', async () => {
    const { page } = await open('/operators?q=momentum');
    await page.waitForSelector('.hit-link');
    await fill(page, '#term', 'Reynolds number');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.operator-law');
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('Reynolds number');

    await page.goto(`${portal.service.url}/operators`);
    await page.waitForSelector('.hit-link');
    await page.focus('#term');
    await page.keyboard.press('Enter');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pathOf(page)).toBe('/operators');
    await page.close();
  });

  test('the tree is one tab stop; arrow keys open, enter, leave and close a domain, and letters select by name', async () => {
    const { page } = await open('/operators');
    await page.waitForSelector('.tree');
    expect(await page.$$eval('.tree [tabindex="0"]', (items) => items.length)).toBe(1);
    await page.focus('.tree [tabindex="0"]');
    await page.keyboard.press('q');
    expect(await focusedText(page)).toContain('Quantitative Finance');
    await page.keyboard.press('q');
    expect(await focusedText(page)).toContain('Quantum Mechanics');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.tree-group');
    expect(pathOf(page)).toBe('/operators?domain=QM');
    expect(await page.$eval('.domain-head h2', (title) => title.textContent)).toBe('Quantum Mechanics');
    await page.keyboard.press('ArrowRight');
    expect(await focusedText(page)).toBe('Planck-Einstein photon energy');
    await page.keyboard.press('ArrowLeft');
    expect(await focusedText(page)).toContain('Quantum Mechanics');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('.tree-group') === null);
    expect(pathOf(page)).toBe('/operators');
    expect(await focusedText(page)).toContain('Quantum Mechanics');
    await page.keyboard.press('End');
    expect(await focusedText(page)).toContain('Wave Mechanics');
    await page.close();
  });

  test('the counts match the registry, nothing speaks of laws that are missing, and a hit says which words found it', async () => {
    const response = await fetch(`${portal.service.url}/api/svc/operators`);
    const { operators, rows } = (await response.json()) as {
      operators: number;
      rows: { operators: number }[];
    };
    const { page } = await open('/operators');
    await page.waitForSelector('.tree');
    const availableCount = rows.filter((row) => row.operators > 0).length;
    const shown = await page.$$eval('.tree-count', (counts) =>
      counts.map((element) => Number.parseInt(element.textContent ?? '', 10)),
    );
    expect(shown).toHaveLength(availableCount);
    expect(shown.reduce((sum, number) => sum + number, 0)).toBe(operators);
    expect(await page.$eval('main', (main) => main.textContent)).not.toMatch(/planned|without|\d of \d/);
    await page.click('.sample-terms a');
    await page.waitForSelector('.hit-matches');
    expect(await page.$eval('.hit-link', (link) => link.textContent)).toBe('Newton cooling temperature');
    expect(await page.$eval('.hit-matches', (text) => text.textContent)).toBe('Found by cool (cooling) in the name');
    await page.close();
  });

  test('the page of an operator is complete and sends requests to this node only', async () => {
    const { page, errors, requestedUrls } = await open('/operators/QM5');
    await page.waitForSelector('output[data-value]');
    const text = await page.$eval('main', (main) => main.textContent ?? '');
    for (const phrase of [
      'Particle-in-a-box eigenenergy',
      'a fundamental law or exact result',
      'quantum number',
      'CODATA 2022, reduced Planck constant',
      'impenetrable walls',
      'Griffiths & Schroeter',
    ])
      expect(text).toContain(phrase);
    expect(await page.$eval('.operator-law mfrac', (fraction) => fraction.namespaceURI)).toBe(
      'http://www.w3.org/1998/Math/MathML',
    );
    const link = await page.$eval('.operator-origin a', (anchor) => [anchor.getAttribute('href'), anchor.textContent]);
    expect(link).toEqual(['https://doi.org/10.1017/9781316995433', 'doi:10.1017/9781316995433']);
    expect(requestedUrls.filter((url) => !url.startsWith(portal.service.url))).toEqual([]);
    expect(requestedUrls.filter((url) => /worklist|domains\//.test(url))).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a law is read aloud, checked against its textbook, and leads to laws that give what it needs', async () => {
    const { page, errors } = await open('/operators/CM9');
    await page.waitForFunction(() => document.querySelector('.check')?.textContent?.includes('this law gives'));
    expect(await page.$eval('.operator-law [role=math]', (math) => math.getAttribute('aria-label'))).toBe(
      'K equals m v squared over 2',
    );
    const reasons = await page.$$eval('.related li', (items) => items.map((item) => item.textContent));
    expect(reasons).toContain('Average speed of a tripgives v, which this law needs');
    await page.click('.related a');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Torricelli speed equation');

    await page.goto(`${portal.service.url}/operators/CK12`);
    await page.waitForFunction(() => document.querySelector('.check')?.textContent?.includes('they agree'));
    expect(await page.$eval('#checks-title', (title) => title.textContent)).toBe('Check against the textbook');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the browser and the server give the same bits, and every claim of the receipt holds', async () => {
    const { page, errors } = await open('/operators/CHE17');
    await page.waitForSelector('output[data-value]');
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await clickButton(page, 'Verify receipt');
    await page.waitForSelector('[data-verdict=good]');
    const claims = await page.$$eval('.receipt [data-claim]', (rows) =>
      rows.map((row) => [row.getAttribute('data-claim'), row.querySelector('.claim-word')?.textContent]),
    );
    expect(Object.fromEntries(claims)).toMatchObject({
      signature: 'holds',
      hmac: 'holds',
      kernel: 'holds',
      answer: 'holds',
      laws: 'holds',
    });
    expect(claims.every(([, word]) => word === 'holds')).toBe(true);
    expect(await page.$$('.equations li')).toHaveLength(2);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the saved result replays to the same bits, without and with the seal of the server', async () => {
    const page = await portal.session.context.newPage();
    await page.evaluateOnNewDocument(() => {
      const create = URL.createObjectURL;
      const saved: Blob[] = [];
      Object.assign(globalThis, { saved });
      URL.createObjectURL = (blob) => {
        if (blob instanceof Blob && blob.type === 'application/json') saved.push(blob);
        return create.call(URL, blob);
      };
    });
    await page.goto(`${portal.service.url}/operators/CM9?m=2&v=90 km/h`);
    await page.waitForSelector('output[data-value="625"]');
    const save = async () => {
      const count = () => page.evaluate(() => (globalThis as unknown as { saved: Blob[] }).saved.length);
      const before = await count();
      await clickButton(page, 'result.json');
      // The page loads the format of the file with the first one.
      await expect.poll(count).toBe(before + 1);
      const text = await page.evaluate(() => (globalThis as unknown as { saved: Blob[] }).saved.at(-1)?.text());
      return JSON.parse(text ?? '{}') as Record<string, Record<string, unknown>>;
    };
    const local = await save();
    expect(local.not_signed).toMatchObject({ input_units: { m: 'kg', v: 'km/h' } });
    const { subject, isSealed } = openResultFile(local);
    expect([isSealed, subject.inputs, subject.units]).toEqual([false, { m: 2, v: 90 }, { v: 'km/h' }]);
    expect(await replayResult(subject, replayTools())).toMatchObject({ equal: true });
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    const sealed = openResultFile(await save());
    expect(sealed.isSealed).toBe(true);
    const trusted = portal.service.services.keyRing.jwks().keys;
    expect(await replayEnvelope(sealed.subject, replayTools({ trusted }))).toMatchObject({ equal: true });
    expect(sealed.subject.value).toBe(subject.value);
    await page.close();
  });

  test('a bit changed in transit is detected and located', async () => {
    const page = await portal.session.context.newPage();
    await tamperWithValue(page, '/api/svc/compute');
    await page.goto(`${portal.service.url}/operators/QM5`);
    await page.waitForSelector('output[data-value]');
    await clickButton(page, 'Run');
    const verdict = await page.waitForSelector('.verdict-different');
    expect(await verdict?.evaluate((element) => element.textContent)).toContain('The first difference is in value');
    await clickButton(page, 'Verify receipt');
    await page.waitForSelector('[data-verdict=bad]');
    await page.close();
  });

  test('the URL contains units, uncertainties and examples, and restores the same value', async () => {
    const { page } = await open('/operators/QM5');
    await page.waitForSelector('output[data-value]');
    const before = await readValue(page);
    await fill(page, '#quantity-L', '2.5');
    await page.select('[aria-label="Unit of L"]', 'nm');
    await clickButton(page, '± Uncertainties');
    await fill(page, '[aria-label="Standard uncertainty of L"]', '0.1');
    await page.waitForFunction(() => document.querySelector('.readout-more')?.textContent?.includes('1.4 × 10⁻²⁰'));
    // 2.5 nm equals 2.5e-9 m bit for bit.
    expect(await readValue(page)).toBe(before);
    expect(pathOf(page)).toBe('/operators/QM5?n=3&m=9.1093837139e-31&L=2.5±0.1 nm');
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.readout-more')?.textContent?.includes('1.4 × 10⁻²⁰'));
    expect(await page.$eval('[aria-label="Unit of L"]', (select) => (select as HTMLSelectElement).value)).toBe('nm');

    await (await page.$('.example:nth-child(2)'))?.click();
    await waitForValue(page, '8.202841029022516e-12');
    expect(await page.$eval('.example:nth-child(2)', (button) => button.getAttribute('aria-pressed'))).toBe('true');
    await page.close();
  });

  test('± is one bar with its legend, and the result is shown in another unit while the sealed number stays', async () => {
    const { page, errors } = await open('/operators/CM9?m=2±0.01&v=90±1 km/h');
    await waitForValue(page, '625');
    // dK/K is dm/m = 0.5 % and 2 dv/v = 2.2 %: squares in the ratio of 1 to 20.
    await page.waitForFunction(
      () =>
        document.querySelector('.budget-bar')?.getAttribute('aria-label') ===
        'Shares of ±: rounding < 1 %, inputs (m) 5 %, inputs (v) 95 %.',
    );
    expect(await page.$$eval('.budget-legend li', (items) => items.length)).toBe(3);
    await page.click('.budget summary');
    expect(await page.$eval('.budget', (details) => details.textContent)).toContain('0x4083880000000000');
    expect(await page.$$eval('.budget-table tbody tr', (rows) => rows.length)).toBe(2);
    await page.select('[aria-label="Unit of the result"]', 'kJ');
    await waitForValue(page, '0.625');
    expect(await page.$eval('.readout', (readout) => readout.textContent)).toContain('sealed as 625 ± 28 J');
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.reload();
    await waitForValue(page, '0.625');
    await page.select('#solve-for', 'v');
    await page.waitForFunction(() => document.querySelector('.readout-unit')?.textContent === 'm/s');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('an unknown that is chosen before the law has its value takes that value when it comes', async () => {
    const { page, errors } = await open('/operators/CM9?m=2&v=25');
    await waitForValue(page, '625');
    // Typed and chosen in one turn: the value on the page is still that of the old number.
    await page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>('[name="m"]');
      const list = document.querySelector<HTMLSelectElement>('#solve-for');
      if (field === null || list === null) throw new Error('The form has no field of m, or no list of unknowns.');
      field.value = '4';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      list.value = 'v';
      list.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.waitForFunction(() => document.querySelector('.readout-unit')?.textContent === 'm/s');
    await waitForValue(page, '25');
    expect(await page.$eval('[name="K"]', (field) => (field as HTMLInputElement).value)).toBe('1250');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a law is drawn against an input in its range, with the point of the form, before any request', async () => {
    const { page, errors, requestedUrls } = await open('/operators/CM9?m=2&v=25');
    await waitForValue(page, '625');
    await page.click('.sweep-panel > summary');
    await page.select('[name="sweep-0-input"]', 'v');
    const summary = () => page.$eval('.sweep-panel .points-summary', (text) => text.textContent);
    await page.waitForFunction(() =>
      document.querySelector('.sweep-panel .points-summary')?.textContent?.includes('v = 25 m/s, K = 625 J'),
    );
    expect(await page.$eval('.sweep-panel .chart-title', (title) => title.textContent)).toBe('K over v');
    await fill(page, '[name="sweep-0-from"]', '-10');
    await page.waitForFunction(() =>
      document.querySelector('.sweep-panel .points-summary')?.textContent?.includes('left out'),
    );
    expect(await summary()).toContain('where the law does not hold');
    expect(requestedUrls.filter((url) => url.includes('/api/svc/compute'))).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a copied link pins revision, kernel and law; another one is said', async () => {
    const page = await portal.session.context.newPage();
    const copy = await captureClipboard(page);
    await page.goto(`${portal.service.url}/operators/CM9`);
    await page.waitForSelector('output[data-value]');
    const link = await copy('link');
    expect(link).toMatch(/m=1340&v=27.8&revision=\d+&kernel=[0-9a-f]{12}&law=[0-9a-f]{12}$/);
    await page.goto(link);
    await page.waitForSelector('output[data-value]');
    expect(await page.$('.try-result .notice')).toBeNull();
    await page.goto(link.replace(/revision=\d+/, 'revision=999'));
    await page.waitForSelector('.try-result .notice');
    expect(await page.$eval('.try-result .notice', (notice) => notice.textContent)).toContain('it was 999');
    await page.close();
  });

  test('invalid inputs are marked with a message, and nothing runs', async () => {
    const { page } = await open('/operators/QM5?n=1.5&m=9.1e-31&L=2.5 s');
    await page.waitForSelector('#quantity-n[aria-invalid]');
    expect(await page.$eval('#quantity-n-help', (help) => help.textContent)).toContain('a whole number from 1');
    expect(await page.$eval('#quantity-L-help', (help) => help.textContent)).toContain('cannot be converted to m');
    await clickButton(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('quantity-n');
    expect(await page.$('output[data-value]')).toBeNull();
    await page.close();
  });

  test('an ambiguous comma is marked, the text is kept, and nothing runs', async () => {
    const { page } = await open('/operators/QM5?n=1,000&m=9.1e-31&L=1,000');
    await page.waitForSelector('#quantity-n[aria-invalid]');
    expect(await page.$eval('#quantity-n', (field) => (field as HTMLInputElement).value)).toBe('1,000');
    expect(await page.$eval('#quantity-n-help', (help) => help.textContent)).toContain('without commas');
    expect(await page.$eval('#quantity-L-help', (help) => help.textContent)).toContain('write 1.0 or 1000.');
    await clickButton(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('quantity-n');
    expect(await page.$('output[data-value]')).toBeNull();
    await page.close();
  });

  test('the reason is shown if an operator has no value', async () => {
    const { page } = await open('/operators/CEL14?T1=383.4 K&T2=394.7&D1=2.56&D2=2.56');
    await page.waitForSelector('.value-stage .notice-error');
    const text = await page.$eval('.value-stage .notice-error', (notice) => notice.textContent);
    expect(text).toContain('The value is undefined.');
    expect(text).toContain('the divisor is 0');
    expect(await page.$('output[data-value]')).toBeNull();
    await fill(page, '#quantity-D2', '0.193');
    await page.waitForSelector('output[data-value]');
    await page.close();
  });

  test('an unknown operator shows the nearest match and a link to the search', async () => {
    const { page } = await open('/operators/QM999');
    const notice = await page.waitForSelector('.notice-empty');
    expect(await notice?.evaluate((element) => element.textContent)).toContain('Did you mean QM9?');
    await (await page.waitForSelector('main a[href*="q=QM999"]'))?.click();
    await page.waitForSelector('.hits, .notice-empty');
    expect(pathOf(page)).toBe('/operators?q=QM999');
    await page.close();
  });

  test('a failed request is reported, and a retry succeeds', async () => {
    const page = await portal.session.context.newPage();
    let isBlocked = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (isBlocked && request.url().includes('/api/svc/operators')) void request.abort();
      else void request.continue();
    });
    await page.goto(`${portal.service.url}/operators?domain=QM`);
    await page.waitForSelector('.browse-content .notice-error');
    isBlocked = false;
    await (await page.waitForSelector('.browse-content .notice-error button'))?.click();
    await page.waitForSelector('.hits');
    await (await page.waitForSelector('.browse-domains .notice-error button'))?.click();
    await page.waitForSelector('.tree');
    await page.close();
  });

  test('curl, TypeScript, MCP call and CLI snippets contain the inputs on screen', async () => {
    const page = await portal.session.context.newPage();
    const copy = await captureClipboard(page);
    await page.goto(`${portal.service.url}/operators/QM5?n=3&m=9e-31&L=2.5 nm`);
    await page.waitForSelector('output[data-value]');
    const request = {
      domain: 'Quantum Mechanics',
      operators: ['QM5'],
      inputs: { n: 3, m: 9e-31, L: 2.5 },
      units: { L: 'nm' },
    };
    expect(await copy('curl')).toContain(`${portal.service.url}/api/svc/compute`);
    expect(JSON.parse(await copy('MCP call')).params).toEqual({ name: 'svc_compute', arguments: request });
    expect(await copy('TypeScript')).toContain("fetch('");
    expect(await copy('CLI')).toBe("svc compute QM --operators QM5 n=3 m=9e-31 'L=2.5 nm'");
    await page.close();
  });

  test('every operator of the registry is rendered as a formula, without errors', async () => {
    const { page, errors } = await open('/operators');
    await page.waitForSelector('.tree');
    const domains = await page.$$eval('.tree-domain', (items) => items.map((item) => item.getAttribute('href') ?? ''));
    let count = 0;
    for (const path of domains) {
      await page.goto(`${portal.service.url}${path}`);
      await page.waitForSelector('.hits math');
      count += await page.$$eval(
        '.hit-formula',
        (formulas) => formulas.filter((formula) => formula.querySelector('math')).length,
      );
    }
    const [total] = await page.evaluate(async () => [(await (await fetch('/api/svc/operators')).json()).operators]);
    expect(count).toBe(total);
    expect(errors).toEqual([]);
    await page.close();
  });
});
