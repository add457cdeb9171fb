// Live streams of one machine: rows of its chain, its events, the transitions of its contracts.
//
// The sender of the frames reauthorizes subscribers periodically. When a public machine becomes private, its
// subscribers are reauthorized at once, before the first frame that was read after the change.

import { type Clock, tickOf } from '../../../core/clock.ts';
import type { FireRepository, StoredFire } from '../../../storage/contracts/fires.ts';
import type { AuditRepository } from '../../../storage/machines/audit.ts';
import type { RowFilter } from '../../../storage/machines/audit-row.ts';
import type { Machine, MachineRepository } from '../../../storage/machines/machines.ts';
import type { Frame } from '../../node/tail-log.ts';
import { type RowRecord, rowRecord } from '../log.ts';
import type { MachineTails, Selection } from './tails.ts';

export interface MachineStreamsOptions {
  readonly tails: MachineTails;
  readonly machines: Pick<MachineRepository, 'byIds'>;
  readonly audit: AuditRepository;
  readonly fires: FireRepository;
  readonly clock: Clock;
}

export interface Subscriber {
  /** Cursor: the last row received. */
  readonly since: number | undefined;
  readonly signal: AbortSignal;
  /** Rejects if the subscriber has lost access. */
  readonly reauthorize: () => Promise<unknown>;
}

type Data = Frame['data'];

export class MachineStreams {
  readonly #options: MachineStreamsOptions;
  /** Frames whose machine was private right after they were read. */
  readonly #private = new WeakSet<Frame>();

  constructor(options: MachineStreamsOptions) {
    this.#options = options;
  }

  /** @param toData  data of a frame from a row; equal for all subscribers with the same `view` */
  rows(
    machine: Machine,
    { types, name }: Pick<RowFilter, 'types' | 'name'>,
    { view, toData }: { readonly view: string; readonly toData: (row: RowRecord) => object },
    subscriber: Subscriber,
  ): AsyncIterable<Frame> {
    const { audit } = this.#options;
    const { id } = machine;
    const { slug } = machine.head;
    const isUnfiltered = types === undefined && name === undefined;
    const selection: Selection = {
      name: `${view} ${types?.join(',') ?? '*'} ${name ?? '*'}`,
      page: async (first, last, limit) => {
        const filter = { types, name, from: first, before: last + 1, limit, order: 'oldest first' } as const;
        const rows = await audit.select(id, slug, filter);
        return rows.map((row) => ({ seq: row.seq, type: row.type, data: toData(rowRecord(row)) as Data }));
      },
      ...(isUnfiltered
        ? {}
        : { seqBehind: (seen, head, count) => audit.seqBehind(id, { types, name, from: seen + 1, to: head }, count) }),
    };
    return this.#subscribe(machine, selection, subscriber);
  }

  transitions(
    machine: Machine,
    contractId: string,
    toData: (fire: StoredFire) => object,
    subscriber: Subscriber,
  ): AsyncIterable<Frame> {
    const stored = this.#options.fires;
    const { id } = machine;
    const selection: Selection = {
      name: `transitions ${contractId}`,
      page: async (first, last, limit) => {
        const fires = await stored.range(id, contractId, { first, last, limit });
        return fires.map((fire) => ({ seq: fire.seq, type: 'transition', data: toData(fire) as Data }));
      },
      seqBehind: (seen, head, count) => stored.seqBehind(id, contractId, { first: seen + 1, last: head }, count),
    };
    return this.#subscribe(machine, selection, subscriber);
  }

  async *#subscribe(
    { id, isPublic }: Machine,
    selection: Selection,
    { since, signal, reauthorize }: Subscriber,
  ): AsyncGenerator<Frame, void, void> {
    const { tails, machines, clock } = this.#options;
    const page: Selection['page'] = async (first, last, limit) => {
      const frames = await selection.page(first, last, limit);
      // Check after the read: private rows are written only after the machine is private.
      const [machine] = await machines.byIds([id], false);
      if (!machine?.isPublic) for (const frame of frames) this.#private.add(frame);
      return frames;
    };
    const now = () => tickOf(clock.now());
    let isAuthorizedAsPublic = isPublic;
    for await (const frame of tails.subscribe(id, { ...selection, page }, since, now, signal)) {
      if (isAuthorizedAsPublic && this.#private.has(frame)) {
        await reauthorize();
        isAuthorizedAsPublic = false;
      }
      yield frame;
    }
  }
}
