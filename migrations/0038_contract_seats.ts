// Seats: the accounts and developer keys that act for a party of a contract, or of one instance (docs/decisions/0061).
//
// Seats of what exists are read from its state. Its JSON is parsed here, since PostgreSQL rejects escapes that a text in
// a context may contain.

import type { Knex } from 'knex';

type Executor = Pick<Knex, 'raw'>;

interface StoredState {
  readonly machine_id: string;
  readonly contract_id: string;
  /** Empty for the contract. */
  readonly instance: string;
  readonly version_no: number;
  readonly status: string;
  readonly state: string;
}

type Bindings = Readonly<Record<string, readonly { readonly zid?: string; readonly key?: string }[]>>;

const PER_STATEMENT = 500;

export async function up(knex: Executor): Promise<void> {
  await knex.raw(`
    create table contract_seat (
      machine_id uuid not null,
      contract_id uuid not null,
      instance text collate "C" not null,
      zid text collate "C" not null,
      key_id text collate "C" not null,
      party text collate "C" not null,
      status text not null,
      primary key (machine_id, contract_id, instance, zid, key_id)
    );
  `);
  await addAll(knex, 'contract', 'id', `''`);
  await addAll(knex, 'contract_instance', 'contract_id', 'key');
  await knex.raw(`
    create index contract_seat_account on contract_seat (zid, machine_id, contract_id, instance, key_id);
    create index contract_seat_status on contract_seat (zid, status, machine_id, contract_id, instance, key_id);
  `);
}

/** @param instance  SQL of the key of an instance */
async function addAll(knex: Executor, table: string, contract: string, instance: string): Promise<void> {
  const place = ['machine_id', contract, ...(instance === 'key' ? ['key'] : [])].join(', ');
  const definitions = new Map<string, ReadonlySet<string>>();
  for (let after: StoredState | undefined; ; ) {
    const marks = instance === 'key' ? '(?, ?, ?)' : '(?, ?)';
    const seen = after && [after.machine_id, after.contract_id, ...(instance === 'key' ? [after.instance] : [])];
    const found = await all<StoredState>(
      knex,
      `select machine_id, ${contract} as contract_id, ${instance} as instance, version_no, status, state from ${table}
       where strpos(state, '"bindings":{') > 0 ${seen === undefined ? '' : `and (${place}) > ${marks}`}
       order by ${place} limit ${PER_STATEMENT}`,
      seen ?? [],
    );
    const seats: (readonly string[])[] = [];
    for (const one of found) {
      const own = one.instance === '' ? undefined : await ownParties(knex, definitions, one);
      seats.push(...seatsOf(one, own));
    }
    const column = (at: number) => seats.map((seat) => seat[at]);
    await knex.raw(
      `insert into contract_seat (machine_id, contract_id, instance, zid, key_id, party, status)
       select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
       on conflict do nothing`,
      [0, 1, 2, 3, 4, 5, 6].map(column) as unknown as Knex.RawBinding[],
    );
    after = found.at(-1);
    if (after === undefined || found.length < PER_STATEMENT) return;
  }
}

function seatsOf(one: StoredState, own: ReadonlySet<string> | undefined): (readonly string[])[] {
  const { parties } = JSON.parse(one.state) as { readonly parties?: { readonly bindings?: Bindings } };
  const bound = Object.entries(parties?.bindings ?? {}).filter(([party]) => own === undefined || own.has(party));
  return bound.flatMap(([party, bindings]) =>
    bindings.flatMap(({ zid, key = '' }) =>
      zid === undefined ? [] : [[one.machine_id, one.contract_id, one.instance, zid, key, party, one.status]],
    ),
  );
}

/** The parties that each instance of a version binds for itself. */
async function ownParties(
  knex: Executor,
  known: Map<string, ReadonlySet<string>>,
  { machine_id, contract_id, version_no }: StoredState,
): Promise<ReadonlySet<string>> {
  const name = `${contract_id} ${version_no}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const [version] = await all<{ readonly definition: string }>(
    knex,
    'select definition from contract_version where machine_id = ? and contract_id = ? and no = ?',
    [machine_id, contract_id, version_no],
  );
  const { parties = {} } = JSON.parse(version?.definition ?? '{}') as {
    readonly parties?: Readonly<Record<string, { readonly bind?: string }>>;
  };
  const own = new Set(Object.keys(parties).filter((party) => parties[party]?.bind !== undefined));
  known.set(name, own);
  return own;
}

async function all<Row>(
  knex: Executor,
  statement: string,
  bindings: readonly (string | number)[],
): Promise<readonly Row[]> {
  const { rows } = (await knex.raw(statement, bindings as Knex.RawBinding[])) as { readonly rows: readonly Row[] };
  return rows;
}
