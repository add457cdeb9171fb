import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { complaintsOf, findEngine, openBrowser, type Session } from './browser.ts';
import { changeValue, fill, keepCopies, press, typeAtOnce, valueOn } from './gestures.ts';
import { openPortalService } from './portal-service.ts';

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('operators in the browser', () => {
  let service: RunningService;
  let session: Session;
  beforeAll(async () => {
    [service, session] = await Promise.all([openPortalService(), openBrowser('chrome', chrome ?? '')]);
  });
  afterAll(async () => {
    await session.close();
    await service.close();
  });

  async function open(path: string): Promise<{ page: Page; complaints: string[]; asked: string[] }> {
    const page = await session.browser.newPage();
    const complaints = complaintsOf(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${service.url}${path}`);
    return { page, complaints, asked };
  }
  const placeOf = (page: Page) => {
    const { pathname, search } = new URL(page.url());
    return decodeURIComponent(pathname + search.replaceAll('+', ' '));
  };
  const namesOf = async (term: string) => {
    const answer = await fetch(`${service.url}/api/svc/operators/search?term=${encodeURIComponent(term)}`);
    const { rows } = (await answer.json()) as { rows: { name: string }[] };
    return rows.map(({ name }) => name);
  };
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id || '');
  const valueBecomes = (page: Page, value: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector('output[data-value]')?.getAttribute('data-value') === wanted,
      {},
      value,
    );

  test('a law is found, opened and left by the keyboard alone, and the address says where', async () => {
    const { page, complaints } = await open('/operators');
    await (await page.waitForSelector('#term'))?.focus();
    await page.keyboard.type('particle in a box');
    // A slow hand gets answers to what it had typed so far; the keys go through the one to the whole.
    const [first, second] = await namesOf('particle in a box');
    await page.waitForFunction(
      (...names) => names.every((name, i) => document.querySelectorAll('.hit-link')[i]?.textContent === name),
      {},
      first,
      second,
    );
    expect(placeOf(page)).toBe('/operators?q=particle in a box');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(first);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(second);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('term');
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
    expect([await typed(), placeOf(page)]).toEqual(['', '/operators']);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what is typed in the turn a page appears is kept', async () => {
    for (const [path, field, text, place] of [
      ['/operators', '#term', 'Reynolds', '/operators?q=Reynolds'],
      ['/operators/QM5', '#quantity-n', '4', '/operators/QM5?n=4&m=9.1093837139e-31&L=2.5e-9'],
      ['/solve/heat', '#field-nx', '32', '/solve/heat?nx=32'],
    ] as const) {
      const page = await session.browser.newPage();
      await typeAtOnce(page, field, text);
      await page.goto(`${service.url}${path}`);
      await page.waitForSelector('.hit-count, output[data-value]');
      expect([placeOf(page), await page.$eval(field, (input) => (input as HTMLInputElement).value)]).toEqual([
        place,
        text,
      ]);
      await page.close();
    }
  });

  test('only what was typed last is shown, whichever answer comes last', async () => {
    const page = await session.browser.newPage();
    await page.setRequestInterception(true);
    page.on('request', async (request) => {
      if (request.url().includes('term=momentum')) await new Promise((resolve) => setTimeout(resolve, 1_200));
      await request.continue().catch(() => {});
    });
    await page.goto(`${service.url}/operators?q=momentum`);
    await page.waitForSelector('#term');
    await fill(page, '#term', 'Reynolds');
    await page.waitForFunction(() => document.querySelector('.hit-link')?.textContent?.includes('Reynolds'));
    await new Promise((resolve) => setTimeout(resolve, 1_400));
    expect(await page.$eval('.hit-link', (link) => link.textContent)).toContain('Reynolds');
    await page.close();
  });

  test('Enter pressed before the answer opens the first law of that answer, and nothing where nothing is typed', async () => {
    const { page } = await open('/operators?q=momentum');
    await page.waitForSelector('.hit-link');
    await fill(page, '#term', 'Reynolds number');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.operator-law');
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('Reynolds number');

    await page.goto(`${service.url}/operators`);
    await page.waitForSelector('.hit-link');
    await page.focus('#term');
    await page.keyboard.press('Enter');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(placeOf(page)).toBe('/operators');
    await page.close();
  });

  test('the tree is one stop of the tabulator; arrows open, enter, leave and close a domain, and letters jump', async () => {
    const { page } = await open('/operators');
    await page.waitForSelector('.tree');
    expect(await page.$$eval('.tree [tabindex="0"]', (items) => items.length)).toBe(1);
    await page.focus('.tree [tabindex="0"]');
    await page.keyboard.press('q');
    expect(await focused(page)).toContain('Quantitative Finance');
    await page.keyboard.press('q');
    expect(await focused(page)).toContain('Quantum Mechanics');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.tree-group');
    expect(placeOf(page)).toBe('/operators?domain=QM');
    expect(await page.$eval('.domain-head h2', (title) => title.textContent)).toBe('Quantum Mechanics');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Planck-Einstein photon energy');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toContain('Quantum Mechanics');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('.tree-group') === null);
    expect(placeOf(page)).toBe('/operators');
    expect(await focused(page)).toContain('Quantum Mechanics');
    await page.keyboard.press('End');
    expect(await focused(page)).toContain('Wave Mechanics');
    await page.close();
  });

  test('the counts are those of the registry, and domains without laws are named as open', async () => {
    const answer = await fetch(`${service.url}/api/svc/operators`);
    const { count, operators, rows } = (await answer.json()) as {
      count: number;
      operators: number;
      rows: { operators: number }[];
    };
    const { page } = await open('/operators');
    await page.waitForSelector('.tree');
    const begun = rows.filter((row) => row.operators > 0).length;
    const shown = await page.$$eval('.tree-count', (counts) =>
      counts.map((one) => Number.parseInt(one.textContent ?? '', 10)),
    );
    expect(shown).toHaveLength(begun);
    expect(shown.reduce((sum, one) => sum + one, 0)).toBe(operators);
    expect(await page.$$eval('.open-domains li', (items) => items.length)).toBe(count - begun);
    await page.close();
  });

  test('an operator is shown whole, and nothing but this node is asked', async () => {
    const { page, complaints, asked } = await open('/operators/QM5');
    await page.waitForSelector('output[data-value]');
    const text = await page.$eval('main', (main) => main.textContent ?? '');
    for (const words of [
      'Particle-in-a-box eigenenergy',
      'a fundamental law or exact result',
      'quantum number',
      'CODATA 2022, reduced Planck constant',
      'impenetrable walls',
      'Griffiths & Schroeter',
    ])
      expect(text).toContain(words);
    expect(await page.$eval('.operator-law mfrac', (fraction) => fraction.namespaceURI)).toBe(
      'http://www.w3.org/1998/Math/MathML',
    );
    const link = await page.$eval('.operator-origin a', (anchor) => [anchor.getAttribute('href'), anchor.textContent]);
    expect(link).toEqual(['https://doi.org/10.1017/9781316995433', 'doi:10.1017/9781316995433']);
    expect(asked.filter((address) => !address.startsWith(service.url))).toEqual([]);
    expect(asked.filter((address) => /worklist|domains\//.test(address))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('the browser and the server give the same bits, and the receipt holds in every claim', async () => {
    const { page, complaints } = await open('/operators/CHE17');
    await page.waitForSelector('output[data-value]');
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await press(page, 'Verify receipt');
    await page.waitForSelector('[data-verdict=good]');
    const claims = await page.$$eval('.receipt [data-claim]', (rows) =>
      rows.map((row) => [row.getAttribute('data-claim'), row.querySelector('.claim-word')?.textContent]),
    );
    expect(Object.fromEntries(claims)).toMatchObject({ signature: 'holds', hmac: 'holds', replay: 'holds' });
    expect(claims.every(([, word]) => word === 'holds')).toBe(true);
    expect(await page.$$('.equations li')).toHaveLength(2);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('one bit changed on the way is seen and named', async () => {
    const page = await session.browser.newPage();
    await changeValue(page, '/api/svc/compute');
    await page.goto(`${service.url}/operators/QM5`);
    await page.waitForSelector('output[data-value]');
    await press(page, 'Run');
    const verdict = await page.waitForSelector('.verdict-different');
    expect(await verdict?.evaluate((place) => place.textContent)).toContain('The first difference is value');
    await press(page, 'Verify receipt');
    await page.waitForSelector('[data-verdict=bad]');
    await page.close();
  });

  test('units, uncertainties and examples are in the address, and it gives the same value again', async () => {
    const { page } = await open('/operators/QM5');
    await page.waitForSelector('output[data-value]');
    const before = await valueOn(page);
    await fill(page, '#quantity-L', '2.5');
    await page.select('[aria-label="Unit of L"]', 'nm');
    await press(page, '± Uncertainties');
    await fill(page, '[aria-label="Standard uncertainty of L"]', '0.1');
    await page.waitForFunction(() => document.querySelector('.readout-more')?.textContent?.includes('6.9e−21'));
    // 2.5 nm are 2.5e-9 m to the bit.
    expect(await valueOn(page)).toBe(before);
    expect(placeOf(page)).toBe('/operators/QM5?n=3&m=9.1093837139e-31&L=2.5±0.1 nm');
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.readout-more')?.textContent?.includes('6.9e−21'));
    expect(await page.$eval('[aria-label="Unit of L"]', (select) => (select as HTMLSelectElement).value)).toBe('nm');

    await (await page.$('.example:nth-child(2)'))?.click();
    await valueBecomes(page, '8.202841029022516e-12');
    expect(await page.$eval('.example:nth-child(2)', (button) => button.getAttribute('aria-pressed'))).toBe('true');
    await page.close();
  });

  test('what cannot be used is marked and named, and nothing runs', async () => {
    const { page } = await open('/operators/QM5?n=1.5&m=9.1e-31&L=2.5 s');
    await page.waitForSelector('#quantity-n[aria-invalid]');
    expect(await page.$eval('#quantity-n-help', (help) => help.textContent)).toContain('a whole number from 1');
    expect(await page.$eval('#quantity-L-help', (help) => help.textContent)).toContain('cannot be converted to m');
    await press(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('quantity-n');
    expect(await page.$('output[data-value]')).toBeNull();
    await page.close();
  });

  test('a comma that may stand between thousands is marked, the text stays, and nothing runs', async () => {
    const { page } = await open('/operators/QM5?n=1,000&m=9.1e-31&L=1,000');
    await page.waitForSelector('#quantity-n[aria-invalid]');
    expect(await page.$eval('#quantity-n', (field) => (field as HTMLInputElement).value)).toBe('1,000');
    expect(await page.$eval('#quantity-n-help', (help) => help.textContent)).toContain('without commas');
    expect(await page.$eval('#quantity-L-help', (help) => help.textContent)).toContain('write 1.0 or 1000.');
    await press(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('quantity-n');
    expect(await page.$('output[data-value]')).toBeNull();
    await page.close();
  });

  test('where a law has no value the reason is said', async () => {
    const { page } = await open('/operators/CEL14?T1=383.4 K&T2=394.7&D1=2.56&D2=2.56');
    await page.waitForSelector('.value-stage .notice-error');
    const words = await page.$eval('.value-stage .notice-error', (notice) => notice.textContent);
    expect(words).toContain('There is no value here.');
    expect(words).toContain('the divisor is 0');
    expect(await page.$('output[data-value]')).toBeNull();
    await fill(page, '#quantity-D2', '0.193');
    await page.waitForSelector('output[data-value]');
    await page.close();
  });

  test('an unknown operator is named with the nearest, and leads to the search', async () => {
    const { page } = await open('/operators/QM555');
    const notice = await page.waitForSelector('.notice-empty');
    expect(await notice?.evaluate((place) => place.textContent)).toContain('Did you mean QM5?');
    await (await page.waitForSelector('main a[href*="q=QM555"]'))?.click();
    await page.waitForSelector('.hits, .notice-empty');
    expect(placeOf(page)).toBe('/operators?q=QM555');
    await page.close();
  });

  test('a node that does not answer is said, and a second try works', async () => {
    const page = await session.browser.newPage();
    let isBroken = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (isBroken && request.url().includes('/api/svc/operators')) void request.abort();
      else void request.continue();
    });
    await page.goto(`${service.url}/operators?domain=QM`);
    await page.waitForSelector('.browse-content .notice-error');
    isBroken = false;
    await (await page.waitForSelector('.browse-content .notice-error button'))?.click();
    await page.waitForSelector('.hits');
    await (await page.waitForSelector('.browse-domains .notice-error button'))?.click();
    await page.waitForSelector('.tree');
    await page.close();
  });

  test('curl, TypeScript, MCP call and command hold what is on screen', async () => {
    const page = await session.browser.newPage();
    const copied = await keepCopies(page);
    await page.goto(`${service.url}/operators/QM5?n=3&m=9e-31&L=2.5 nm`);
    await page.waitForSelector('output[data-value]');
    const request = {
      domain: 'Quantum Mechanics',
      operators: ['QM5'],
      inputs: { n: 3, m: 9e-31, L: 2.5 },
      units: { L: 'nm' },
    };
    expect(await copied('curl')).toContain(`${service.url}/api/svc/compute`);
    expect(JSON.parse(await copied('MCP call')).params).toEqual({ name: 'svc_compute', arguments: request });
    expect(await copied('TypeScript')).toContain("fetch('");
    expect(await copied('CLI')).toBe("svc compute QM --operators QM5 n=3 m=9e-31 'L=2.5 nm'");
    await page.close();
  });

  test('every law of the registry is set as a formula, without a complaint', async () => {
    const { page, complaints } = await open('/operators');
    await page.waitForSelector('.tree');
    const domains = await page.$$eval('.tree-domain', (items) => items.map((item) => item.getAttribute('href') ?? ''));
    let count = 0;
    for (const address of domains) {
      await page.goto(`${service.url}${address}`);
      await page.waitForSelector('.hits math');
      count += await page.$$eval(
        '.hit-formula',
        (formulas) => formulas.filter((one) => one.querySelector('math')).length,
      );
    }
    const [total] = await page.evaluate(async () => [(await (await fetch('/api/svc/operators')).json()).operators]);
    expect(count).toBe(total);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
