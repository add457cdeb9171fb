// Accounts and their keys, as far as they must agree with each other: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface AccountFault {
  readonly table: 'account' | 'api_key' | 'identity';
  readonly key: Readonly<Record<string, string>>;
  readonly column: string;
  readonly message: string;
}

/** A clock may be corrected between two records. */
const TOLERANCE = `interval '10 minutes'`;

/** A query for the rows that break a rule, and what is wrong with them. */
interface Rule {
  readonly table: AccountFault['table'];
  readonly column: string;
  readonly broken: string;
  readonly message: string;
}

/** @param demoHours  life of a demo key */
const rules = (demoHours: number): readonly Rule[] => [
  {
    table: 'account',
    column: 'id',
    broken: 'not exists (select 1 from api_key where account_id = account.id)',
    message: 'The account has no key.',
  },
  {
    table: 'account',
    column: 'kind',
    broken: `exists (select 1 from api_key where account_id = account.id and (tier = 'demo') <> (account.kind = 'demo'))`,
    message: 'Demo keys belong to demo accounts, and other keys to others.',
  },
  {
    table: 'api_key',
    column: 'tier',
    broken: `(tier = 'demo') <> exists (select 1 from account where account.id = account_id and kind = 'demo')`,
    message: 'Demo keys belong to demo accounts, and other keys to others.',
  },
  {
    table: 'api_key',
    column: 'key_prefix',
    broken: `key_prefix !~ case tier when 'demo' then '^svc_ak_demo_[0-9A-Za-z]{8}$' else '^svc_ak_[0-9A-Za-z]{8}$' end`,
    message: 'key_prefix is not that of a key of this tier.',
  },
  {
    table: 'api_key',
    column: 'name',
    broken: `tier = 'demo' and name <> 'demo'`,
    message: 'A demo key has the name demo.',
  },
  {
    table: 'api_key',
    column: 'scope',
    broken: `tier = 'demo' and scope <> 'write'`,
    message: 'A demo key has the scope write.',
  },
  {
    table: 'api_key',
    column: 'expires_at',
    broken: `tier = 'demo' and (expires_at is null or expires_at not between created_at + interval '${demoHours} hours'
      - ${TOLERANCE} and created_at + interval '${demoHours} hours' + ${TOLERANCE})`,
    message: `A demo key expires ${demoHours} hours after its creation.`,
  },
  {
    table: 'api_key',
    column: 'revoked_at',
    broken: `revoked_at < created_at - ${TOLERANCE}`,
    message: 'The key was revoked before it was created.',
  },
  {
    table: 'identity',
    column: 'created_at',
    broken: `exists (select 1 from account where account.id = account_id and account.created_at - ${TOLERANCE} > identity.created_at)`,
    message: 'The identity is older than its account.',
  },
  {
    table: 'identity',
    column: 'salt',
    broken: 'octet_length(salt) <> 16',
    message: 'The salt does not have 16 bytes.',
  },
];

const KEYS: Readonly<Record<AccountFault['table'], string>> = {
  account: 'id',
  api_key: 'id',
  identity: 'account_id',
};

const MAX_FAULTS = 1_000;

export class AccountInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** Rows that break a rule; of each rule, the first ones. */
  async faults(demoHours: number): Promise<AccountFault[]> {
    const found: AccountFault[] = [];
    for (const { table, column, broken, message } of rules(demoHours)) {
      const name = KEYS[table];
      const broke = await rows<{ key: string }>(
        this.#on,
        `select ${name}::text as key from ${table} where ${broken} order by 1 limit ?`,
        [MAX_FAULTS],
      );
      found.push(...broke.map(({ key }) => ({ table, key: { [name]: key }, column, message })));
    }
    return found;
  }
}
