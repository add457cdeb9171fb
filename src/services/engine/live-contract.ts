// Contracts of one machine in memory.

import type { Collections } from '../../contracts/data/collections.ts';
import type { RunningContract } from '../../contracts/execution.ts';
import type { PartyBindings } from '../../contracts/parties/bindings.ts';
import type { ContractStatus, StoredContract } from '../../storage/contracts/contracts.ts';
import type { Instances } from './instances.ts';

/** A contract in memory: its stored record and its running state. */
export interface LiveContract {
  stored: StoredContract;
  running: RunningContract;
  /** Names of the events it listens to. */
  subscribedEvents: ReadonlySet<string>;
  /** Version whose definition is in the database. */
  writtenVersion?: number;
  /** Bindings and status with which its seats are in the database. */
  writtenSeats?: WrittenSeats;
  /** Its collections as they are in the database. */
  writtenCollections?: Collections | undefined;
  /** Version whose oracle is registered in the database. */
  oracleVersion?: number;
  /** Last row of another machine that a version has read, possibly in a change not yet committed. */
  followedCursor?: { readonly versionNo: number; readonly seq: number };
  /** Of a contract with a key: its instances in memory. */
  readonly instances?: Instances<LiveContract>;
  /** Of an instance: its key, and the contract whose definition it has. */
  readonly instance?: { readonly key: string; readonly parent: LiveContract };
}

/** What the stored seats of a contract or an instance follow from. */
interface WrittenSeats {
  readonly bindings: PartyBindings | undefined;
  readonly status: ContractStatus;
}

/** As they are stored with a contract that was read. */
export const seatsAsRead = ({ state: { parties }, status }: StoredContract): WrittenSeats => ({
  bindings: parties?.bindings,
  status,
});

export interface Runtime {
  /** Of the ledger's copy of the machine with which it was last seen to agree; undefined before the first time. */
  epoch: number | undefined;
  /** Number of the machine's changes that it includes. */
  changes: number;
  readonly contracts: Map<string, LiveContract>;
  /** Keyed by `token\0holder`. */
  readonly balances: Map<string, number>;
  /** Tick of the newest stamp row of the audit clock. */
  stampedAt: number | undefined;
  /** What of the windows is in segments; undefined if nothing is. */
  segments: SegmentsEnd | undefined;
  /** Samples since then. */
  unsegmented: number;
}

/** The segments of a machine up to a row: where the next one begins. */
export interface SegmentsEnd {
  readonly toSeq: number;
  /** Tick at which all their samples have left every window. */
  readonly until: number;
}

/** The contract of a row, and the key of its instance. */
export const nameOf = ({ stored, instance }: Pick<LiveContract, 'stored' | 'instance'>) =>
  instance === undefined ? { contract: stored.id } : { contract: stored.id, instance: instance.key };

/** Ticks between stamps of the audit clock: the shortest period of any active contract that has it on. */
export function auditClockPeriod(contracts: Iterable<LiveContract>): number | undefined {
  let period: number | undefined;
  for (const { stored } of contracts) {
    const { audit_clock: clock } = stored.definition;
    if (stored.status === 'active' && clock?.on)
      period = Math.min(period ?? Number.POSITIVE_INFINITY, clock.tick_rate ?? 1);
  }
  return period;
}
