// Authorization: every operation by every kind of key, token and cookie, on machines that are private, public, archived
// and absent. Expected from the records (tier, effect) and the table of roles; refused calls change no row.
//
// test/http/authorization.test.ts does more with each key, test/http/roles.test.ts with each role.

import { beforeAll, describe, expect, test } from 'vitest';
import { ERROR_FORMS, type ErrorCode } from '../../src/core/errors.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { requestUrl } from '../../src/operations/request-url.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { exampleUrl } from '../http/example-url.ts';
import {
  ACCOUNTS,
  type Account,
  MACHINE_CALLS,
  type MachineCall,
  ROLES,
  type Role,
  type Target,
} from '../http/machine-calls.ts';
import { advanceClock, ECHO } from '../http/machine-fixture.ts';
import { type Answer, type Json, startService } from '../http/service-fixture.ts';

// Maintenance signs checkpoints, records seals in the chain of `node` and removes what has expired, at any moment between
// two readings of the tables.
const service = await startService({ maintenanceMs: 'never' });

type Scope = 'read' | 'write' | 'admin';
/** What an actor is, from which its rights follow. */
interface Actor {
  /** A rejected key. */
  readonly bad?: ErrorCode;
  /** Of a key; undefined without one, and for tokens. */
  readonly scope?: Scope;
  /** Role of its identity on the target; `none` for the identity of a stranger. */
  readonly member?: Role | 'none';
  /** Reads the target without being a member. */
  readonly isGuest?: boolean;
  /** Acts for a party of the contract of the target, without being a member. */
  readonly isParty?: boolean;
  /** A share token, which no operation accepts but those that read for everybody. */
  readonly isToken?: boolean;
}

const ACTORS = {
  anonymous: {},
  demo: { scope: 'write' },
  'key of an account without identity': { scope: 'admin' },
  stranger: { scope: 'admin', member: 'none' },
  'read key of a stranger': { scope: 'read', member: 'none' },
  'read key of the owner': { scope: 'read', member: 'owner' },
  'write key of the owner': { scope: 'write', member: 'owner' },
  party: { scope: 'admin', member: 'none', isParty: true },
  'read key of a party': { scope: 'read', member: 'none', isParty: true },
  viewer: { scope: 'admin', member: 'viewer' },
  operator: { scope: 'admin', member: 'operator' },
  admin: { scope: 'admin', member: 'admin' },
  owner: { scope: 'admin', member: 'owner' },
  'developer key, read': { scope: 'read', member: 'admin' },
  'developer key, write': { scope: 'write', member: 'admin' },
  'developer key, admin': { scope: 'admin', member: 'admin' },
  'developer key of another machine': { scope: 'admin', member: 'none' },
  'developer key, revoked': { bad: 'KEY_REVOKED' },
  'share token': { isToken: true, isGuest: true },
  'share token of another machine': { isToken: true },
  'share token, disabled': { bad: 'KEY_REVOKED' },
  'share token, expired': { bad: 'KEY_EXPIRED' },
  'cookie of a share token': { isGuest: true },
  'cookie of an equation': { isGuest: true },
  'cookie of another machine': {},
  'key, revoked': { bad: 'KEY_REVOKED' },
  'key, expired': { bad: 'KEY_EXPIRED' },
  'key, malformed': { bad: 'KEY_INVALID' },
} as const satisfies Record<string, Actor>;
type Who = keyof typeof ACTORS;
const WHO = Object.keys(ACTORS) as Who[];

const STATES = ['private', 'public', 'archived', 'absent'] as const;
type State = (typeof STATES)[number];
/** Who calls on machines in other states than private and absent: one of each role, and of those without. */
const FEW: ReadonlySet<Who> = new Set([
  ...([
    'anonymous',
    'demo',
    'stranger',
    'party',
    'read key of the owner',
    'developer key, admin',
    'share token',
  ] as const),
  ...ROLES,
]);

const BY_HAND = new Set(['contract.fire', 'contract.transition']);

const MAX_ROLES = { read: 'viewer', write: 'operator', admin: 'owner' } as const;
const rankOf = (role: Role | undefined) => (role === undefined ? -1 : ROLES.indexOf(role));

