// The pinned bits of every solver, computed by the portal's own worker in each browser: what Node gives, they give.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PORTAL } from '../../scripts/build-portal.ts';
import type { RunningService } from '../../src/server.ts';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';
import { type Engine, findEngine, openBrowser, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';

/** SHA-256 over value, uncertainty, bound, then series and fields, as test/suites/solution-bits.ts hashes them. */
async function hashInBrowser(page: Page, script: string, solver: string, input: unknown): Promise<string> {
  return page.evaluate(
    async (address, id, fields) => {
      const worker = new Worker(address, { type: 'module' });
      const solved = new Promise<{ value: number; uncertainty: number; bound: number; arrays: Float64Array[] }>(
        (resolve, reject) => {
          worker.onerror = () => reject(new Error('the worker stopped'));
          worker.onmessage = ({ data }) => {
            if (data.kind === 'failed') reject(new Error(data.failure.message));
            if (data.kind !== 'done') return;
            const { value, uncertainty, bound, series, fields: all } = data.answer.solution;
            const arrays = [...series, ...all].map((one: { data: Float64Array }) => one.data);
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
