import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { SOLVERS } from '../../src/solvers/index.ts';
import { SUBJECTS } from '../../src/solvers/subject.ts';
import { runSolver } from '../suites/run-solver.ts';
import { collectErrors, findEngine } from './browser.ts';
import { captureClipboard, choose, clickButton, fill, paste, readValue, tamperWithValue } from './page-actions.ts';
import { visitPortal } from './portal-visit.ts';

const chrome = findEngine('chrome');

/** golden.test.ts compares all bits in both engines; here every third solver is clicked, in the slow suite all. */
const WITH_FIXED_CHAIN = SOLVERS.filter(({ open }) => open === undefined).filter(
  (_, i) => process.env.SVC_SLOW === '1' || i % 3 === 0,
);
interface Proxy {
  readonly url: string;
  /** Of all requests, in their order. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

describe.skipIf(chrome === undefined)('solving in the browser', () => {
  const portal = visitPortal();
  const { open } = portal;

  test.each(WITH_FIXED_CHAIN)('$id: the browser and the server give the same bits', async (solver) => {
    const { page, errors } = await open(`/solve/${solver.id}`);
    // A solver whose limit is long, such as sat, does not start by itself.
    await page.waitForFunction(
      () =>
        document.querySelector('output[data-value]') !== null ||
        document.querySelector('.stage-idle')?.textContent?.includes('takes about'),
    );
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    const hashes = await page.$$eval('.twin', (twins) =>
      twins.map((twin) => twin.textContent?.match(/SHA-256([0-9a-f ]+)/)?.[1]),
    );
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toMatch(/^([0-9a-f]{8} ?){8}$/);
    expect(hashes[0]).toBe(hashes[1]);
    const pictures = await page.$$eval('.stage canvas, .stage svg[role=img]', (found) => found.length);
    const { plots } = await runSolver(solver, {});
    expect(pictures).toBeGreaterThanOrEqual(Math.min(2, plots.length));
    expect(errors).toEqual([]);
    await page.close();
  });

  test('with operators beside the equations, the browser and the server give the same bits', async () => {
    const page = await portal.session.context.newPage();
    const errors = collectErrors(page);
    const copy = await captureClipboard(page);
    const query = new URLSearchParams({
      equations: 'nu = E/h',
      operators: 'QM5',
      vars: 'n = 3; m = 9.1093837139e-31; L = 2.5e-9; h = 6.62607015e-34',
      units: 'h = J*s',
    });
    await page.goto(`${portal.service.url}/solve/unified?${query}`);
    await page.waitForSelector('output[data-value]');
    expect(Number(await readValue(page)) / (8.675521047412691e-20 / 6.62607015e-34)).toBeCloseTo(1, 13);
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    expect(await copy('TypeScript')).toContain('{ laws }');
    await fill(page, '#field-operators', 'QM999');
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('Did you mean QM9?');
    expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
    await page.close();
  });

  test('a bit changed in transit is detected, located and fails the statement', async () => {
    const page = await portal.session.context.newPage();
    await tamperWithValue(page, '/api/svc/heat');
    await page.goto(`${portal.service.url}/solve/heat?dim=1`);
    await clickButton(page, 'Run');
    const verdict = await page.waitForSelector('.verdict-different');
    expect(await verdict?.evaluate((element) => element.textContent)).toContain('The first difference is in value');
    expect(await page.$eval('[data-claim=statement]', (row) => row.className)).toContain('claim-bad');
    await page.close();
  });

  test('the URL contains the experiment and restores the same value', async () => {
    const { page } = await open('/solve/heat');
    await page.waitForSelector('output[data-value]');
    const before = await readValue(page);
    await choose(page, 'dim', '1');
    await fill(page, '#field-nx', '32');
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    expect(new URL(page.url()).search).toBe('?nx=32&dim=1');
    const value = await readValue(page);
    expect(value).not.toBe(before);

    const again = await open('/solve/heat?nx=32&dim=1');
    await again.page.waitForSelector('output[data-value]');
    expect(await readValue(again.page)).toBe(value);
    await Promise.all([page.close(), again.page.close()]);
  });

  test('what changed inputs leave on screen is not offered as their result', async () => {
    const { page } = await open('/solve/heat?dim=1');
    await page.waitForSelector('output[data-value]');
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    const state = () =>
      page.evaluate(() => ({
        notes: document.querySelectorAll('.stale-note').length,
        isInert: [...document.querySelectorAll('.stage-content, .comparison')].map(
          (part) => (part as HTMLElement).inert,
        ),
        files: document.querySelectorAll('[aria-label="Save the result"] button').length,
      }));
    expect(await state()).toEqual({ notes: 0, isInert: [false, false], files: 4 });
    await fill(page, '#field-lx', '5 kg');
    await page.waitForSelector('#field-lx[aria-invalid]');
    expect(await page.$eval('#field-lx-help', (help) => help.textContent)).toContain('kg cannot be converted');
    expect(await state()).toEqual({ notes: 2, isInert: [true, true], files: 0 });
    await fill(page, '#field-lx', '50 cm');
    expect(await page.$eval('#field-lx-unit', (unit) => unit.textContent)).toBe('= 0.5 m');
    await page.waitForSelector('.stage-content:not([inert])');
    expect(await state()).toEqual({ notes: 0, isInert: [false, false], files: 3 });
    expect(new URL(page.url()).searchParams.get('lx')).toBe('50 cm');
    // A slider changes the number, which is computed where it rests.
    await page.focus('.field:has(#field-alpha) .field-slider');
    await page.keyboard.press('ArrowRight');
    expect(await page.$eval('#field-alpha', (field) => (field as HTMLInputElement).value)).toBe('1.02');
    await page.waitForSelector('.stage-content:not([inert])');
    expect(new URL(page.url()).searchParams.get('alpha')).toBe('1.02');
    await page.close();
  });

  test('a unit is chosen beside the number, before or after it is typed, and one that is typed is chosen', async () => {
    const { page, errors } = await open('/solve/heat?dim=1');
    const unit = '.field:has(#field-lx) select';
    const state = async () => ({
      text: await page.$eval('#field-lx', (field) => (field as HTMLInputElement).value),
      unit: await page.$eval(unit, (select) => (select as HTMLSelectElement).value),
      search: new URL(page.url()).searchParams.get('lx'),
    });
    await page.waitForSelector('output[data-value]');
    expect(await state()).toEqual({ text: '1', unit: 'm', search: null });
    await page.select(unit, 'mm');
    expect(await state()).toEqual({ text: '1', unit: 'mm', search: '1 mm' });
    await fill(page, '#field-lx', '250');
    expect(await state()).toEqual({ text: '250', unit: 'mm', search: '250 mm' });
    expect(await page.$eval('#field-lx-unit', (said) => said.textContent)).toBe('= 0.25 m');
    await fill(page, '#field-lx', '3 km');
    expect(await state()).toEqual({ text: '3 km', unit: 'km', search: '3 km' });
    await page.keyboard.press('Tab');
    expect(await state()).toEqual({ text: '3', unit: 'km', search: '3 km' });
    // Of an empty field, the unit waits for its number.
    await page.select('.field:has(#field-t_end) select', 'ms');
    await fill(page, '#field-t_end', '20');
    expect(new URL(page.url()).searchParams.get('t_end')).toBe('20 ms');
    // What is no number is quoted as it was typed.
    await fill(page, '#field-lx', '1,500');
    expect(await page.$eval('#field-lx-help', (help) => help.textContent)).toContain('which may be 1.5 or 1500');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('what a solver refuses stands at the field that it names; Run goes there, and nothing typed is lost', async () => {
    const { page, errors } = await open('/solve/heat?dim=1&method=explicit&dt=0.5&steps=4');
    await page.waitForSelector('#field-dt[aria-invalid]');
    const help = () => page.$eval('#field-dt-help', (text) => text.textContent);
    expect(await help()).toMatch(/^dt is 0\.5 s; the explicit scheme is stable up to [\d.e-]+ s/);
    // What is refused while somebody types takes no focus.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('');
    await clickButton(page, 'Run');
    await page.waitForFunction(() => document.activeElement?.id === 'field-dt');
    expect(await page.$eval('#field-dt', (field) => (field as HTMLInputElement).value)).toBe('0.5');
    await fill(page, '#field-dt', '1e-5');
    await page.waitForFunction(() => document.querySelector('#field-dt[aria-invalid]') === null);
    await page.waitForSelector('output[data-value]');
    expect(await page.$('.stage .notice-error')).toBeNull();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('toggles take arrow keys, and what they leave out is folded', async () => {
    const { page, errors } = await open('/solve/wave');
    await page.waitForSelector('output[data-value]');
    await page.focus('#field-mode-membrane');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.fields > #field-polarization');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-mode-maxwell');
    expect(new URL(page.url()).search).toBe('?mode=maxwell');
    expect(await page.$eval('#field-mode', (group) => group.getAttribute('role'))).toBe('radiogroup');
    expect(await page.$eval('#field-eps', (field) => field.checkVisibility())).toBe(true);
    await choose(page, 'mode', 'membrane');
    await page.waitForSelector('.folded #field-eps');
    expect(await page.$eval('#field-eps', (field) => field.checkVisibility())).toBe(false);
    // What is filled moves out when its part is folded.
    await fill(page, '#field-damping', '0.4');
    await page.$eval('#field-damping', (field) => field.closest('details')?.querySelector('summary')?.click());
    await page.waitForSelector('.solve-form .inputs > .fields #field-damping');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a field out of range is marked with a message, and nothing runs', async () => {
    const { page } = await open('/solve/heat?nx=5000');
    await page.waitForSelector('#field-nx[aria-invalid]');
    expect(await page.$eval('#field-nx-help', (help) => help.textContent)).toContain('a whole number from 8 to 128');
    await clickButton(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-nx');
    expect(await page.$('output[data-value]')).toBeNull();
    await page.close();
  });

  test('an ambiguous comma is marked, the text is kept, and nothing runs', async () => {
    const { page } = await open('/solve/evolve?steps=20%2C000');
    await page.waitForSelector('#field-steps[aria-invalid]');
    expect(await page.$eval('#field-steps-help', (help) => help.textContent)).toContain('"20,000"; a whole number');
    await clickButton(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-steps');
    await paste(page, '#field-steps', '20');
    await page.waitForSelector('.stage-done:not(:has(.stale-note)) output[data-value]');
    const before = await readValue(page);
    await paste(page, '#field-dtSim', '1,000');
    await page.waitForSelector('#field-dtSim[aria-invalid]');
    expect(await page.$eval('#field-dtSim-help', (help) => help.textContent)).toContain('may be 1 or 1000');
    expect(await page.$eval('#field-dtSim', (field) => (field as HTMLInputElement).value)).toBe('1,000');
    await clickButton(page, 'Run');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-dtSim');
    expect(await page.$('.verdict-equal')).toBeNull();
    expect(await readValue(page)).toBe(before);
    // The part that is open stays open while the field is mended.
    await paste(page, '#field-dtSim', '0.002');
    await page.waitForSelector('#field-dtSim:not([aria-invalid])');
    expect(await page.$eval('#field-dtSim', (field) => field.checkVisibility())).toBe(true);
    await page.close();
  });

  test.each([320, 390, 1280])('the longest number fits on one line at %d px', async (width) => {
    for (const path of ['/solve/unified', '/operators/QM5']) {
      const page = await portal.session.context.newPage();
      await page.setViewport({ width, height: 900 });
      await page.goto(`${portal.service.url}${path}`);
      const output = await page.waitForSelector('output[data-value]');
      const longest = '−0.0000012345678901234567';
      const [lines = 0, overhang = 1] =
        (await output?.evaluate((element, text) => {
          element.textContent = text;
          const range = document.createRange();
          range.selectNodeContents(element);
          const { right } = element.closest('.readout')?.getBoundingClientRect() ?? { right: 0 };
          return [range.getClientRects().length, range.getBoundingClientRect().right - right];
        }, longest)) ?? [];
      expect([path, lines, overhang <= 0]).toEqual([path, 1, true]);
      await page.close();
    }
  });

  test('a single unused field is counted in the singular', async () => {
    const { page } = await open('/solve/unified');
    const summary = await page.waitForSelector('.folded:last-of-type summary');
    expect(await summary?.evaluate((element) => element.textContent)).toBe('1 unused field');
    await page.close();
  });

  test('an error of the solver is shown with its message', async () => {
    const { page } = await open('/solve/heat?method=explicit&dt=1');
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('unstable');
    await page.close();
  });

  test('a long run shows live frames and can be cancelled', async () => {
    const { page } = await open('/solve/evolve?N=2000&steps=150000');
    // Too long to start automatically.
    await page.waitForFunction(() => document.querySelector('.stage-idle')?.textContent?.includes('takes about'));
    await clickButton(page, 'Run');
    await page.waitForSelector('.stage-running canvas.particles');
    await clickButton(page, 'Cancel');
    await page.waitForSelector('.stage-idle');
    expect(await page.$eval('.stage-idle', (idle) => idle.textContent)).toContain('Cancelled');
    await page.close();
  });

  test('a worker crash is reported, and the worker is replaced', async () => {
    const page = await portal.session.context.newPage();
    // The script of the first workers is missing. Blocking requests instead lets later workers wait for ever at times.
    await page.evaluateOnNewDocument(() => {
      const OriginalWorker = Worker;
      globalThis.Worker = class extends OriginalWorker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(document.documentElement.dataset.working === undefined ? '/assets/missing.js' : url, options);
        }
      };
    });
    await page.goto(`${portal.service.url}/solve/heat`);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('worker stopped');
    await page.evaluate(() => {
      document.documentElement.dataset.working = '';
    });
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.close();
  });

  test('a failed kernel fetch is reported, and a retry succeeds', async () => {
    const page = await portal.session.context.newPage();
    const proxy = await openProxy(portal.service.url, { text: '.wasm', count: 1 });
    await page.goto(`${proxy.url}/solve/heat`);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('kernel could not be loaded');
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.close();
    await proxy.close();
  });

  test('a page loads the code of its solver only, and a receipt that of its own', async () => {
    const proxy = await openProxy(portal.service.url);
    const page = await portal.session.context.newPage();
    const loaded = (part: string) =>
      new Set(proxy.paths.flatMap((path) => new RegExp(`/${part}(\\w+)[-.]`).exec(path)?.[1] ?? []));
    await page.goto(`${proxy.url}/solve/schrodinger`);
    await page.waitForSelector('.stage-done .charts');
    expect([...loaded('assets/solver-')]).toEqual(['schrodinger']);
    expect([...loaded('assets/solvers-[\\w-]+/')]).toEqual(['index', 'schrodinger']);
    expect(proxy.paths.filter((path) => path.includes('/verification-'))).toEqual([]);

    await page.goto(`${proxy.url}/verify`);
    await (await page.waitForSelector('.verify-sample button'))?.click();
    await page.waitForSelector('[data-verdict=good]');
    expect([...loaded('assets/solver-')]).toEqual(['schrodinger', 'heat']);
    await page.close();
    await proxy.close();
  });

  test('solvers are found by typing, and chosen with the keyboard', async () => {
    const { page, errors } = await open('/solve/heat?nx=32');
    await page.waitForSelector('.stage-done');
    const texts = (selector: string) => page.$$eval(selector, (all) => all.map((one) => one.textContent));
    const focus = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? document.activeElement?.id);
    expect(await texts('.solver-count')).toEqual([
      `${SOLVERS.length} solvers in ${new Set(SOLVERS.map(({ subject }) => subject)).size} subjects`,
    ]);
    expect(await texts('.solver-subject')).toEqual(
      SUBJECTS.filter((subject) => SOLVERS.some((solver) => solver.subject === subject)),
    );
    await page.type('#solver-term', 'DYNAMICS atoms');
    expect(await texts('.solver-count')).toEqual([`1 of ${SOLVERS.length} solvers`]);
    expect(await texts('.solver-link')).toEqual(['Molecular dynamics of Lennard-Jones atoms and chains']);
    // The experiment on screen stays.
    expect(new URL(page.url()).search).toBe('?nx=32');
    expect(await page.$eval('#field-nx', (field) => (field as HTMLInputElement).value)).toBe('32');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.stage-done .particles');
    expect(new URL(page.url()).pathname).toBe('/solve/evolve');
    expect(await focus()).toBe('main');

    await fill(page, '#solver-term', 'xyzzy');
    expect(await texts('.solver-list .notice-title')).toEqual(['No solver matches xyzzy.']);
    expect(await texts('.solver-count')).toEqual([`0 of ${SOLVERS.length} solvers`]);
    await clickButton(page, 'Show all');
    expect(await texts('.solver-link')).toHaveLength(SOLVERS.length);
    const shown = await page.$$eval('.solver-link', (links) => links.map((link) => link.getAttribute('href')));
    const firstShown = shown[0];
    await page.focus('#solver-term');
    await page.keyboard.press('ArrowDown');
    expect(await focus()).toBe(firstShown);
    await page.keyboard.press('End');
    expect(await focus()).toBe(shown.at(-1));
    await page.keyboard.press('ArrowUp');
    expect(await focus()).toBe(shown.at(-2));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    expect(await focus()).toBe('solver-term');
    // All links are one tab stop.
    await page.keyboard.press('Tab');
    expect(await focus()).toBe('/solve/evolve');
    await page.keyboard.press('Tab');
    expect(await focus()).toBe('/solve/evolve?steps=1000');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('h1')?.textContent?.startsWith('Heat'));
    expect(await page.$eval('#field-nx', (field) => (field as HTMLInputElement).value)).toBe('32');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('in a narrow window the list is folded, and folds again when a solver is chosen', async () => {
    const { page } = await open('/solve');
    await page.setViewport({ width: 400, height: 900 });
    await page.waitForSelector('.stage-done');
    const isOpen = () => page.$eval('.solver-list', (list) => (list as HTMLDetailsElement).open);
    expect(await isOpen()).toBe(false);
    await page.click('.solver-list > summary');
    await page.click('.solver-link[href="/solve/schrodinger"]');
    await page.waitForSelector('.levels-diagram');
    expect(await isOpen()).toBe(false);
    await page.goto(`${portal.service.url}/solve/nothing`);
    await page.waitForSelector('.solver-link');
    expect(await isOpen()).toBe(true);
    await page.close();
  });

  test('code of a solver that cannot be fetched is reported, and a retry succeeds', async () => {
    const page = await portal.session.context.newPage();
    const proxy = await openProxy(portal.service.url, { text: '/solver-heat-', count: 1 });
    await page.goto(`${proxy.url}/solve/heat`);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain(
      'script of this page could not',
    );
    await clickButton(page, 'Run');
    await page.waitForSelector('.verdict-equal');
    await page.close();
    await proxy.close();
  });

  test('curl, TypeScript and MCP snippets contain the inputs on screen', async () => {
    const page = await portal.session.context.newPage();
    const copy = await captureClipboard(page);
    await page.goto(`${portal.service.url}/solve/heat?dim=1&nx=32`);
    await page.waitForSelector('.stage-done .charts');
    expect(await copy('curl')).toContain(`${portal.service.url}/api/svc/heat`);
    expect(await copy('TypeScript')).toContain("import { heat } from 'svc/solvers/heat';");
    expect(JSON.parse(await copy('MCP call')).params).toEqual({ name: 'svc_heat', arguments: { nx: 32, dim: 1 } });
    expect(await copy('link')).toBe(`${portal.service.url}/solve/heat?dim=1&nx=32`);
    await page.close();
  });
});

/**
 * A server that forwards requests to `target`, and answers 503 to the first `count` of those whose path has `text`.
 * Requests of workers are seen and refused here, since intercepting them lets a worker wait for ever at times.
 */
async function openProxy(target: string, refused?: { readonly text: string; readonly count: number }): Promise<Proxy> {
  const paths: string[] = [];
  let refusals = 0;
  const server = createServer((incoming, response) => {
    const { method, headers, url = '/' } = incoming;
    paths.push(url);
    if (refused && url.includes(refused.text) && refusals < refused.count) {
      refusals++;
      response.writeHead(503).end();
      return;
    }
    const forwarded = request(new URL(url, target), { ...(method ? { method } : {}), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, paths, close };
}
