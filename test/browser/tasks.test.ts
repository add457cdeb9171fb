// Ten tasks as a newcomer does them: from the home page, by what is written on the pages. Each has a limit of actions;
// the seconds are in bench/RESULTS.md.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEngine } from './browser.ts';
import { visitPortal } from './portal-visit.ts';
import { type Newcomer, newcomer } from './tasks/newcomer.ts';

const chrome = findEngine('chrome');

/** Of a task: what it took. */
interface Taken {
  readonly task: string;
  readonly actions: number;
  readonly limit: number;
  readonly seconds: number;
}

describe.skipIf(chrome === undefined)('ten tasks of a newcomer', () => {
  const portal = visitPortal();
  const folder = mkdtempSync(join(tmpdir(), 'svc-tasks-'));
  const taken: Taken[] = [];
  beforeAll(async () => {
    // A visitor of today has no key of yesterday.
    const { page } = await portal.open('/kernels/manifest.json');
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    for (const { task, actions, limit, seconds } of taken)
      console.log(`| ${task} | ${actions} | ${limit} | ${seconds.toFixed(1)} |`);
  });

  /** Does a task and asserts the limit. */
  function task(
    title: string,
    limit: number,
    steps: (visitor: Newcomer, copied: () => Promise<string>) => Promise<unknown>,
  ) {
    test(`${title}, in at most ${limit} actions`, async () => {
      const { page, errors } = await portal.open('/kernels/manifest.json', preparePage);
      const session = await page.createCDPSession();
      await session.send('Browser.setDownloadBehavior', {
        behavior: 'allow',
        downloadPath: folder,
        browserContextId: portal.session.context.id ?? '',
      });
      const start = performance.now();
      await page.goto(portal.service.url);
      const visitor = newcomer(page);
      await steps(visitor, () => page.evaluate(() => document.documentElement.dataset.copied ?? ''));
      taken.push({ task: title, actions: visitor.actions(), limit, seconds: (performance.now() - start) / 1000 });
      expect(visitor.actions()).toBeGreaterThan(1);
      expect(visitor.actions()).toBeLessThanOrEqual(limit);
      expect(errors).toEqual([]);
      await page.close();
    });
  }

  /** The content of a downloaded file, once it is complete. */
  async function saved(ending: string): Promise<string> {
    // The browser reserves the name with an empty file, which the complete one replaces.
    const find = () =>
      readdirSync(folder).find((name) => name.endsWith(ending) && statSync(join(folder, name)).size > 0);
    await expect.poll(find).toBeDefined();
    const path = join(folder, find() ?? '');
    const content = readFileSync(path, 'utf8');
    rmSync(path);
    return content;
  }

  task('a plate is solved and its field exported', 5, async ({ click, unfold, see }) => {
    await click('link', 'Simulate');
    await click('link', 'Hot spot on a plate');
    await see('bits equal');
    await unfold('Save Temperature');
    await click('button', 'CSV');
    const lines = (await saved('.csv')).trim().split('\n');
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.at(-1)?.split(',').length).toBeGreaterThan(60);
  });

  task('a law is computed with km/h and its receipt checked', 5, async ({ click, fill, choose, see }) => {
    await click('link', 'Laws');
    await fill('Find a law', 'kinetic energy');
    await click('link', 'Translational kinetic energy');
    await choose('Unit of v', 'km/h');
    await click('button', 'Compute on the server');
    await see('bits equal');
  });

  task('a contract is deployed and tripped', 6, async ({ click, fill, see }) => {
    await click('link', 'Contracts');
    await click('link', 'Circuit breaker');
    await fill('max failures', '1');
    await click('button', 'Deploy on a new machine');
    // The page of the template has a field of that name, too: its simulator.
    await see('Send an event');
    await fill('code', '503');
    await click('button', 'Send');
    await see('current open');
  });

  task('a pendulum runs with an event on the first try', 4, async ({ click, fill, see }) => {
    await click('link', 'Simulate');
    await click('link', /^Pendulum$/);
    await fill('Events', 'theta = 0 down');
    await see('Event 1, how often');
  });

  task('a sweep is drawn and its table saved', 5, async ({ click, fill, unfold, see }) => {
    await click('link', 'Laws');
    await fill('Find a law', 'Reynolds number');
    await click('link', 'Reynolds');
    await unfold('Draw this law against an input');
    await see(/\d+ points/);
    await click('button', 'Save the table as CSV');
    expect((await saved('.csv')).split('\n').length).toBeGreaterThan(20);
  });

  task('two runs are compared', 5, async ({ click, fill, see }) => {
    await click('link', 'Simulate');
    await click('link', 'A mug of coffee that cools');
    await click('button', 'Keep this result');
    await fill('End time', '3600');
    await see('t_end 3600');
  });

  task('a digit of a receipt is changed and the first difference shown', 5, async ({ click, drop, see }) => {
    await click('link', 'Simulate');
    await click('link', 'Hot spot on a plate');
    await click('button', 'receipt.json');
    const receipt = await saved('.json');
    // In a text editor.
    const changed = join(folder, 'changed.json');
    const [, value = ''] = /"value": ?(0\.\d+)/.exec(receipt) ?? [];
    writeFileSync(
      changed,
      receipt.replace(
        value,
        value.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
      ),
    );
    await click('link', 'Verify');
    await drop('Drop a receipt', changed);
    expect(await see('first difference')).toBeDefined();
    await see(value);
  });

  task('a law is found by everyday words and solved for another variable', 4, async ({ click, fill, choose, see }) => {
    await click('link', 'Laws');
    await fill('Find a law', 'how long to cool');
    await click('link', 'Newton');
    await choose('Find', 't, time');
    await see('t, all in its range, as proved');
  });

  task('a filed run is found again and its bits are equal', 6, async ({ click, fill, see }) => {
    await click('link', 'Simulate');
    await click('link', 'Hot spot on a plate');
    await click('button', 'File under Runs');
    await click('link', 'See your runs');
    await fill('Find a run', 'plate');
    await click('button', 'Check');
    await see('bits equal');
  });

  task('an operation is found in the reference and its curl copied', 4, async ({ click, fill }, copied) => {
    await click('link', 'API');
    await fill('Filter operations', 'heat');
    await click('link', 'POST');
    await click('button', 'Copy');
    expect(await copied()).toContain('curl');
  });
});

const preparePage = (page: import('puppeteer-core').Page) =>
  page.evaluateOnNewDocument(() => {
    navigator.clipboard.writeText = async (text) => {
      document.documentElement.dataset.copied = text;
    };
  });
