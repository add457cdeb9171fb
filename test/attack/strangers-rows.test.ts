// Strangers write nothing into a chain, and issue no tokens: neither with anchors nor with requests that are refused.

import { beforeAll, describe, expect, test } from 'vitest';
import { MachineBundle, verifyMachineBundle } from '../../src/chain/bundle.ts';
import { TICK_NS } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { into } from '../../src/storage/database/writer.ts';
import { segmentRows, tallyRows } from '../../src/storage/machines/tally.ts';
import { transition } from '../contracts/transition.ts';
import { advanceClock, type OwnMachines, ownMachines } from '../http/machine-fixture.ts';
import { type Json, startService } from '../http/service-fixture.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

const ENERGY = {
  ...{ operator: 'CM9', inputs: { m: '2', v: '3' }, unit: 'J', into: 'measured', on_error: 'not_measured' },
};
const ANCHORS_PER_HOUR = 6;
const service = await startService({ rates: unlimitedRates({ anchor: ANCHORS_PER_HOUR }) });
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'strangers');
});

/** As visits; whoever stays is told so every two ticks, and has an energy computed. Members prolong a stay. */
const STAYS = {
  ...{ name: 'stays', version: '1.0', edition: 2, operators: ['KO42', 'CM9'], initial: 'inside' },
  ...{ key: 'event.visit', spawn: 'enter', parties: { guest: { bind: 'event.actor' } }, emits: ['stayed'] },
  events: {
    enter: { payload: { visit: 'string' }, from: 'guest' },
    prolong: { payload: { visit: 'string' } },
    measured: {
      payload: { visit: 'string', value: 'number', unit: 'string', uncertainty: 'number', receipt: 'string' },
    },
    not_measured: { payload: { visit: 'string', code: 'string', tries: 'integer' } },
  },
  context: { is_in: { type: 'boolean', initial: false } },
  states: { inside: { role: 'initial' }, outside: { role: 'terminal', outcome: 'success' } },
  transitions: [
    transition(
      'enter',
      'inside',
      'inside',
      { kind: 'event', event: 'enter' },
      {
        ...{ fires_when: 'not is_in', post: [{ set: { is_in: 'true' } }, { call: ENERGY }] },
      },
    ),
    transition('prolong', 'inside', 'inside', { kind: 'event', event: 'prolong' }),
    transition('note', 'inside', 'inside', { kind: 'event', event: 'measured' }),
    transition('miss', 'inside', 'outside', { kind: 'event', event: 'not_measured' }),
    transition('stay', 'inside', 'inside', { kind: 'recurring', every: 2 }, { post: [{ emit: 'stayed' }] }),
  ],
};

const COUNTS_STAYS = {
  ...{
    name: 'counts',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    ...{ events: { stayed: {}, close: {} }, audit_clock: { on: true } },
  },
  states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
  transitions: [
    transition('count', 'open', 'open', { kind: 'event', event: 'stayed' }),
    transition('end', 'open', 'shut', { kind: 'event', event: 'close' }),
  ],
};

/** The victim is `admin`, the stranger `other`. */
const victim = async (unit: 'row' | 'tick', settings: Json = {}): Promise<string> => {
  const slug = await own.machine();
  if (Object.keys(settings).length > 0) await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', settings);
  const mint = { unit, every: 1, amount: 10 };
  const token = { name: 'Heat', symbol: 'HEAT', max_supply: 1_000_000, mint };
  await own.request(`POST /api/chain/${slug}/tally/token/genesis`, 'admin', token, 201);
  return slug;
};
const supplyOf = async (slug: string) => (await own.request(`GET /api/chain/${slug}/tally/supply`)).supply;
const headOf = async (slug: string) => {
  const { machine } = await own.request(`GET /api/chain/state-machines/${slug}`);
  return ((machine as Json).head as Json).seq as number;
};
const anchor = (mother: string, child: string, as: 'admin' | 'other' = 'other') =>
  service.call(`POST /api/chain/${mother}/anchor`, { as, json: { child_slug: child } });
