// Actions of a visitor on a page, and manipulations of its network traffic.

import type { HTTPRequest, Page } from 'puppeteer-core';

export async function clickButton(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button?.click();
}

/** Waits until what has happened so far is painted. */
export function nextFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/**
 * Follows the requests of a page, but not its event streams. Call before opening the page.
 *
 * @returns waits until no request is open, animations that end have ended, and the result is painted
 */
export function followRequests(page: Page): () => Promise<void> {
  const open = new Set<HTTPRequest>();
  let onClosed = () => {};
  const close = (request: HTTPRequest) => {
    open.delete(request);
    onClosed();
  };
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) close(response.request());
  });
  const oneClosed = () =>
    new Promise<void>((resolve) => {
      onClosed = resolve;
    });
  return async () => {
    do {
      while (open.size > 0) await oneClosed();
      await page.evaluate(async () => {
        const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
        await Promise.allSettled(ending.map(({ finished }) => finished));
      });
      await nextFrames(page);
    } while (open.size > 0);
  };
}

/** Replaces the content of a field, and unfolds the part that it is in. */
export async function fill(page: Page, selector: string, text: string): Promise<void> {
  const input = await page.waitForSelector(selector);
  await input?.evaluate((control) => {
    const folded = control.closest('details');
    if (folded !== null) folded.open = true;
    (control as HTMLInputElement).select();
  });
  await input?.type(text);
}

/** Presses an option of a toggle, and unfolds the part that it is in. */
export async function choose(page: Page, name: string, value: string): Promise<void> {
  const option = await page.waitForSelector(`#field-${name}-${value}`);
  await option?.evaluate((control) => {
    const folded = control.closest('details');
    if (folded !== null) folded.open = true;
    (control as HTMLInputElement).click();
  });
}

/** Replaces the content of a field at once: a slow page may compute what was typed so far. */
export async function paste(page: Page, selector: string, text: string): Promise<void> {
  await fill(page, selector, '');
  await page.$eval(
    selector,
    (control, content) => {
      (control as HTMLInputElement).value = content;
      control.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    text,
  );
}

export const readValue = (page: Page) =>
  page.$eval('output[data-value]', (output) => output.getAttribute('data-value'));

/** Captures texts copied by buttons. Call before opening the page. */
export async function captureClipboard(page: Page): Promise<(label: string) => Promise<string>> {
  await page.evaluateOnNewDocument(() => {
    navigator.clipboard.writeText = async (text) => {
      document.documentElement.dataset.copied = text;
    };
  });
  return async (label) => {
    await clickButton(page, label);
    return (await page.evaluate(() => document.documentElement.dataset.copied)) ?? '';
  };
}

type Answer = (url: string) => Promise<string | undefined>;

/**
 * Answers requests of the page, but not of its worker, with JSON where `answer` returns a text. Call before opening the
 * page. Its fetch is replaced, because with interception a worker waits for its scripts for ever at times.
 */
export async function answerRequests(page: Page, answer: Answer): Promise<void> {
  await page.exposeFunction('answerOf', answer);
  await page.evaluateOnNewDocument(() => {
    const originalFetch = fetch;
    const { answerOf } = window as unknown as { readonly answerOf: Answer };
    globalThis.fetch = async (input, init) => {
      const { url } = new Request(input);
      const body = await answerOf(url);
      if (typeof body !== 'string') return originalFetch(input, init);
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
  });
}

/**
 * Flips the last bit of the value in the route's responses. Call before opening the page, whose fetch is replaced as by
 * `answerRequests`.
 */
export async function tamperWithValue(page: Page, route: string): Promise<void> {
  await page.evaluateOnNewDocument((ending) => {
    const originalFetch = fetch;
    globalThis.fetch = async (input, init) => {
      const response = await originalFetch(input, init);
      if (!response.ok || !new URL(response.url).pathname.endsWith(ending)) return response;
      const envelope = (await response.json()) as { value: number };
      return Response.json({ ...envelope, value: envelope.value * (1 + 2 ** -52) }, { headers: response.headers });
    };
  }, route);
}

/** Fills the field as soon as it appears, faster than one frame. Call before opening the page. */
export async function typeOnFirstRender(page: Page, selector: string, text: string): Promise<void> {
  await page.evaluateOnNewDocument(
    (fieldSelector, value) => {
      const observer = new MutationObserver(() => {
        const field = document.querySelector<HTMLInputElement>(fieldSelector);
        if (field === null) return;
        observer.disconnect();
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      observer.observe(document, { childList: true, subtree: true });
    },
    selector,
    text,
  );
}

/** Presses Tab up to the stop named `last`. Stops without a focus ring or out of view are reported as such. */
export async function tabThrough(page: Page, maxStops: number, last: string): Promise<string[]> {
  const stops: string[] = [];
  for (let i = 0; i < maxStops && stops.at(-1) !== last; i++) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        // A link that fills its card shows the ring on the card.
        const ring = getComputedStyle(element.closest('.card') ?? element);
        if (ring.outlineStyle === 'none' || ring.outlineWidth === '0px') return `no ring on ${element.outerHTML}`;
        const { left, top, bottom } = element.getBoundingClientRect();
        const visible = document.elementFromPoint(left + 4, (top + bottom) / 2);
        if (top < 0 || bottom > innerHeight || !(element.contains(visible) || visible?.contains(element)))
          return `hidden: ${element.outerHTML}`;
        return element.textContent?.trim() || element.getAttribute('name') || element.tagName;
      }),
    );
  }
  return stops;
}
