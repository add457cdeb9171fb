// Fixture: a service on a separate database, with a clock that only moves when advanced. It can be restarted.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Composition, compose } from '../../../src/composition.ts';
import { type Configuration, readConfiguration } from '../../../src/configuration.ts';
import type { Definition } from '../../../src/contracts/definition.ts';
import { type Clock, TICK_NS } from '../../../src/core/clock.ts';
import { openLog } from '../../../src/log.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import type { OracleRecord } from '../../../src/services/oracles/oracles.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { dropSchema, freshSchema } from '../../storage/databases.ts';

export const OWNER: Principal = {
  accountId: '',
  keyId: '',
  keyPrefix: '',
  scope: 'admin',
  tier: 'high',
  isDemo: false,
  zid: 'c'.repeat(32),
};

const START = 3_000_000_000;
const WAIT_MS = 20_000;
const POLL_MS = 20;

export class OraclesFixture {
  readonly #configuration: Partial<Configuration>;
  readonly #schema: string | undefined;
  readonly #folder: string | undefined;
  #now = START;
  #machineCount = 0;
  #composition: Composition | undefined;

  constructor(databaseUrl: string | undefined, env: Readonly<Record<string, string>> = {}) {
    this.#schema = databaseUrl === undefined ? undefined : freshSchema();
    this.#folder = databaseUrl === undefined ? mkdtempSync(join(tmpdir(), 'svc-oracles-')) : undefined;
    const configuration = readConfiguration({
      SVC_MASTER_KEY: randomBytes(32).toString('hex'),
      SVC_WORKERS: '1',
      ...env,
    });
    this.#configuration = {
      ...configuration,
      databaseUrl,
      ...(this.#folder === undefined ? {} : { dataFolder: this.#folder }),
    };
  }

  get #running(): Composition {
    if (this.#composition) return this.#composition;
    throw new Error('The service has not been started.');
  }

  get services() {
    return this.#running.services;
  }

  get storage() {
    return this.#running.storage;
  }

  get now(): number {
    return this.#now;
  }

  async start(): Promise<void> {
    const clock: Clock = { source: 'stepped', now: () => BigInt(this.#now) * TICK_NS };
    this.#composition = await compose({
      configuration: this.#configuration as Configuration,
      log: openLog('error'),
      clock,
      ...(this.#schema === undefined ? {} : { schema: this.#schema }),
    });
  }

  async restart(): Promise<void> {
    await this.#running.close();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#composition?.close();
    const { databaseUrl } = this.#configuration;
    if (databaseUrl !== undefined && this.#schema !== undefined) {
      const database = await openDatabase({ databaseUrl });
      await dropSchema(database, this.#schema);
      await database.close();
    }
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  forward(ticks: number): void {
    this.#now += ticks;
  }

  async machine(fields: { readonly is_public?: boolean } = {}, by: Principal = OWNER): Promise<Machine> {
    const slug = `oracles-${this.#machineCount++}`;
    return (await this.services.machines.create(by, { slug, ...fields }, 'test')).machine;
  }

  /** Reloads a machine. */
  async again({ head: { slug } }: Machine): Promise<Machine> {
    return this.services.machines.find(slug, OWNER, 'reader');
  }

  async deploy(machine: Machine, definition: object, by: Principal = OWNER): Promise<string> {
    return (await this.services.contracts.deploy(machine, by, { definition: definition as Definition })).id;
  }

  async event(machine: Machine, name: string, payload: Readonly<Record<string, unknown>> = {}) {
    return this.services.machineLog.event(machine, OWNER, { name, payload });
  }

  async stateOf(machine: Machine, id: string): Promise<string> {
    return (await this.services.contracts.get(machine, id)).contract.currentState;
  }

  /** Returns the oracle of a contract from the list. */
  async oracle(machine: Machine, id: string): Promise<OracleRecord> {
    // Lists are cached for one tick.
    this.forward(1);
    const found = (await this.services.oracles.list(await this.again(machine), 100)).find(
      ({ contract }) => contract === id,
    );
    if (found) return found;
    throw new Error(`The contract ${id} has no oracle.`);
  }

  /** Returns the payloads of the rows of a type, oldest first. */
  async rows(machine: Machine, type: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.services.machineLog.explore(await this.again(machine), { type, limit: 200 });
    return rows.map(({ payload }) => payload as Record<string, unknown>).reverse();
  }

  /** Polls until the condition returns a value. */
  async until<Answer>(condition: () => Promise<Answer | undefined | false>): Promise<Answer> {
    for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
      const answer = await condition();
      if (answer !== undefined && answer !== false) return answer;
      await sleep(POLL_MS);
    }
    throw new Error('Timed out waiting for the condition.');
  }
}
