// Machines of a test, made over HTTP.

import { expect } from 'vitest';
import type { Caller, Json, TestService } from './service.ts';

export interface OwnMachines {
  /** A machine of the account of `as`, and its slug. */
  machine(fields?: Json, as?: Caller): Promise<string>;
  event(slug: string, name: string, fields?: Json): Promise<Json>;
  /** The body of an answer that must have this status. */
  ask(route: string, as?: Caller, json?: Json, status?: number): Promise<Json>;
  /** The ZID of the account of a caller, who gets one with a machine if need be. */
  zidOf(as: Caller): Promise<string>;
  /** What the chain of a machine says, oldest first. */
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

let made = 0;

export function ownMachines(service: TestService, prefix: string): OwnMachines {
  const ask: OwnMachines['ask'] = async (route, as, json, status = 200) => {
    const answer = await service.call(route, { as, ...(json === undefined ? {} : { json }) });
    expect([route, answer.status, answer.status === status ? '' : answer.text]).toEqual([route, status, '']);
    return answer.json();
  };
  const machine: OwnMachines['machine'] = async (fields = {}, as = 'admin') => {
    const slug = `${prefix}-${made++}`;
    await ask('POST /api/chain/state-machines', as, { slug, ...fields }, 201);
    return slug;
  };
  const rows: OwnMachines['rows'] = async (slug, as = 'admin') =>
    ((await ask(`GET /api/chain/${slug}/explore?limit=200`, as)).rows as Json[]).reverse();
  return {
    ask,
    machine,
    rows,
    event: (slug, name, fields = {}) => ask(`POST /api/chain/${slug}/event`, 'admin', { name, ...fields }, 201),
    zidOf: async (as) => {
      const slug = await machine({}, as);
      return String((await rows(slug, as))[0]?.actor);
    },
  };
}

/** Sets the clock of a test's service forward. */
export function forward(service: TestService, ns: bigint): void {
  (service.running.clock as unknown as { forward(ns: bigint): void }).forward(ns);
}
