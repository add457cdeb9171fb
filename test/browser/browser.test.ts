// Contexts of the shared browser, and its failure.

import { expect, test } from 'vitest';
import { findEngine, openSession } from './browser.ts';

const chrome = findEngine('chrome');

test.skipIf(chrome === undefined)('the contexts of one browser do not share storage', async () => {
  const [first, second] = [await openSession('chrome', chrome ?? ''), await openSession('chrome', chrome ?? '')];
  expect(second.context.browser()).toBe(first.context.browser());
  await first.context.setCookie({ name: 'seen', value: '1', domain: '127.0.0.1' });
  expect(await first.context.cookies()).toHaveLength(1);
  expect(await second.context.cookies()).toEqual([]);
  await first.close();
  await second.close();
});

test.skipIf(chrome === undefined)('a browser that ended is reported, and the next session has a new one', async () => {
  const ended = await openSession('chrome', chrome ?? '');
  const browser = ended.context.browser();
  const isDisconnected = new Promise((resolve) => browser.once('disconnected', resolve));
  browser.process()?.kill('SIGKILL');
  await isDisconnected;
  await expect(ended.close()).rejects.toThrow(
    /^chrome, process \d+, ended while the tests of this file were running\.$/,
  );
  const next = await openSession('chrome', chrome ?? '');
  expect(next.context.browser()).not.toBe(browser);
  await next.close();
});
