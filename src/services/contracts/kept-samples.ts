// What contracts of a private machine must not forget over a restart: the payloads that their windows still hold, and what
// their oracles still tell. They live apart from the chain, under the master key, and only as long as that.

import type { NewRow } from '../../chain/row.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { utf8 } from '../../core/sha256.ts';
import { type KeptSampleRepository, keptSampleRows } from '../../storage/contracts/kept-samples.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into, type Write } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import type { ReadingPayload } from '../oracles/rows.ts';
import type { Live, Runtime } from './runtime.ts';

const nameOf = (machineId: string, seq: number) => `svc-kept-sample\0${machineId}\0${seq}`;

export class KeptSamples {
  readonly #samples: KeptSampleRepository;
  readonly #box: SealedBox;

  constructor(samples: KeptSampleRepository, box: SealedBox) {
    this.#samples = samples;
    this.#box = box;
  }

  /** @param rows  about to be written, the first right after the machine's head */
  writesFor(machine: Machine, { contracts }: Runtime, rows: readonly NewRow[]): Write[] {
    if (machine.isPublic || machine.sealingKey === undefined || rows.length === 0) return [];
    const spans = spansOf(contracts.values());
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
      const sealed = this.#box.seal(nameOf(machineId, seq), utf8(canonicalJson(payload)));
      return [into(keptSampleRows, { machineId, seq, svcond, until: svcond + span, sealed })];
    });
  }

  /** Canonical JSON of payloads by the number of their row. */
  async read(machineId: string, since: number, on?: Executor): Promise<ReadonlyMap<number, string>> {
    const kept = await this.#samples.since(machineId, since, on);
    return new Map(
      kept.map(({ seq, sealed }) => [seq, Buffer.from(this.#box.open(nameOf(machineId, seq), sealed)).toString()]),
    );
  }
}

const isSample = (type: string) => type === 'event' || type === 'emit';

/** How long events of a name are wanted: the longest window of those that count them. */
function spansOf(contracts: Iterable<Live>): ReadonlyMap<string, number> {
  const spans = new Map<string, number>();
  for (const { running } of contracts) {
    for (const { trigger } of running.contract.transitions) {
      if (trigger.kind !== 'on_aggregate') continue;
      spans.set(trigger.event, Math.max(spans.get(trigger.event) ?? 0, trigger.within));
    }
  }
  return spans;
}

/** The newest reading of an oracle stays longer than this: as long as it is the newest (storage/contracts/kept-samples.ts). */
function readingSpan(live: Live | undefined, spans: ReadonlyMap<string, number>): number | undefined {
  const oracle = live?.running.contract.oracle;
  if (oracle === undefined) return undefined;
  const heard = oracle.event === undefined ? undefined : spans.get(oracle.event);
  return Math.max(oracle.within ?? 0, heard ?? 0);
}
