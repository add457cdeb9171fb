// Golden bits of every solver, computed by the portal's worker in each browser; they must equal those of Node.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PORTAL } from '../../scripts/build-portal.ts';
import type { RunningService } from '../../src/server.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';
import { type Engine, findEngine, openSession, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';

/** Without those that state the result of a law: a page has it computed, and takes none from its caller. */
const PAGE_CASES = GOLDEN_CASES.filter(({ input }) => !Object.hasOwn(input, 'computed'));

/** The worker's file with its hash, and not another chunk whose name begins so. */
const WORKER = /^worker-[\w-]{8}\.js$/;

/** Installed in the page by `installHasher`. */
declare global {
  interface Window {
    hashOf(solver: string, input: unknown): Promise<string>;
  }
}

/** Gives the page a function that solves one case in the portal's worker and hashes the result. */
function installHasher(page: Page, script: string): Promise<void> {
  return page.evaluate((url) => {
    let worker: Worker | undefined;
    let sent = 0;
    const solve = (solver: string, input: unknown) =>
      new Promise<Float64Array<ArrayBuffer>[]>((resolve, reject) => {
        worker ??= new Worker(url, { type: 'module' });
        const id = ++sent;
        worker.onerror = () => {
          // The next case gets another worker.
          worker?.terminate();
          worker = undefined;
          reject(new Error('The worker crashed.'));
        };
        worker.onmessage = ({ data }) => {
          if (data.id !== id) return;
          if (data.kind === 'failed') reject(new Error(data.failure.message));
          if (data.kind !== 'done') return;
          const { value, uncertainty, bound, series, fields } = data.result.solution;
          const arrays = [...series, ...fields].map((field: { data: Float64Array<ArrayBuffer> }) => field.data);
          resolve([Float64Array.of(value, uncertainty, bound), ...arrays]);
        };
        worker.postMessage({ id, kind: 'solve', solver, input });
      });
    // SHA-256 over value, uncertainty, bound, then series and fields, as in test/suites/solution-bits.ts.
    window.hashOf = async (solver, input) => {
      const digest = await crypto.subtle.digest('SHA-256', await new Blob(await solve(solver, input)).arrayBuffer());
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    };
  }, script);
}

let service: RunningService;
beforeAll(async () => {
  service = await openPortalService();
});
afterAll(() => service.close());

for (const engine of ['chrome', 'firefox'] satisfies Engine[]) {
  const executable = findEngine(engine);
  describe.skipIf(executable === undefined)(`golden bits in ${engine}`, () => {
    let session: Session;
    let page: Page;
    beforeAll(async () => {
      session = await openSession(engine, executable ?? '', service.url);
      const script = `/assets/${readdirSync(join(PORTAL, 'assets')).find((name) => WORKER.test(name))}`;
      page = await session.context.newPage();
      await page.goto(`${service.url}/verify`);
      await installHasher(page, script);
    });
    afterAll(async () => {
      await session.close();
    });

    test.each(PAGE_CASES)('$solver, $name', async ({ solver, input, sha256 }) => {
      // The page takes the time of a run, the cases that of the epoch.
      const clock = findSolver(solver)?.clock;
      const fields = clock === undefined ? input : { [clock]: 0, ...input };
      expect(await page.evaluate((id, given) => window.hashOf(id, given), solver, fields)).toBe(sha256);
    });
  });
}
