// Thumbnails, their files and the gallery of a build; the digit that a forger changes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { buildGallery } from '../../scripts/portal/gallery.ts';
import { pngOf } from '../../scripts/portal/png.ts';
import type { GallerySolver } from '../../src/portal/gallery/gallery-index.ts';
import { withChangedDigit } from '../../src/portal/home/tamper.ts';
import { thumbnailOf } from '../../src/portal/pictures/thumbnail.ts';
import { HOME_EXPERIMENT, SOLVERS } from '../../src/solvers/index.ts';
import { byRenown, SUBJECTS } from '../../src/solvers/subject.ts';
import { ARRAYS, PLOTS } from './pictures/every-kind.ts';

const cache = mkdtempSync(join(tmpdir(), 'gallery-'));
afterAll(() => rmSync(cache, { recursive: true }));

const drawn = (plots: typeof PLOTS) => thumbnailOf({ plots, series: [], fields: ARRAYS });

test('every kind of plot but a table has a thumbnail, whose numbers are finite', () => {
  for (const plot of PLOTS) {
    const thumbnail = drawn([plot]);
    if (plot.kind === 'table') {
      expect(thumbnail).toBeUndefined();
      continue;
    }
    expect([plot.title, thumbnail?.title]).toEqual([plot.title, plot.title]);
    if (thumbnail === undefined) throw new Error('unreachable');
    if ('svg' in thumbnail) {
      expect(thumbnail.svg).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 \d+ \d+" [^>]+>(<.+>)<\/svg>\n$/);
      expect(thumbnail.svg).not.toMatch(/NaN|Infinity|undefined/);
    } else {
      expect(thumbnail.pixels).toHaveLength(thumbnail.width * thumbnail.height);
      expect(new Set(thumbnail.pixels).size).toBeGreaterThan(20);
    }
  }
});

test('a map is drawn before a curve, and a curve before a table', () => {
  const named = (title: string) => PLOTS.filter((plot) => plot.title === title);
  const [curve, map, table] = [named('Two curves'), named('A sheet'), named('Nodes')];
  expect(drawn([...table, ...curve, ...map])?.title).toBe('A sheet');
  expect(drawn([...table, ...curve])?.title).toBe('Two curves');
});

test('a map shows its values, the first row at the bottom, and nothing outside of its domain', () => {
  const fields = [
    { name: 'x', unit: 'm', shape: [2], data: Float64Array.of(0, 1) },
    { name: 'y', unit: 'm', shape: [2], data: Float64Array.of(0, 1) },
    { name: 'u', unit: 'K', shape: [2, 2], data: Float64Array.of(1, 2, 3, 0) },
  ];
  const plot = { kind: 'field', title: 'u', x: 'x', y: 'y', values: 'u', blank: 'zero' } as const;
  const thumbnail = thumbnailOf({ plots: [plot], series: [], fields });
  if (thumbnail === undefined || !('pixels' in thumbnail)) throw new Error('A map has pixels.');
  const { pixels, width, height } = thumbnail;
  expect([width, height]).toEqual([200, 200]);
  const lightness = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0, opacity = 0] = new Uint8Array(
      Uint32Array.of(pixels[y * width + x] ?? 0).buffer,
    );
    return opacity === 0 ? undefined : red + green + blue;
  };
  const [lowest, middle, highest] = [lightness(0, 199), lightness(199, 199), lightness(0, 0)];
  expect(lowest).toBeLessThan(middle ?? 0);
  expect(middle).toBeLessThan(highest ?? 0);
  expect(lightness(199, 0)).toBeUndefined();
});

test('a PNG holds its pixels, and refuses more colours than a palette has', () => {
  const pixels = Uint32Array.of(0xff0000ff, 0xff00ff00, 0, 0xff0000ff, 0xff0000ff, 0xff00ff00);
  const png = pngOf({ pixels, width: 3, height: 2 });
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.set(png.subarray(at + 4, at + 8).toString(), png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
  expect([...(chunks.get('PLTE') ?? [])]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 0]);
  expect([...(chunks.get('tRNS') ?? [])]).toEqual([255, 255, 0]);
  expect([...inflateSync(chunks.get('IDAT') ?? '')]).toEqual([0, 0, 1, 2, 0, 0, 0, 1]);
  const many = Uint32Array.from({ length: 257 }, (_, i) => i);
  expect(() => pngOf({ pixels: many, width: 257, height: 1 })).toThrow('257 colours; at most 256');
});

test('a gallery runs each example once, and is the same from its cache', async () => {
  const solvers = SOLVERS.filter(({ id }) => id === HOME_EXPERIMENT.solver || id === 'shift');
  const examples = solvers.flatMap(({ form }) => form?.examples ?? []);
  let runs = 0;
  const build = () => buildGallery(solvers, () => runs++, cache);
  const first = await build();
  expect(runs).toBe(examples.length);
  const second = await build();
  expect(runs).toBe(examples.length);
  expect(second).toEqual(first);
  const rooms = JSON.parse(String(first.files.get(first.index.slice(1)))) as readonly GallerySolver[];
  const cards = rooms.flatMap((room) => room.cards);
  expect(cards.map(({ title }) => title)).toEqual(examples.map(({ title }) => title));
  for (const { image = '', href, look } of cards) {
    expect(first.files.has(image.slice(1))).toBe(true);
    expect(href).toMatch(/^\/solve\/[a-z]+(\?[^#]+)?#run$/);
    expect(look).not.toBe('');
  }
});

test('the home page has an example of a solver that can be drawn while it runs', () => {
  const solver = SOLVERS.find(({ id }) => id === HOME_EXPERIMENT.solver);
  const example = solver?.form?.examples?.find(({ title }) => title === HOME_EXPERIMENT.example);
  expect(example?.look).toMatch(/\.$/);
  expect(solver?.live).toBeDefined();
});

test.each([1.3404262095456776, -0.5, 1e-7, 1.5e300, 100, 0, 7, 0.1 + 0.2])(
  '%s differs in one digit after a change',
  (value) => {
    const { value: changed, at } = withChangedDigit(value);
    const [before, after] = [String(value), String(changed)];
    expect(changed).not.toBe(value);
    expect([...before].flatMap((digit, i) => (digit === after[i] ? [] : [i]))).toEqual([at]);
    expect(after).toHaveLength(before.length);
  },
);

test('a subject begins with what most people come for, and none of its solvers is left out', () => {
  const ids = SUBJECTS.map((subject) =>
    SOLVERS.filter((solver) => solver.subject === subject).map(({ id }) => ({ id })),
  );
  const ordered = ids.map((solvers) => byRenown(solvers).map(({ id }) => id));
  expect(ordered.slice(0, 2).map(([first]) => first)).toEqual(['multibody', 'heat']);
  expect(ordered.map((some) => some.toSorted())).toEqual(ids.map((some) => some.map(({ id }) => id).toSorted()));
});
