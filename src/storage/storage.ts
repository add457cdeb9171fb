// Storage: a database at the newest schema, and its repositories.

import { AccountRepository } from './access/accounts.ts';
import { IdentityRepository } from './access/identities.ts';
import { KeyRepository } from './access/keys.ts';
import { RateRepository } from './access/rates.ts';
import { StreamCountRepository } from './access/stream-counts.ts';
import { AnchorRepository } from './anchors/anchors.ts';
import { AnchorKeyRepository } from './anchors/keys.ts';
import { MotherRepository } from './anchors/mothers.ts';
import { AnchorSettingsRepository } from './anchors/settings.ts';
import { WitnessedRepository } from './anchors/witnessed.ts';
import { AnchorWitnessRepository } from './anchors/witnesses.ts';
import { FieldRepository } from './compute/fields.ts';
import { LongRunRepository } from './compute/long-runs.ts';
import { RunRepository } from './compute/runs.ts';
import { ActivityRepository } from './contracts/activities.ts';
import { ContractRepository } from './contracts/contracts.ts';
import { FireRepository } from './contracts/fires.ts';
import { InstanceRepository } from './contracts/instances.ts';
import { KeptSampleRepository } from './contracts/kept-samples.ts';
import { SeatRepository } from './contracts/seats.ts';
import { SentEventRepository } from './contracts/sent-events.ts';
import { TimerRepository } from './contracts/timers.ts';
import { TokenBalanceRepository } from './contracts/token-balances.ts';
import { ContractVersionRepository } from './contracts/versions.ts';
import { WindowSegmentRepository } from './contracts/window-segments.ts';
import { type Database, type DatabaseOptions, openDatabase, PATIENT } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { DeveloperRepository } from './machines/access/developers.ts';
import { MemberRepository } from './machines/access/members.ts';
import { ShareRepository } from './machines/access/shares.ts';
import { RowArchive } from './machines/archive/archive.ts';
import { AuditRepository } from './machines/audit.ts';
import { MachineRepository } from './machines/machines.ts';
import { OverviewRepository } from './machines/overview.ts';
import { SealingKeyRepository } from './machines/sealing-keys.ts';
import { TallyRepository } from './machines/tally.ts';
import { TreeRepository } from './machines/trees.ts';
import { IdempotencyRepository } from './node/idempotency.ts';
import { KernelRepository } from './node/kernels.ts';
import { LiveNodeRepository } from './node/live-nodes.ts';
import { NodeRepository } from './node/node.ts';
import { NodeSealRepository } from './node/node-seals.ts';
import { SecretRepository } from './node/secrets.ts';
import { ShardLeaseRepository } from './node/shard-leases.ts';
import { OracleRepository } from './oracles/oracles.ts';
import { OutboxRepository } from './webhooks/outbox.ts';
import { WebhookSecretRepository } from './webhooks/secrets.ts';

export interface Storage {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly rates: RateRepository;
  readonly streamCounts: StreamCountRepository;
  readonly runs: RunRepository;
  readonly longRuns: LongRunRepository;
  readonly fields: FieldRepository;
  readonly kernels: KernelRepository;
  readonly idempotency: IdempotencyRepository;
  readonly secrets: SecretRepository;
  readonly node: NodeRepository;
  readonly machines: MachineRepository;
  readonly audit: AuditRepository;
  readonly archive: RowArchive;
  readonly sealingKeys: SealingKeyRepository;
  readonly keptSamples: KeptSampleRepository;
  readonly windowSegments: WindowSegmentRepository;
  readonly tallies: TallyRepository;
  readonly trees: TreeRepository;
  readonly contracts: ContractRepository;
  readonly contractInstances: InstanceRepository;
  readonly contractSeats: SeatRepository;
  readonly contractVersions: ContractVersionRepository;
  readonly fires: FireRepository;
  readonly timers: TimerRepository;
  readonly tokenBalances: TokenBalanceRepository;
  readonly oracles: OracleRepository;
  readonly shardLeases: ShardLeaseRepository;
  readonly liveNodes: LiveNodeRepository;
  readonly outbox: OutboxRepository;
  readonly sentEvents: SentEventRepository;
  readonly activities: ActivityRepository;
  readonly webhookSecrets: WebhookSecretRepository;
  readonly identities: IdentityRepository;
  readonly members: MemberRepository;
  readonly developers: DeveloperRepository;
  readonly shares: ShareRepository;
  readonly overview: OverviewRepository;
  readonly nodeSeals: NodeSealRepository;
  readonly anchors: AnchorRepository;
  readonly anchorKeys: AnchorKeyRepository;
  readonly anchorSettings: AnchorSettingsRepository;
  readonly anchorWitnesses: AnchorWitnessRepository;
  readonly mothers: MotherRepository;
  readonly witnessed: WitnessedRepository;
  readonly transaction: Database['transaction'];
  close(): Promise<void>;
}

