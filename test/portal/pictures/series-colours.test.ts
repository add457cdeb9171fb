// Colours of series, read from the style sheet, as people with each kind of colour vision see them.
//
// Simulated dichromacy: Machado, Oliveira & Fernandes, IEEE Trans. Vis. Comput. Graph. 15 (2009) 1291, severity 1.
// Distances in OKLab: Björn Ottosson, https://bottosson.github.io/posts/oklab/. Contrast: WCAG 2.2.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sheet = readFileSync(new URL('../../../src/portal/style/base.css', import.meta.url), 'utf8');

const VISION = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

type Triple = readonly [number, number, number];

function linear(hex: string): Triple {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return [r, g, b];
}

function seen(colour: Triple, matrix: readonly number[]): Triple {
  const row = (k: number) =>
    Math.min(
      1,
      Math.max(
        0,
        colour.reduce((sum, c, i) => sum + (matrix[3 * k + i] ?? 0) * c, 0),
      ),
    );
  return [row(0), row(1), row(2)];
}

function oklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** The colours of the theme that starts with a selector. */
function themeOf(selector: string) {
  const block = sheet.slice(sheet.indexOf(selector), sheet.indexOf('}', sheet.indexOf(selector)));
  const colour = (name: string) => block.match(new RegExp(`--${name}: (#[0-9a-f]{6})`))?.[1] ?? '';
  return { surface: colour('surface'), series: [0, 1, 2, 3, 4].map((k) => colour(`series-${k}`)) };
}

test.each([':root {', ':root[data-theme="dark"]'])('series of %s differ for everybody and stand out', (selector) => {
  const { surface, series } = themeOf(selector);
  for (const [vision, matrix] of Object.entries(VISION)) {
    series.forEach((one, i) => {
      for (const other of series.slice(0, i)) {
        const [a, b] = [one, other].map((hex) => oklab(seen(linear(hex), matrix)));
        const distance = Math.hypot(...(a ?? []).map((x, k) => x - (b?.[k] ?? 0)));
        expect(distance, `${one} and ${other} with ${vision}`).toBeGreaterThan(0.1);
      }
    });
  }
  for (const one of series) {
    const [low = 0, high = 0] = [one, surface].map((hex) => luminance(linear(hex))).toSorted((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05), one).toBeGreaterThanOrEqual(3);
  }
});
