// Launches installed browsers with loopback access only, once per worker. Tests of a missing browser are skipped with a
// message. The shell of Chromium without windows takes three fifths of the processor time of the whole browser.
//
// puppeteer-core 24 is the last that runs on Node 20. It unpacks archives of browsers with extract-zip, which has open
// advisories; nothing is unpacked here, so "overrides" in package.json replaces extract-zip by an empty package.

import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';

export type Engine = 'chrome' | 'firefox';

/** The program itself: the script in /usr/bin does not end it with itself. */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';

const EXECUTABLES: Readonly<Record<Engine, readonly string[]>> = {
  chrome: [HEADLESS_SHELL, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  firefox: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
};

const CHROME_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // With a page that stays open, later pages find their scripts compiled: a fifth less processor time.
  '--process-per-site',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Proxy settings without a proxy server: only loopback, which bypasses the proxy, is reachable. */
const FIREFOX_WITHOUT_NETWORK = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

/** Path of the engine; prints a message if it is not installed. */
export function findEngine(engine: Engine): string | undefined {
  const path = EXECUTABLES[engine].find((candidate) => existsSync(candidate));
  if (path === undefined) console.log(`${engine} is not installed; its browser tests are skipped`);
  return path;
}

export interface Session {
  /** Context with storage of its own; a page of it is a tab of the shared browser. */
  readonly context: BrowserContext;
  /** Closes the context. @throws Error if the browser has ended since the session was opened */
  close(): Promise<void>;
}

/** Browsers of this worker, which all its test files share. */
const browsers = new Map<Engine, Promise<Browser>>();

/**
 * Opens a context in the browser of this worker, and launches the browser if it is not running.
 *
 * @param url  of a service; a page of it without scripts stays open, so that Chrome keeps the process of its pages
 */
export async function openSession(engine: Engine, executablePath: string, url?: string): Promise<Session> {
  let browser = await browsers.get(engine);
  if (browser?.connected !== true) {
    const launched = launch(engine, executablePath);
    browsers.set(engine, launched);
    browser = await launched;
  }
  const { pid } = browser.process() ?? {};
  const context = await browser.createBrowserContext();
  if (url !== undefined) await (await context.newPage()).goto(`${url}/kernels/manifest.json`);
  const close = async () => {
    if (browser.connected) return context.close();
    throw new Error(`${engine}, process ${pid}, ended while the tests of this file were running.`);
  };
  return { context, close };
}

/** Starts a browser with a temporary profile; Puppeteer ends it and deletes the profile when the worker exits. */
function launch(engine: Engine, executablePath: string): Promise<Browser> {
  return puppeteer.launch({
    browser: engine,
    executablePath,
    args: engine === 'chrome' ? CHROME_FLAGS : [],
    extraPrefsFirefox: FIREFOX_WITHOUT_NETWORK,
    headless: executablePath === HEADLESS_SHELL ? 'shell' : true,
    defaultViewport: { width: 1280, height: 900 },
  });
}

/** Collects uncaught errors, console errors and policy violations of a page. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}
