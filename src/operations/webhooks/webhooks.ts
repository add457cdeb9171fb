// Webhooks of a machine: what became of them, and the secret by which a receiver knows them. Their bodies hold what
// contracts know, so all of it is for admins.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { PAGE, Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Tick, Timestamp } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';

const READ = ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED'] as const;
const WRITE = [...READ, 'MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'] as const;

const Status = z.enum(['pending', 'delivered', 'dead']);

const Delivery = z
  .strictObject({
    id: z.string().describe('What the receiver sees as webhook-id, the same in every attempt.'),
    contract: z.string(),
    url: z.string(),
    status: Status.describe('dead: given up, and waiting for somebody to have it redelivered.'),
    attempts: z.int().min(0),
    next_attempt_tick: Tick.nullable(),
    next_attempt_at: Timestamp.nullable(),
    last_error: z.string().nullable(),
    created_svcond: Tick.describe('Tick of the transition that asked for it.'),
    delivered_svcond: Tick.nullable(),
    body: z.string().describe('The bytes that are sent and signed.'),
  })
  .meta({ id: 'WebhookDelivery' });

const Secret = z
  .strictObject({
    secret: z.string().describe('whsec_ and 32 bytes in base64, as the libraries of Standard Webhooks take it.'),
    epoch: z.int().min(1).describe('Counts from 1.'),
    created_at: Timestamp,
    previous_signs_until: Timestamp.nullable().describe('Until then the secret before signs as well.'),
  })
  .meta({ id: 'WebhookSecret' });

export const listWebhooks = defineOperation({
  name: 'webhook.list',
  summary: 'The webhooks of a machine, newest first: pending, delivered or given up.',
  description: `Those that are settled stay in the list for ${LIMITS.webhooks.keptDays} days.`,
  route: 'GET /api/chain/{slug}/webhooks',
  tier: 'key',
  effect: 'read',
  input: z.object({ slug: Slug, status: Status.optional().describe('Only these.'), ...PAGE }),
  output: z.strictObject({ ok: Ok, rows: z.array(Delivery), next_cursor: z.string().nullable() }),
  errors: [...READ],
  handle: async ({ slug, ...page }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.webhooks.list(machine, page)) };
  },
});

export const redeliverWebhook = defineOperation({
  name: 'webhook.redeliver',
  summary: 'Send a webhook again that was delivered or given up, under the same id.',
  route: 'POST /api/chain/{slug}/webhooks/{id}/redeliver',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug, id: z.uuid().describe('Id of the delivery, from the list.') }),
  output: z.strictObject({ ok: Ok, delivery: Delivery }),
  errors: [...WRITE],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, delivery: await services.webhooks.redeliver(machine, signedIn(principal), id) };
  },
});

export const webhookSecret = defineOperation({
  name: 'webhook.secret',
  summary: 'The secret that signs the webhooks of a machine.',
  description: 'A receiver checks webhook-signature with it, as Standard Webhooks 1.0.0 says.',
  route: 'GET /api/chain/{slug}/webhooks/secret',
  tier: 'key',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, ...Secret.shape }),
  errors: [...READ],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.webhooks.secret(machine)) };
  },
});

export const rotateWebhookSecret = defineOperation({
  name: 'webhook.rotate',
  summary: 'Replace the secret that signs the webhooks of a machine.',
  description: `The one before signs as well for ${LIMITS.webhooks.secretOverlapHours} hours, so that receivers can change over.`,
  route: 'POST /api/chain/{slug}/webhooks/secret/rotate',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ slug: Slug }),
  output: z.strictObject({ ok: Ok, ...Secret.shape }),
  errors: [...WRITE],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.webhooks.rotateSecret(machine, signedIn(principal))) };
  },
});