export interface StorageOptions extends DatabaseOptions {
  /** Name of this run of the node, and on PostgreSQL of one of its sessions; holds its idempotency keys. */
  readonly holder?: string | undefined;
  /** Folder of older rows. */
  readonly archiveFolder?: string | undefined;
}

/** @throws DomainError VALIDATION_FAILED, STORAGE_LOCKED, STORAGE_UNAVAILABLE */
export async function openStorage({ holder, archiveFolder, ...options }: StorageOptions): Promise<Storage> {
  const database = await openMigrated(options);
  const { knex } = database;
  const archive = new RowArchive(archiveFolder);
  return {
    database,
    accounts: new AccountRepository(knex),
    keys: new KeyRepository(knex),
    rates: new RateRepository(knex),
    streamCounts: new StreamCountRepository(database),
    runs: new RunRepository(knex),
    longRuns: new LongRunRepository(knex),
    fields: new FieldRepository(knex),
    kernels: new KernelRepository(knex),
    idempotency: new IdempotencyRepository(
      knex,
      holder === undefined ? undefined : { name: holder, kind: database.kind },
    ),
    secrets: new SecretRepository(knex),
    node: new NodeRepository(knex),
    machines: new MachineRepository(knex),
    audit: new AuditRepository(knex, archive),
    archive,
    sealingKeys: new SealingKeyRepository(knex),
    keptSamples: new KeptSampleRepository(knex),
    windowSegments: new WindowSegmentRepository(knex),
    tallies: new TallyRepository(knex, archive),
    trees: new TreeRepository(knex),
    contracts: new ContractRepository(knex),
    contractInstances: new InstanceRepository(knex),
    contractSeats: new SeatRepository(knex),
    contractVersions: new ContractVersionRepository(knex),
    fires: new FireRepository(knex),
    timers: new TimerRepository(knex),
    tokenBalances: new TokenBalanceRepository(knex),
    oracles: new OracleRepository(knex),
    shardLeases: new ShardLeaseRepository(knex),
    liveNodes: new LiveNodeRepository(knex),
    outbox: new OutboxRepository(knex, database.transaction),
    sentEvents: new SentEventRepository(knex),
    activities: new ActivityRepository(knex),
    webhookSecrets: new WebhookSecretRepository(knex),
    identities: new IdentityRepository(knex),
    members: new MemberRepository(knex),
    developers: new DeveloperRepository(knex),
    shares: new ShareRepository(knex),
    overview: new OverviewRepository(knex),
    nodeSeals: new NodeSealRepository(database),
    anchors: new AnchorRepository(knex, archive),
    anchorKeys: new AnchorKeyRepository(knex),
    anchorSettings: new AnchorSettingsRepository(knex),
    anchorWitnesses: new AnchorWitnessRepository(knex),
    mothers: new MotherRepository(knex),
    witnessed: new WitnessedRepository(knex),
    transaction: database.transaction,
    close: database.close,
  };
}

async function openMigrated(options: DatabaseOptions): Promise<Database> {
  const isPostgresql = options.databaseUrl !== undefined;
  const migrating = await openDatabase(isPostgresql ? { ...options, timeouts: PATIENT, poolSize: 1 } : options);
  let isMigrated = false;
  try {
    await migrate(migrating);
    isMigrated = true;
  } finally {
    // Only one process may open the embedded database, so its connection stays.
    if (isPostgresql || !isMigrated) await migrating.close();
  }
  return isPostgresql ? openDatabase(options) : migrating;
}
