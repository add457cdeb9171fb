// Roles on a private machine: every machine route, called by every role, a stranger and without a key.
//
// The table follows the design (semantics.md, 10 and 12), not the code: a new route without an entry fails, and so does
// one that requires a lower role than specified.

import { beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { requestUrl } from '../../src/operations/request-url.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { png } from '../services/machines/tally/image-fixtures.ts';
import { ECHO } from './machine-fixture.ts';
import { type Answer, type Json, startService } from './service-fixture.ts';

const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];
/** Callers with an unrelated admin key, or without a key. */
const OUTSIDERS = ['stranger', 'anonymous'] as const;
type Who = Role | (typeof OUTSIDERS)[number];
/** `guest` is added and removed by tests. */
const ACCOUNTS = [...ROLES, 'stranger', 'guest'] as const;

interface Target {
  readonly slug: string;
  readonly contract: string;
  readonly request: (route: string, json?: Json, status?: number) => Promise<Json>;
}

interface Row {
  /** Minimum role; `none` if membership does not matter. */
  readonly needs: Role | 'none';
  /** Distinguishes several entries of one operation. */
  readonly when?: string;
  /** Input besides the machine and its contract. */
  readonly input?: Json | ((target: Target) => Json);
  /** Setup by the owner. */
  readonly before?: (target: Target) => Promise<unknown>;
  /** Status for the minimum role, unless successful. */
  readonly status?: number;
  /** Payloads are sealed to the owner's equation. */
  readonly isSealed?: boolean;
}

const SHA256 = '0'.repeat(64);
const UUID = '00000000-0000-7000-8000-000000000000';
const TALLY = { name: 'Heat', symbol: 'HEAT', max_supply: 100, mint: { unit: 'row', every: 1, amount: 1 } };
const AVATAR = { data: png(6, 4).toString('base64') };
const withTally = ({ slug, request }: Target) => request(`POST /api/chain/${slug}/tally/token/genesis`, TALLY, 201);
const pause = ({ slug, contract, request }: Target) =>
  request(`POST /api/chain/${slug}/contracts/${contract}/pause`, {});
