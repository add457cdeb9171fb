// Definitions and compiled contracts, shared by all machines whose contracts are the same.

import { LRUCache } from 'lru-cache';
import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import type { Windows } from '../../contracts/contract-state.ts';
import { createReadings, subscribedEvents } from '../../contracts/execution.ts';
import type { OracleReadings } from '../../contracts/oracle-readings.ts';
import { createWindows } from '../../contracts/transition-function.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import { Instances } from './instances.ts';
import type { LiveContract } from './live-contract.ts';

type Definitions = Pick<StoredContract, 'definition' | 'definitionText'>;

const MAX_DEFINITIONS = 2_000;

export class CompiledContracts {
  readonly #definitions = new LRUCache<string, Definitions>({ max: MAX_DEFINITIONS });
  readonly #compiled = new LRUCache<string, CompiledContract>({ max: MAX_DEFINITIONS });
  readonly #events = new WeakMap<CompiledContract, ReadonlySet<string>>();

  /** The definition with this hash, if it is in memory. */
  definition(hash: string): Definitions | undefined {
    return this.#definitions.get(hash);
  }

  keepDefinition(hash: string, definition: Definitions): void {
    this.#definitions.set(hash, definition);
  }

  /** A contract in memory, whose definition is that of the others with the same hash. */
  createLive(given: StoredContract, windows?: Windows, oracleReadings?: OracleReadings): LiveContract {
    const { definition, definitionText, definitionHash } = given;
    const shared = this.definition(definitionHash) ?? { definition, definitionText };
    this.keepDefinition(definitionHash, shared);
    const stored = { ...given, ...shared };
    const contract = this.compile(stored);
    const readings = oracleReadings ?? createReadings(contract);
    // Windows of a contract with a key belong to its instances.
    const isKeyed = contract.definition.key !== undefined;
    const own: Windows = isKeyed ? new Map() : (windows ?? createWindows(contract));
    const running = { contract, state: stored.state, windows: own, readings };
    const live = { stored, running, subscribedEvents: this.#eventsOf(contract) };
    if (!isKeyed) return live;
    // A paused contract keeps the tick for when it is resumed.
    return { ...live, instances: new Instances(stored.id, stored.nextFire ?? stored.heldNextFire) };
  }

  compile({
    definition,
    definitionHash,
    parameters,
  }: Pick<StoredContract, 'definition' | 'definitionHash' | 'parameters'>): CompiledContract {
    const key = `${definitionHash} ${JSON.stringify(parameters)}`;
    const cached = this.#compiled.get(key);
    if (cached) return cached;
    const compiled = compileContract(definition, parameters);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  #eventsOf(contract: CompiledContract): ReadonlySet<string> {
    const events = this.#events.get(contract) ?? subscribedEvents(contract);
    this.#events.set(contract, events);
    return events;
  }
}
