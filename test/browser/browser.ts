// Real browsers, driven without any network but loopback. Without one installed, its suites are left out and say so.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

export type Engine = 'chrome' | 'firefox';

const PLACES: Readonly<Record<Engine, readonly string[]>> = {
  chrome: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  firefox: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
};

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** A proxy that nobody runs: loopback is reached without it, everything else not at all. */
const NOWHERE = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

/** Where the engine is installed; prints one line if it is not. */
export function findEngine(engine: Engine): string | undefined {
  const found = PLACES[engine].find((path) => existsSync(path));
  if (found === undefined) console.log(`no ${engine} is installed: its browser tests are left out`);
  return found;
}

export interface Session {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** A browser with a profile of its own that is gone afterwards. */
export async function openBrowser(engine: Engine, executablePath: string): Promise<Session> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-browser-'));
  const browser = await puppeteer.launch({
    browser: engine,
    executablePath,
    userDataDir: profile,
    args: engine === 'chrome' ? FLAGS : [],
    extraPrefsFirefox: NOWHERE,
    headless: true,
    defaultViewport: { width: 1280, height: 900 },
  });
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
}

/** What a page complained about: uncaught errors, refusals of its policy, console errors. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
