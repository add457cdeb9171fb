// The storage room as one object: a database at the newest schema and its repositories.

import { AccountRepository } from './accounts.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { FieldRepository } from './fields.ts';
import { IdempotencyRepository } from './idempotency.ts';
import { KernelRepository } from './kernels.ts';
import { KeyRepository } from './keys.ts';
import { migrate } from './migrate.ts';
import { NodeRepository } from './node.ts';
import { RunRepository } from './runs.ts';
import { SecretRepository } from './secrets.ts';

export interface Storage {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly runs: RunRepository;
  readonly fields: FieldRepository;
  readonly kernels: KernelRepository;
  readonly idempotency: IdempotencyRepository;
  readonly secrets: SecretRepository;
  readonly node: NodeRepository;
  readonly transaction: Database['transaction'];
  close(): Promise<void>;
}

/** @throws DomainError VALIDATION_FAILED, STORAGE_LOCKED, STORAGE_UNAVAILABLE */
export async function openStorage(options: DatabaseOptions): Promise<Storage> {
  const database = await openDatabase(options);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const { knex } = database;
  return {
    database,
    accounts: new AccountRepository(knex),
    keys: new KeyRepository(knex),
    runs: new RunRepository(knex),
    fields: new FieldRepository(knex),
    kernels: new KernelRepository(knex),
    idempotency: new IdempotencyRepository(knex),
    secrets: new SecretRepository(knex),
    node: new NodeRepository(knex),
    transaction: database.transaction,
    close: database.close,
  };
}