const children = (count: number) => Promise.all(Array.from({ length: count }, () => own.machine({}, 'other')));
const flush = async (ticks = 1n) => {
  advanceClock(service, ticks * TICK_NS);
  await service.running.services.refusals.flush();
};

/** Anybody enters, and becomes the guest of a visit. */
const VISITS = {
  ...{ name: 'visits', version: '1.0', edition: 2, operators: ['KO42'], initial: 'inside' },
  ...{ key: 'event.visit', spawn: 'enter', parties: { guest: { bind: 'event.actor' } }, emits: ['left'] },
  events: {
    enter: { payload: { visit: 'string' }, from: 'guest' },
    leave: { payload: { visit: 'string' }, from: 'guest' },
  },
  context: { is_in: { type: 'boolean', initial: false } },
  states: { inside: { role: 'initial' }, outside: { role: 'terminal', outcome: 'success' } },
  transitions: [
    ['enter', 'inside', { fires_when: 'not is_in', post: [{ set: { is_in: 'true' } }] }] as const,
    ['leave', 'outside', { post: [{ emit: 'left' }] }] as const,
  ].map(([id, to, more]) => ({
    ...{ id, from: 'inside', to, operator: 'KO42', proof: false, trigger: { kind: 'event', event: id } },
    ...more,
  })),
};

/** Begins a token as machines did before rates stated what they count. */
async function beginUncounted(slug: string, unit: 'row' | 'tick'): Promise<void> {
  const { services } = service.running;
  const by = await services.access.authenticate(service.keys.admin);
  const mint = { unit, every: 1, amount: 10 };
  const token = { name: 'Old', symbol: 'OLD', max_supply: 1_000_000 };
  await services.machines.commit(await services.machines.find(slug, by, 'owner'), ({ id: machineId, head }) => {
    const row = services.machines.row(by, 'tally_genesis', 'api', { ...token, mint });
    const rate = { ...mint, counts: 'all', seq: head.seq + 1, svcond: Math.max(row.svcond, head.svcond) } as const;
    const tally = { machineId, name: token.name, symbol: token.symbol, maxSupply: token.max_supply };
    return {
      rows: [row],
      writes: [into(tallyRows, tally), into(segmentRows, { machineId, ...rate })],
      answer: undefined,
    };
  });
}

