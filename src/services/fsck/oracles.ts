// The oracles of one machine against their readings, which are rows of the chain, and against the definitions that declare them.
//
// Counters begin with the version that first had an oracle, pointers with the version since which the same thing is measured.
// Readings whose payload is gone or sealed may be of any contract: so many more the counters may say.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { compileContract } from '../../contracts/compiled.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { type CompiledOracle, subjectOf } from '../../contracts/oracle.ts';
import { shardOf } from '../../storage/contracts/contracts.ts';
import type { InspectedOracle, InspectedSource, InspectionRepository } from '../../storage/fsck/machines.ts';
import { type Find, findUnequal } from './faults.ts';
import { parsed } from './rows.ts';

/** What the chain says of one version and of the readings while it was in force. */
interface Stretch {
  readonly no: number;
  /** The row that put it into force, and who wrote that. */
  readonly seq: number;
  readonly actor: string;
  readings: number;
  out_of_range: number;
  stale: number;
  newest: number | undefined;
  newestOk: number | undefined;
  /** The newest row of another machine that was read. */
  followed: number | undefined;
}

/** A version, and its oracle; null if it has none, undefined if nobody knows. */
interface Source {
  readonly no: number;
  readonly oracle: CompiledOracle | null | undefined;
}

export class OraclesCheck {
  readonly #machineId: string;
  readonly #inspection: InspectionRepository;
  readonly #find: Find;
  /** Of each contract, oldest first: as many as it has versions. */
  readonly #stretches = new Map<string, Stretch[]>();
  #unreadActs = 0;
  #unreadReadings = 0;

