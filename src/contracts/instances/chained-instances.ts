// Instances of one contract according to the rows of its machine, to compare with what is stored of them.

import type { ContractState } from '../contract-state.ts';
import { haveHash } from '../data/collections.ts';

type Payload = Readonly<Record<string, unknown>>;

interface ChainedInstance {
  state: unknown;
  fires: number;
  version: unknown;
  created: number;
  /** Whether a stranger has moved it last, or what a stranger caused. */
  isOfStranger: boolean;
  /** Hash of the collections after the last transition that changed one, since the last version. */
  collections: unknown;
  /** To another version, with which collections may come. */
  isMoved: boolean;
}

interface ChainedRow {
  readonly type: string;
  readonly svcond: number;
  /** Whether its source is that of strangers. */
  readonly isOfStranger: boolean;
}

/** An instance as it is stored. */
export interface ComparedInstance {
  readonly key: string;
  readonly versionNo: number;
  readonly state: Pick<ContractState, 'state' | 'fires' | 'collections'>;
  readonly createdSvcond: number;
  /** Whether it is stored that a stranger has moved it last. */
  readonly isOfStranger?: boolean | undefined;
}

/** A difference, and the column that has it. */
export interface InstanceFault {
  readonly message: string;
  readonly column: string;
}

export class ChainedInstances {
  readonly #instances = new Map<string, ChainedInstance>();
  readonly #initialOf: (version: unknown) => unknown;

  /** @param initialOf  the initial state of a version */
  constructor(initialOf: (version: unknown) => unknown) {
    this.#initialOf = initialOf;
  }

  /** Keys that have not been compared. */
  get keys(): Iterable<string> {
    return this.#instances.keys();
  }

  /** Takes the next row that names an instance. @returns what is wrong with it */
  visit({ type, svcond, isOfStranger }: ChainedRow, payload: Payload): string | undefined {
    const { instance: key, act } = payload;
    if (typeof key !== 'string') return undefined;
    const known = this.#instances.get(key);
    if (type === 'contract' && act === 'spawned') {
      const { at_version: version } = payload;
      const { fires = 0 } = known ?? {};
      const state = this.#initialOf(version);
      const begun = { state, fires, version, created: svcond, isOfStranger, collections: undefined, isMoved: false };
      this.#instances.set(key, begun);
      return undefined;
    }
    if (type !== 'transition' && act !== 'moved') return undefined;
    if (known === undefined) return `names the instance ${key}, which no row has spawned`;
    if (act === 'moved') {
      known.version = payload.at_version;
      known.collections = undefined;
      known.isMoved = true;
      return undefined;
    }
    const { state } = known;
    known.fires++;
    known.isOfStranger = isOfStranger;
    known.state = payload.to;
    known.collections = payload.collections ?? known.collections;
    return payload.from === state ? undefined : `leaves ${payload.from}; the instance ${key} was in ${state}`;
  }

  /** Compares an instance that is stored. @param isWhole  whether all transitions could be read */
  compare(
    { key, versionNo, state, createdSvcond, isOfStranger }: ComparedInstance,
    isWhole: boolean,
  ): InstanceFault | undefined {
    const known = this.#instances.get(key);
    this.#instances.delete(key);
    if (known === undefined) return { message: `No row has spawned the instance ${key}.`, column: 'key' };
    const differs = (column: string, what: string, is: unknown, said: unknown) =>
      is === said ? undefined : { message: `${what} of ${key} is ${is}; its rows say ${said}.`, column };
    const ofActs =
      differs('version_no', 'The version', versionNo, known.version) ??
      differs('created_svcond', 'The beginning', createdSvcond, known.created);
    if (ofActs !== undefined || !isWhole) return ofActs;
    const { collections } = state;
    const isSame =
      known.collections === undefined
        ? known.isMoved || isEmpty(collections)
        : haveHash(collections, known.collections);
    if (!isSame)
      return { message: `The collections of ${key} are not those that its rows say.`, column: 'collections' };
    return (
      differs('state', 'The state', state.state, known.state) ??
      differs('state', 'The number of fires', state.fires, known.fires) ??
      differs('state', 'The mark of a stranger', isOfStranger ?? false, known.isOfStranger)
    );
  }
}

/** As an instance begins: whatever somebody has written there. */
const isEmpty = (collections: unknown) =>
  collections === undefined ||
  (typeof collections === 'object' &&
    collections !== null &&
    Object.values(collections).every((entries) => Array.isArray(entries) && entries.length === 0));
