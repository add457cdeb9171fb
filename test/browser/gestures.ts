// What a visitor does on a page, and what a wire may do to it.

import type { Page } from 'puppeteer-core';

export async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button?.click();
}

/** In place of what stands there. */
export async function fill(page: Page, selector: string, text: string): Promise<void> {
  const input = await page.waitForSelector(selector);
  await input?.evaluate((control) => (control as HTMLInputElement).select());
  await input?.type(text);
}

export const valueOn = (page: Page) => page.$eval('output[data-value]', (output) => output.getAttribute('data-value'));

/** Before the page is opened: what its buttons copy is kept beside the clipboard. */
export async function keepCopies(page: Page): Promise<(label: string) => Promise<string>> {
  await page.evaluateOnNewDocument(() => {
    navigator.clipboard.writeText = async (text) => {
      document.documentElement.dataset.copied = text;
    };
  });
  return async (label) => {
    await press(page, label);
    return (await page.evaluate(() => document.documentElement.dataset.copied)) ?? '';
  };
}

/** Before the page is opened: what the route answers arrives with the last bit of its value changed. */
export async function changeValue(page: Page, route: string): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith(route)) return request.continue();
    const answer = await fetch(request.url(), {
      method: 'POST',
      headers: request.headers(),
      body: request.postData() ?? '{}',
    });
    const envelope = (await answer.json()) as { value: number };
    const changed = { ...envelope, value: envelope.value * (1 + 2 ** -52) };
    return request.respond({ contentType: 'application/json', body: JSON.stringify(changed) });
  });
}

/** Before the page is opened: the field holds this in the very turn it appears, as from one who types faster than a frame. */
export async function typeAtOnce(page: Page, selector: string, text: string): Promise<void> {
  await page.evaluateOnNewDocument(
    (wanted, value) => {
      const watcher = new MutationObserver(() => {
        const field = document.querySelector<HTMLInputElement>(wanted);
        if (field === null) return;
        watcher.disconnect();
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      watcher.observe(document, { childList: true, subtree: true });
    },
    selector,
    text,
  );
}

/** What the tabulator stops at, in order, up to the last that is called so; a stop without a ring or out of sight says that instead. */
export async function walk(page: Page, most: number, last: string): Promise<string[]> {
  const stops: string[] = [];
  for (let i = 0; i < most && stops.at(-1) !== last; i++) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const at = document.activeElement as HTMLElement;
        // A link that fills its card leaves the ring to the card.
        const ring = getComputedStyle(at.closest('.card') ?? at);
        if (ring.outlineStyle === 'none' || ring.outlineWidth === '0px') return `no ring on ${at.outerHTML}`;
        const { left, top, bottom } = at.getBoundingClientRect();
        const seen = document.elementFromPoint(left + 4, (top + bottom) / 2);
        if (top < 0 || bottom > innerHeight || !(at.contains(seen) || seen?.contains(at)))
          return `hidden: ${at.outerHTML}`;
        return at.textContent?.trim() || at.getAttribute('name') || at.tagName;
      }),
    );
  }
  return stops;
}
