// Composes access control: API keys, read passes and rate limits.

import type { AccountMacs } from '../../storage/access/account-macs.ts';
import type { EventBus } from '../../storage/node/event-bus.ts';
import type { Platform } from '../node/platform.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { AccessService } from './access.ts';
import { KeyService } from './keys.ts';
import { RateLimiter, type RateTier } from './rate-limit.ts';
import { ReadPasses } from './read-passes.ts';
import { RefusalDelay } from './refusal-delay.ts';
import { StreamCounts } from './stream-counts.ts';

export interface AccessServices {
  readonly access: AccessService;
  readonly keys: KeyService;
  readonly rateLimit: RateLimiter;
  readonly readPasses: ReadPasses;
  readonly refusalDelay: RefusalDelay;
  readonly streamCounts: StreamCounts;
}

type AccessOptions = Platform & {
  readonly rates: Readonly<Record<RateTier, number>>;
  readonly box: SealedBox;
  readonly accountMacs: AccountMacs;
  readonly bus: Pick<EventBus, 'publishKeyChange' | 'onKeyChange'>;
  /** Name of this run of the node. */
  readonly nodeId: string;
};

export function composeAccess(options: AccessOptions): { readonly services: AccessServices } {
  const { storage, clock, randomBytes, log, rates, box, accountMacs, bus, nodeId } = options;
  const isEmbedded = storage.database.kind === 'embedded';
  const access = new AccessService({
    ...storage,
    clock,
    onKeyChange: () => bus.publishKeyChange(),
    onTouchError: (err) => log.warn({ err }, 'storing the last use of keys failed'),
  });
  bus.onKeyChange(() => access.forgetKeys());
  const rateLimit = new RateLimiter({
    limits: rates,
    clock,
    rates: storage.rates,
    hasOtherNodes: !isEmbedded,
    onSilent: (err) => log.warn({ err }, 'rates are limited by this node alone: the database does not answer'),
  });
  return {
    services: {
      access,
      keys: new KeyService({ ...storage, accountMacs, access, rateLimit, clock, randomBytes }),
      rateLimit,
      readPasses: new ReadPasses({ ...storage, access, rateLimit, box, clock }),
      refusalDelay: new RefusalDelay(),
      streamCounts: new StreamCounts({
        clock,
        repository: isEmbedded ? undefined : storage.streamCounts,
        node: nodeId,
        onSilent: (err) => log.warn({ err }, 'streams are counted by this node alone: the database does not answer'),
      }),
    },
  };
}
