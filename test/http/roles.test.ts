// Who may do what with a private machine: every route of a machine, asked by every role, a stranger and nobody.
//
// The roles stand here as the design says them (semantics.md, 10 and 12), not as the code does: a new route that is not
// in the table fails, and so does one that asks for less than it should.

import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '../../src/operations/address.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, type Operation, pathOf } from '../../src/operations/operation.ts';
import { png } from '../services/machines/pictures.ts';
import { ECHO } from './own-machines.ts';
import { type Answer, type Json, startService } from './service.ts';

const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];
/** Has a key of scope admin and an identity of its own, or no key at all. */
const OUTSIDERS = ['stranger', 'nobody'] as const;
type Who = Role | (typeof OUTSIDERS)[number];
/** `guest` is let in and put out. */
const ACCOUNTS = [...ROLES, 'stranger', 'guest'] as const;

interface Place {
  readonly slug: string;
  readonly contract: string;
  readonly ask: (route: string, json?: Json, status?: number) => Promise<Json>;
}

interface Row {
  /** The least role that may; `none` for what is not opened by being a member. */
  readonly needs: Role | 'none';
  /** Said where an operation stands more than once. */
  readonly when?: string;
  /** What is asked for, beside the machine and its contract. */
  readonly given?: Json | ((place: Place) => Json);
  /** What the owner does first. */
  readonly before?: (place: Place) => Promise<unknown>;
  /** Status for the first who may, where it is not that of a success. */
  readonly answers?: number;
  /** Payloads are sealed to the owner's equation. */
  readonly isSealed?: boolean;
}

const SHA256 = '0'.repeat(64);
const UUID = '00000000-0000-7000-8000-000000000000';
const TALLY = { name: 'Heat', symbol: 'HEAT', max_supply: 100, mint: { unit: 'row', every: 1, amount: 1 } };
const AVATAR = { data: png(6, 4).toString('base64') };
const withTally = ({ slug, ask }: Place) => ask(`POST /api/chain/${slug}/tally/token/genesis`, TALLY, 201);
const pause = ({ slug, contract, ask }: Place) => ask(`POST /api/chain/${slug}/contracts/${contract}/pause`, {});
const archive = ({ slug, ask }: Place) => ask(`POST /api/chain/${slug}/status`, { status: 'archived' });
const EXPORT = {
  format: 'svc-contract/1',
  name: 'echo',
  definition: ECHO,
  // The hash is looked at after the role.
  definition_hash: SHA256,
  parameters: {},
  template_id: null,
  current_version_no: 1,
};
const METER = { ...ECHO, oracle: { kind: 'push', event: 'ping', field: 'n', fn: 'last' } };
const zids = {} as Record<(typeof ACCOUNTS)[number], string>;
const raw = new Map<string, string>();
let equation = '';
const meters = new Map<string, string>();
const keys = new Map<string, string>();

/** What is shown of a machine is for all its members. */
const SEEN: Row = { needs: 'viewer' };

