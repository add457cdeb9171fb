import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { complaintsOf, findEngine, openBrowser, type Session } from './browser.ts';
import { changeValue, fill, keepCopies, press, valueOn } from './gestures.ts';
import { openPortalService } from './portal-service.ts';

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('solving in the browser', () => {
  let service: RunningService;
  let session: Session;
  beforeAll(async () => {
    [service, session] = await Promise.all([openPortalService(), openBrowser('chrome', chrome ?? '')]);
  });
  afterAll(async () => {
    await session.close();
    await service.close();
  });

  async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await session.browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}${path}`);
    return { page, complaints };
  }
  test.each(['heat', 'schrodinger', 'evolve'])('%s: the browser and the server give the same bits', async (solver) => {
    const { page, complaints } = await open(`/solve/${solver}`);
    await page.waitForSelector('output[data-value]');
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    const hashes = await page.$$eval('.twin', (twins) =>
      twins.map((twin) => twin.textContent?.match(/SHA-256([0-9a-f ]+)/)?.[1]),
    );
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toMatch(/^([0-9a-f]{8} ?){8}$/);
    expect(hashes[0]).toBe(hashes[1]);
    expect(await page.$$eval('.stage canvas, .stage svg[role=img]', (pictures) => pictures.length)).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('operators join the equations on screen: the browser and the server give the same bits', async () => {
    const page = await session.browser.newPage();
    const complaints = complaintsOf(page);
    const copy = await keepCopies(page);
    const query = new URLSearchParams({
      equations: 'nu = E/h',
      operators: 'QM5',
      vars: 'n = 3; m = 9.1093837139e-31; L = 2.5e-9; h = 6.62607015e-34',
      units: 'h = J*s',
    });
    await page.goto(`${service.url}/solve/unified?${query}`);
    await page.waitForSelector('output[data-value]');
    expect(Number(await valueOn(page)) / (8.675521047412691e-20 / 6.62607015e-34)).toBeCloseTo(1, 13);
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    expect(await copy('TypeScript')).toContain('{ laws }');
    await fill(page, '#field-operators', 'QM999');
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('Did you mean QM9?');
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.close();
  });

  test('one bit changed on the way is seen, named, and not sealed', async () => {
    const page = await session.browser.newPage();
    await changeValue(page, '/api/svc/heat');
    await page.goto(`${service.url}/solve/heat?dim=1`);
    await press(page, 'Run');
    const verdict = await page.waitForSelector('.verdict-different');
    expect(await verdict?.evaluate((place) => place.textContent)).toContain('The first difference is value');
    expect(await page.$eval('[data-claim=statement]', (row) => row.className)).toContain('claim-bad');
    await page.close();
  });

  test('the address holds the experiment: opened again it gives the same value', async () => {
    const { page } = await open('/solve/heat');
    await page.waitForSelector('output[data-value]');
    const before = await valueOn(page);
    await fill(page, '#field-dim', '1');
    await fill(page, '#field-nx', '32');
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    expect(new URL(page.url()).search).toBe('?nx=32&dim=1');
    const value = await valueOn(page);
    expect(value).not.toBe(before);

    const again = await open('/solve/heat?nx=32&dim=1');
    await again.page.waitForSelector('output[data-value]');
    expect(await valueOn(again.page)).toBe(value);
    await Promise.all([page.close(), again.page.close()]);
  });

  test('a field out of its range is marked, named, and nothing runs', async () => {
    const { page } = await open('/solve/heat?nx=5000');
    await page.waitForSelector('#field-nx[aria-invalid]');
    expect(await page.$eval('#field-nx-help', (help) => help.textContent)).toContain('a whole number from 8 to 128');
    await press(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-nx');
    expect(await page.$('output[data-value]')).toBeNull();
    await page.close();
  });

  test('a comma that may stand between thousands is marked, the text stays, and nothing runs', async () => {
    const { page } = await open('/solve/evolve?steps=20%2C000');
    await page.waitForSelector('#field-steps[aria-invalid]');
    expect(await page.$eval('#field-steps-help', (help) => help.textContent)).toContain('"20,000"; a whole number');
    await press(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-steps');
    await fill(page, '#field-steps', '20');
    await page.waitForSelector('output[data-value]');
    const before = await valueOn(page);
    await fill(page, '#field-dtSim', '1,000');
    await page.waitForSelector('#field-dtSim[aria-invalid]');
    expect(await page.$eval('#field-dtSim-help', (help) => help.textContent)).toContain('may be 1 or 1000');
    expect(await page.$eval('#field-dtSim', (field) => (field as HTMLInputElement).value)).toBe('1,000');
    await press(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-dtSim');
    expect(await page.$('.verdict-equal')).toBeNull();
    expect(await valueOn(page)).toBe(before);
    await page.close();
  });

  test.each([320, 390, 1280])(
    'the longest number stands in one line, unbroken and in sight, at %d px',
    async (width) => {
      for (const path of ['/solve/unified', '/operators/QM5']) {
        const page = await session.browser.newPage();
        await page.setViewport({ width, height: 900 });
        await page.goto(`${service.url}${path}`);
        const output = await page.waitForSelector('output[data-value]');
        const longest = '−0.0000012345678901234567';
        const [lines = 0, overhang = 1] =
          (await output?.evaluate((place, text) => {
            place.textContent = text;
            const range = document.createRange();
            range.selectNodeContents(place);
            const { right } = place.closest('.readout')?.getBoundingClientRect() ?? { right: 0 };
            return [range.getClientRects().length, range.getBoundingClientRect().right - right];
          }, longest)) ?? [];
        expect([path, lines, overhang <= 0]).toEqual([path, 1, true]);
        await page.close();
      }
    },
  );

  test('one field that plays no part is one field', async () => {
    const { page } = await open('/solve/unified');
    const words = await page.waitForSelector('.unused summary');
    expect(await words?.evaluate((place) => place.textContent)).toBe('1 field plays no part here');
    await page.close();
  });

  test('what only the solver can refuse is shown in its words', async () => {
    const { page } = await open('/solve/heat?method=explicit&dt=1');
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('unstable');
    await page.close();
  });

  test('a long run shows itself on its way and can be cancelled', async () => {
    const { page } = await open('/solve/evolve?N=2000&steps=150000');
    // Too long to begin unasked.
    await page.waitForFunction(() => document.querySelector('.stage-idle')?.textContent?.includes('takes about'));
    await press(page, 'Run');
    await page.waitForSelector('.stage-running canvas.particles');
    await press(page, 'Cancel');
    await page.waitForSelector('.stage-idle');
    expect(await page.$eval('.stage-idle', (idle) => idle.textContent)).toContain('Cancelled');
    await page.close();
  });

  test('a worker that dies is said and replaced', async () => {
    const page = await session.browser.newPage();
    await page.setRequestInterception(true);
    let isBlocked = true;
    page.on('request', (request) => {
      if (isBlocked && /worker-.*\.js$/.test(request.url())) void request.abort();
      else void request.continue();
    });
    await page.goto(`${service.url}/solve/heat`);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('worker stopped');
    isBlocked = false;
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.close();
  });

  test('a kernel that the network holds back is said, and a second try works', async () => {
    const page = await session.browser.newPage();
    // The first fetch of a kernel fails in the worker; its script is the service's own in everything else.
    const breakFirst = `const own = self.fetch; let broken = false;
      self.fetch = (address, ...more) => {
        if (broken || !String(address).endsWith('.wasm')) return own(address, ...more);
        broken = true;
        return Promise.reject(new TypeError('held back'));
      };`;
    await page.setRequestInterception(true);
    page.on('request', async (request) => {
      if (!/worker-.*\.js$/.test(request.url())) return request.continue();
      const original = await fetch(request.url());
      const headers = { 'content-security-policy': original.headers.get('content-security-policy') ?? '' };
      return request.respond({ contentType: 'text/javascript', headers, body: breakFirst + (await original.text()) });
    });
    await page.goto(`${service.url}/solve/heat`);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('kernel could not be loaded');
    await press(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.close();
  });

  test('curl, TypeScript and MCP call hold the inputs on screen', async () => {
    const page = await session.browser.newPage();
    const copied = await keepCopies(page);
    await page.goto(`${service.url}/solve/heat?dim=1&nx=32`);
    await page.waitForSelector('.stage-done .charts');
    expect(await copied('curl')).toContain(`${service.url}/api/svc/heat`);
    expect(await copied('TypeScript')).toContain("import { heat } from 'svc/solvers/heat';");
    expect(JSON.parse(await copied('MCP call')).params).toEqual({ name: 'svc_heat', arguments: { nx: 32, dim: 1 } });
    expect(await copied('link')).toBe(`${service.url}/solve/heat?dim=1&nx=32`);
    await page.close();
  });
});