/** The error of an actor for the tier of an operation. */
function tierRefusal({ tier, effect }: Operation, { bad, scope, isToken }: Actor): ErrorCode | undefined {
  if (bad !== undefined) return bad;
  if (isToken) return tier === 'public' && effect === 'read' ? undefined : 'FORBIDDEN';
  if (tier === 'public') return undefined;
  if (scope === undefined) return 'AUTH_REQUIRED';
  if (tier === 'admin' && scope !== 'admin') return 'ADMIN_REQUIRED';
  return effect !== 'read' && scope === 'read' ? 'FORBIDDEN' : undefined;
}

/** The error of an actor on a machine. */
function refusalOn(operation: Operation, needs: Role, actor: Actor, state: State): ErrorCode | undefined {
  const refused = tierRefusal(operation, actor);
  if (refused !== undefined) return refused;
  const { scope, member } = actor;
  // Its contract lets it fire nothing by hand.
  if (operation.party === true && actor.isParty === true && state !== 'absent')
    return !BY_HAND.has(operation.name) ? undefined : state === 'archived' ? 'MACHINE_ARCHIVED' : 'FORBIDDEN';
  const hasRole = scope !== undefined && member !== undefined && member !== 'none';
  const rank = hasRole ? Math.min(rankOf(member), rankOf(MAX_ROLES[scope])) : -1;
  const isVisible = state === 'public' || rank >= 0 || actor.isGuest === true;
  if (state === 'absent' || !isVisible) return 'NOT_FOUND';
  // What a viewer sees of a private machine, everybody sees of a public one, unless the record says viewer.
  if (operation.machine === 'reader' || rank >= rankOf(needs)) return undefined;
  if (scope === undefined) return 'AUTH_REQUIRED';
  if (member === undefined) return 'ZID_NOT_LINKED';
  return needs === 'admin' && member !== 'none' ? 'ADMIN_REQUIRED' : 'FORBIDDEN';
}

/** ECHO with a party that is no member of the machine. */
const SHARED_ECHO = { ...ECHO, edition: 2, parties: { visitor: {} } };
let ownContract = '';

const zids = {} as Record<Account, string>;
const headers = {} as Record<Who, Record<string, string>>;
const accountKeys = new Map<Account, string>();
let equation = '';
let targets: Record<State, Target>;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function requestAs(key: string, route: string, json?: Json): Promise<Json> {
  const answer = await service.call(route, { headers: bearer(key), ...(json === undefined ? {} : { json }) });
  expect(answer.status, `${route}: ${answer.text}`).toBeLessThan(300);
  return answer.json();
}

