// Reading a private machine without being a member: share tokens, and unlocking it in a browser.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Opener } from '../../services/access/read-passes.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Timestamp } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';

const WRITE = [
  'NOT_FOUND',
  'FORBIDDEN',
  'ADMIN_REQUIRED',
  'ZID_NOT_LINKED',
  'MACHINE_ARCHIVED',
  'CONFLICT',
  'QUEUE_FULL',
] as const;

export const setShare = defineOperation({
  name: 'share.set',
  summary: 'Make a token that lets its holder read a machine. It is shown this once.',
  description:
    'Send it as `Authorization: Bearer svc_sh_…` on every GET that shows what anyone who sees the machine may read.',
  route: 'POST /api/chain/state-machines/{slug}/share/set',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    label: z
      .string()
      .min(1)
      .max(80)
      .refine((label) => label.isWellFormed() && !/\p{Cc}/u.test(label), 'control characters are not allowed')
      .describe('Whom it is for.'),
    expires_at: Timestamp.optional().describe('When it ends; without it, when it is disabled.'),
    scope: z.literal('read').default('read'),
  }),
  output: z.strictObject({
    ok: Ok,
    token: z.string(),
    share: z.strictObject({
      id: z.string(),
      label: z.string(),
      scope: z.literal('read'),
      created_at: Timestamp,
      expires_at: Timestamp.nullable(),
    }),
  }),
  errors: [...WRITE],
  handle: async ({ slug, label, expires_at }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    const made = await services.shares.set(machine, signedIn(principal), { label, expires_at });
    return { ok: true as const, ...made };
  },
});

export const disableShares = defineOperation({
  name: 'share.disable',
  summary: 'End all share tokens of a machine, and what was unlocked with them, at once.',
  route: 'POST /api/chain/state-machines/{slug}/share/disable',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug }),
  output: z.strictObject({ ok: Ok, disabled: z.int().describe('How many there were.') }),
  errors: [...WRITE],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, disabled: await services.shares.disable(machine, signedIn(principal)) };
  },
});

export const unlockMachine = defineOperation({
  name: 'machine.unlock',
  summary: 'Open a machine for reading in this browser, with a share token or the equation of a member.',
  description: `Sets a cookie that is good for ${LIMITS.chain.passMinutes} minutes of reading; ${LIMITS.rate.unlock} tries in ten minutes. Give one of share and equation.`,
  route: 'POST /api/chain/{slug}/unlock',
  tier: 'public',
  effect: 'write',
  input: z.strictObject({
    slug: Slug,
    share: z.string().min(1).max(200).optional().describe('svc_sh_…'),
    equation: z.string().min(1).max(1_000).optional().describe('The equation of a member; it is not kept.'),
  }),
  output: z.strictObject({
    ok: Ok,
    slug: Slug,
    pass: z.string().describe('What the cookie holds.'),
    expires_at: Timestamp,
  }),
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
  cookie: ({ slug, pass }) => ({ name: passCookie(slug), value: pass, maxAgeSeconds: 60 * LIMITS.chain.passMinutes }),
  handle: async ({ slug, share, equation }, { services, caller }) => {
    const unlocked = await services.readPasses.unlock(slug, openerOf(share, equation), caller);
    return { ok: true as const, slug, ...unlocked };
  },
});

/** One a machine, so that several can be open at once. */
export function passCookie(slug: string): string {
  return `svc_read.${slug}`;
}

/** @throws DomainError VALIDATION_FAILED */
function openerOf(share: string | undefined, equation: string | undefined): Opener {
  if (share !== undefined && equation === undefined) return { share };
  if (equation !== undefined && share === undefined) return { equation };
  const message = `${share === undefined ? 'Neither' : 'Both'} of share and equation ${share === undefined ? 'is' : 'are'} given; exactly one is expected.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'share', code: 'ONE_OF', message }] });
}