describe.each(['row', 'tick'] as const)('on a machine that mints by the %s', (unit) => {
  test('150 anchors of a stranger write no row and issue no token', async () => {
    const mother = await victim(unit);
    const before = [await headOf(mother), await supplyOf(mother)];
    const strangers = await children(150);
    advanceClock(service, 10n * TICK_NS);
    const answers = await Promise.all(strangers.map((child) => anchor(mother, child)));
    await flush();
    expect([await headOf(mother), await supplyOf(mother)]).toEqual(before);
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.json().code}`))).toEqual(
      new Set(['403 ANCHOR_NOT_ACCEPTED']),
    );
    // Nothing is half written: the children made no anchor key.
    expect(await headOf(strangers[0] ?? '')).toBe(0);
  });

  test('anchors that the machine accepts are rows, issue no token, and are left out offline too', async () => {
    const mother = await victim(unit, { accept_anchors: 'anyone' });
    for (let i = 0; i < 2; i++) await own.event(mother, 'moved');
    const before = await supplyOf(mother);
    const head = await headOf(mother);
    const [first = '', ...strangers] = await children(ANCHORS_PER_HOUR);
    expect((await anchor(mother, first)).status).toBe(201);
    advanceClock(service, 60n * TICK_NS);
    expect(
      (await service.call(`POST /api/chain/state-machines/${first}/anchor-key/rotate`, { as: 'other', json: {} }))
        .status,
    ).toBe(200);
    for (const child of strangers) expect((await anchor(mother, child)).status).toBe(201);
    expect(await own.request(`POST /api/chain/${mother}/tally/mint-rate`, 'read', {}, 403)).toMatchObject({
      ok: false,
    });
    await flush();
    // One anchor each, the continuity of one, and the refusal of a member.
    expect([await headOf(mother), await supplyOf(mother)]).toEqual([head + ANCHORS_PER_HOUR + 2, before]);
    const { seq, svcond } = await own.event(mother, 'moved');
    const { supply } = await own.request(`GET /api/chain/${mother}/tally/supply`);
    if (unit === 'row') expect(supply).toBe(Number(before) + 10);
    else expect(Number(supply)).toBeGreaterThan(Number(before) + 600);
    // The last token names the row or tick that issued it.
    const page = await own.request(`GET /api/chain/${mother}/tally/tokens?from=${Number(supply) - 1}`);
    expect(page.rows).toMatchObject([{ index: Number(supply) - 1, at: unit === 'row' ? seq : svcond }]);
    expect(await own.request(`POST /api/chain/${mother}/tally/verify`, 'anonymous', {})).toMatchObject({
      valid: true,
      supply,
    });
    const bundle = MachineBundle.parse((await service.call(`GET /api/chain/${mother}/bundle`)).json());
    expect(verifyMachineBundle(bundle)).toContainEqual({
      claim: 'supply',
      ok: true,
      reason: `${supply} of 1000000 tokens at row ${seq}.`,
    });
  });

  test('a rate of before counts as it did, and takes no anchors of strangers', async () => {
    const mother = await own.machine();
    await own.request(`PATCH /api/chain/${mother}/settings`, 'admin', { accept_anchors: 'anyone' });
    await beginUncounted(mother, unit);
    await own.request(`POST /api/chain/${mother}/anchor`, 'admin', { child_slug: await own.machine() }, 201);
    const refused = await anchor(mother, (await children(1))[0] ?? '');
    expect([refused.status, refused.json()]).toMatchObject([403, { code: 'ANCHOR_NOT_ACCEPTED' }]);
    expect(refused.json().error).toContain('set the rate again');
    const old = await own.request(`GET /api/chain/${mother}/tally/token`);
    expect(old.segments).toMatchObject([{ counts: 'all' }]);
    if (unit === 'row') expect(old.supply).toBe(10);
    await own.request(`POST /api/chain/${mother}/tally/mint-rate`, 'admin', { unit, every: 1, amount: 10 }, 201);
    const before = Number(await supplyOf(mother));
    if (unit === 'row') expect(before).toBe(20);
    advanceClock(service, 5n * TICK_NS);
    expect((await anchor(mother, (await children(1))[0] ?? '')).status).toBe(201);
    expect(await own.request(`GET /api/chain/${mother}/tally/token`)).toMatchObject({
      supply: before,
      segments: [{ counts: 'all' }, { counts: 'members' }],
    });
    expect(await own.request(`POST /api/chain/${mother}/tally/verify`, 'anonymous', {})).toMatchObject({ valid: true });
  });

  test('instances that a stranger begins, moves and is refused in issue no token', async () => {
    const slug = await victim(unit);
    // Whoever acts for a party has an identity, which the first machine brings.
    await children(1);
    const { contract } = await own.request(
      `POST /api/chain/${slug}/contracts/custom`,
      'admin',
      { definition: VISITS },
      201,
    );
    const id = String((contract as Json).id);
    const [before, head] = [Number(await supplyOf(slug)), await headOf(slug)];
    advanceClock(service, TICK_NS);
    const send = async (name: string, visit: string) => {
      const json = { name, payload: { visit } };
      const answer = await service.call(`POST /api/chain/${slug}/contracts/${id}/event`, { as: 'other', json });
      expect([answer.status, answer.json().code]).toEqual([201, undefined]);
    };
    for (let i = 0; i < 3; i++) await send('enter', `v${i}`);
    await send('enter', 'v0');
    await send('leave', 'v1');
    // Event, instance and transition of each; the refused event; event, transition and what it emits.
    expect([await headOf(slug), await supplyOf(slug)]).toEqual([head + 3 * 3 + 1 + 3, before]);
    const { rows } = await own.request(`GET /api/chain/${slug}/explore?limit=13`);
    expect(new Set((rows as Json[]).map(({ source }) => source))).toEqual(new Set(['party']));
    const { seq, svcond } = await own.event(slug, 'moved');
    const supply = Number(await supplyOf(slug));
    if (unit === 'row') expect(supply).toBe(before + 10);
    else expect(supply).toBeGreaterThan(before);
    const page = await own.request(`GET /api/chain/${slug}/tally/tokens?from=${supply - 1}`);
    expect(page.rows).toMatchObject([{ index: supply - 1, at: unit === 'row' ? seq : svcond }]);
    expect(await own.request(`POST /api/chain/${slug}/tally/verify`, 'anonymous', {})).toMatchObject({
      valid: true,
      supply,
    });
    const bundle = MachineBundle.parse((await service.call(`GET /api/chain/${slug}/bundle`)).json());
    const reason = `${supply} of 1000000 tokens at row ${seq}.`;
    expect(verifyMachineBundle(bundle)).toContainEqual({ claim: 'supply', ok: true, reason });
    expect(await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {})).toMatchObject({
      valid: true,
    });
  });

  test('what follows from a stranger issues no token: timers, what they cause, results of activities', async () => {
    const slug = await victim(unit);
    await children(1);
    const deploy = async (definition: object) =>
      (await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 201)).contract as Json;
    await deploy(COUNTS_STAYS);
    const { id } = await deploy(STAYS);
    const [before, head] = [Number(await supplyOf(slug)), await headOf(slug)];
    advanceClock(service, TICK_NS);
    const send = async (name: string, as: 'admin' | 'other', visit: string, expected: unknown = undefined) => {
      const json = { name, payload: { visit } };
      const answer = await service.call(`POST /api/chain/${slug}/contracts/${id}/event`, { as, json });
      expect(answer.json().code).toBe(expected);
    };
    const rowsOf = async (type: string, name: string) =>
      (await own.rows(slug)).filter(({ type: own, payload }) => {
        const { name: event, transition } = payload as Json;
        return own === type && (event ?? transition) === name;
      });
    for (const visit of ['v0', 'v1']) await send('enter', 'other', visit);
    await expect.poll(async () => (await rowsOf('transition', 'note')).length).toBe(2);
    // A change that fails is read again, as by a node that has just started.
    await send('enter', 'admin', 'v0', 'FORBIDDEN_PARTY');
    advanceClock(service, 5n * TICK_NS);
    await expect.poll(async () => (await rowsOf('transition', 'count')).length).toBeGreaterThanOrEqual(4);
    const rows = (await own.rows(slug)).filter(({ seq }) => Number(seq) > head);
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['party']));
    expect(await supplyOf(slug)).toBe(before);
    // Once a member moves it, its timers are those of the member.
    await send('prolong', 'admin', 'v0');
    const ofMember = await rowsOf('transition', 'stay');
    advanceClock(service, 5n * TICK_NS);
    await expect
      .poll(async () => (await rowsOf('transition', 'stay')).slice(ofMember.length).map(({ source }) => source))
      .toEqual(expect.arrayContaining(['contract', 'party']));
    expect(Number(await supplyOf(slug))).toBeGreaterThan(before);
    expect(await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {})).toMatchObject({
      valid: true,
    });
    expect(await faultsAfter(service, async () => {})).toEqual([]);
    // The marks that decide it are compared with the chain.
    const unmark = (table: string) => `update ${table} set state = replace(state, ',"stranger":true', '')`;
    for (const table of ['contract', 'contract_instance']) {
      const faults = await faultsAfter(service, (on) => on.raw(unmark(table)));
      expect(faults.map((fault) => [fault.table, fault.code])).toContainEqual([table, 'STATE']);
    }
  });

  test('refused requests of strangers write no row and issue no token', async () => {
    const slug = await victim(unit);
    const before = [await headOf(slug), await supplyOf(slug)];
    for (const as of ['anonymous', 'other', 'demo', 'revoked'] as const) {
      const { status } = await service.call(`POST /api/chain/${slug}/event`, { as, json: { name: 'x' } });
      expect([401, 403]).toContain(status);
      await flush();
    }
    await own.request(`GET /api/chain/${slug}/audit/decrypt`, 'anonymous', undefined, 405);
    await flush();
    expect([await headOf(slug), await supplyOf(slug)]).toEqual(before);
  });
});

describe('consent', () => {
  const open = async (settings: Json) => {
    const slug = await own.machine();
    await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', settings);
    return slug;
  };
  const accepts = async (settings: Json, as: 'admin' | 'other') => {
    const child = await own.machine({}, as);
    return (await anchor(await open(settings), child, as)).status === 201;
  };

  test.each([
    ['nobody', [false, false]],
    ['members', [true, false]],
    ['listed', [true, false]],
    ['anyone', [true, true]],
  ] as const)('%s', async (accept_anchors, [member, stranger]) => {
    const settings = { accept_anchors, anchor_zids: ['0'.repeat(32)] };
    expect([await accepts(settings, 'admin'), await accepts(settings, 'other')]).toEqual([member, stranger]);
    const { machine } = await own.request(`GET /api/chain/state-machines/${await open(settings)}`, 'anonymous');
    expect(machine).toMatchObject({ accept_anchors });
  });

  test('is given to listed identities, and to members when nothing is set', async () => {
    const zid = await own.zidOf('other');
    expect(await accepts({ accept_anchors: 'listed', anchor_zids: [zid] }, 'other')).toBe(true);
    expect(await accepts({ accept_anchors: 'members', anchor_zids: [zid] }, 'other')).toBe(false);
    expect(await accepts({ name: 'renamed' }, 'admin')).toBe(true);
    const mother = await open({ name: 'renamed' });
    const child = await own.machine({}, 'other');
    await own.request(`POST /api/chain/${mother}/admins`, 'admin', { zid, role: 'viewer' }, 201);
    expect((await anchor(mother, child)).status).toBe(201);
  });

  test('is a change of the settings, with a row, and merged with the others', async () => {
    const slug = await open({ accept_anchors: 'listed', http_allow: ['a.example'] });
    await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { anchor_zids: ['0'.repeat(32)] });
    expect((await own.rows(slug)).at(-1)).toMatchObject({
      type: 'settings',
      payload: { settings: { accept_anchors: 'listed', http_allow: ['a.example'], anchor_zids: ['0'.repeat(32)] } },
    });
    const patch = (json: Json, as: 'admin' | 'other' | 'write') =>
      service.call(`PATCH /api/chain/${slug}/settings`, { as, json });
    for (const wrong of [
      { accept_anchors: 'everyone' },
      { anchor_zids: ['x'] },
      { anchor_zids: Array.from({ length: LIMITS.chain.anchors.listed + 1 }, () => '0'.repeat(32)) },
    ])
      expect((await patch(wrong, 'admin')).status).toBe(422);
    for (const as of ['other', 'write'] as const)
      expect((await patch({ accept_anchors: 'anyone' }, as)).status).toBe(403);
  });

  test('that ends also ends schedules and new pseudonyms', async () => {
    const mother = await open({ accept_anchors: 'anyone' });
    const child = await own.machine({}, 'other');
    const config = `/api/chain/state-machines/${child}/anchor-config`;
    await own.request(`PUT ${config}`, 'other', { mothers: [mother] });
    expect((await anchor(mother, child)).status).toBe(201);
    await own.request(`PATCH /api/chain/${mother}/settings`, 'admin', { accept_anchors: 'members' });
    const before = await headOf(mother);
    advanceClock(service, 60n * TICK_NS);
    await service.running.services.anchorConfig.sweep(100);
    const refused = { mother, ok: false, code: 'ANCHOR_NOT_ACCEPTED' };
    expect(await own.request(`GET ${config}`, 'other')).toMatchObject({ last: [refused] });
    const rotated = await own.request(`POST /api/chain/state-machines/${child}/anchor-key/rotate`, 'other', {});
    expect(rotated.mothers).toMatchObject([refused]);
    expect(await headOf(mother)).toBe(before);
  });
});

describe('the quota', () => {
  test('of a stranger in one machine: 429 with Retry-After, nothing written; repeated calls use nothing', async () => {
    const mother = await victim('row', { accept_anchors: 'anyone' });
    const [child = '', ...more] = await children(ANCHORS_PER_HOUR);
    for (let i = 0; i < 2 * ANCHORS_PER_HOUR; i++) expect((await anchor(mother, child)).status).toBe(201);
    for (const one of more) expect((await anchor(mother, one)).status).toBe(201);
    const late = (await children(1))[0] ?? '';
    const before = await headOf(mother);
    const answer = await anchor(mother, late);
    expect([answer.status, answer.json().code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await flush();
    expect([await headOf(mother), await headOf(late)]).toEqual([before, 0]);
    // Members and other machines are not concerned.
    expect((await anchor(mother, await own.machine(), 'admin')).status).toBe(201);
    expect((await anchor(await victim('row', { accept_anchors: 'anyone' }), late)).status).toBe(201);
  });

  test('is not used by a machine that is paused or archived: 409, and nothing is written in the child', async () => {
    const mother = await victim('row', { accept_anchors: 'anyone' });
    const [child = ''] = await children(1);
    const status = (to: string) => own.request(`POST /api/chain/${mother}/status`, 'admin', { status: to });
    for (const [to, code] of [
      ['paused', 'CONFLICT'],
      ['archived', 'MACHINE_ARCHIVED'],
    ] as const) {
      await status(to);
      for (let i = 0; i <= ANCHORS_PER_HOUR; i++)
        expect((await anchor(mother, child)).json()).toMatchObject({ ok: false, code });
    }
    expect(await headOf(child)).toBe(0);
    await status('paused');
    await status('active');
    for (const one of await children(ANCHORS_PER_HOUR)) expect((await anchor(mother, one)).status).toBe(201);
  });

  test('of a machine: strangers leave room for its members, who have a limit too, for an hour', async () => {
    const { ticks, rows } = LIMITS.chain.anchors.window;
    const mother = await victim('row', { accept_anchors: 'anyone' });
    const { services } = service.running;
    const machine = await services.machines.find(mother, undefined, 'reader');
    const write = (count: number) =>
      services.machines.commit(machine, () => ({
        rows: Array.from({ length: count }, () => services.machines.row(undefined, 'anchor', 'anchor', {})),
        answer: undefined,
      }));
    const statusOf = async (as: 'admin' | 'other') => (await anchor(mother, await own.machine({}, as), as)).status;
    await write(rows.other - 1);
    expect(await statusOf('other')).toBe(201);
    expect(await statusOf('other')).toBe(429);
    expect(await statusOf('admin')).toBe(201);
    await write(rows.member - rows.other - 1);
    const answer = await anchor(mother, await own.machine(), 'admin');
    expect(answer.json()).toMatchObject({ code: 'RATE_LIMITED', error: expect.stringContaining(`${rows.member}`) });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_500);
    advanceClock(service, BigInt(ticks) * TICK_NS);
    expect([await statusOf('admin'), await statusOf('other')]).toEqual([201, 201]);
  });

  test('of one child: its newest checkpoint, at most once in sixty ticks', async () => {
    const mother = await victim('row', { accept_anchors: 'anyone' });
    const child = await own.machine();
    for (let i = 0; i < 5; i++) {
      expect((await anchor(mother, child, 'admin')).status).toBe(201);
      await own.event(child, 'grown');
      advanceClock(service, 10n * TICK_NS);
    }
    expect((await own.request(`GET /api/chain/${mother}/anchors`)).rows).toHaveLength(1);
  });
});
