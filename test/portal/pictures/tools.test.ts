// Uses of a picture by a person: read values, hide curves, zoom, cut, save.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gifOf } from '../../../src/portal/pictures/gif.ts';
import type { Plot } from '../../../src/solvers/plot.ts';
import { findEngine } from '../../browser/browser.ts';
import { clickButton, nextFrames } from '../../browser/page-actions.ts';
import { ARRAYS, PLOTS } from './every-kind.ts';
import { openPicturePage, type PicturePage } from './picture-page.ts';

const chrome = findEngine('chrome');
const titled = (title: string): readonly Plot[] => PLOTS.filter((plot) => plot.title === title);

/** Moves the pointer to a place inside an element, in shares of its size from the left and the top. */
async function point(page: Page, selector: string, across: number, down: number): Promise<void> {
  const box = await (await page.waitForSelector(selector))?.boundingBox();
  if (!box) throw new Error(`${selector} is not drawn.`);
  await page.mouse.move(box.x + across * box.width, box.y + down * box.height);
  await nextFrames(page);
}

const tip = (page: Page) => page.$$eval('.tip p', (lines) => lines.map(({ textContent }) => textContent));

/** The content of the file that a press of a button of the menu saves. */
async function saved(page: Page, format: string): Promise<Uint8Array> {
  await page.evaluate(() => {
    URL.createObjectURL = (blob) => {
      Object.assign(window, { saved: blob });
      return 'data:,';
    };
    HTMLAnchorElement.prototype.click = () => {};
    Object.assign(window, { saved: undefined });
  });
  await page.click('.save-menu > summary');
  await clickButton(page, format);
  await page.waitForFunction(() => (window as { saved?: Blob }).saved !== undefined);
  const bytes = await page.evaluate(async () => [...((await (window as { saved?: Blob }).saved?.bytes()) ?? [])]);
  return Uint8Array.from(bytes);
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The frames of an animated picture, as the browser reads them. */
async function framesOf(page: Page, bytes: Uint8Array) {
  const frames = await page.evaluate(
    async (data) => {
      const decoder = new ImageDecoder({ type: 'image/gif', data: Uint8Array.from(data) });
      await decoder.tracks.ready;
      const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
      const found: { width: number; height: number; duration: number; pixels: number[] }[] = [];
      for (let frameIndex = 0; frameIndex < count; frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0);
        const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        const { width, height } = canvas;
        found.push({ width, height, duration: image.duration ?? 0, pixels: [...pixels] });
        image.close();
      }
      decoder.close();
      return found;
    },
    [...bytes],
  );
  return frames;
}

