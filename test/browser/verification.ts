// Actions on the Verify page and in the one-file verifier: gives them files and keys, and reads the verification.

import type { ElementHandle, Page } from 'puppeteer-core';

/** Outcome of each claim that the page shows. */
export type Outcomes = Readonly<Record<string, string>>;

const DONE = '[data-verdict][aria-busy=false]';

/** Gives the page a file. What it showed before counts as read. */
export async function uploadFile(page: Page, path: string): Promise<void> {
  const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await page.evaluate(() => document.querySelector('[data-verdict]')?.setAttribute('data-read', ''));
  await input.uploadFile(path);
}

/** Waits for the verification; returns the verdict, the outcome of each claim and the elapsed time of a bundle. */
export async function readVerification(page: Page) {
  await page.waitForSelector(`${DONE}:not([data-read])`);
  const [verdict, elapsed] = await page.$eval(DONE, (element) => [
    element.getAttribute('data-verdict'),
    element.getAttribute('data-elapsed-ms'),
  ]);
  const claims = await page.$$eval('[data-claim]', (rows) =>
    rows.map((row) => [row.getAttribute('data-claim'), row.querySelector('.claim-word')?.textContent] as const),
  );
  return { verdict, elapsedMs: Number(elapsed), claims: Object.fromEntries(claims) as Outcomes };
}

export const readTitle = (page: Page) => page.$eval('.verdict-word', (element) => element.textContent);

/** Types a fingerprint into the one-file verifier. */
export async function pinKey(page: Page, text: string): Promise<void> {
  await page.waitForSelector('#pin');
  await page.evaluate(() => document.querySelector('[data-verdict]')?.setAttribute('data-read', ''));
  await page.type('#pin', text);
  await page.click('.pin-form button');
}
