// Delivery to contracts with a key: finds the instance that an event is for, creates it, or says why there is none.

import type { Stimulus } from '../../contracts/contract-state.ts';
import type { Step } from '../../contracts/execution.ts';
import { keyOfEvent, keyRuleOf } from '../../contracts/instances/keys.ts';
import { movedInstance, spawn } from '../../contracts/instances/spawn.ts';
import { payloadFault, reasonOf } from '../../contracts/transition-attempt.ts';
import { isReserved } from '../../contracts/transition-function.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { instanceOf } from './instance-loader.ts';
import type { Instances } from './instances.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import type { RefusalReport, UnfiredReport } from './unfired-report.ts';

/** An event to be delivered. */
interface Sent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly number: number;
  readonly source?: string;
  readonly sourceInstance?: string | undefined;
}

/** What the delivery needs of the change that it belongs to. */
interface Change {
  readonly tick: number;
  readonly actor: string;
  readonly environment: Parameters<typeof spawn>[3];
  readonly unfired: UnfiredReport;
  addRow(type: 'contract', source: string, payload: unknown): number;
  countSpawn(live: LiveContract): void;
  updateContract(live: LiveContract): void;
  isActive(live: LiveContract): boolean;
}

/** Who receives an event. */
interface Receiver {
  readonly live: LiveContract;
  /** Of an instance that the event has created. */
  readonly steps?: readonly Step[];
}

type Field = { readonly path: string; readonly got: unknown; readonly expected: string };

export class KeyedDelivery {
  readonly #change: Change;
  readonly #runtime: Runtime;
  readonly #parent: LiveContract;
  readonly #instances: Instances<LiveContract>;

  constructor(change: Change, runtime: Runtime, parent: LiveContract, instances: Instances<LiveContract>) {
    this.#change = change;
    this.#runtime = runtime;
    this.#parent = parent;
    this.#instances = instances;
  }

