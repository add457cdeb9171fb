// Webhooks of machines.

import type { Operation } from '../operation.ts';
import { listWebhooks, redeliverWebhook, rotateWebhookSecret, webhookSecret } from './webhooks.ts';

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  listWebhooks,
  redeliverWebhook,
  webhookSecret,
  rotateWebhookSecret,
];