const TABLE: Readonly<Record<string, Row | readonly Row[]>> = {
  // Reading.
  'machine.get': SEEN,
  'chain.explore': SEEN,
  'explorer.stream': SEEN,
  'chain.state': SEEN,
  'chain.stats': SEEN,
  'chain.at': { needs: 'viewer', given: firstTick },
  'chain.block': { needs: 'viewer', given: firstTick },
  'chain.analytics': SEEN,
  'chain.sources': SEEN,
  'chain.events': SEEN,
  'chain.awareness': SEEN,
  'chain.validate': SEEN,
  'chain.checkpoint': SEEN,
  'chain.inclusion': { needs: 'viewer', given: { seq: 0 } },
  'chain.consistency': { needs: 'viewer', given: { from: 1 } },
  'chain.bundle': SEEN,
  'chain.bundle-page': SEEN,
  'member.list': SEEN,
  'anchor.list': SEEN,
  'anchor.overview': SEEN,
  'anchor-config.get': SEEN,
  'oracle.list': SEEN,
  'contract.list': SEEN,
  'contract.get': SEEN,
  'contract.audit': SEEN,
  'transitions.stream': SEEN,
  'contract.versions': SEEN,
  'contract.version': { needs: 'viewer', given: { n: 1 } },
  'contract.integrity': SEEN,
  'contract.verify': SEEN,
  'tally.get': SEEN,
  'tally.supply': SEEN,
  'tally.rate': SEEN,
  'tally.tokens': SEEN,
  'tally.verify': SEEN,
  'tally.token': { needs: 'viewer', given: { tokenId: '0'.repeat(32) }, answers: 404 },
  'tally.avatar': SEEN,

  // operator: log rows, fire, pause, resume, skip, transition.
  'machine.event': { needs: 'operator', given: { name: 'ping', payload: { n: 1 } } },
  'machine.connection': { needs: 'operator', given: { peer: 'plc-7' } },
  'machine.file': { needs: 'operator', given: { name: 'report.pdf', sha256: SHA256 } },
  'machine.snapshot': { needs: 'operator', given: { state: { valve: 'open' } } },
  'oracle.push': {
    needs: 'operator',
    before: async ({ slug, ask }) => {
      const made = await ask(`POST /api/chain/${slug}/contracts/custom`, { definition: METER }, 201);
      meters.set(slug, String((made.contract as Json).id));
    },
    given: ({ slug }) => ({ id: meters.get(slug) ?? UUID, value: 3 }),
  },
  'contract.fire': { needs: 'operator' },
  'contract.transition': { needs: 'operator', given: { transition: 'answer', payload: { n: 1 } } },
  'transaction.submit': {
    needs: 'operator',
    given: ({ contract }) => ({ contract_id: contract, transition: 'answer', payload: { n: 1 } }),
  },
  'contract.dry-run': { needs: 'operator', given: { event: 'ping', payload: { n: 1 } } },
  'contract.pause': { needs: 'operator' },
  'contract.resume': { needs: 'operator', before: pause },
  'contract.skip': { needs: 'operator' },

  // admin: create, patch, rollback, freeze, status, settings, admins, api-keys, mint-rate, share, anchors.
  'contract.create': { needs: 'admin', given: { template_id: 'rate-limiter' } },
  'contract.custom': { needs: 'admin', given: { definition: ECHO } },
  'contract.import': { needs: 'admin', given: { export: EXPORT }, answers: 422 },
  'contract.patch': { needs: 'admin', given: { name: 'renamed' } },
  'contract.rollback': { needs: 'admin', given: { to_version: 1 } },
  'contract.freeze': { needs: 'admin' },
  'machine.settings': [
    { needs: 'admin', given: { description: 'Boiler house 3' } },
    { needs: 'owner', when: 'making it public', given: { is_public: true } },
  ],
  'machine.status': [
    { needs: 'admin', given: { status: 'paused' } },
    { needs: 'admin', when: 'archiving it', given: { status: 'archived' } },
    { needs: 'owner', when: 'bringing it back', given: { status: 'paused' }, before: archive },
  ],
  'member.add': { needs: 'admin', given: () => ({ zid: zids.stranger, role: 'viewer' }) },
  'member.change': [
    { needs: 'admin', given: () => ({ zid: zids.viewer, role: 'viewer' }) },
    { needs: 'owner', when: 'transferring it', given: () => ({ zid: zids.owner, role: 'owner' }) },
  ],
  // Whom somebody takes out; anybody may leave.
  'member.remove': {
    needs: 'admin',
    before: ({ slug, ask }) => ask(`POST /api/chain/${slug}/admins`, { zid: zids.guest, role: 'viewer' }, 201),
    given: () => ({ zid: zids.guest }),
  },
  'developer-key.list': { needs: 'admin' },
  'developer-key.create': { needs: 'admin', given: { name: 'plc', scope: 'read' } },
  'developer-key.revoke': {
    needs: 'admin',
    before: async ({ slug, ask }) => {
      const made = await ask(`POST /api/chain/${slug}/api-keys`, { name: 'plc', scope: 'read' }, 201);
      keys.set(slug, String((made.record as Json).id));
    },
    given: ({ slug }) => ({ id: keys.get(slug) ?? UUID }),
  },
  'tally.genesis': { needs: 'admin', given: TALLY },
  'tally.set-rate': { needs: 'admin', given: { unit: 'row', every: 2, amount: 1 }, before: withTally },
  'tally.set-avatar': { needs: 'admin', given: AVATAR, before: withTally },
  'share.set': { needs: 'admin', given: { label: 'the auditor' } },
  'share.disable': { needs: 'admin' },
  // Of itself: what is asked for after the roles.
  'anchor.add': { needs: 'admin', given: ({ slug }) => ({ child_slug: slug }), answers: 422 },
  'anchor-config.set': { needs: 'admin', given: { mothers: [] } },
  'anchor-key.rotate': { needs: 'admin' },
  // Their bodies hold what contracts know, and the secret signs for the machine.
  'webhook.list': { needs: 'admin' },
  'webhook.redeliver': { needs: 'admin', given: { id: UUID }, answers: 404 },
  'webhook.secret': { needs: 'admin' },
  'webhook.rotate': { needs: 'admin' },

  // owner: decrypt, export, preview, next-fires, events/stream, transfer, unarchive.
  'machine.decrypt': { needs: 'owner', given: () => ({ equation }), isSealed: true },
  'contract.export': { needs: 'owner' },
  'contract.preview': { needs: 'owner' },
  'contract.next-fires': { needs: 'owner' },
  'events.stream': { needs: 'owner' },
  // A payload erased by law is gone for good.
  'machine.erase': { needs: 'owner', given: { seq: 1, reason: 'asked for' } },

  // A token opens it, or an equation; a key is not looked at.
  'machine.unlock': { needs: 'none', given: { share: 'svc_sh_0' } },
};

