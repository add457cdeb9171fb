// Webhooks of machines.

import { listWebhooks, redeliverWebhook, rotateWebhookSecret, webhookSecret } from './webhooks.ts';

export const WEBHOOK_OPERATIONS = [listWebhooks, redeliverWebhook, webhookSecret, rotateWebhookSecret] as const;