  /** Undefined if nobody does; the report says why. @throws InstanceMissing if it is not in memory */
  receiverOf(sent: Sent): Receiver | undefined {
    const { stored } = this.#parent;
    const { name, payload, number, source } = sent;
    const rule = keyRuleOf(stored.definition);
    if (rule === undefined) return undefined;
    const isOwn = source === stored.id;
    if (!this.#change.isActive(this.#parent) || this.#isReserved(sent)) {
      // The same report as for any other contract.
      this.#change.unfired.addEvent(
        this.#parent,
        { name, payload, number, source },
        this.#change.isActive(this.#parent),
      );
      return undefined;
    }
    const key = isOwn ? (sent.sourceInstance ?? '') : keyOfEvent(rule, payload);
    if (typeof key !== 'string') {
      const reason = `${name} names no instance: ${key.path} is ${JSON.stringify(key.got) ?? 'missing'}; expected ${key.expected}.`;
      return this.#refuse(sent, undefined, 'BAD_KEY', reason, key);
    }
    const found = this.#instances.get(key);
    const isSpawn = rule.spawn.has(name);
    if (found === undefined)
      return isSpawn
        ? this.#spawn(sent, key, undefined)
        : this.#refuse(
            sent,
            key,
            'UNKNOWN_KEY',
            `There is no instance ${key}; ${[...rule.spawn].join(' or ')} creates one.`,
          );
    if (found.running.state.lifecycle !== 'active') {
      if (isOwn) return undefined;
      if (isSpawn && rule.respawns) return this.#spawn(sent, key, found);
      const reason = `The instance ${key} is ${found.running.state.lifecycle}.`;
      return this.#refuse(sent, key, 'KEY_FINISHED', reason);
    }
    if (isSpawn && !isHeard(found, name)) {
      const reason = `The instance ${key} is there already, in ${found.running.state.state}.`;
      return this.#refuse(sent, key, 'KEY_EXISTS', reason);
    }
    this.moveToVersion(found, number);
    return { live: found };
  }

  #isReserved({ name, number, source }: Sent): boolean {
    const { contract, state } = this.#parent.running;
    return isReserved(contract, state, { name, number, isExternal: source === undefined });
  }

  #refuse({ source, name }: Sent, key: string | undefined, code: string, reason: string, field?: Field): undefined {
    if (source !== undefined) return undefined;
    const said = field ?? {
      path: `payload.${keyRuleOf(this.#parent.stored.definition)?.field}`,
      got: key,
      expected: EXPECTED[code] ?? `a key for ${name}`,
    };
    this.#change.unfired.addRefusals(this.#parent.stored.id, [{ transition: null, code, reason, field: said }], key);
    return undefined;
  }

  #spawn(sent: Sent, key: string, former: LiveContract | undefined): Receiver | undefined {
    const { name, payload, number, source } = sent;
    const { stored, running } = this.#parent;
    const { contract } = running;
    const invalid = payloadFault(contract, name, payload);
    if (invalid !== undefined) return this.#refuse(sent, key, 'PAYLOAD', reasonOf(name, invalid), invalid);
    const { perMachine } = LIMITS.contracts.instances;
    if (activeOf(this.#runtime) >= perMachine)
      return this.#refuse(
        sent,
        key,
        'INSTANCES_FULL',
        `The machine has ${perMachine} active instances, which is its limit.`,
      );
    const { tick, environment } = this.#change;
    const from = { actor: source ?? this.#change.actor, isExternal: source === undefined };
    const event: Extract<Stimulus, { kind: 'event' }> = { kind: 'event', tick, number, name, payload, ...from };
    this.#change.countSpawn(this.#parent);
    let begun: ReturnType<typeof spawn>;
    try {
      begun = spawn(contract, event, former?.running.state, environment);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_FAILED') throw error;
      return this.#refuse(sent, key, 'NOT_SPAWNED', error.message);
    }
    if (begun.isRefused) {
      const { unfired } = this.#change;
      if (source === undefined)
        for (const { result } of begun.steps) unfired.addRefusals(stored.id, result.refused, key);
      return undefined;
    }
    this.#change.addRow('contract', 'contract', {
      contract: stored.id,
      instance: key,
      act: 'spawned',
      at_version: stored.versionNo,
      event: number,
      engine: begun.running.state.engine?.edition,
    });
    const fresh = { ...stored, state: begun.running.state, nextFire: undefined, createdSvcond: tick };
    const live = instanceOf(this.#parent, key, fresh, begun.running);
    this.#instances.add(key, live);
    count(this.#parent, 1, former === undefined ? 0 : -1);
    this.#change.updateContract(live);
    return { live, steps: begun.steps };
  }

  /** Moves an instance to the version that stands, if it can; otherwise it goes on under its own. */
  moveToVersion(live: LiveContract, event?: number): void {
    const { stored, running } = this.#parent;
    if (live.stored.versionNo === stored.versionNo) return;
    const { tick, environment } = this.#change;
    const at = { tick, number: event ?? 0 };
    try {
      live.running = movedInstance(running.contract, live.running, at, environment);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'VALIDATION_FAILED') return;
      throw error;
    }
    this.#change.addRow('contract', 'contract', {
      contract: stored.id,
      instance: live.instance?.key,
      act: 'moved',
      at_version: stored.versionNo,
      ...(event === undefined ? {} : { event }),
    });
    const { definition, definitionText, definitionHash, parameters, versionNo } = stored;
    live.stored = { ...live.stored, definition, definitionText, definitionHash, parameters, versionNo };
    this.#change.updateContract(live);
    countFinished(live, this.#parent);
  }
}

const EXPECTED: Readonly<Record<RefusalReport['code'], string>> = {
  UNKNOWN_KEY: 'the key of an instance',
  KEY_FINISHED: 'the key of an active instance',
  KEY_EXISTS: 'a new key',
};

const isHeard = ({ running: { contract, state } }: LiveContract, name: string) =>
  contract.transitions.some(
    ({ from, trigger }) => from.has(state.state) && trigger.kind === 'event' && trigger.event === name,
  );

const activeOf = ({ contracts }: Runtime): number =>
  [...contracts.values()].reduce((sum, { running }) => sum + (running.state.instances?.active ?? 0), 0);

function count({ running }: LiveContract, active: number, finished: number): void {
  const { instances = { active: 0, finished: 0 } } = running.state;
  const counts = { active: instances.active + active, finished: instances.finished + finished };
  running.state = { ...running.state, instances: counts };
}

/** Counts an instance that has just ended. */
export function countFinished(live: LiveContract, parent: LiveContract): void {
  const { lifecycle } = live.running.state;
  if (live.stored.status !== 'active' || lifecycle === 'active') return;
  live.stored = { ...live.stored, status: lifecycle };
  count(parent, -1, 1);
}