/** The tick of the first row. */
function firstTick({ slug }: Place): Json {
  return { svcond: ticks.get(slug) ?? 0 };
}
const ticks = new Map<string, number>();

const service = await startService();
/** For all that only reads. */
let shared: Place;

const headersOf = (who: string): Record<string, string> => {
  const key = raw.get(who);
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
};
const askAs = async (who: string, route: string, json?: Json, status = 200): Promise<Json> => {
  const answer = await service.call(route, { headers: headersOf(who), ...(json === undefined ? {} : { json }) });
  expect([route, answer.status, answer.status === status ? '' : answer.text]).toEqual([route, status, '']);
  return answer.json();
};

beforeAll(async () => {
  for (const who of ACCOUNTS) {
    const request = { name: who, scope: 'admin', rate_limit_tier: 'high' } as const;
    raw.set(who, (await service.running.services.keys.openAccount(request)).key);
    const made = await askAs(who, 'POST /api/chain/state-machines', { slug: `home-of-${who}` }, 201);
    zids[who] = String(made.zid);
    if (who === 'owner') equation = String(made.equation);
  }
  shared = await settle({ needs: 'viewer', before: withTally });
  await shared.ask(`POST /api/chain/${shared.slug}/tally/token/avatar`, AVATAR, 201);
});

let made = 0;

/** A private machine with all its members and a contract. */
async function settle({ isSealed = false, before }: Row): Promise<Place> {
  const slug = `private-${made++}`;
  const ask: Place['ask'] = (route, json, status) => askAs('owner', route, json, status);
  const sealed = isSealed ? { equation } : {};
  const { machine } = await ask('POST /api/chain/state-machines', { slug, is_public: false, ...sealed }, 201);
  ticks.set(slug, Number((machine as Json).genesis_tick));
  for (const role of ['viewer', 'operator', 'admin'] as const)
    await ask(`POST /api/chain/${slug}/admins`, { zid: zids[role], role }, 201);
  const { contract } = await ask(`POST /api/chain/${slug}/contracts/custom`, { definition: ECHO }, 201);
  const place = { slug, contract: String((contract as Json).id), ask };
  await before?.(place);
  return place;
}

