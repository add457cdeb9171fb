// Composes the webhook services: secrets, the dispatcher and the record of deliveries.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { MachineServices } from '../machines/compose.ts';
import type { Lifecycle } from '../node/lifecycle.ts';
import type { OutboundClient } from '../node/outbound.ts';
import type { Platform } from '../node/platform.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { WebhookDispatcher } from './dispatcher.ts';
import { WebhookSecrets } from './secrets.ts';
import { assertWebhooksCallable, WebhookService } from './webhooks.ts';

export interface WebhookServices {
  readonly webhooks: WebhookService;
}

export interface WebhookModule {
  readonly services: WebhookServices;
  /** @throws DomainError VALIDATION_FAILED if a contract calls a URL that is not allowed */
  readonly assertCallable: (contract: CompiledContract, previous?: CompiledContract) => void;
  /** Tells the dispatcher that a delivery may be due. */
  readonly wake: () => void;
  readonly lifecycle: Lifecycle;
  /** Secrets of machines, which sign requests of activities too. */
  readonly secrets: WebhookSecrets;
}

type WebhookOptions = Platform &
  Pick<MachineServices, 'machines'> & { readonly box: SealedBox; readonly outbound: OutboundClient };

export function composeWebhooks(options: WebhookOptions): WebhookModule {
  const { storage, clock, randomBytes, log, machines, box, outbound } = options;
  const { outbox } = storage;
  const secrets = new WebhookSecrets({ secrets: storage.webhookSecrets, box, clock, randomBytes });
  const dispatcher = new WebhookDispatcher({
    outbox,
    outbound,
    secrets,
    clock,
    onError: (err) => log.warn({ err }, 'webhook could not be sent'),
  });
  return {
    services: { webhooks: new WebhookService({ machines, outbox, secrets, dispatcher }) },
    assertCallable: (contract, previous) => assertWebhooksCallable(contract, outbound, previous),
    wake: () => dispatcher.wake(),
    lifecycle: dispatcher,
    secrets,
  };
}
