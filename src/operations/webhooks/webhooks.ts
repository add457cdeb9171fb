// Webhook deliveries of a machine and their signing secret. Bodies contain contract data, so all routes need an admin.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { PAGE, pageOf, pageRecord, success, Tick, Timestamp } from '../schemas.ts';

const Status = z.enum(['pending', 'delivered', 'dead']);

const Delivery = z
  .strictObject({
    id: z.string().describe('Sent as webhook-id, the same in every attempt.'),
    contract: z.string(),
    url: z.string(),
    status: Status.describe('dead: all attempts failed; redeliver to try again.'),
    attempts: z.int().min(0),
    next_attempt_tick: Tick.nullable(),
    next_attempt_at: Timestamp.nullable(),
    last_error: z.string().nullable(),
    created_svcond: Tick.describe('Tick of the transition.'),
    delivered_svcond: Tick.nullable(),
    body: z.string().describe('The bytes that are sent and signed.'),
  })
  .meta({ id: 'WebhookDelivery' });

const Secret = z
  .strictObject({
    secret: z.string().describe('whsec_ and 32 bytes in base64, the format of Standard Webhooks.'),
    epoch: z.int().min(1).describe('Number of the secret, from 1.'),
    created_at: Timestamp,
    previous_signs_until: Timestamp.nullable().describe('Until then the previous secret signs too.'),
  })
  .meta({ id: 'WebhookSecret' });

export const listWebhooks = defineOperation({
  name: 'webhook.list',
  summary: 'The webhooks of a machine, newest first: pending, delivered or dead.',
  description: `Settled deliveries are listed for ${LIMITS.webhooks.retentionDays} days.`,
  route: 'GET /api/chain/{slug}/webhooks',
  tier: 'key',
  effect: 'read',
  machine: 'admin',
  input: z.object({ slug: Slug, status: Status.optional().describe('Only this status.'), ...PAGE }),
  output: pageOf(Delivery),
  errors: [],
  handle: async (page, { services }, { machine }) => pageRecord(await services.webhooks.list(machine, page)),
});

export const redeliverWebhook = defineOperation({
  name: 'webhook.redeliver',
  summary: 'Redeliver a delivered or dead webhook under the same id.',
  route: 'POST /api/chain/{slug}/webhooks/{id}/redeliver',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug, id: z.uuid().describe('Id of the delivery, from the list.') }),
  output: success({ delivery: Delivery }),
  errors: WRITE_ERRORS,
  handle: async ({ id }, { services }, { machine, by }) => ({
    delivery: await services.webhooks.redeliver(machine, by, id),
  }),
});

export const webhookSecret = defineOperation({
  name: 'webhook.secret',
  summary: 'The secret that signs the webhooks of a machine.',
  description: 'Receivers verify webhook-signature with it (Standard Webhooks 1.0.0).',
  route: 'GET /api/chain/{slug}/webhooks/secret',
  isSecret: true,
  tier: 'key',
  effect: 'read',
  machine: 'admin',
  input: z.object({ slug: Slug }),
  output: success({ ...Secret.shape }),
  errors: ['MACHINE_ARCHIVED'],
  handle: (_, { services }, { machine }) => services.webhooks.secret(machine),
});

export const rotateWebhookSecret = defineOperation({
  name: 'webhook.rotate',
  summary: 'Replace the secret that signs the webhooks of a machine.',
  description: `The previous secret signs too for ${LIMITS.webhooks.secretOverlapHours} hours, so that receivers can switch.`,
  route: 'POST /api/chain/{slug}/webhooks/secret/rotate',
  isSecret: true,
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  input: z.strictObject({ slug: Slug }),
  output: success({ ...Secret.shape }),
  errors: WRITE_ERRORS,
  handle: (_, { services }, { machine, by }) => services.webhooks.rotateSecret(machine, by),
});
