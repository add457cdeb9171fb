// Launches installed browsers with loopback access only. Tests of a missing browser are skipped with a message.
//
// puppeteer-core 24 is the last that runs on Node 20. It unpacks archives of browsers with extract-zip, which has open
// advisories; nothing is unpacked here, so "overrides" in package.json replaces extract-zip by an empty package.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

export type Engine = 'chrome' | 'firefox';

const EXECUTABLES: Readonly<Record<Engine, readonly string[]>> = {
  chrome: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
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
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Launches a browser with a temporary profile. */
export async function openBrowser(engine: Engine, executablePath: string): Promise<Session> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-browser-'));
  const browser = await puppeteer.launch({
    browser: engine,
    executablePath,
    userDataDir: profile,
    args: engine === 'chrome' ? CHROME_FLAGS : [],
    extraPrefsFirefox: FIREFOX_WITHOUT_NETWORK,
    headless: true,
    defaultViewport: { width: 1280, height: 900 },
  });
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
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
