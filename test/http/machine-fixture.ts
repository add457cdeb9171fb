// Fixture: machines created over HTTP.

import { expect } from 'vitest';
import type { Caller, Json, TestService } from './service-fixture.ts';

export interface OwnMachines {
  /** Creates a machine for the account of `as`. @returns its slug */
  machine(fields?: Json, as?: Caller): Promise<string>;
  event(slug: string, name: string, fields?: Json): Promise<Json>;
  /** Sends a request, asserts its status and returns the body. */
  request(route: string, as?: Caller, json?: Json, status?: number): Promise<Json>;
  /** ZID of a caller's account; creates a machine to obtain it. */
  zidOf(as: Caller): Promise<string>;
  /** Rows of a machine's chain, oldest first. */
  rows(slug: string, as?: Caller): Promise<Json[]>;
}

/** A contract that answers each `ping` with a `pong`. */
export const ECHO = {
  name: 'echo',
  version: '1.0',
  operators: ['KO42'],
  initial: 'idle',
  events: { ping: { payload: { n: 'number' } }, halt: { payload: {} } },
  emits: ['pong'],
  states: { idle: { role: 'initial' }, done: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'answer',
      from: 'idle',
      to: 'idle',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'ping' },
      post: [{ emit: 'pong' }],
    },
    {
      id: 'stop',
      from: 'idle',
      to: 'done',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'halt' },
    },
  ],
};

let created = 0;

export function ownMachines(service: TestService, prefix: string): OwnMachines {
  const request: OwnMachines['request'] = async (route, as, json, status = 200) => {
    const answer = await service.call(route, { as, ...(json === undefined ? {} : { json }) });
    expect([route, answer.status, answer.status === status ? '' : answer.text]).toEqual([route, status, '']);
    return answer.json();
  };
  const machine: OwnMachines['machine'] = async (fields = {}, as = 'admin') => {
    const slug = `${prefix}-${created++}`;
    await request('POST /api/chain/state-machines', as, { slug, is_public: true, ...fields }, 201);
    return slug;
  };
  const rows: OwnMachines['rows'] = async (slug, as = 'admin') =>
    ((await request(`GET /api/chain/${slug}/explore?limit=200`, as)).rows as Json[]).reverse();
  return {
    request,
    machine,
    rows,
    event: (slug, name, fields = {}) => request(`POST /api/chain/${slug}/event`, 'admin', { name, ...fields }, 201),
    zidOf: async (as) => {
      const slug = await machine({}, as);
      return String((await rows(slug, as))[0]?.actor);
    },
  };
}

/** Advances the clock of a test's service. */
export function advanceClock(service: TestService, ns: bigint): void {
  (service.running.clock as unknown as { advance(ns: bigint): void }).advance(ns);
}
