// Pictures of every kind in a browser: what is drawn, its text alternatives, keyboard and widths.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { LiveRunner } from '../../../src/portal/worker/live-runner.ts';
import type { LiveFrame } from '../../../src/portal/worker/messages.ts';
import type { Plot } from '../../../src/solvers/plot.ts';
import { accessibilityOf } from '../../browser/accessibility.ts';
import { findEngine } from '../../browser/browser.ts';
import { clickButton, nextFrames } from '../../browser/page-actions.ts';
import { everyKind, PLOTS } from './every-kind.ts';
import { openPicturePage, type PicturePage } from './picture-page.ts';

const chrome = findEngine('chrome');

describe.skipIf(chrome === undefined)('pictures of a made-up solver', () => {
  let pictures: PicturePage;
  beforeAll(async () => {
    pictures = await openPicturePage(chrome ?? '');
  });
  afterAll(() => pictures.close());
  const open = (plots?: readonly Plot[]) => pictures.open(plots);
  const labels = (page: Page) =>
    page.$$eval('[role=img]', (images) => images.map((image) => image.getAttribute('aria-label') ?? ''));

  test('every plot is drawn under its title, with a text alternative', async () => {
    const { page, errors } = await open();
    const titles = await page.$$eval('.chart-title', (elements) => elements.map(({ textContent }) => textContent));
    expect(titles.toSorted()).toEqual(PLOTS.map(({ title }) => title).toSorted());
    expect(await page.$$eval('.picture-fault', (faults) => faults.map(({ textContent }) => textContent))).toEqual([]);
    const alternatives = await labels(page);
    for (const { title, kind } of PLOTS) {
      if (kind !== 'table')
        expect(
          alternatives.some((label) => label.startsWith(title)),
          title,
        ).toBe(true);
    }
    expect(errors).toEqual([]);
    await page.close();
  });

  test.each(['light', 'dark'])('all kinds together are accessible in the %s theme', async (theme) => {
    const { page } = await open();
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await nextFrames(page);
    const { violations, passes } = await accessibilityOf(page);
    expect(violations).toEqual([]);
    expect(passes).toBeGreaterThan(5);
    await page.close();
  });

  test.each([320, 400, 1280])('no picture is wider than a page of %d px', async (width) => {
    const { page } = await open();
    await page.setViewport({ width, height: 900 });
    await nextFrames(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.close();
  });

  test('events are named in the text alternative, at the pointer and, where there is room, in the saved drawing', async () => {
    const { page } = await open(PLOTS.filter(({ title }) => title === 'Curves with events'));
    const [label = ''] = await labels(page);
    expect(label).toMatch(
      /Events: both meet at x = −?-?0\.95 m; decay = 1 at x = −?-?0\.9 m; both meet at x = 0\.5 m\.$/,
    );
    const frame = await page.$eval('.u-over', (over) => {
      const { left, top, width, height } = over.getBoundingClientRect();
      return { left, top, width, height };
    });
    // The axis of x goes from −1 to 1; 0.5 stands at three quarters.
    await page.mouse.move(frame.left + 0.75 * frame.width, frame.top + frame.height / 2);
    await nextFrames(page);
    expect(await page.$eval('.tip-event', (line) => line.textContent)).toBe('both meet at x = 0.5 m');
    await page.mouse.move(frame.left + 0.6 * frame.width, frame.top + frame.height / 2);
    await nextFrames(page);
    expect(await page.$('.tip-event')).toBeNull();
    await page.close();
  });

  test('a phase path has a start and an end, and a section has one dot for each point', async () => {
    const { page } = await open(PLOTS.filter(({ kind }) => kind === 'phase'));
    expect(await page.$$eval('.mark-start, .mark-end', (dots) => dots.length)).toBe(2);
    const dots = await page.$eval('.mark-points', (path) => path.getAttribute('d')?.match(/M/g)?.length);
    expect(dots).toBe(120);
    expect(await labels(page)).toEqual([
      'Cycle: a path in the plane of prey and predator; prey from 1 to 3, predator from 1 to 3.',
      expect.stringMatching(/^Section: points in the plane/),
    ]);
    await page.close();
  });

  test('the limit of bars is a line at plus and minus it, and no bar', async () => {
    const { page } = await open([{ kind: 'bars', title: 'Within limits', y: ['profit'], limit: 'E' }]);
    expect(await page.$$eval('.bar', (rects) => rects.length)).toBe(3);
    const [zero = 0, ...heights] = await page.evaluate(() =>
      ['.zero', '.mark-line'].flatMap((selector) =>
        [...document.querySelectorAll(selector)].map((line) =>
          Number(/ ([\d.]+)/.exec(line.getAttribute('d') ?? '')?.[1]),
        ),
      ),
    );
    const [above = 0, below = 0] = heights;
    expect([heights.length, above < zero]).toEqual([2, true]);
    expect(above + below).toBeCloseTo(2 * zero, 0);
    await page.close();
  });

  test('bars stand on zero: their heights are in the ratio of the counts', async () => {
    const { page } = await open(PLOTS.filter(({ kind }) => kind === 'histogram'));
    const bars = await page.$$eval('.bar', (rects) =>
      rects.map((rect) => ['y', 'height'].map((name) => Number(rect.getAttribute(name)))),
    );
    expect(bars).toHaveLength(8);
    const [one = 0, four = 0] = bars.map(([, height]) => height);
    expect(four / one).toBeCloseTo(4, 6);
    const bottoms = bars.map(([y = 0, height = 0]) => Math.round(y + height));
    expect(new Set(bottoms).size).toBe(1);
    expect(await page.$('.mark-line.series-1')).not.toBeNull();
    await page.close();
  });

  test('a negative bar hangs below zero, beside the other bar of its category', async () => {
    const { page } = await open(PLOTS.filter(({ kind }) => kind === 'bars'));
    const bars = await page.$$eval('.bar', (rects) =>
      rects.map((rect) => ['x', 'y', 'height'].map((name) => Number(rect.getAttribute(name)))),
    );
    const [three = [], minusTwo = [], five = [], one = []] = bars;
    expect(minusTwo[1]).toBeCloseTo((three[1] ?? 0) + (three[2] ?? 0), 6);
    expect((five[2] ?? 0) / (minusTwo[2] ?? 1)).toBeCloseTo(2.5, 6);
    expect(one[0]).toBeGreaterThan(three[0] ?? 0);
    expect(one[0]).toBeLessThan(minusTwo[0] ?? 0);
    const texts = await page.$$eval('.svg-chart text', (elements) => elements.map(({ textContent }) => textContent));
    expect(texts).toEqual(expect.arrayContaining(['north', 'east', 'south']));
    await page.close();
  });

  test('a network draws nodes with colours, and edges with widths and a rim of a pixel, and names both', async () => {
    const { page } = await open(PLOTS.filter(({ title }) => title === 'Grid'));
    const fills = await page.$$eval('.network-node', (nodes) => nodes.map((node) => node.getAttribute('fill')));
    expect(new Set(fills).size).toBe(4);
    const widths = await page.$$eval('.network-edge', (edges) =>
      edges.map((edge) => Number(edge.getAttribute('stroke-width'))),
    );
    expect(widths).toEqual([6, 3, 2, 3, 6].map((width) => width + 2));
    expect(await labels(page)).toEqual([
      'Grid: 4 nodes and 5 edges; voltage from 1 to 1.3 V; flow from −2 to 2 MW; flow from −2 to 2 MW',
    ]);
    await page.close();
  });

  test('a long table shows its first rows, and more on request', async () => {
    const long: Plot = { kind: 'table', title: 'Sheet', columns: ['long'] };
    const { page } = await open([long]);
    expect(await page.$eval('.picture-fault', ({ textContent }) => textContent)).toBe(
      'Sheet cannot be drawn. The array long is missing.',
    );
    await page.evaluate(() => window.showPlots([{ kind: 'table', title: 'Cycle', columns: ['prey', 'predator'] }]));
    await nextFrames(page);
    const rowsOf = () => page.$$eval('tbody tr', (all) => all.map((row) => row.textContent));
    const rows = await rowsOf();
    expect(rows).toHaveLength(100);
    expect(rows[0]).toBe('32');
    await clickButton(page, 'Show 20 more of 120 rows');
    await nextFrames(page);
    expect(await rowsOf()).toHaveLength(120);
    expect(await page.$('button')).toBeNull();
    expect(await page.$$eval('thead th', (cells) => cells.map(({ textContent }) => textContent))).toEqual([
      'prey',
      'predator',
    ]);
    expect(await page.$eval('.number-table', (table) => (table as HTMLElement).tabIndex)).toBe(0);
    await page.close();
  });

  test('arrow keys move a slider, and the picture with it', async () => {
    const { page } = await open(PLOTS.filter(({ title }) => title === 'A sheet'));
    const pixels = () => page.$eval('canvas[role=img]', (canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const before = await pixels();
    await page.focus('input[type=range]');
    await page.keyboard.press('ArrowRight');
    await nextFrames(page);
    expect(await page.$eval('input[type=range]', (slider) => slider.getAttribute('aria-valuetext'))).toBe('0.5 s');
    expect(await labels(page)).toEqual(['A sheet: sheet from −4.999 to 5 K, over x and y at frame 2 of 5']);
    expect(await pixels()).not.toBe(before);
    await page.close();
  });

  test('particles turn by the arrow keys', async () => {
    const { page } = await open(PLOTS.filter(({ kind }) => kind === 'particles'));
    const pixels = () => page.$eval('canvas.particles', (canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const before = await pixels();
    await page.focus('canvas.particles');
    await page.keyboard.press('ArrowRight');
    await nextFrames(page);
    expect(await pixels()).not.toBe(before);
    expect(await labels(page)).toEqual([expect.stringContaining('A flock: 8 particles in a box.')]);
    await page.close();
  });

  test('a state that is selected in the list is highlighted in the diagram', async () => {
    const { page } = await open(PLOTS.filter(({ kind }) => kind === 'levels'));
    await page.click('.level-row:nth-of-type(3) input');
    await nextFrames(page);
    expect(await labels(page)).toEqual(['States: 3 states; state 2 highlighted']);
    expect(await page.$$eval('.wave', (waves) => waves.map((wave) => wave.classList.contains('is-selected')))).toEqual([
      false,
      false,
      true,
    ]);
    expect(await page.$$eval('.level-error', (errors) => errors.map(({ textContent }) => textContent))).toEqual([
      '± 0.000001',
      '± 0.000002',
      '± 0.000003, not bound',
    ]);
    await page.close();
  });

  test('live frames of the record are drawn while a run is in progress', async () => {
    const input = everyKind.inputs.parse({ dim: 1, nx: 16, steps: 60, lx: 3 });
    const [run] = everyKind.plan(input).runs;
    if (!run || !everyKind.live) throw new Error('The made-up solver has no run or no live frames.');
    const frames: LiveFrame[] = [];
    let ms = 0;
    const { now } = performance;
    performance.now = () => {
      ms += 100;
      return ms;
    };
    try {
      await new LiveRunner(everyKind.live, input, (frame) => frames.push(frame)).run(await loadKernel('heat'), run, {
        deadlineMs: 1e9,
      });
    } finally {
      performance.now = now;
    }
    expect(frames.length).toBeGreaterThan(20);
    const { page, errors } = await open([]);
    const heights: number[] = [];
    for (const frame of [frames[0], frames.at(-1)]) {
      if (!frame) continue;
      const plain = { ...frame, arrays: frame.arrays.map((one) => ({ ...one, data: [...one.data] })) };
      await page.evaluate((live) => window.showFrame(live), plain);
      await nextFrames(page);
      heights.push(
        await page.$$eval('.bar', (bars) => Math.max(...bars.map((bar) => Number(bar.getAttribute('height'))))),
      );
      expect(await page.$$eval('.bar', (bars) => bars.length)).toBe(17);
    }
    expect(await page.$eval('.chart-title', ({ textContent }) => textContent)).toBe('Cells of 3 m');
    expect(heights).toHaveLength(2);
    expect(errors).toEqual([]);
    await page.close();
  });
});