const archive = ({ slug, request }: Target) => request(`POST /api/chain/${slug}/status`, { status: 'archived' });
const EXPORT = {
  format: 'svc-contract/1',
  name: 'echo',
  definition: ECHO,
  // The hash is validated after the role.
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
  'chain.at': { needs: 'viewer', input: firstTick },
  'chain.block': { needs: 'viewer', input: firstTick },
  'chain.analytics': SEEN,
  'chain.sources': SEEN,
  'chain.events': SEEN,
  'chain.awareness': SEEN,
  'chain.validate': SEEN,
  'chain.checkpoint': SEEN,
  'chain.inclusion': { needs: 'viewer', input: { seq: 0 } },
  'chain.consistency': { needs: 'viewer', input: { from: 1 } },
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
  'contract.version': { needs: 'viewer', input: { n: 1 } },
  'contract.integrity': SEEN,
  'contract.verify': SEEN,
  'tally.get': SEEN,
  'tally.supply': SEEN,
  'tally.rate': SEEN,
  'tally.tokens': SEEN,
  'tally.verify': SEEN,
  'tally.token': { needs: 'viewer', input: { tokenId: '0'.repeat(32) }, status: 404 },
  'tally.avatar': SEEN,

  // operator: log rows, fire, pause, resume, skip, transition.
  'machine.event': { needs: 'operator', input: { name: 'ping', payload: { n: 1 } } },
  'machine.connection': { needs: 'operator', input: { peer: 'plc-7' } },
  'machine.file': { needs: 'operator', input: { name: 'report.pdf', sha256: SHA256 } },
  'machine.snapshot': { needs: 'operator', input: { state: { valve: 'open' } } },
  'oracle.push': {
    needs: 'operator',
    before: async ({ slug, request }) => {
      const created = await request(`POST /api/chain/${slug}/contracts/custom`, { definition: METER }, 201);
      meters.set(slug, String((created.contract as Json).id));
    },
    input: ({ slug }) => ({ id: meters.get(slug) ?? UUID, value: 3 }),
  },
  'contract.fire': { needs: 'operator' },
  'contract.transition': { needs: 'operator', input: { transition: 'answer', payload: { n: 1 } } },
  'transaction.submit': {
    needs: 'operator',
    input: ({ contract }) => ({ contract_id: contract, transition: 'answer', payload: { n: 1 } }),
  },
  'contract.dry-run': { needs: 'operator', input: { event: 'ping', payload: { n: 1 } } },
  'contract.pause': { needs: 'operator' },
  'contract.resume': { needs: 'operator', before: pause },
  'contract.skip': { needs: 'operator' },

  // admin: create, patch, rollback, freeze, status, settings, admins, api-keys, mint-rate, share, anchors.
  'contract.create': { needs: 'admin', input: { template_id: 'rate-limiter' } },
  'contract.custom': { needs: 'admin', input: { definition: ECHO } },
  'contract.import': { needs: 'admin', input: { export: EXPORT }, status: 422 },
  'contract.patch': { needs: 'admin', input: { name: 'renamed' } },
  'contract.rollback': { needs: 'admin', input: { to_version: 1 } },
  'contract.freeze': { needs: 'admin' },
  'machine.settings': [
    { needs: 'admin', input: { description: 'Boiler house 3' } },
    { needs: 'owner', when: 'making it public', input: { is_public: true } },
  ],
  'machine.status': [
    { needs: 'admin', input: { status: 'paused' } },
    { needs: 'admin', when: 'archiving it', input: { status: 'archived' } },
    { needs: 'owner', when: 'bringing it back', input: { status: 'paused' }, before: archive },
  ],
  'member.add': { needs: 'admin', input: () => ({ zid: zids.stranger, role: 'viewer' }) },
  'member.change': [
    { needs: 'admin', input: () => ({ zid: zids.viewer, role: 'viewer' }) },
    { needs: 'owner', when: 'transferring it', input: () => ({ zid: zids.owner, role: 'owner' }) },
  ],
  // Removing others; every member may leave.
  'member.remove': {
    needs: 'admin',
    before: ({ slug, request }) => request(`POST /api/chain/${slug}/admins`, { zid: zids.guest, role: 'viewer' }, 201),
    input: () => ({ zid: zids.guest }),
  },
  'developer-key.list': { needs: 'admin' },
  'developer-key.create': { needs: 'admin', input: { name: 'plc', scope: 'read' } },
  'developer-key.revoke': {
    needs: 'admin',
    before: async ({ slug, request }) => {
      const created = await request(`POST /api/chain/${slug}/api-keys`, { name: 'plc', scope: 'read' }, 201);
      keys.set(slug, String((created.record as Json).id));
    },
    input: ({ slug }) => ({ id: keys.get(slug) ?? UUID }),
  },
  'tally.genesis': { needs: 'admin', input: TALLY },
  'tally.set-rate': { needs: 'admin', input: { unit: 'row', every: 2, amount: 1 }, before: withTally },
  'tally.set-avatar': { needs: 'admin', input: AVATAR, before: withTally },
  'share.set': { needs: 'admin', input: { label: 'the auditor' } },
  'share.disable': { needs: 'admin' },
  // A machine cannot anchor itself: validated after the role.
  'anchor.add': { needs: 'admin', input: ({ slug }) => ({ child_slug: slug }), status: 422 },
  'anchor-config.set': { needs: 'admin', input: { mothers: [] } },
  'anchor-key.rotate': { needs: 'admin' },
  // Bodies contain contract data, and the secret signs for the machine.
  'webhook.list': { needs: 'admin' },
  'webhook.redeliver': { needs: 'admin', input: { id: UUID }, status: 404 },
  'webhook.secret': { needs: 'admin' },
  'webhook.rotate': { needs: 'admin' },

  // owner: decrypt, export, preview, next-fires, events/stream, transfer, unarchive.
  'machine.decrypt': { needs: 'owner', input: () => ({ equation }), isSealed: true },
  'contract.export': { needs: 'owner' },
  'contract.preview': { needs: 'owner' },
  'contract.next-fires': { needs: 'owner' },
  'events.stream': { needs: 'owner' },
  // Erasure is irreversible.
  'machine.erase': { needs: 'owner', input: { seq: 1, reason: 'requested' } },

  // Needs a token or an equation; keys are ignored.
  'machine.unlock': { needs: 'none', input: { share: 'svc_sh_0' } },
};

