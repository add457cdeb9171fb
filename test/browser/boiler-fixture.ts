// A machine at work for the pages to show: two contracts, events, fires, one of them with a receipt, and a key of its owner.

import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { RunningService } from '../../src/server.ts';

type Json = Record<string, unknown>;

export interface Boiler {
  readonly slug: string;
  readonly key: string;
  /** Ids of its contracts. */
  readonly limiter: string;
  readonly escrow: string;
  event(name: string, payload?: Json): Promise<void>;
  /** Asks as its owner. The answer must be a good one. */
  ask(method: string, path: string, body?: unknown): Promise<Json>;
}

/** @param name  what its slug is made from; another one for each machine of a service */
export async function openBoiler({ url }: RunningService, name = 'boiler'): Promise<Boiler> {
  const exchange = async (method: string, path: string, body: unknown, key?: string): Promise<Json> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Json;
    expect([path, answer.ok, answer.ok ? '' : json.error]).toEqual([path, true, '']);
    return json;
  };
  const made = await exchange('POST', '/api/chain/spin-up', { displayName: name });
  const { slug } = made.machine as { slug: string };
  const key = String(made.key);
  const ask: Boiler['ask'] = (method, path, body) => exchange(method, path, body, key);
  const deploy = async (template: string, parameters: Json) => {
    const answer = await ask('POST', `/api/contracts/templates/${template}/deploy`, { slug, parameters });
    return (answer.contract as { id: string }).id;
  };
  const event: Boiler['event'] = async (event, payload) => {
    await ask('POST', `/api/chain/${slug}/event`, { name: event, ...(payload && { payload }) });
  };
  // Its window outlasts every test: what a page shows changes by what a test does, and by nothing else.
  const limiter = await deploy('rate-limiter', { threshold: 2, within: 100_000 });
  const escrow = await deploy('escrow-dispute-window', { price: 10 });
  await event('request');
  await event('deposit', { amount: 10, buyer: '<img src=x onerror=alert(1)>' });
  return { slug, key, limiter, escrow, event, ask };
}

/** Before the page is opened: as a visitor who has entered this key. */
export async function useKey(page: Page, key: string): Promise<void> {
  await page.evaluateOnNewDocument((text: string) => {
    sessionStorage.setItem('svc.key', JSON.stringify({ key: text, keyPrefix: text.slice(0, 15), isDemo: false }));
  }, key);
}
