// The role that an operation needs on the machine of its path: its errors, and the check.

import { DomainError, type ErrorCode } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';
import { requirePrincipal } from './require-principal.ts';
import type { Services } from './services.ts';

type Find = Services['machines']['find'];
type Machine = Awaited<ReturnType<Find>>;

/** A role of a member, or `reader`: anyone who may see the machine. */
export type MachineRole = Parameters<Find>[2];

/** The machine of a call, and the authenticated caller if a member is required. */
export interface MachineAccess<Needed extends MachineRole = MachineRole> {
  readonly machine: Machine;
  readonly by: Needed extends 'reader' ? Principal | undefined : Principal;
}

/** Input fields that name the machine of a call; an operation has one of them. */
const SLUG_FIELDS = ['slug', 'motherSlug'] as const;
export type SlugField = (typeof SLUG_FIELDS)[number];

export function slugFieldOf(input: Readonly<Record<string, unknown>>): SlugField | undefined {
  return SLUG_FIELDS.find((field) => Object.hasOwn(input, field));
}

/** Adds the errors of `findMachine` to those of an operation. */
export function withRoleErrors(needed: MachineRole, errors: readonly ErrorCode[]): readonly ErrorCode[] {
  return [...new Set<ErrorCode>([...roleErrors(needed), ...errors])];
}

/** Errors of a caller without the role. */
export function roleErrors(needed: MachineRole): readonly ErrorCode[] {
  if (needed === 'reader') return ['NOT_FOUND'];
  return ['NOT_FOUND', 'FORBIDDEN', ...(needed === 'admin' ? (['ADMIN_REQUIRED'] as const) : []), 'ZID_NOT_LINKED'];
}

/**
 * Finds the machine that the input names, for a caller with the role.
 *
 * @param isForParties  a caller who acts for a party of the contract `input.id`, or of its instance `input.key` or
 *   `input.instance`, needs no role
 *
 * @throws DomainError NOT_FOUND, AUTH_REQUIRED, FORBIDDEN, ADMIN_REQUIRED, ZID_NOT_LINKED
 */
export async function findMachine(
  needed: MachineRole,
  input: Readonly<Record<string, unknown>>,
  { services, principal }: Caller,
  isForParties = false,
): Promise<MachineAccess> {
  const field = slugFieldOf(input);
  const slug = String(field && input[field]);
  const access = (machine: Machine) =>
    ({ machine, by: needed === 'reader' ? principal : requirePrincipal(principal) }) as MachineAccess;
  try {
    return access(await services.machines.find(slug, principal, needed));
  } catch (error) {
    const id = typeof input.id === 'string' && isForParties ? input.id : undefined;
    if (!(error instanceof DomainError) || id === undefined || principal === undefined) throw error;
    const key = [input.key, input.instance].find((one) => typeof one === 'string');
    const machine = await services.contractParties.machineOf(slug, id, principal, key);
    if (machine === undefined) throw error;
    return access(machine);
  }
}

interface Caller {
  readonly services: Pick<Services, 'machines' | 'contractParties'>;
  readonly principal: Principal | undefined;
}