  constructor(machineId: string, inspection: InspectionRepository, find: Find) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#find = find;
  }

  see(row: Row): void {
    if (row.type === 'contract') this.#seeAct(row);
    if (row.type === 'reading') this.#seeReading(row);
  }

  #seeAct(row: Row): void {
    const { contract, version } = payloadOf(row);
    if (typeof contract !== 'string') this.#unreadActs++;
    else if (typeof version === 'number') {
      const stretches = this.#stretches.get(contract) ?? [];
      this.#stretches.set(contract, stretches);
      const { seq, actor } = row;
      const counted = { readings: 0, out_of_range: 0, stale: 0 };
      stretches.push({
        no: version,
        seq,
        actor,
        ...counted,
        newest: undefined,
        newestOk: undefined,
        followed: undefined,
      });
    }
  }

  #seeReading(row: Row): void {
    const { contract, status, followed } = payloadOf(row);
    if (typeof contract !== 'string') {
      this.#unreadReadings++;
      return;
    }
    const stretch = this.#stretches.get(contract)?.at(-1);
    if (stretch === undefined) return;
    stretch.readings++;
    stretch.newest = row.seq;
    if (status === 'ok') stretch.newestOk = row.seq;
    if (status === 'out_of_range' || status === 'stale') stretch[status]++;
    const { seq } = (followed ?? {}) as { readonly seq?: number };
    if (seq !== undefined) stretch.followed = seq;
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    if (!tables.has('oracle')) return;
    const oracles = await this.#inspection.oracles(this.#machineId);
    const stored = new Map(oracles.map((one) => [one.contract_id, one]));
    const sources = Map.groupBy(await this.#inspection.sources(this.#machineId), (one) => one.contract_id);
    for (const [contract, versions] of sources) this.#check(contract, stored.get(contract), versions.map(sourceOf));
  }

  #check(contract_id: string, stored: InspectedOracle | undefined, sources: readonly Source[]): void {
    const newest = sources.at(-1);
    const oracle = newest?.oracle;
    if (newest === undefined || oracle === undefined) return;
    const version = `version ${newest.no}`;
    if (oracle === null || stored === undefined) {
      const message = stored ? `${version} has no oracle.` : `${version} has an oracle, and it is not there.`;
      if (stored || oracle) this.#find('oracle', { contract_id }, 'VERSION', message, 'contract_id');
      return;
    }
    const { kind, every } = oracle;
    findUnequal(this.#find, ['oracle', { contract_id }], version, [
      ['version_no', stored.version_no, newest.no],
      ['shard', stored.shard, shardOf(this.#machineId)],
      ['kind', stored.kind, kind],
      ['subject', stored.subject, subjectOf(oracle)],
      ['every_ticks', stored.every_ticks, every ?? null],
    ]);
    if ((stored.due_tick === null) !== (every === undefined)) {
      const expected = every === undefined ? 'null, since nobody asks by the clock' : 'a tick';
      const message = `due_tick is ${stored.due_tick}; it should be ${expected}.`;
      this.#find('oracle', { contract_id }, 'TIMER', message, 'due_tick');
    }
    this.#compare(stored, oracle, sources);
  }

  /** Against the rows of the chain, as far as they can be read. */
  #compare(stored: InspectedOracle, { kind }: CompiledOracle, sources: readonly Source[]): void {
    const { contract_id } = stored;
    const stretches = this.#stretches.get(contract_id);
    if (stretches === undefined || this.#unreadActs > 0 || sources.some((one) => one.oracle === undefined)) return;
    const counted = lastWhile(stretches, sources, (one) => one !== null);
    const pointed = lastWhile(stretches, sources, (one, last) => one !== null && subjectOf(one) === subjectOf(last));
    const [since] = pointed;
    // Whoever named the source; before that was kept, whoever wrote the newest version of it.
    const asker = pointed.find(({ actor }) => actor === stored.asked_by) ?? since;
    findUnequal(this.#find, ['oracle', { contract_id }], 'the chain', [
      ['asked_by', stored.asked_by, asker?.actor],
      ['since_seq', stored.since_seq, since?.seq],
    ]);
    for (const column of ['readings', 'out_of_range', 'stale'] as const) {
      const told = counted.reduce((sum, one) => sum + one[column], 0);
      const more = BigInt(stored[column]) - BigInt(told);
      if (more >= 0n && more <= this.#unreadReadings) continue;
      findUnequal(this.#find, ['oracle', { contract_id }], 'the chain', [[column, stored[column], told]]);
    }
    const last = (column: 'newest' | 'newestOk' | 'followed') =>
      pointed.findLast((one) => one[column] !== undefined)?.[column] ?? null;
    if (this.#unreadReadings === 0)
      findUnequal(this.#find, ['oracle', { contract_id }], 'the chain', [
        ['newest_seq', stored.newest_seq, last('newest')],
        ['newest_ok_seq', stored.newest_ok_seq, last('newestOk')],
      ]);
    const { cursor_seq } = stored;
    const isBehind = kind === 'machine' && Number(cursor_seq ?? -1) < Number(last('followed') ?? -1);
    if (isBehind || (kind !== 'machine' && cursor_seq !== null)) {
      const expected = kind === 'machine' ? `row ${last('followed')} was read` : 'no machine is read';
      this.#find('oracle', { contract_id }, 'SAID', `cursor_seq is ${cursor_seq}; ${expected}.`, 'cursor_seq');
    }
  }
}

function sourceOf({ no, definition, parameters }: InspectedSource): Source {
  const given = definition === null ? undefined : (parsed(definition) as Definition | undefined);
  if (given === undefined) return { no, oracle: undefined };
  try {
    return { no, oracle: compileContract(given, parsed(parameters) as Scalars).oracle ?? null };
  } catch {
    return { no, oracle: undefined };
  }
}

/** The stretches of the last versions, back to the first of which this cannot be said. */
function lastWhile(
  stretches: readonly Stretch[],
  sources: readonly Source[],
  isSo: (oracle: CompiledOracle | null, last: CompiledOracle) => boolean,
): Stretch[] {
  const last = sources.at(-1)?.oracle;
  if (!last) return [];
  const breaking = sources.findLast(({ oracle = null }) => !isSo(oracle, last))?.no ?? 0;
  return stretches.filter(({ no }) => no > breaking);
}
