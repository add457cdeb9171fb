// Wraps handlers of operations on one machine: finds the machine for a caller with a role, and adds `ok` to the
// response.

import type { Principal } from '../../services/access/access.ts';
import type { Context } from '../operation.ts';
import { requirePrincipal } from '../require-principal.ts';
import type { Services } from '../services.ts';

type Find = Services['machines']['find'];
type Machine = Awaited<ReturnType<Find>>;
type Role = Parameters<Find>[2];

interface MachineInput {
  readonly slug: string;
}

/** Requires this role on the machine; `reader` is anyone who may see it. */
export function withMachine<Input extends MachineInput, Answer extends object>(
  role: Role,
  handle: (machine: Machine, input: Omit<Input, 'slug'>, context: Context) => Promise<Answer>,
): (input: Input, context: Context) => Promise<{ ok: true } & Answer> {
  return async ({ slug, ...input }, context) => {
    const machine = await context.services.machines.find(slug, context.principal, role);
    return { ok: true, ...(await handle(machine, input, context)) };
  };
}

/** Like withMachine, and passes the authenticated caller as `by`. */
export function withMember<Input extends MachineInput, Answer extends object>(
  role: Exclude<Role, 'reader'>,
  handle: (machine: Machine, by: Principal, input: Omit<Input, 'slug'>, context: Context) => Promise<Answer>,
): (input: Input, context: Context) => Promise<{ ok: true } & Answer> {
  return withMachine(role, (machine, input, context) =>
    handle(machine, requirePrincipal(context.principal), input, context),
  );
}