const slugNames = (operation: Operation) => [...pathOf(operation).matchAll(/\{(slug|motherSlug)\}/g)].map(([, n]) => n);
const OF_MACHINES = OPERATIONS.filter((operation) => slugNames(operation).length > 0);
const rowsOf = ({ name }: Operation): readonly Row[] => [TABLE[name] ?? []].flat();

test('the table holds every route of a machine, and no other', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(OF_MACHINES.map(({ name }) => name).toSorted());
});

const cells = OF_MACHINES.flatMap((operation) =>
  rowsOf(operation).map((row) => ({
    operation,
    row,
    name: `${operation.name}${row.when === undefined ? '' : `, ${row.when}`}: ${row.needs}`,
  })),
);

test.each(cells)('$name', async ({ operation, row }) => {
  const place = row.needs === 'viewer' ? shared : await settle(row);
  const given = typeof row.given === 'function' ? row.given(place) : (row.given ?? {});
  const inputOf = (slug: string): Json => {
    const id = pathOf(operation).includes('{id}') ? { id: place.contract } : {};
    const said = Object.entries(given).map(([name, value]) => [name, value === place.slug ? slug : value]);
    return {
      ...Object.fromEntries(slugNames(operation).map((name) => [name, slug])),
      ...id,
      ...Object.fromEntries(said),
    };
  };
  expect(operation.input.safeParse(inputOf(place.slug)).error).toBeUndefined();
  const call = (who: Who, slug = place.slug): Promise<Answer> => {
    const { url, rest } = addressOf(operation, inputOf(slug), service.running.url);
    const route = `${methodOf(operation)} ${url.pathname}${url.search}`;
    const json = methodOf(operation) === 'GET' ? {} : { json: rest };
    return service.call(route, { headers: headersOf(who), ...json });
  };
  /** What is said, but for the slug and the number of the request. */
  const saidOf = ({ status, json }: Answer, slug: string) => {
    const { request_id: _, ...body } = json();
    return { status, body: JSON.parse(JSON.stringify(body).replaceAll(slug, '<slug>')) as Json };
  };
  const missing = 'private-none';

  for (const who of OUTSIDERS) {
    const said = saidOf(await call(who), place.slug);
    expect(said, who).toEqual(saidOf(await call(who, missing), missing));
    const isAsked = who === 'nobody' && operation.tier !== 'public';
    expect([who, said.status, said.body.code]).toEqual([
      who,
      ...(isAsked ? [401, 'AUTH_REQUIRED'] : [404, 'NOT_FOUND']),
    ]);
  }
  const least = row.needs === 'none' ? ROLES.length : ROLES.indexOf(row.needs);
  for (const [rank, who] of ROLES.entries()) {
    const hidden = saidOf(await call('stranger', missing), missing);
    const answer = await call(who);
    if (row.needs === 'none') {
      expect(saidOf(answer, place.slug), who).toEqual(hidden);
    } else if (rank < least) {
      // Where only some of what a route does is for the owner, those below an admin are told of the admin.
      const codes = { operator: ['FORBIDDEN'], admin: ['ADMIN_REQUIRED'], owner: ['FORBIDDEN', 'ADMIN_REQUIRED'] };
      expect([who, answer.status], answer.text).toEqual([who, 403]);
      expect(codes[row.needs as keyof typeof codes], who).toContain(answer.json().code);
    } else {
      const isFirst = rank === least;
      if (isFirst) expect([who, answer.status], answer.text).toEqual([who, row.answers ?? operation.status ?? 200]);
      expect([401, 403], `${who}: ${answer.text}`).not.toContain(answer.status);
      expect(answer.status, answer.text).toBeLessThan(500);
      if (answer.status === 404) expect(saidOf(answer, place.slug), who).not.toEqual(hidden);
    }
  }
});
