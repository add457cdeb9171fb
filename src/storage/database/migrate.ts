// Migrates a database to the newest schema. Migrations are imported by name, so that sources and package run the same
// list.
//
// A migration and the row that records it are one transaction. Of several nodes that start at once, one inserts the
// row, and the others wait for it and skip the migration. A node that is killed half-way leaves neither. knex's own
// migrator is not used: two nodes on an empty database can each insert its lock row, and with two rows it reports
// "already locked" for ever.

import * as accountsAndRuns from '../../../migrations/0001_accounts_and_runs.ts';
import * as machines from '../../../migrations/0002_machines.ts';
import * as contracts from '../../../migrations/0003_contracts.ts';
import * as machineAccess from '../../../migrations/0004_machine_access.ts';
import * as anchors from '../../../migrations/0005_anchors.ts';
import * as webhooks from '../../../migrations/0006_webhooks.ts';
import * as oracles from '../../../migrations/0007_oracles.ts';
import * as sealedPayloads from '../../../migrations/0008_sealed_payloads.ts';
import * as tally from '../../../migrations/0009_tally.ts';
import * as changes from '../../../migrations/0010_changes.ts';
import * as effects from '../../../migrations/0011_effects.ts';
import * as contractStateFields from '../../../migrations/0012_contract_state_fields.ts';
import * as fieldOwners from '../../../migrations/0013_field_owners.ts';
import * as settingsVersion from '../../../migrations/0014_settings_version.ts';
import * as effectOutcomes from '../../../migrations/0015_effect_outcomes.ts';
import * as sharedRates from '../../../migrations/0016_shared_rates.ts';
import * as countedRows from '../../../migrations/0017_counted_rows.ts';
import * as statedSettings from '../../../migrations/0018_stated_settings.ts';
import * as firesByEntry from '../../../migrations/0020_fires_by_entry.ts';
import * as contractUpdated from '../../../migrations/0021_contract_updated.ts';
import * as accountMacs from '../../../migrations/0022_account_macs.ts';
import * as openStreams from '../../../migrations/0023_open_streams.ts';
import * as lawsOfRuns from '../../../migrations/0024_laws_of_runs.ts';
import * as windowSegments from '../../../migrations/0025_window_segments.ts';
import * as contractInstances from '../../../migrations/0026_contract_instances.ts';
import * as liveNodes from '../../../migrations/0027_live_nodes.ts';
import * as boundedReads from '../../../migrations/0028_bounded_reads.ts';
import * as eventKeyAge from '../../../migrations/0029_event_key_age.ts';
import * as sentEvents from '../../../migrations/0030_sent_events.ts';
import * as activities from '../../../migrations/0031_activities.ts';
import * as archivedRows from '../../../migrations/0033_archived_rows.ts';
import * as longRuns from '../../../migrations/0035_long_runs.ts';
import * as rowsOfParties from '../../../migrations/0036_rows_of_parties.ts';
import * as contractSeats from '../../../migrations/0038_contract_seats.ts';
import * as contractCollections from '../../../migrations/0039_contract_collections.ts';
import { DomainError } from '../../core/errors.ts';
import type { Database } from './database.ts';
import { asDomainError, CREATION_CONFLICTS, type Executor, retrying, rows } from './sql.ts';

interface Migration {
  readonly name: string;
  readonly up: (on: Executor) => Promise<void>;
}

/** Append only: a merged migration never changes; a later one corrects it. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001_accounts_and_runs', up: accountsAndRuns.up },
  { name: '0002_machines', up: machines.up },
  { name: '0003_contracts', up: contracts.up },
  { name: '0004_machine_access', up: machineAccess.up },
  { name: '0005_anchors', up: anchors.up },
  { name: '0006_webhooks', up: webhooks.up },
  { name: '0007_oracles', up: oracles.up },
  { name: '0008_sealed_payloads', up: sealedPayloads.up },
  { name: '0009_tally', up: tally.up },
  { name: '0010_changes', up: changes.up },
  { name: '0011_effects', up: effects.up },
  { name: '0012_contract_state_fields', up: contractStateFields.up },
  { name: '0013_field_owners', up: fieldOwners.up },
  { name: '0014_settings_version', up: settingsVersion.up },
  { name: '0015_effect_outcomes', up: effectOutcomes.up },
  { name: '0016_shared_rates', up: sharedRates.up },
  { name: '0017_counted_rows', up: countedRows.up },
  { name: '0018_stated_settings', up: statedSettings.up },
  { name: '0020_fires_by_entry', up: firesByEntry.up },
  { name: '0021_contract_updated', up: contractUpdated.up },
  { name: '0022_account_macs', up: accountMacs.up },
  { name: '0023_open_streams', up: openStreams.up },
  { name: '0024_laws_of_runs', up: lawsOfRuns.up },
  { name: '0025_window_segments', up: windowSegments.up },
  { name: '0026_contract_instances', up: contractInstances.up },
  { name: '0027_live_nodes', up: liveNodes.up },
  { name: '0028_bounded_reads', up: boundedReads.up },
  { name: '0029_event_key_age', up: eventKeyAge.up },
  { name: '0030_sent_events', up: sentEvents.up },
  { name: '0031_activities', up: activities.up },
  { name: '0033_archived_rows', up: archivedRows.up },
  { name: '0035_long_runs', up: longRuns.up },
  { name: '0036_rows_of_parties', up: rowsOfParties.up },
  { name: '0038_contract_seats', up: contractSeats.up },
  { name: '0039_contract_collections', up: contractCollections.up },
];

/**
 * @returns names of the migrations that were run now
 * @throws DomainError VALIDATION_FAILED if a newer version of the service has migrated the database
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  const { knex } = database;
  const table = 'create table if not exists migration (name text primary key, applied_at timestamptz default now())';
  await retrying(async () => knex.raw(table), CREATION_CONFLICTS).catch((error: unknown) => {
    throw asDomainError(error);
  });
  const applied = await rows<{ name: string }>(knex, 'select name from migration');
  refuseUnknown(applied.map(({ name }) => name));
  const ran: string[] = [];
  for (const { name, up } of MIGRATIONS) {
    const isFirst = await database.transaction(async (on) => {
      const recorded = await rows(on, 'insert into migration (name) values (?) on conflict do nothing returning 1', [
        name,
      ]);
      if (recorded.length === 1) await up(on);
      return recorded.length === 1;
    });
    if (isFirst) ran.push(name);
  }
  return ran;
}

function refuseUnknown(applied: readonly string[]): void {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const message = `The database was migrated by a newer version, which knows ${unknown.join(', ')}.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'database', code: 'NEWER', message }] });
}

/** @throws DomainError VALIDATION_FAILED unless the database is at exactly this schema; nothing is written */
export async function assertMigrated({ knex }: Database): Promise<void> {
  const [found] = await rows<{ name: string | null }>(knex, `select to_regclass('migration')::text as name`);
  const applied = found?.name == null ? [] : await rows<{ name: string }>(knex, 'select name from migration');
  const names = applied.map(({ name }) => name);
  refuseUnknown(names);
  const missing = MIGRATIONS.filter(({ name }) => !names.includes(name));
  if (missing.length === 0) return;
  const message = `The database lacks ${missing.map(({ name }) => name).join(', ')}; start the service on it once.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'database', code: 'OLDER', message }] });
}
