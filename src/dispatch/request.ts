// The request of the target that a dispatch stands for: route and body, as a caller would send them.

import { OPERATORS } from '../operators/load.ts';
import type { Dispatch } from './dispatch.ts';

export interface TargetRequest {
  readonly route: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param overrides  inputs of the caller, which win */
export function requestOf({ target, inputs }: Dispatch, overrides: Readonly<Record<string, unknown>>): TargetRequest {
  const read = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  const given = { ...read, ...overrides };
  if (target.kind === 'solver') return { route: `/api/svc/${target.id}`, body: given };
  const prefix = OPERATORS.get(target.id)?.prefix ?? '';
  return { route: '/api/svc/compute', body: { domain: prefix, operators: [target.id], inputs: given } };
}
