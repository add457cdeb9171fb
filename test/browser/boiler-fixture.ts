// Machine fixture for page tests: two contracts, events, fires (one with a receipt), and the owner's key.

import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { RunningService } from '../../src/server.ts';

type Json = Record<string, unknown>;

export interface BoilerFixture {
  readonly slug: string;
  readonly key: string;
  /** Account of the owner, as rows name it. */
  readonly zid: string;
  /** Contract ids. */
  readonly limiter: string;
  readonly escrow: string;
  sendEvent(name: string, payload?: Json): Promise<void>;
  /** Sends a request as the owner; fails the test on an error response. */
  request(method: string, path: string, body?: unknown): Promise<Json>;
}

/** @param name  source of the slug; unique per service */
export async function createBoiler({ url }: RunningService, name = 'boiler'): Promise<BoilerFixture> {
  const send = async (method: string, path: string, body: unknown, key?: string): Promise<Json> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as Json;
    expect([path, response.ok, response.ok ? '' : json.error]).toEqual([path, true, '']);
    return json;
  };
  const machine = await send('POST', '/api/chain/spin-up', { displayName: name, is_public: true });
  const { slug } = machine.machine as { slug: string };
  const [key, zid] = [String(machine.key), String(machine.zid)];
  const request: BoilerFixture['request'] = (method, path, body) => send(method, path, body, key);
  const deploy = async (template: string, parameters: Json, bindings?: Json) => {
    const json = { slug, parameters, ...(bindings && { bindings }) };
    const deployed = await request('POST', `/api/contracts/templates/${template}/deploy`, json);
    return (deployed.contract as { id: string }).id;
  };
  const sendEvent: BoilerFixture['sendEvent'] = async (event, payload) => {
    await request('POST', `/api/chain/${slug}/event`, { name: event, ...(payload && { payload }) });
  };
  // The window outlasts every test, so that pages change only through the actions of a test.
  const limiter = await deploy('rate-limiter', { threshold: 2, within: 100_000 });
  const keyOf = (digit: string) => ({ ed25519: digit.repeat(64) });
  const parties = { buyer: { zid }, seller: keyOf('1'), arbiter: keyOf('2') };
  const escrow = await deploy('escrow-dispute-window', { price: 10 }, parties);
  await sendEvent('request');
  await sendEvent('deposit', { amount: 10, buyer: '<img src=x onerror=alert(1)>' });
  return { slug, key, zid, limiter, escrow, sendEvent, request };
}

/** Stores the key as if entered by the visitor. Call before opening the page. */
export async function useKey(page: Page, key: string): Promise<void> {
  await page.evaluateOnNewDocument((text: string) => {
    sessionStorage.setItem('svc.key', JSON.stringify({ key: text, keyPrefix: text.slice(0, 15), isDemo: false }));
  }, key);
}
