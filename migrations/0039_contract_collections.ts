// Collections of contracts and instances in a column of their own, which a change that leaves them as they were does not
// write again (docs/decisions/0062).
//
// The states are parsed here, since PostgreSQL rejects escapes that a text in a context may contain.

import type { Knex } from 'knex';

type Executor = Pick<Knex, 'raw'>;

interface StoredState {
  readonly machine_id: string;
  readonly contract_id: string;
  readonly key?: string;
  readonly state: string;
}

const PER_STATEMENT = 200;

export async function up(knex: Executor): Promise<void> {
  await knex.raw('alter table contract add column collections text');
  await knex.raw('alter table contract_instance add column collections text');
  await moveAll(knex, 'contract', ['machine_id', 'id']);
  await moveAll(knex, 'contract_instance', ['machine_id', 'contract_id', 'key']);
}

/** @param place  columns of the primary key: machine, contract and, of an instance, key */
async function moveAll(knex: Executor, table: string, place: readonly string[]): Promise<void> {
  const [, contract, key] = place;
  const columns = place.join(', ');
  for (let after: StoredState | undefined; ; ) {
    const seen = after && [after.machine_id, after.contract_id, ...(after.key === undefined ? [] : [after.key])];
    const found = (await knex.raw(
      `select machine_id, ${contract} as contract_id${key === undefined ? '' : ', key'}, state from ${table}
       where strpos(state, '"collections":') > 0
         ${seen === undefined ? '' : `and (${columns}) > (${seen.map(() => '?').join(', ')})`}
       order by ${columns} limit ${PER_STATEMENT}`,
      seen ?? [],
    )) as { readonly rows: readonly StoredState[] };
    const moved = found.rows.flatMap(({ state: text, ...of }) => {
      const { collections, ...state } = JSON.parse(text) as { readonly collections?: unknown };
      return collections === undefined ? [] : [{ ...of, state, collections }];
    });
    const column = (read: (one: (typeof moved)[number]) => string | undefined) => moved.map(read);
    await knex.raw(
      `update ${table} set state = new.state, collections = new.collections
       from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[])
         as new (machine_id, contract_id, key, state, collections)
       where ${table}.machine_id = new.machine_id and ${table}.${contract} = new.contract_id
         ${key === undefined ? '' : `and ${table}.key = new.key`}`,
      [
        column((one) => one.machine_id),
        column((one) => one.contract_id),
        column((one) => one.key ?? ''),
        column((one) => JSON.stringify(one.state)),
        column((one) => JSON.stringify(one.collections)),
      ] as unknown as Knex.RawBinding[],
    );
    after = found.rows.at(-1);
    if (after === undefined || found.rows.length < PER_STATEMENT) return;
  }
}
