// Plants faults in the database of a running service, and returns what fsck reports.

import { fromBase64Url } from '../../../src/core/bits.ts';
import type { FsckFault } from '../../../src/services/fsck/faults.ts';
import { type FsckOptions, fsck } from '../../../src/services/fsck/fsck.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { TestService } from '../../http/service-fixture.ts';

class Rollback extends Error {}
/** The database rejects the damage: a hash of another length, an unknown status, a duplicate key. */
class Rejected extends Error {}

/** Public keys of the node. */
export function nodeKeys({ running }: TestService): Uint8Array[] {
  return running.services.keyRing.jwks().keys.map(({ x }) => fromBase64Url(x) ?? new Uint8Array());
}

/** Runs fsck after `damage`, without triggers and foreign keys, then rolls the damage back. */
export async function faultsAfter(
  service: TestService,
  damage: (on: Executor) => Promise<unknown>,
  options: Partial<FsckOptions> = {},
): Promise<FsckFault[]> {
  const found: FsckFault[] = [];
  await service.running.storage.database.knex
    .transaction(async (on) => {
      // The node is running: it signs checkpoints now and then.
      await on.raw('set transaction isolation level repeatable read');
      await on.raw(`set local session_replication_role = 'replica'`);
      await damage(on).catch((error: unknown) => {
        throw new Rejected(String(error));
      });
      const nowMs = Number(service.running.clock.now() / 1_000_000n);
      await fsck(on, { keys: nodeKeys(service), nowMs, ...options, onFault: (fault) => found.push(fault) });
      throw new Rollback();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error;
    });
  return found;
}

/** Drops the newest rows of a chain, so that the chain alone is consistent. */
export async function truncateTo(on: Executor, slug: string, seq: number): Promise<void> {
  const of = 'machine_id = (select id from machine where slug = ?)';
  await rows(on, `delete from audit where ${of} and seq > ?`, [slug, seq]);
  await rows(on, `delete from event_key where ${of} and seq > ?`, [slug, seq]);
  for (const table of ['tile', 'checkpoint']) await rows(on, `delete from ${table} where ${of}`, [slug]);
  await rows(
    on,
    `update machine set checkpoint_size = 0, pending_since = genesis_tick, head_seq = audit.seq, head_hash = audit.hash, head_svcond = audit.svcond
     from audit where machine_id = id and slug = ? and audit.seq = ?`,
    [slug, seq],
  );
}
