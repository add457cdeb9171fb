// Renames four fields of the stored state of contracts. The record is camelCase throughout, so the new names are too.
//
// `contract.state` is the only stored copy: rows of the chain, exports, bundles and answers never contain it. It is
// rewritten here and not by jsonb, which rejects strings with \u0000 or lone surrogates; a context variable may hold
// either. A state that is no JSON object is left as it is: `svc fsck` reports it.

import type { Knex } from 'knex';

const RENAMED: ReadonlyMap<string, string> = new Map([
  ['silent', 'emptyWindows'],
  ['owed', 'pendingSince'],
  ['swallows', 'skipNextMatch'],
  ['guarded', 'blockedCount'],
]);

const BATCH = 1_000;

interface StateRow {
  readonly machine_id: string;
  readonly id: string;
  readonly state: string;
}

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  let last = { machine_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { rows }: { rows: StateRow[] } = await knex.raw(
      `select machine_id, id, state from contract where (machine_id, id) > (?::uuid, ?::uuid)
       order by machine_id, id limit ?`,
      [last.machine_id, last.id, BATCH],
    );
    const changed = rows.flatMap(({ state, ...key }) => {
      const renamed = withNewNames(state);
      return renamed === undefined ? [] : [{ ...key, state: renamed }];
    });
    if (changed.length > 0) {
      await knex.raw(
        `update contract set state = changed.state from unnest(?::uuid[], ?::uuid[], ?::text[]) as changed (machine_id, id, state)
         where contract.machine_id = changed.machine_id and contract.id = changed.id`,
        [changed.map(({ machine_id }) => machine_id), changed.map(({ id }) => id), changed.map(({ state }) => state)],
      );
    }
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < BATCH) return;
    last = newest;
  }
}

/** The state with its new names, in the same order; undefined if it cannot be read. */
function withNewNames(text: string): string | undefined {
  try {
    const state: unknown = JSON.parse(text);
    if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
    const fields = Object.entries(state).map(([name, value]) => [RENAMED.get(name) ?? name, value]);
    return JSON.stringify(Object.fromEntries(fields));
  } catch {
    return undefined;
  }
}