describe.skipIf(chrome === undefined)('tools of pictures', () => {
  let pictures: PicturePage;
  beforeAll(async () => {
    pictures = await openPicturePage(chrome ?? '');
  });
  afterAll(() => pictures.close());

  test('a chart tells the values under the pointer, and by the arrow keys', async () => {
    const { page } = await pictures.open(titled('Two curves'));
    expect(await tip(page)).toEqual([]);
    await point(page, '.u-over', 0.5, 0.5);
    expect(await tip(page)).toEqual(['x = 0 m', 'decay 0.135335 K', 'growth 0.47619 K']);
    await page.mouse.move(0, 0);
    await nextFrames(page);
    expect(await tip(page)).toEqual([]);
    await page.focus('.chart-frame');
    for (const _ of [1, 2]) await page.keyboard.press('ArrowRight');
    await nextFrames(page);
    expect(await tip(page)).toEqual(['x = −0.9 m', 'decay 0.818731 K', 'growth 0.047619 K']);
    await page.close();
  });

  test('a curve that is pressed in the legend is gone, from the tip too, and comes back', async () => {
    const { page } = await pictures.open(titled('Two curves'));
    await clickButton(page, 'decay');
    await point(page, '.u-over', 0.5, 0.5);
    expect(await tip(page)).toEqual(['x = 0 m', 'growth 0.47619 K']);
    expect(textOf(await saved(page, 'SVG')).match(/M[\d.]+ [\d.]+L/g)).toHaveLength(1);
    await clickButton(page, 'decay');
    await point(page, '.u-over', 0.5, 0.6);
    expect(await tip(page)).toHaveLength(3);
    await page.close();
  });

  test('a dragged part fills the chart until the zoom is reset', async () => {
    const { page } = await pictures.open(titled('Two curves'));
    expect(await page.$('::-p-text(Reset zoom)')).toBeNull();
    await point(page, '.u-over', 0.25, 0.5);
    await page.mouse.down();
    await point(page, '.u-over', 0.75, 0.5);
    await page.mouse.up();
    await clickButton(page, 'Reset zoom');
    await nextFrames(page);
    expect(await page.$('::-p-text(Reset zoom)')).toBeNull();
    await point(page, '.u-over', 0, 0.5);
    expect((await tip(page))[0]).toBe('x = −1 m');
    await page.close();
  });

  test('a map tells the value under the pointer; a click shows the cuts through it', async () => {
    const { page } = await pictures.open(titled('A sheet'));
    // The corner of the first row and column, whose value is cos 0.
    await point(page, '.field-map-frame canvas', 0.01, 0.99);
    expect(await tip(page)).toEqual(['sheet = 1 K', 'x = −1 m', 'y = 0 m', 'Click for the cuts through here']);
    await page.mouse.down();
    await page.mouse.up();
    await nextFrames(page);
    const titles = await page.$$eval('.field-cuts .chart-title', (all) => all.map(({ textContent }) => textContent));
    expect(titles).toEqual(['Cut at y = 0 m', 'Cut at x = −1 m']);
    const labels = await page.$$eval('.field-cuts [role=img]', (all) =>
      all.map((one) => one.getAttribute('aria-label')),
    );
    expect(labels[0]).toBe(
      `Cut at y = 0 m: sheet from 1 K to ${Number(Math.cos(20 / 17).toPrecision(4))} K, over x up to 1 m.`,
    );
    await clickButton(page, 'Hide the cuts');
    await nextFrames(page);
    expect(await page.$('.field-cuts')).toBeNull();
    await page.close();
  });

  test('the keyboard moves the probe of a map and cuts there', async () => {
    const { page } = await pictures.open(titled('A sheet'));
    await page.focus('.field-map-frame canvas');
    await page.keyboard.press('ArrowRight');
    await nextFrames(page);
    expect((await tip(page)).slice(1, 3)).toEqual(['x = 0.1 m', 'y = 0.5 m']);
    await page.keyboard.press('Enter');
    await nextFrames(page);
    expect(await page.$$('.field-cuts .chart')).toHaveLength(2);
    await page.close();
  });

  test('colours span all times or this one', async () => {
    const { page } = await pictures.open(titled('A sheet'));
    const scale = () => page.$$eval('.field-scale-tick', (all) => all.map(({ textContent }) => textContent));
    const all = await scale();
    await page.select('.picture-choice select', 'frame');
    await nextFrames(page);
    expect(all.at(-1)).toBe('4');
    expect((await scale()).at(-1)).toBe('1.0');
    await page.close();
  });

  test('a logarithmic axis is offered to positive curves over decades only', async () => {
    const { page } = await pictures.open([
      { kind: 'line', title: 'Decay', x: 'x', y: ['decay'] },
      { kind: 'line', title: 'States', x: 'x', y: ['psi'] },
    ]);
    expect(await page.$$('::-p-aria([name="log"][role="button"])')).toHaveLength(1);
    await clickButton(page, 'log');
    await nextFrames(page);
    const ticks = textOf(await saved(page, 'SVG')).match(/>10[⁻⁰¹²]+</g);
    expect(ticks).toEqual(['>10⁻¹<', '>10⁰<']);
    await page.close();
  });

  test('points tell where they are, bars and bins their values', async () => {
    const { page } = await pictures.open(PLOTS.filter(({ kind }) => ['phase', 'histogram', 'bars'].includes(kind)));
    await point(page, '.chart:nth-of-type(1) .mark-start', 0.5, 0.5);
    expect(await tip(page)).toEqual(['prey = 3', 'predator = 2']);
    await point(page, '.bar:nth-of-type(2)', 0.5, 0.99);
    expect(await tip(page)).toEqual(['0.25 to 0.5 m', 'counts 4', 'theory 5.31779']);
    const balance = await page.$$('.chart');
    expect(balance).toHaveLength(4);
    await page.close();
  });

  test.each(PLOTS.filter(({ kind }) => kind !== 'table').map((plot) => [plot.title, plot] as const))(
    '%s is saved as vector graphics with its title and its own looks, and as pixels',
    async (title, plot) => {
      const { page, errors } = await pictures.open([plot]);
      const svg = textOf(await saved(page, 'SVG'));
      expect(svg).toMatch(/^<\?xml/);
      expect(svg).not.toMatch(/class=|style=|var\(|NaN/);
      const marks = await page.evaluate((text) => {
        const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
        return {
          texts: [...documentElement.querySelectorAll('text')].map(({ textContent }) => textContent),
          drawn: documentElement.querySelectorAll('path, image, rect, circle').length,
        };
      }, svg);
      expect(marks.texts[0]).toContain(title);
      expect(marks.drawn).toBeGreaterThan(1);
      const png = await saved(page, 'PNG');
      expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test('a label that the page breaks is broken in a saved file too, and ends inside of it', async () => {
    const { page } = await pictures.open(titled('A sheet'));
    await page.$eval('.field-scale-label', (label) => label.replaceChildren('temperature [K]'));
    const svg = textOf(await saved(page, 'SVG'));
    const { texts, beyond } = await page.evaluate((text) => {
      const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
      const root = document.body.appendChild(documentElement) as unknown as SVGSVGElement;
      const all = [...root.querySelectorAll('text')];
      const frame = root.getBoundingClientRect();
      const outside = all.filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < frame.left - 1 || right > frame.right + 1;
      });
      return {
        texts: all.map(({ textContent }) => textContent),
        beyond: outside.map(({ textContent }) => textContent),
      };
    }, svg);
    expect(texts).toEqual(expect.arrayContaining(['temperature', '[K]']));
    expect(beyond).toEqual([]);
    await page.close();
  });

  test('frames of few colours come out of a moving file as they went in', async () => {
    const { page } = await pictures.open(titled('Two curves'));
    const [width, height] = [331, 97];
    // Long runs and noise, so that codes have all lengths and the table of codes is emptied.
    const frames = [0, 1, 2].map((k) =>
      Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => {
        const pixel = i >> 2;
        const noise = (pixel * 7_919 + k * 104_729) % 16_127;
        const colour = pixel % width < 120 ? k : noise % 16;
        // Red and green of one colour are green and red of another.
        return i % 4 === 3 ? 255 : 16 * ((colour * ([1, 7, 0][i % 4] ?? 0)) % 16);
      }),
    );
    const read = await framesOf(page, gifOf({ width, height, delay: 7, frames }));
    expect(read.map(({ duration }) => duration)).toEqual([70_000, 70_000, 70_000]);
    for (const [k, frame] of frames.entries()) {
      expect(read[k]).toMatchObject({ width, height });
      expect(read[k]?.pixels.every((value, i) => value === frame[i])).toBe(true);
    }
    await page.close();
  });

  test.each(['A moving curve', 'A sheet', 'A flock', 'Place and time'])(
    '%s is saved as a moving file, the same each time, and shows the frame of before afterwards',
    async (title) => {
      const { page, errors } = await pictures.open(titled(title));
      await page.focus('.timeline input');
      await page.keyboard.press('ArrowRight');
      const bytes = await saved(page, 'GIF, moving');
      const frames = await framesOf(page, bytes);
      const t = ARRAYS.find(({ name }) => name === 't');
      expect(frames).toHaveLength(t?.data.length ?? 0);
      const texts = frames.map(({ pixels }) => pixels.join());
      expect(new Set(texts).size).toBe(frames.length);
      expect(await page.$eval('.timeline input', (input) => (input as HTMLInputElement).value)).toBe('1');
      await page.waitForFunction(() => document.querySelector('.save-note')?.textContent === '');
      expect(await saved(page, 'GIF, moving')).toEqual(bytes);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test('a field is saved as a sheet of all digits and as an array of NumPy', async () => {
    const { page } = await pictures.open(titled('A sheet'));
    const lines = textOf(await saved(page, 'CSV')).split('\r\n');
    expect(lines[0]?.split(',').slice(0, 2)).toEqual(['sheet [K] over y [m] down and x [m] across', '-1']);
    expect(lines[1]?.split(',').slice(0, 3)).toEqual(['0', '1', String(Math.cos(1 / 17))]);
    const npy = await saved(page, 'NPY');
    const sheet = ARRAYS.find(({ name }) => name === 'sheet');
    const header = textOf(npy.subarray(10, 128));
    expect(header).toContain("'shape': (5, 11, 21)");
    const start = npy.length - 8 * (sheet?.data.length ?? 0);
    expect(start % 64).toBe(0);
    const values = new Float64Array(npy.slice(start).buffer);
    // The cosines of the browser, which made them, and of Node differ by a bit.
    const differences = values.map((value, i) => Math.abs(value - (sheet?.data[i] ?? Number.NaN)));
    expect(Math.max(...differences)).toBeLessThan(1e-14);
    await page.close();
  });
});
