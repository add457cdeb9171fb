// Roles on a private machine: every machine route, called by every role, a stranger and without a key.
//
// A new route without an entry in the table fails, and so does one that requires a lower role than specified.

import { beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { requestUrl } from '../../src/operations/request-url.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import {
  ACCOUNTS,
  type Account,
  AVATAR,
  MACHINE_CALLS,
  type MachineCall,
  ROLES,
  type Role,
  type Target,
  withTally,
} from './machine-calls.ts';
import { ECHO } from './machine-fixture.ts';
import { type Answer, type Json, startService } from './service-fixture.ts';

/** Callers with an unrelated admin key, or without a key. */
const OUTSIDERS = ['stranger', 'anonymous'] as const;
type Who = Role | (typeof OUTSIDERS)[number];

const zids = {} as Record<Account, string>;
const raw = new Map<string, string>();
let equation = '';

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
async function createTarget({ isSealed = false, before }: MachineCall): Promise<Target> {
  const slug = `private-${created++}`;
  const request: Target['request'] = (route, json, status) => requestAs('owner', route, json, status);
  const sealed = isSealed ? { equation } : {};
  const { machine } = await request('POST /api/chain/state-machines', { slug, is_public: false, ...sealed }, 201);
  for (const role of ['viewer', 'operator', 'admin'] as const)
    await request(`POST /api/chain/${slug}/admins`, { zid: zids[role], role }, 201);
  const { contract } = await request(`POST /api/chain/${slug}/contracts/custom`, { definition: ECHO }, 201);
  const genesisTick = Number((machine as Json).genesis_tick);
  const target = { slug, contract: String((contract as Json).id), request, zids, equation, genesisTick, made: {} };
  await before?.(target);
  return target;
}

const slugNames = (operation: Operation) => [...pathOf(operation).matchAll(/\{(slug|motherSlug)\}/g)].map(([, n]) => n);
const OF_MACHINES = OPERATIONS.filter((operation) => slugNames(operation).length > 0);
const rowsOf = ({ name }: Operation): readonly MachineCall[] => [MACHINE_CALLS[name] ?? []].flat();

test('the table lists exactly the routes of a machine', () => {
  expect(Object.keys(MACHINE_CALLS).toSorted()).toEqual(OF_MACHINES.map(({ name }) => name).toSorted());
});

/** Roles in the record that differ from the minimum of the table, because the handler checks more. */
const CHECKED_BY_HANDLERS: Readonly<Record<string, Operation['machine']>> = {
  // Every member may leave.
  'member.remove': 'viewer',
  // The admin of the child; the mother must be visible.
  'anchor.add': 'reader',
  // Instead of a key, a token or an equation.
  'machine.unlock': undefined,
  // Parties too, and whoever relays what they have signed.
  'contract.event': undefined,
  'contract.accept': undefined,
  'contract.accept-version': undefined,
  'contract.withdraw': undefined,
};

test('the record of each operation states the role of the table', () => {
  const rank = (role: MachineCall['needs']) => (role === 'none' ? -1 : ROLES.indexOf(role));
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
      const codes = {
        operator: ['FORBIDDEN', 'FORBIDDEN_PARTY'],
        admin: ['ADMIN_REQUIRED'],
        owner: ['FORBIDDEN', 'ADMIN_REQUIRED'],
      };
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
