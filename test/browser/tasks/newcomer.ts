// A visitor who sees labels only, and whose actions are counted: a click, a choice or a filled field is one each.
// Reading, scrolling and the keys of a text are none.

import type { ElementHandle, Page } from 'puppeteer-core';

export interface Newcomer {
  readonly page: Page;
  readonly actions: () => number;
  /** @param role  link, button, tab, checkbox …, as assistive technology names it */
  click(role: string, name: string | RegExp): Promise<void>;
  /** Unfolds a part by its title. */
  unfold(title: string): Promise<void>;
  /** Replaces the text of a field. */
  fill(label: string, text: string): Promise<void>;
  /** Picks an option of a list by its words. */
  choose(label: string, option: string | RegExp): Promise<void>;
  /** Picks a file for the field that is dropped on. */
  drop(words: string, path: string): Promise<void>;
  /** Waits until the page shows the words, and returns the shortest text of one element that has them. */
  see(words: string | RegExp): Promise<string>;
}

const MAX_TRIES = 5;
/** Words of Puppeteer, which it says before it moves the pointer. */
const DETACHED = 'Node is detached from document';

export function newcomer(page: Page): Newcomer {
  let actions = 0;
  const act = async (find: () => Promise<ElementHandle>, use: (element: ElementHandle) => Promise<unknown>) => {
    const element = await find();
    actions++;
    await element.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    await standStill(element);
    await use(element);
    await element.dispose();
  };
  /** A list that is read anew may replace the element before the pointer is there; nothing was clicked then. */
  const clickOn = async (find: () => Promise<ElementHandle>) => {
    for (let tries = 1; ; tries++) {
      try {
        return await act(find, (element) => element.click());
      } catch (error) {
        if (tries === MAX_TRIES || !String(error).includes(DETACHED)) throw error;
        actions--;
      }
    }
  };
  const named = (role: string, name: string | RegExp) => () => find(page, role, name);
  return {
    page,
    actions: () => actions,
    click: (role, name) => clickOn(named(role, name)),
    unfold: (title) => clickOn(() => find(page, 'summary', title)),
    fill: (label, text) =>
      act(named('field', label), async (element) => {
        await element.evaluate((field) => (field as HTMLInputElement).select());
        await element.type(text);
      }),
    choose: (label, option) =>
      act(named('list', label), async (element) => {
        const value = await element.evaluate(
          (list, source) =>
            [...(list as HTMLSelectElement).options].find(({ label: text }) => new RegExp(source, 'i').test(text))
              ?.value,
          pattern(option),
        );
        if (value === undefined) throw new Error(`${label} has no option ${option}.`);
        await element.select(value);
      }),
    drop: (words, path) =>
      act(
        () => find(page, 'file', words),
        (element) => (element as ElementHandle<HTMLInputElement>).uploadFile(path),
      ),
    async see(words) {
      const source = typeof words === 'string' ? literal(words) : words.source;
      const found = await page.waitForFunction(
        (expected) => {
          const wanted = new RegExp(expected, 'i');
          const textOf = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ');
          const within = (element: Element): string | undefined => {
            if (!element.checkVisibility() || !wanted.test(textOf(element))) return undefined;
            const inner = [...element.children].filter((child) => wanted.test(textOf(child)));
            if (inner.length === 0) return textOf(element);
            return inner.map(within).find((text) => text !== undefined);
          };
          return within(document.body);
        },
        { timeout: PATIENCE_MS },
        source,
      );
      return (await found.jsonValue()) as string;
    },
  };
}

/** Nobody aims at what moves: waits until the element is at the same place in three frames. */
async function standStill(element: ElementHandle): Promise<void> {
  await element.evaluate(async (one, frames) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const place = () => {
      const { x, y } = one.getBoundingClientRect();
      return `${x} ${y}`;
    };
    for (let [same, last] = [0, place()], seen = 0; same < 3 && seen < frames; seen++) {
      await frame();
      const now = place();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  }, MAX_FRAMES);
}

const MAX_FRAMES = 300;

/** Time before a visitor gives up. */
const PATIENCE_MS = 30_000;

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A label begins with a text that is given. */
const pattern = (text: string | RegExp): string => (typeof text === 'string' ? `^\\s*${literal(text)}` : text.source);

/** The first visible control of that kind whose label has the words. */
async function find(page: Page, role: string, name: string | RegExp): Promise<ElementHandle> {
  try {
    const handle = await page.waitForFunction(
      (kind, source) => {
        const selectors: Readonly<Record<string, string>> = {
          link: 'a[href]',
          button: 'button:not(:disabled)',
          radio: 'input[type=radio]',
          checkbox: 'input[type=checkbox]',
          summary: 'summary',
          field: 'input:not([type=file]), textarea',
          list: 'select',
          file: 'input[type=file]',
        };
        const wanted = new RegExp(source, 'i');
        const labels = (element: Element) => {
          const own = element.getAttribute('aria-label');
          if (own !== null) return [own];
          const { labels: all } = element as HTMLInputElement;
          return all?.length ? [...all].map((label) => label.textContent) : [element.textContent];
        };
        return [...document.querySelectorAll(selectors[kind] ?? kind)].find(
          (element) =>
            (element.checkVisibility() || kind === 'file') &&
            element.closest('[inert]') === null &&
            labels(element).some((text) => wanted.test((text ?? '').replaceAll(/\s+/g, ' '))),
        );
      },
      { timeout: PATIENCE_MS },
      role,
      pattern(name),
    );
    return handle.asElement() as ElementHandle;
  } catch (cause) {
    throw new Error(`No ${role} “${name}” came into sight on ${page.url()}.`, { cause });
  }
}
