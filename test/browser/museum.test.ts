// The museum in browsers: every receipt replays as it was pinned, on the Verify page of a node that never signed any of
// it, and in the one-file verifier, which knows no keys until the reader names them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findKernel, kernelSlugs, loadKernel } from '../../src/kernels/load-node.ts';
import { bundleReceipt } from '../../src/protocol/bundle.ts';
import type { RunningService } from '../../src/server.ts';
import {
  claimsOfStranger,
  claimsWithoutKeys,
  currentRevision,
  type Exhibit,
  expectedClaims,
  isOfToday,
  MUSEUM,
  type Verdicts,
} from '../receipts/museum.ts';
import { type Engine, findEngine, openSession, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';
import { type Outcomes, readVerification, uploadFile } from './verification.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-museum-'));
let service: RunningService;
let verifierUrl: string;
/** Hashes of the kernels in the one-file verifier. */
let builtIn: ReadonlySet<string>;

beforeAll(async () => {
  service = await openPortalService();
  const verifier = join(folder, 'verifier.html');
  writeFileSync(verifier, await (await fetch(`${service.url}/verifier.html`)).text());
  verifierUrl = pathToFileURL(verifier).href;
  builtIn = new Set(await Promise.all((await kernelSlugs()).map(async (slug) => (await loadKernel(slug)).sha256)));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** The receipt as a file, with its kernel if the verifier does not have it. */
async function fileOf({ path, receipt }: Exhibit): Promise<string> {
  const sha256 = String(receipt.kernel_sha256);
  if (builtIn.has(sha256)) return path;
  const image = await findKernel(sha256);
  if (image === undefined) throw new Error(`Kernel ${sha256} is not in the archive.`);
  const bundle = join(folder, 'bundle.json');
  writeFileSync(bundle, JSON.stringify(bundleReceipt(receipt, image)));
  return bundle;
}

const WORDS = new Map<boolean | null, string>([
  [true, 'holds'],
  [false, 'fails'],
  [null, 'not checked'],
]);

/** What a page must show for these claims. */
function outcomesOf(claims: Verdicts['claims']): Outcomes {
  return Object.fromEntries(Object.entries(claims).map(([claim, ok]) => [claim, WORDS.get(ok) ?? '']));
}

const pinned = (exhibit: Exhibit) => expectedClaims(exhibit, currentRevision(exhibit));
const hasFailed = (claims: Verdicts['claims']) => Object.values(claims).includes(false);

const ROOMS = [...Map.groupBy(MUSEUM, ({ name }) => name.split('/')[0] ?? '')];
const IS_SLOW = process.env.SVC_SLOW === '1';
/** What shows the receipts of the museum. */
type Shown = 'portal' | 'verifier without keys' | 'verifier';
const PAGES: readonly Shown[] = ['portal', 'verifier without keys', 'verifier'];

/**
 * Rooms of a test. Node replays every receipt with the engine of Chromium (test/receipts/museum.test.ts), the engines
 * have the same bits (golden.test.ts), and the pages share one verifier: without `npm run test:slow` every pair of
 * engine and page meets its sixth of the receipts of today, and Firefox with the one-file verifier a sixth of the others.
 */
function roomsFor(engine: Engine, page: Shown) {
  if (IS_SLOW) return ROOMS;
  const own = 2 * PAGES.indexOf(page) + (engine === 'chrome' ? 0 : 1);
  const hasOlder = engine === 'firefox' && page === 'verifier';
  return ROOMS.map(
    ([name, room]) => [name, room.filter((one, index) => index % 6 === own && (hasOlder || isOfToday(one)))] as const,
  ).filter(([, room]) => room.length > 0);
}

test('the museum has receipts', () => {
  expect(MUSEUM.length).toBeGreaterThan(20);
});

for (const engine of ['chrome', 'firefox'] satisfies Engine[]) {
  const executable = findEngine(engine);

  describe.skipIf(executable === undefined)(engine, () => {
    let session: Session;
    beforeAll(async () => {
      session = await openSession(engine, executable ?? '', engine === 'chrome' ? service.url : undefined);
    });
    afterAll(() => session.close());

    const openPage = async (url: string): Promise<Page> => {
      const page = await session.context.newPage();
      await page.goto(url);
      return page;
    };

    test.each(roomsFor(engine, 'portal'))(
      '%s: the Verify page of another node shows every claim as it was pinned',
      async (_, room) => {
        const page = await openPage(`${service.url}/verify`);
        for (const exhibit of room) {
          await uploadFile(page, exhibit.path);
          const { verdict, claims } = await readVerification(page);
          const expected = { ...outcomesOf(claimsOfStranger(pinned(exhibit))), hmac: 'fails' };
          expect([verdict, claims], exhibit.name).toEqual(['bad', expected]);
        }
        await page.close();
      },
    );

    test.each(roomsFor(engine, 'verifier without keys'))(
      '%s: the one-file verifier calls nothing valid as long as no key is named',
      async (_, room) => {
        const page = await openPage(verifierUrl);
        for (const exhibit of room) {
          await uploadFile(page, await fileOf(exhibit));
          const { verdict, claims } = await readVerification(page);
          const known = claimsWithoutKeys(pinned(exhibit));
          // No HMAC and no owner of the key is known here; without a valid seal the page does not ask for them.
          expect(claims, exhibit.name).toMatchObject(outcomesOf(known));
          expect(verdict, exhibit.name).toBe(hasFailed(known) ? 'bad' : 'unknown_key');
        }
        await page.close();
      },
    );

    test.each(roomsFor(engine, 'verifier'))(
      '%s: the one-file verifier shows every claim as pinned, with the keys of its node',
      async (_, room) => {
        const page = await openPage(verifierUrl);
        for (const keys of new Set(room.map((exhibit) => exhibit.keys))) await uploadFile(page, keys);
        await page.waitForSelector('.pin-list');
        for (const exhibit of room) {
          await uploadFile(page, await fileOf(exhibit));
          const { verdict, claims } = await readVerification(page);
          expect(claims, exhibit.name).toMatchObject(outcomesOf(pinned(exhibit)));
          expect(verdict, exhibit.name).toBe(hasFailed(pinned(exhibit)) ? 'bad' : 'good');
        }
        await page.close();
      },
    );
  });
}
