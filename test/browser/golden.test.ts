// Golden bits of every solver, computed by the portal's worker in each browser; they must equal those of Node.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PORTAL } from '../../scripts/build-portal.ts';
import type { RunningService } from '../../src/server.ts';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';
import { type Engine, findEngine, openBrowser, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';

/** SHA-256 over value, uncertainty, bound, then series and fields, as in test/suites/solution-bits.ts. */
async function hashInBrowser(page: Page, script: string, solver: string, input: unknown): Promise<string> {
  return page.evaluate(
    async (url, id, fields) => {
      const worker = new Worker(url, { type: 'module' });
      const solved = new Promise<{ value: number; uncertainty: number; bound: number; arrays: Float64Array[] }>(
        (resolve, reject) => {
          worker.onerror = () => reject(new Error('The worker crashed.'));
          worker.onmessage = ({ data }) => {
            if (data.kind === 'failed') reject(new Error(data.failure.message));
            if (data.kind !== 'done') return;
            const { value, uncertainty, bound, series, fields: all } = data.result.solution;
            const arrays = [...series, ...all].map((field: { data: Float64Array }) => field.data);
            resolve({ value, uncertainty, bound, arrays });
          };
        },
      );
      worker.postMessage({ id: 1, kind: 'solve', solver: id, input: fields });
      const { value, uncertainty, bound, arrays } = await solved;
      worker.terminate();
      const numbers = [Float64Array.of(value, uncertainty, bound), ...arrays].flatMap((data) => [...data]);
      const digest = await crypto.subtle.digest('SHA-256', Float64Array.from(numbers));
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    script,
    solver,
    input,
  );
}

for (const engine of ['chrome', 'firefox'] satisfies Engine[]) {
  const executable = findEngine(engine);
  describe.skipIf(executable === undefined)(`golden bits in ${engine}`, () => {
    let service: RunningService;
    let session: Session;
    let page: Page;
    let script: string;
    beforeAll(async () => {
      [service, session] = await Promise.all([openPortalService(), openBrowser(engine, executable ?? '')]);
      script = `/assets/${readdirSync(join(PORTAL, 'assets')).find((name) => /^worker-.*\.js$/.test(name))}`;
      page = await session.browser.newPage();
      await page.goto(`${service.url}/verify`);
    });
    afterAll(async () => {
      await session.close();
      await service.close();
    });

    test.each(GOLDEN_CASES)('$solver, $name', async ({ solver, input, sha256 }) => {
      expect(await hashInBrowser(page, script, solver, input)).toBe(sha256);
    });
  });
}
