// The storage room as one object: a database at the newest schema and its repositories.

import { AccountRepository } from './access/accounts.ts';
import { DeveloperRepository } from './access/developers.ts';
import { IdentityRepository, MemberRepository } from './access/identities.ts';
import { KeyRepository } from './access/keys.ts';
import { ShareRepository } from './access/shares.ts';
import { AnchorRepository } from './anchors/anchors.ts';
import { AnchorSettingsRepository } from './anchors/settings.ts';
import { WitnessedRepository } from './anchors/witnessed.ts';
import { FieldRepository } from './compute/fields.ts';
import { RunRepository } from './compute/runs.ts';
import { ContractRepository } from './contracts/contracts.ts';
import { KeptSampleRepository } from './contracts/kept-samples.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { AuditRepository } from './machines/audit.ts';
import { MachineRepository } from './machines/machines.ts';
import { OverviewRepository } from './machines/overview.ts';
import { SealingKeyRepository } from './machines/sealing-keys.ts';
import { TallyRepository } from './machines/tally.ts';
import { TreeRepository } from './machines/trees.ts';
import { IdempotencyRepository } from './node/idempotency.ts';
import { KernelRepository } from './node/kernels.ts';
import { LeaseRepository } from './node/leases.ts';
import { NodeRepository } from './node/node.ts';
import { SealRepository } from './node/seals.ts';
import { SecretRepository } from './node/secrets.ts';
import { OracleRepository } from './oracles/oracles.ts';
import { OutboxRepository } from './webhooks/outbox.ts';
import { WebhookSecretRepository } from './webhooks/secrets.ts';

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
