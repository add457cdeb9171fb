// Samples that contracts of a private machine need after a restart: payloads in their windows and current readings of
// their oracles. They are stored outside the chain, sealed under the master key, until no window needs them.

import type { NewRow } from '../../chain/row.ts';
import { countedSpans } from '../../contracts/windows/named-windows.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { utf8 } from '../../core/sha256.ts';
import { type KeptSampleRepository, keptSampleRows } from '../../storage/contracts/kept-samples.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into, type Write } from '../../storage/database/writer.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import type { ReadingPayload } from './reading-payload.ts';
import { ROWS_PER_TURN } from './recent-rows.ts';

/** Name under which a sample is sealed. */
export const keptSampleContext = (machineId: string, seq: number) => `svc-kept-sample\0${machineId}\0${seq}`;

export class KeptSamples {
  readonly #samples: KeptSampleRepository;
  readonly #box: SealedBox;

  constructor(samples: KeptSampleRepository, box: SealedBox) {
    this.#samples = samples;
    this.#box = box;
  }

  /** @param rows  rows to be written, the first right after the machine's head */
  writesFor(machine: Machine, { contracts }: Runtime, rows: readonly NewRow[]): Write[] {
    if (machine.isPublic || machine.sealingKey === undefined || rows.length === 0) return [];
    const spans = eventSpans(contracts.values());
    const spanOf = ({ type, payload }: NewRow) => {
      if (type === 'reading') return readingSpan(contracts.get((payload as ReadingPayload).contract), spans);
      return isSample(type) ? spans.get((payload as { readonly name: string }).name) : undefined;
    };
    const { id: machineId, head } = machine;
    return rows.flatMap((row, i) => {
      const span = spanOf(row);
      if (span === undefined) return [];
      const { svcond, payload } = row;
      const seq = head.seq + 1 + i;
      const sealed = this.#box.seal(keptSampleContext(machineId, seq), utf8(canonicalJson(payload)));
      return [into(keptSampleRows, { machineId, seq, svcond, until: svcond + span, sealed })];
    });
  }

  /** Returns payloads as canonical JSON, by row number. */
  async read(machineId: string, since: number, on?: Executor): Promise<ReadonlyMap<number, string>> {
    const payloads = new Map<number, string>();
    for (let after = -1; ; ) {
      const page = await this.#samples.since(machineId, since, { after, limit: ROWS_PER_TURN }, on);
      for (const { seq, sealed } of page) {
        payloads.set(seq, Buffer.from(this.#box.open(keptSampleContext(machineId, seq), sealed)).toString());
        after = seq;
      }
      if (page.length < ROWS_PER_TURN) return payloads;
    }
  }
}

const isSample = (type: string) => type === 'event' || type === 'emit';

/** Ticks for which events are kept, by name: the longest window that counts them. */
function eventSpans(contracts: Iterable<LiveContract>): ReadonlyMap<string, number> {
  const spans = new Map<string, number>();
  for (const { running } of contracts) {
    for (const { event, within } of countedSpans(running.contract))
      spans.set(event, Math.max(spans.get(event) ?? 0, within));
  }
  return spans;
}

/** Ticks for which a reading is kept. The newest reading of an oracle is kept until it is superseded. */
function readingSpan(live: LiveContract | undefined, spans: ReadonlyMap<string, number>): number | undefined {
  const oracle = live?.running.contract.oracle;
  if (oracle === undefined) return undefined;
  const eventSpan = oracle.event === undefined ? undefined : spans.get(oracle.event);
  return Math.max(oracle.within ?? 0, eventSpan ?? 0);
}
