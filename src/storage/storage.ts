// The storage room as one object: a database at the newest schema and its repositories.

import { AccountRepository } from './accounts.ts';
import { AnchorSettingsRepository } from './anchor-settings.ts';
import { AnchorRepository } from './anchors.ts';
import { AuditRepository } from './audit.ts';
import { ContractRepository } from './contracts.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { DeveloperRepository } from './developers.ts';
import { FieldRepository } from './fields.ts';
import { IdempotencyRepository } from './idempotency.ts';
import { IdentityRepository, MemberRepository } from './identities.ts';
import { KeptSampleRepository } from './kept-samples.ts';
import { KernelRepository } from './kernels.ts';
import { KeyRepository } from './keys.ts';
import { LeaseRepository } from './leases.ts';
import { MachineRepository } from './machines.ts';
import { migrate } from './migrate.ts';
import { NodeRepository } from './node.ts';
import { OracleRepository } from './oracles.ts';
import { OutboxRepository } from './outbox.ts';
import { OverviewRepository } from './overview.ts';
import { RunRepository } from './runs.ts';
import { SealingKeyRepository } from './sealing-keys.ts';
import { SealRepository } from './seals.ts';
import { SecretRepository } from './secrets.ts';
import { ShareRepository } from './shares.ts';
import { TallyRepository } from './tally.ts';
import { TreeRepository } from './trees.ts';
import { WebhookSecretRepository } from './webhook-secrets.ts';
import { WitnessedRepository } from './witnessed.ts';

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
  readonly machines: MachineRepository;
  readonly audit: AuditRepository;
  readonly sealingKeys: SealingKeyRepository;
  readonly keptSamples: KeptSampleRepository;
  readonly tallies: TallyRepository;
  readonly trees: TreeRepository;
  readonly contracts: ContractRepository;
  readonly oracles: OracleRepository;
  readonly leases: LeaseRepository;
  readonly outbox: OutboxRepository;
  readonly webhookSecrets: WebhookSecretRepository;
  readonly identities: IdentityRepository;
  readonly members: MemberRepository;
  readonly developers: DeveloperRepository;
  readonly shares: ShareRepository;
  readonly overview: OverviewRepository;
  readonly seals: SealRepository;
  readonly anchors: AnchorRepository;
  readonly anchorSettings: AnchorSettingsRepository;
  readonly witnessed: WitnessedRepository;
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
    machines: new MachineRepository(knex),
    audit: new AuditRepository(knex),
    sealingKeys: new SealingKeyRepository(knex),
    keptSamples: new KeptSampleRepository(knex),
    tallies: new TallyRepository(knex),
    trees: new TreeRepository(knex),
    contracts: new ContractRepository(knex),
    oracles: new OracleRepository(knex),
    leases: new LeaseRepository(knex),
    outbox: new OutboxRepository(knex, database.transaction),
    webhookSecrets: new WebhookSecretRepository(knex),
    identities: new IdentityRepository(knex),
    members: new MemberRepository(knex),
    developers: new DeveloperRepository(knex),
    shares: new ShareRepository(knex),
    overview: new OverviewRepository(knex),
    seals: new SealRepository(knex),
    anchors: new AnchorRepository(knex),
    anchorSettings: new AnchorSettingsRepository(knex),
    witnessed: new WitnessedRepository(knex),
    transaction: database.transaction,
    close: database.close,
  };
}