const keyOfAccount = (account: Account) => accountKeys.get(account) ?? '';
const asOwner: Target['request'] = (route, json) => requestAs(keyOfAccount('owner'), route, json);
const cookieOf = (answer: Answer) => ({ cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' });

/** A machine with a member of every role and a contract. */
async function createTarget(slug: string, call: MachineCall = { needs: 'viewer' }, isPublic = false): Promise<Target> {
  const sealed = call.isSealed ? { equation } : {};
  const { machine } = await asOwner('POST /api/chain/state-machines', { slug, is_public: isPublic, ...sealed });
  for (const role of ['viewer', 'operator', 'admin'] as const)
    await asOwner(`POST /api/chain/${slug}/admins`, { zid: zids[role], role });
  const bound = { definition: SHARED_ECHO, bindings: { visitor: { zid: zids.guest } } };
  const { contract } = await asOwner(`POST /api/chain/${slug}/contracts/custom`, bound);
  const genesisTick = Number((machine as Json).genesis_tick);
  const target = {
    slug,
    contract: String((contract as Json).id),
    request: asOwner,
    zids,
    equation,
    genesisTick,
    made: {},
  };
  await call.before?.(target);
  return target;
}

const developerKey = async (slug: string, scope: Scope) =>
  (await asOwner(`POST /api/chain/${slug}/api-keys`, { name: scope, scope, rate_limit_tier: 'high' })) as {
    key: string;
    record: { id: string };
  };
const shareOf = async (slug: string, fields: Json = {}) =>
  String((await asOwner(`POST /api/chain/state-machines/${slug}/share/set`, { label: 'auditor', ...fields })).token);
const unlock = async (slug: string, json: Json) =>
  cookieOf(await service.call(`POST /api/chain/${slug}/unlock`, { json }));

beforeAll(async () => {
  const { keys, access } = service.running.services;
  for (const account of ACCOUNTS) {
    const { key } = await keys.openAccount({ name: account, scope: 'admin', rate_limit_tier: 'high' });
    accountKeys.set(account, key);
    const created = await requestAs(key, 'POST /api/chain/state-machines', { slug: `home-of-${account}` });
    zids[account] = String(created.zid);
    if (account === 'owner') equation = String(created.equation);
  }
  const [only, other] = [await createTarget('matrix-private'), await createTarget('matrix-other')];
  ownContract = only.contract;
  const scoped = async (account: Account, scope: Scope) => {
    const owner = await access.authenticate(keyOfAccount(account));
    return bearer((await keys.create(owner, { name: scope, scope, rate_limit_tier: 'high' })).key);
  };
  const revoked = await developerKey(only.slug, 'admin');
  const soon = new Date(Number(service.running.clock.now() / 1_000_000n) + 60_000).toISOString();
  // The first tokens are disabled: all of a machine are, together.
  const disabled = await shareOf(only.slug);
  await asOwner(`POST /api/chain/state-machines/${only.slug}/share/disable`, {});
  const expired = await shareOf(only.slug, { expires_at: soon });
  advanceClock(service, 120_000_000_000n);
  const token = await shareOf(only.slug);
  Object.assign(headers, {
    anonymous: {},
    demo: bearer(service.keys.demo),
    'key of an account without identity': bearer(service.keys.other),
    stranger: bearer(keyOfAccount('stranger')),
    'read key of a stranger': await scoped('stranger', 'read'),
    party: bearer(keyOfAccount('guest')),
    'read key of a party': await scoped('guest', 'read'),
    'read key of the owner': await scoped('owner', 'read'),
    'write key of the owner': await scoped('owner', 'write'),
    ...Object.fromEntries(ROLES.map((role) => [role, bearer(keyOfAccount(role))])),
    'developer key, read': bearer((await developerKey(only.slug, 'read')).key),
    'developer key, write': bearer((await developerKey(only.slug, 'write')).key),
    'developer key, admin': bearer((await developerKey(only.slug, 'admin')).key),
    'developer key of another machine': bearer((await developerKey(other.slug, 'admin')).key),
    'developer key, revoked': bearer(revoked.key),
    'share token': bearer(token),
    'share token of another machine': bearer(await shareOf(other.slug)),
    'share token, disabled': bearer(disabled),
    'share token, expired': bearer(expired),
    'cookie of a share token': await unlock(only.slug, { share: token }),
    'cookie of an equation': await unlock(only.slug, { equation }),
    'cookie of another machine': await unlock(other.slug, { equation }),
    'key, revoked': bearer(service.keys.revoked),
    'key, expired': bearer(service.keys.expired),
    'key, malformed': bearer(service.keys.malformed),
  });
  expect(Object.keys(headers).sort()).toEqual([...WHO].sort());
  await asOwner(`DELETE /api/chain/${only.slug}/api-keys/${revoked.record.id}`);
});

beforeAll(async () => {
  const [hidden, open, archived] = [
    await createTarget('matrix-hidden', { needs: 'viewer' }),
    await createTarget('matrix-public', { needs: 'viewer' }, true),
    await createTarget('matrix-archived', { needs: 'viewer' }),
  ];
  await asOwner(`POST /api/chain/${archived.slug}/status`, { status: 'archived' });
  targets = {
    private: { ...hidden, slug: 'matrix-private', contract: ownContract },
    public: open,
    archived,
    absent: { ...hidden, slug: 'matrix-absent' },
  };
});

/** Keys, tokens and cookies are of the private machine: on others their holders are strangers. */
function factsOn(who: Who, state: State, operation: Operation): Actor {
  const facts: Actor = ACTORS[who];
  // A cookie reads where links lead.
  const isLink = methodOf(operation) === 'GET' && operation.tier === 'public';
  const isGuest = facts.isGuest === true && state === 'private' && (facts.isToken === true || isLink);
  const isOwnDeveloper = !who.startsWith('developer key') || state === 'private';
  return { ...facts, isGuest, ...(facts.member !== undefined && !isOwnDeveloper ? { member: 'none' } : {}) };
}

/** Number and contents of the rows of all tables, but for what a node writes by itself. */
async function fingerprint(ignored = OF_THE_NODE): Promise<Readonly<Record<string, string>>> {
  const { knex } = service.running.storage.database;
  const tables = await knex('information_schema.tables')
    .where({ table_schema: 'public', table_type: 'BASE TABLE' })
    .pluck('table_name');
  const watched = (tables as string[]).filter((name) => !ignored.has(name));
  const parts = watched.map(
    (name) =>
      `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as text from "${name}" t`,
  );
  const { rows } = (await knex.raw(parts.join(' union all '))) as { rows: { name: string; text: string }[] };
  expect(rows.length).toBeGreaterThan(20);
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}
/** Last use of keys, leases and seals of the node; rates count refused attempts too. */
const OF_THE_NODE = new Set([
  'api_key',
  'shard_lease',
  'live_node',
  'node_seal',
  'sealed_head',
  'rate_window',
  'stream_count',
]);
/** An archived machine refuses before anything is counted. */
const BESIDE_RATES = new Set([...OF_THE_NODE].filter((name) => name !== 'rate_window'));

function send(operation: Operation, input: Json, who: Record<string, string>): Promise<Answer> {
  const { url, rest } = requestUrl(operation, input, service.running.url);
  const json = methodOf(operation) === 'GET' ? {} : { json: rest };
  return service.call(`${methodOf(operation)} ${url.pathname}${url.search}`, { headers: who, ...json });
}

const slugNames = (operation: Operation) =>
  [...pathOf(operation).matchAll(/\{(slug|motherSlug)\}/g)].map(([, name]) => name ?? '');

function inputOn(operation: Operation, { input = {} }: MachineCall, target: Target): Json {
  const given = typeof input === 'function' ? input(target) : input;
  const id = pathOf(operation).includes('{id}') ? { id: target.contract } : {};
  return { ...Object.fromEntries(slugNames(operation).map((name) => [name, target.slug])), ...id, ...given };
}

/** Status and body without slug and request id. */
function comparable({ status, text }: Answer, slug: string): string {
  return `${status} ${text.replace(/"request_id":"[^"]+"/, '').replaceAll(slug, '<slug>')}`;
}

/** The handler checks more, as test/http/roles.test.ts states. */
const CHECKED_BY_HANDLERS = new Set([
  'member.remove',
  'anchor.add',
  'machine.unlock',
  'contract.event',
  'contract.accept',
  'contract.accept-version',
  'contract.withdraw',
]);

const OF_MACHINES = OPERATIONS.filter((operation: Operation) => slugNames(operation).length > 0);
const OTHERS = OPERATIONS.filter((operation: Operation) => slugNames(operation).length === 0);

/** What an actor may do with an operation on a machine: undefined if it may. */
function expected(operation: Operation, { needs }: MachineCall, who: Who, state: State): ErrorCode | undefined {
  const facts = factsOn(who, state, operation);
  if (CHECKED_BY_HANDLERS.has(operation.name)) return tierRefusal(operation, facts);
  return refusalOn(operation, needs === 'none' ? 'viewer' : needs, facts, state);
}

const callOf = ({ name }: Operation): MachineCall => {
  const [call] = [MACHINE_CALLS[name] ?? []].flat();
  if (call === undefined) throw new Error(`${name} is missing in MACHINE_CALLS.`);
  return call;
};

const cells = STATES.toReversed().flatMap((state) =>
  (state === 'public' || state === 'archived' ? [...FEW] : WHO).map((who) => ({ state, who })),
);

describe.each(OF_MACHINES.map((operation: Operation) => ({ name: operation.name, operation })))(
  '$name',
  ({ operation }) => {
    test('refuses everybody without the right, and changes nothing', async () => {
      const call = callOf(operation);
      const before = await fingerprint();
      const absent = new Map<Who, string>();
      for (const { state, who } of cells) {
        const code = expected(operation, call, who, state);
        if (code === undefined) continue;
        const answer = await send(operation, inputOn(operation, call, targets[state]), headers[who]);
        const shown = `${who} on ${state}: ${answer.text.slice(0, 300)}`;
        expect([answer.status, answer.json().code], shown).toEqual([ERROR_FORMS[code].status, code]);
        const text = comparable(answer, targets[state].slug);
        if (state === 'absent') absent.set(who, text);
        else if (code === 'NOT_FOUND') expect(text, shown).toBe(absent.get(who));
      }
      expect(await fingerprint()).toEqual(before);
    });

    if (CHECKED_BY_HANDLERS.has(operation.name)) return;
    if (operation.effect === 'read')
      test('lets everybody read with the right', async () => {
        const call = callOf(operation);
        let allowed = 0;
        for (const { state, who } of cells) {
          if (expected(operation, call, who, state) !== undefined) continue;
          const answer = await send(operation, inputOn(operation, call, targets[state]), headers[who]);
          expectAllowed(answer, `${who} on ${state}`);
          allowed++;
        }
        expect(allowed).toBeGreaterThanOrEqual(3);
      });
    else
      test('lets keys write with the right, unless the machine is archived', async () => {
        const call = callOf(operation);
        const slug = `matrix-${operation.name.replace('.', '-')}`;
        const target = await createTarget(slug, call);
        const [write, admin] = [await developerKey(slug, 'write'), await developerKey(slug, 'admin')];
        const keys = { 'developer key, write': write.key, 'developer key, admin': admin.key };
        for (const [who, key] of Object.entries(keys)) {
          const facts: Actor = ACTORS[who as Who];
          if (refusalOn(operation, call.needs === 'none' ? 'viewer' : call.needs, facts, 'private') !== undefined)
            continue;
          expectAllowed(await send(operation, inputOn(operation, call, target), bearer(key)), who);
        }
        if (WRITES_ON_ARCHIVED.has(operation.name)) return;
        const before = await fingerprint(BESIDE_RATES);
        const answer = await send(operation, inputOn(operation, call, targets.archived), headers.owner);
        expect(answer.json().code).toBe(EARLIER_REFUSALS[operation.name] ?? 'MACHINE_ARCHIVED');
        expect(await fingerprint(BESIDE_RATES)).toEqual(before);
      });
  },
);

/** The owner brings a machine back; erasure of personal data is a duty. */
const WRITES_ON_ARCHIVED = new Set(['machine.status', 'machine.erase']);
/** Without a token or a valid export there is nothing to write. */
const EARLIER_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  'tally.set-avatar': 'NOT_FOUND',
  'contract.import': 'VALIDATION_FAILED',
};

function expectAllowed(answer: Answer, who: string): void {
  const shown = `${who}: ${answer.text.slice(0, 300)}`;
  expect([401, 403], shown).not.toContain(answer.status);
  expect(answer.status, shown).toBeLessThan(500);
  // Not "Machine … not found", which is for others.
  if (answer.status === 404) expect(answer.text, shown).not.toMatch(/Machine .* not found/);
}

/** A developer key acts on its machine; its account has no keys but those that the machine's chain records. */
const NOT_BY_DEVELOPERS = new Set(['key.create', 'key.revoke']);

describe.each(OTHERS.map((operation: Operation) => ({ name: operation.name, operation })))('$name', ({ operation }) => {
  test('refuses every key, token and cookie without the right, and changes nothing', async () => {
    const before = await fingerprint();
    let asked = 0;
    for (const who of WHO) {
      const facts = factsOn(who, 'private', operation);
      const isDeveloper = NOT_BY_DEVELOPERS.has(operation.name) && who.startsWith('developer key');
      const code = tierRefusal(operation, facts) ?? (isDeveloper ? 'FORBIDDEN' : undefined);
      if (code === undefined) continue;
      asked++;
      const json = methodOf(operation) === 'GET' ? {} : { json: operation.example ?? {} };
      const answer = await service.call(exampleUrl(operation), { headers: headers[who], ...json });
      expect([answer.status, answer.json().code], who).toEqual([ERROR_FORMS[code].status, code]);
    }
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(await fingerprint()).toEqual(before);
  });
});
