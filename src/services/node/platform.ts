// Dependencies that every service module is composed from.

import type { Logger } from 'pino';
import type { Clock } from '../../core/clock.ts';
import { uuidV7 } from '../../core/ids.ts';
import type { Storage } from '../../storage/storage.ts';

export interface Platform {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

export function unixMs(clock: Clock): number {
  return Number(clock.now() / 1_000_000n);
}

export function newUuid({ clock, randomBytes }: Pick<Platform, 'clock' | 'randomBytes'>): string {
  return uuidV7(unixMs(clock), randomBytes(10));
}