/** The tick of the first row. */
function firstTick({ slug }: Target): Json {
  return { svcond: ticks.get(slug) ?? 0 };
}
const ticks = new Map<string, number>();

const service = await startService();
/** For read-only operations. */
let shared: Target;

const headersOf = (who: string): Record<string, string> => {
  const key = raw.get(who);
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
};
const requestAs = async (who: string, route: string, json?: Json, status = 200): Promise<Json> => {
  const answer = await service.call(route, { headers: headersOf(who), ...(json === undefined ? {} : { json }) });
  expect([route, answer.status, answer.status === status ? '' : answer.text]).toEqual([route, status, '']);
  return answer.json();
};

beforeAll(async () => {
  for (const who of ACCOUNTS) {
    const request = { name: who, scope: 'admin', rate_limit_tier: 'high' } as const;
    raw.set(who, (await service.running.services.keys.openAccount(request)).key);
    const created = await requestAs(who, 'POST /api/chain/state-machines', { slug: `home-of-${who}` }, 201);
    zids[who] = String(created.zid);
    if (who === 'owner') equation = String(created.equation);
  }
  shared = await createTarget({ needs: 'viewer', before: withTally });
  await shared.request(`POST /api/chain/${shared.slug}/tally/token/avatar`, AVATAR, 201);
});

let created = 0;

/** A private machine with all its members and a contract. */
async function createTarget({ isSealed = false, before }: Row): Promise<Target> {
  const slug = `private-${created++}`;
  const request: Target['request'] = (route, json, status) => requestAs('owner', route, json, status);
  const sealed = isSealed ? { equation } : {};
  const { machine } = await request('POST /api/chain/state-machines', { slug, is_public: false, ...sealed }, 201);
  ticks.set(slug, Number((machine as Json).genesis_tick));
  for (const role of ['viewer', 'operator', 'admin'] as const)
    await request(`POST /api/chain/${slug}/admins`, { zid: zids[role], role }, 201);
  const { contract } = await request(`POST /api/chain/${slug}/contracts/custom`, { definition: ECHO }, 201);
  const target = { slug, contract: String((contract as Json).id), request };
  await before?.(target);
  return target;
}

const slugNames = (operation: Operation) => [...pathOf(operation).matchAll(/\{(slug|motherSlug)\}/g)].map(([, n]) => n);
const OF_MACHINES = OPERATIONS.filter((operation) => slugNames(operation).length > 0);
const rowsOf = ({ name }: Operation): readonly Row[] => [TABLE[name] ?? []].flat();

test('the table lists exactly the routes of a machine', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(OF_MACHINES.map(({ name }) => name).toSorted());
});

/** Roles in the record that differ from the minimum of the table, because the handler checks more. */
const CHECKED_BY_HANDLERS: Readonly<Record<string, Operation['machine']>> = {
  // Every member may leave.
  'member.remove': 'viewer',
  // The admin of the child; the mother must be visible.
  'anchor.add': 'reader',
  // Instead of a key, a token or an equation.
  'machine.unlock': undefined,
};

