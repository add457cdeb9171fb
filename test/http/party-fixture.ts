// Fixture: people with accounts, Ed25519 keys that sign, and contracts that bind them.

import { ed25519 } from '@noble/curves/ed25519.js';
import { expect } from 'vitest';
import { actMessage, type SignedAct } from '../../src/chain/signed-act.ts';
import { toHex } from '../../src/core/bits.ts';
import type { Json, TestService } from './service-fixture.ts';

/** A sale: the seller offers, the buyer pays or a signed key confirms, and two of three inspectors pass or stop it. */
export const SALE = {
  name: 'sale',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'draft',
  context: { price: { type: 'number', initial: 0 }, offered_by: { type: 'string', initial: '' } },
  parties: {
    seller: {},
    buyer: {},
    inspectors: { count: { min: 1, max: 5 } },
  },
  events: {
    offer: { payload: { price: 'number' }, from: 'seller' },
    pay: { signed: true },
    inspect: { payload: { ok: 'boolean' } },
    ping: {},
  },
  emits: ['passed', 'pong'],
  states: {
    draft: { role: 'initial' },
    offered: { role: 'intermediate' },
    paid: { role: 'intermediate' },
    done: { role: 'terminal', outcome: 'success' },
    stopped: { role: 'terminal', outcome: 'failure' },
    late: { role: 'terminal', outcome: 'expired' },
  },
  transitions: [
    {
      id: 'offer',
      from: 'draft',
      to: 'offered',
      trigger: { kind: 'event', event: 'offer' },
      post: [{ set: { price: 'event.price', offered_by: 'event.actor' } }],
    },
    { id: 'pay', from: 'offered', to: 'paid', by: ['buyer'], trigger: { kind: 'event', event: 'pay' } },
    {
      id: 'pass',
      from: 'paid',
      to: 'done',
      trigger: {
        kind: 'quorum',
        event: 'inspect',
        of: 'inspectors',
        at_least: 'floor(inspectors.count / 2) + 1',
        filter: 'event.ok',
        changes: true,
      },
      post: [{ emit: 'passed' }],
    },
    {
      id: 'stop',
      from: 'paid',
      to: 'stopped',
      trigger: {
        kind: 'quorum',
        event: 'inspect',
        of: 'inspectors',
        at_least: 'floor(inspectors.count / 2) + 1',
        filter: 'not event.ok',
        changes: true,
      },
    },
    { id: 'ping', from: 'draft', to: 'draft', trigger: { kind: 'event', event: 'ping' }, post: [{ emit: 'pong' }] },
    { id: 'expire', from: 'draft', to: 'late', manual: 'seller', trigger: { kind: 'one_shot', after: 'P30D' } },
  ].map((transition) => ({ operator: 'KO42', proof: false, ...transition })),
};

export interface Person {
  readonly zid: string;
  readonly key: string;
  request(route: string, json?: Json): Promise<{ readonly status: number; readonly body: Json }>;
}

export interface Signer {
  readonly ed25519: string;
  sign(act: SignedAct): { public_key: string; nonce: number; signature: string };
}

export function createSigner(seed: number): Signer {
  const secret = new Uint8Array(32).fill(seed);
  const publicKey = toHex(ed25519.getPublicKey(secret));
  return {
    ed25519: publicKey,
    sign: (act) => ({
      public_key: publicKey,
      nonce: act.nonce,
      signature: toHex(ed25519.sign(actMessage(act), secret)),
    }),
  };
}

export function createPeople(service: TestService) {
  let count = 0;
  const send = async (key: string | undefined, route: string, json?: Json) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await service.call(route, { headers, ...(json === undefined ? {} : { json }) });
    return { status: answer.status, body: answer.json() };
  };
  const openPerson = async (name: string): Promise<Person> => {
    const { keys } = service.running.services;
    const { key } = await keys.openAccount({ name, scope: 'admin', rate_limit_tier: 'high' });
    const { status, body } = await send(key, 'POST /api/chain/state-machines', { slug: `home-${name}-${count++}` });
    expect(status).toBe(201);
    return { zid: String(body.zid), key, request: (route, json) => send(key, route, json) };
  };
  /** A machine of the owner. */
  const openMachine = async (owner: Person, isPublic = false): Promise<string> => {
    const slug = `deals-${count++}`;
    const { status } = await owner.request('POST /api/chain/state-machines', { slug, is_public: isPublic });
    expect(status).toBe(201);
    return slug;
  };
  const deploy = async (owner: Person, slug: string, definition: unknown, bindings: Json): Promise<string> => {
    const json = { definition, bindings };
    const { status, body } = await owner.request(`POST /api/chain/${slug}/contracts/custom`, json);
    expect([status, status === 201 ? '' : body]).toEqual([201, '']);
    return String((body.contract as Json).id);
  };
  const anonymous = (route: string, json?: Json) => send(undefined, route, json);
  return { openPerson, openMachine, deploy, anonymous };
}
