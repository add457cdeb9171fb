// Compiled expressions in each browser: the bits of the machine there, which are the bits of Node.

import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { type Engine, findEngine, openSession, type Session } from './browser.ts';
import { compareSeeds, type Summary } from './compiled-entry.ts';

declare global {
  interface Window {
    compareSeeds(kernel: readonly number[], from: number, to: number, rows: number): Promise<Summary>;
  }
}

/** With SVC_SLOW=1 (npm run test:slow) the full number. */
const PROGRAMS = process.env.SVC_SLOW === '1' ? 10_000 : 300;
/** Programs of one call of the page. */
const BATCH = 500;
const ROWS = 100;

let script: string;
let kernel: readonly number[];
const expected = new Map<number, Summary>();

beforeAll(async () => {
  kernel = [...(await loadKernel(EXPRESSION_KERNEL)).bytes];
  const input = fileURLToPath(new URL('compiled-entry.ts', import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['browser'] },
    build: { write: false, minify: false, target: 'es2022', rolldownOptions: { input, output: { format: 'iife' } } },
  });
  const [bundle] = [output].flat();
  if (bundle === undefined || !('output' in bundle)) throw new Error('The script for the page was not built.');
  script = bundle.output[0].code;
  for (let from = 0; from < PROGRAMS; from += BATCH) {
    expected.set(from, await compareSeeds(kernel, from, Math.min(PROGRAMS, from + BATCH), ROWS));
  }
}, 600_000);

for (const engine of ['chrome', 'firefox'] satisfies Engine[]) {
  const executable = findEngine(engine);
  describe.skipIf(executable === undefined)(`compiled expressions in ${engine}`, () => {
    let session: Session;
    let page: Page;
    beforeAll(async () => {
      session = await openSession(engine, executable ?? '');
      page = await session.context.newPage();
      await page.evaluate(script);
    });
    afterAll(() => session.close());

    test('have the bits of the machine and of Node', async () => {
      for (const [from, summary] of expected) {
        const to = Math.min(PROGRAMS, from + BATCH);
        const found = await page.evaluate((...args) => window.compareSeeds(...args), kernel, from, to, ROWS);
        expect(found).toEqual(summary);
        expect(found.different).toEqual([]);
        expect(found.compiled).toBeGreaterThan(0.99 * (to - from));
      }
    }, 600_000);
  });
}