test('the record of each operation states the role of the table', () => {
  const rank = (role: Row['needs']) => (role === 'none' ? -1 : ROLES.indexOf(role));
  for (const operation of OF_MACHINES) {
    const { name, machine } = operation;
    const [needed] = rowsOf(operation)
      .map(({ needs }) => needs)
      .toSorted((a, b) => rank(a) - rank(b));
    const expected = Object.hasOwn(CHECKED_BY_HANDLERS, name) ? CHECKED_BY_HANDLERS[name] : needed;
    // What a viewer sees of a private machine, everybody sees of a public one, unless the record says viewer.
    const stated = machine === 'reader' && expected === 'viewer' ? 'viewer' : machine;
    expect([name, stated]).toEqual([name, expected]);
  }
});

const cells = OF_MACHINES.flatMap((operation) =>
  rowsOf(operation).map((row) => ({
    operation,
    row,
    name: `${operation.name}${row.when === undefined ? '' : `, ${row.when}`}: ${row.needs}`,
  })),
);

test.each(cells)('$name', async ({ operation, row }) => {
  const target = row.needs === 'viewer' ? shared : await createTarget(row);
  const input = typeof row.input === 'function' ? row.input(target) : (row.input ?? {});
  const inputOf = (slug: string): Json => {
    const id = pathOf(operation).includes('{id}') ? { id: target.contract } : {};
    const fields = Object.entries(input).map(([name, value]) => [name, value === target.slug ? slug : value]);
    return {
      ...Object.fromEntries(slugNames(operation).map((name) => [name, slug])),
      ...id,
      ...Object.fromEntries(fields),
    };
  };
  expect(operation.input.safeParse(inputOf(target.slug)).error).toBeUndefined();
  const call = (who: Who, slug = target.slug): Promise<Answer> => {
    const { url, rest } = requestUrl(operation, inputOf(slug), service.running.url);
    const route = `${methodOf(operation)} ${url.pathname}${url.search}`;
    const json = methodOf(operation) === 'GET' ? {} : { json: rest };
    return service.call(route, { headers: headersOf(who), ...json });
  };
  /** Status and body without slug and request id. */
  const comparable = ({ status, json }: Answer, slug: string) => {
    const { request_id: _, ...body } = json();
    return { status, body: JSON.parse(JSON.stringify(body).replaceAll(slug, '<slug>')) as Json };
  };
  const missing = 'private-none';

  for (const who of OUTSIDERS) {
    const response = comparable(await call(who), target.slug);
    expect(response, who).toEqual(comparable(await call(who, missing), missing));
    const needsKey = who === 'anonymous' && operation.tier !== 'public';
    expect([who, response.status, response.body.code]).toEqual([
      who,
      ...(needsKey ? [401, 'AUTH_REQUIRED'] : [404, 'NOT_FOUND']),
    ]);
  }
  const minRank = row.needs === 'none' ? ROLES.length : ROLES.indexOf(row.needs);
  for (const [rank, who] of ROLES.entries()) {
    const hidden = comparable(await call('stranger', missing), missing);
    const answer = await call(who);
    if (row.needs === 'none') {
      expect(comparable(answer, target.slug), who).toEqual(hidden);
    } else if (rank < minRank) {
      // If only some actions of a route need the owner, callers below admin get ADMIN_REQUIRED.
      const codes = { operator: ['FORBIDDEN'], admin: ['ADMIN_REQUIRED'], owner: ['FORBIDDEN', 'ADMIN_REQUIRED'] };
      expect([who, answer.status], answer.text).toEqual([who, 403]);
      expect(codes[row.needs as keyof typeof codes], who).toContain(answer.json().code);
    } else {
      const isFirst = rank === minRank;
      if (isFirst) expect([who, answer.status], answer.text).toEqual([who, row.status ?? operation.status ?? 200]);
      expect([401, 403], `${who}: ${answer.text}`).not.toContain(answer.status);
      expect(answer.status, answer.text).toBeLessThan(500);
      if (answer.status === 404) expect(comparable(answer, target.slug), who).not.toEqual(hidden);
    }
  }
});
