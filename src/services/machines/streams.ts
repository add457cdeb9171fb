// What happens on one machine, as it happens: rows of its chain, its events, the transitions of its contracts.
//
// Authority is asked for now and then by whoever sends the frames. A machine that becomes private does not wait for that:
// who began to follow it when it was public is asked again before the first frame that was read after it was not.

import { type Clock, tickOf } from '../../core/clock.ts';
import type { ContractRepository, StoredFire } from '../../storage/contracts/contracts.ts';
import type { AuditRepository, RowFilter } from '../../storage/machines/audit.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import type { Frame } from './follow.ts';
import { type RowRecord, rowRecord } from './log.ts';
import type { MachineTails, Selection } from './tails.ts';

export interface MachineStreamsOptions {
  readonly tails: MachineTails;
  readonly machines: Pick<MachineRepository, 'byIds'>;
  readonly audit: AuditRepository;
  readonly contracts: ContractRepository;
  readonly clock: Clock;
}

export interface Follower {
  /** The last row that was seen. */
  readonly since: number | undefined;
  readonly signal: AbortSignal;
  /** Refuses who may no longer follow. */
  readonly mayStay: () => Promise<unknown>;
}

type Data = Frame['data'];

export class MachineStreams {
  readonly #options: MachineStreamsOptions;
  /** Frames of machines that were private when they had been read. */
  readonly #private = new WeakSet<Frame>();

  constructor(options: MachineStreamsOptions) {
    this.#options = options;
  }

  /** @param show  what of a row is told; it is the same for all readers with one `view` */
  rows(
    machine: Machine,
    { types, name }: Pick<RowFilter, 'types' | 'name'>,
    { view, show }: { readonly view: string; readonly show: (row: RowRecord) => object },
    follower: Follower,
  ): AsyncIterable<Frame> {
    const { audit } = this.#options;
    const { id } = machine;
    const { slug } = machine.head;
    const isWhole = types === undefined && name === undefined;
    const selection: Selection = {
      name: `${view} ${types?.join(',') ?? '*'} ${name ?? '*'}`,
      page: async (first, last, limit) => {
        const asked = { types, name, from: first, before: last + 1, limit, order: 'oldest first' } as const;
        const found = await audit.select(id, slug, asked);
        return found.map((row) => ({ seq: row.seq, type: row.type, data: show(rowRecord(row)) as Data }));
      },
      ...(isWhole
        ? {}
        : { behind: (seen, head, count) => audit.seqBehind(id, { types, name, from: seen + 1, to: head }, count) }),
    };
    return this.#follow(machine, selection, follower);
  }

  transitions(
    machine: Machine,
    contractId: string,
    show: (fire: StoredFire) => object,
    follower: Follower,
  ): AsyncIterable<Frame> {
    const { contracts } = this.#options;
    const { id } = machine;
    const selection: Selection = {
      name: `transitions ${contractId}`,
      page: async (first, last, limit) => {
        const fires = await contracts.firesBetween(id, contractId, { first, last, limit });
        return fires.map((fire) => ({ seq: fire.seq, type: 'transition', data: show(fire) as Data }));
      },
      behind: (seen, head, count) => contracts.fireBehind(id, contractId, { first: seen + 1, last: head }, count),
    };
    return this.#follow(machine, selection, follower);
  }

  async *#follow(
    { id, isPublic }: Machine,
    selection: Selection,
    { since, signal, mayStay }: Follower,
  ): AsyncGenerator<Frame, void, void> {
    const { tails, machines, clock } = this.#options;
    const page: Selection['page'] = async (first, last, limit) => {
      const frames = await selection.page(first, last, limit);
      // Afterwards: what is written in private is there no sooner than that the machine is.
      const [machine] = await machines.byIds([id], false);
      if (!machine?.isPublic) for (const frame of frames) this.#private.add(frame);
      return frames;
    };
    const now = () => tickOf(clock.now());
    let isForAnyone = isPublic;
    for await (const frame of tails.follow(id, { ...selection, page }, since, now, signal)) {
      if (isForAnyone && this.#private.has(frame)) {
        await mayStay();
        isForAnyone = false;
      }
      yield frame;
    }
  }
}
