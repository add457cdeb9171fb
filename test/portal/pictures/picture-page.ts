// A browser page that draws the pictures of the made-up solver.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';
import { build, type Rolldown } from 'vite';
import type { Plot } from '../../../src/solvers/plot.ts';
import { collectErrors, openSession } from '../../browser/browser.ts';
import { nextFrames } from '../../browser/page-actions.ts';

/** Scripts and styles of the page, by path. */
async function bundlePage(): Promise<Map<string, string>> {
  const entry = fileURLToPath(new URL('page.ts', import.meta.url));
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'page', cssFileName: 'page' } },
  });
  const [first] = outputs as Rolldown.RolldownOutput[];
  return new Map(
    (first?.output ?? []).map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : String(file.source)]),
  );
}

const HTML =
  '<!doctype html><html lang="en"><title>Pictures</title><meta name="viewport" content="width=device-width">' +
  '<link rel="stylesheet" href="/page.css"><main></main><script type="module" src="/page.js"></script></html>';

export interface PicturePage {
  /** A new page with these plots, or one of every kind; errors of the page come with it. */
  open(plots?: readonly Plot[]): Promise<{ readonly page: Page; readonly errors: string[] }>;
  close(): Promise<void>;
}

/** Starts a server and a browser. */
export async function openPicturePage(chrome: string): Promise<PicturePage> {
  const files = await bundlePage();
  const server = createServer((request, response) => {
    const type = { js: 'text/javascript', css: 'text/css' }[request.url?.split('.').at(-1) ?? ''] ?? 'text/html';
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.end(type === 'text/html' ? HTML : files.get(request.url ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = await openSession('chrome', chrome);
  return {
    async open(plots) {
      const page = await session.context.newPage();
      page.setDefaultTimeout(10_000);
      const errors = collectErrors(page);
      await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      await page.goto(url);
      await page.waitForFunction(() => 'showPlots' in window);
      await page.evaluate((some) => window.showPlots(some), plots);
      await nextFrames(page);
      return { page, errors };
    },
    async close() {
      await session.close();
      server.close();
    },
  };
}
