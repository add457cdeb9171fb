// Portal and CLI know no solver by name, so that a new one needs no line there.

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SOLVERS } from '../../src/solvers/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Texts that show a visitor an example, a subscript for saturation, the letter zeta, and the word for a displacement. */
const EXAMPLES = [
  ['src/portal/reference/operation-list.ts', "placeholder: 'replay, POST, heat …'"],
  ['src/portal/operators/formula.ts', "zeta: 'ζ'"],
  ['src/portal/operators/symbol-names.ts', '|sat|'],
  ['src/portal/operators/symbol-names.ts', "zeta: 'ζ'"],
  ['src/portal/operators/symbol-names.ts', '|detuning|shift|'],
  ['src/portal/style/base.css', 'no visible layout shift'],
  ['src/portal/style/base.css', 'no layout shift'],
  ['src/portal/verify/page.ts', "callApiWithKey('heat.solve', { dim: 1, nx: 64 })"],
  ['src/portal/operators/spoken-formula.ts', "zeta: 'zeta function'"],
  ['src/portal/operators/registry-browser.ts', 'heat loss through a window'],
] as const;

/** The layout of style sheets, and the lines behind a chart. */
const withoutGridLines = (text: string) => text.replace(/\bgrid(?=[-;:),' ]|$)/gm, '');

/** Slugs that are words of these files too: only a path, a route or an operation names them. */
const WORDS: readonly string[] = ['device', 'action', 'flow', 'opt', 'protect', 'shift', 'solve', 'wave'];

const patternOf = (id: string): RegExp =>
  WORDS.includes(id)
    ? new RegExp(`solvers/${id}/|svc/${id}\\b|svc_${id}\\b|\\b${id}\\.solve\\b`)
    : new RegExp(`\\b${id}\\b`, 'i');

const namesIn = (text: string) => SOLVERS.map(({ id }) => id).filter((id) => patternOf(id).test(text));

test('no file of the portal and the CLI names a solver, but for examples', () => {
  const files = globSync('src/{portal,cli}/**/*.{ts,css,html}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(100);
  const findings = files.flatMap((file) => {
    const text = EXAMPLES.filter(([path]) => path === file).reduce(
      (rest, [, example]) => rest.replace(example, ''),
      readFileSync(`${ROOT}/${file}`, 'utf8'),
    );
    const isDrawn = file.endsWith('.css') || file.startsWith('src/portal/pictures/');
    const names = namesIn(`${file}\n${isDrawn ? withoutGridLines(text) : text}`);
    return names.length === 0 ? [] : [`${file}: ${names.join(', ')}`];
  });
  expect(findings).toEqual([]);
});

test('the examples are there, and the search finds names', () => {
  for (const [path, example] of EXAMPLES) expect(readFileSync(`${ROOT}/${path}`, 'utf8')).toContain(example);
  expect(namesIn("import { HeatFace } from '../../solvers/heat/face.ts';")).toEqual(['heat']);
});
