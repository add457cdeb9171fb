import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { collectErrors, type Engine, findEngine, openSession, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';

export interface Visit {
  readonly page: Page;
  /** What the page reported as errors so far. */
  readonly errors: string[];
}

export interface PortalVisits {
  readonly service: RunningService;
  readonly session: Session;
  /** @param prepare  called with the new page before it loads `path` */
  open(path: string, prepare?: (page: Page) => unknown): Promise<Visit>;
}

/** Starts the service and a session of the browser for the tests of the enclosing `describe`, and ends both after them. */
export function visitPortal(engine: Engine = 'chrome'): PortalVisits {
  let running: { readonly service: RunningService; readonly session: Session } | undefined;
  const started = () => {
    if (running === undefined) throw new Error('The portal is started before the first test.');
    return running;
  };
  beforeAll(async () => {
    const service = await openPortalService();
    const session = await openSession(engine, findEngine(engine) ?? '', engine === 'chrome' ? service.url : undefined);
    running = { service, session };
  });
  afterAll(async () => {
    await running?.session.close();
    await running?.service.close();
  });
  return {
    get service() {
      return started().service;
    },
    get session() {
      return started().session;
    },
    async open(path, prepare) {
      const { service, session } = started();
      const page = await session.context.newPage();
      const errors = collectErrors(page);
      await prepare?.(page);
      await page.goto(`${service.url}${path}`);
      return { page, errors };
    },
  };
}
