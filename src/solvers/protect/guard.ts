// The guard's state from health, liveness and status: the worst of the three wins.

import type { ProtectInput } from './inputs.ts';

export type GuardState = 'OK' | 'DEGRADED' | 'BREACH';
export type Branch = 'harmonic' | 'hyperbolic';

/** Least liveness of a state. */
export const OK_FROM = 0.75;
export const DEGRADED_FROM = 0.5;

const HEALTH_CAPS = { up: 1, slow: 0.5, down: 0 } as const;

export interface Guard {
  /** What each input allows, 1 where it is absent. */
  readonly caps: { readonly liveness: number; readonly health: number; readonly status: number };
  /** Liveness: the least of them. */
  readonly l: number;
  readonly guardState: GuardState;
  readonly branch: Branch;
  /** In words: what holds the liveness down, or that nothing does. */
  readonly reasons: readonly string[];
}

/** 1 for 2xx and 304; 0 for 5xx and what is no status; 0.5 for all other. */
export function statusCap(status: number): number {
  if ((status >= 200 && status < 300) || status === 304) return 1;
  return status >= 500 || status < 100 ? 0 : 0.5;
}

function stateOf(l: number): GuardState {
  return l >= OK_FROM ? 'OK' : l >= DEGRADED_FROM ? 'DEGRADED' : 'BREACH';
}

export function guardOf({ health, liveness, status }: ProtectInput): Guard {
  const caps = {
    liveness: liveness ?? 1,
    health: health === undefined ? 1 : HEALTH_CAPS[health],
    status: status === undefined ? 1 : statusCap(status),
  };
  const l = Math.min(caps.liveness, caps.health, caps.status);
  const given = { liveness, health, status };
  const names = ['liveness', 'health', 'status'] as const;
  const lowest = names.filter((name) => given[name] !== undefined && caps[name] === l && l < 1);
  return {
    caps,
    l,
    guardState: stateOf(l),
    branch: 2 * l >= 1 ? 'harmonic' : 'hyperbolic',
    reasons: reasonsOf(
      lowest.map((name) => `${name} ${String(given[name])} holds the liveness at ${l}`),
      given,
    ),
  };
}

function reasonsOf(reasons: readonly string[], given: Readonly<Record<string, unknown>>): readonly string[] {
  if (reasons.length > 0) return reasons;
  const isAsked = Object.values(given).some((one) => one !== undefined);
  return [
    isAsked ? 'no input lowers the liveness' : 'neither health, liveness nor status is given, so the liveness is 1',
  ];
}
